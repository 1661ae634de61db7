// std::format for tensors, views, shapes and strides, where the standard library has it. The text
// is what `to_string` says; width, fill and alignment in the format string apply to it as a whole.
#ifndef BROADLOOM_IO_FORMAT_HPP
#define BROADLOOM_IO_FORMAT_HPP

#include <version>

#include "broadloom/io/print.hpp"

#ifdef __cpp_lib_format
#include <format>
#include <string_view>

namespace broadloom::detail {

/// Formats as the text of the value would be.
template <class X>
struct TextFormatter : std::formatter<std::string_view> {
    /// Refuses a precision, which would cut the text and not its numbers, and quotes.
    constexpr auto parse(std::format_parse_context& context) {
        const auto begin = context.begin();
        const auto end = std::formatter<std::string_view>::parse(context);
        const std::string_view words(begin, end);
        // What stands before an alignment may be any character.
        constexpr std::size_t longest = 4;
        const std::size_t align = words.find_first_of("<>^", 1);
        const std::size_t from = align <= longest ? align + 1 : 0;
        if (words.find_first_of(".?", from) != std::string_view::npos)
            throw std::format_error("a tensor is formatted with a width and an alignment alone");
        return end;
    }

    template <class Context>
    auto format(const X& x, Context& context) const {
        return std::formatter<std::string_view>::format(broadloom::to_string(x), context);
    }
};

}  // namespace broadloom::detail

template <class T>
struct std::formatter<broadloom::Tensor<T>>
    : broadloom::detail::TextFormatter<broadloom::Tensor<T>> {};
template <class T>
struct std::formatter<broadloom::TensorView<T>>
    : broadloom::detail::TextFormatter<broadloom::TensorView<T>> {};
template <>
struct std::formatter<broadloom::Shape> : broadloom::detail::TextFormatter<broadloom::Shape> {};
template <>
struct std::formatter<broadloom::Strides> : broadloom::detail::TextFormatter<broadloom::Strides> {};

#endif  // __cpp_lib_format

#endif  // BROADLOOM_IO_FORMAT_HPP

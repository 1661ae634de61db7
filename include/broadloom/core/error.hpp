// The exceptions. Each derives from the standard one a C++ user would expect and from the mix-in
// `broadloom::error`, so that `catch (const broadloom::error&)` catches all of them. What they say
// is put together here too.
#ifndef BROADLOOM_CORE_ERROR_HPP
#define BROADLOOM_CORE_ERROR_HPP

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "broadloom/kernel/compiler.hpp"

namespace broadloom {
namespace detail {

/// A sentence in the making: `throw value_error(Sentence() << "not " << n)`. The members of a
/// std::string are templates, which every program would compile for messages that few ever see.
class Sentence {
public:
    Sentence() = default;
    BROADLOOM_COLD Sentence(const char* words) { *this << words; }
    Sentence(const Sentence&) = delete;
    Sentence& operator=(const Sentence&) = delete;
    BROADLOOM_COLD ~Sentence() { std::free(text_); }

    BROADLOOM_COLD Sentence& operator<<(const char* words) {
        return write(words, std::strlen(words));
    }
    Sentence& operator<<(const std::string& words) { return write(words.data(), words.size()); }
    Sentence& operator<<(std::string_view words) { return write(words.data(), words.size()); }
    Sentence& operator<<(const Sentence& other) { return write(other.c_str(), other.size_); }
    Sentence& operator<<(char letter) { return write(&letter, 1); }
    template <class N>
        requires std::is_integral_v<N>
    Sentence& operator<<(N number) {
        bool negative = false;
        if constexpr (std::is_signed_v<N>) negative = number < 0;
        return decimal(negative, static_cast<std::uint64_t>(number));
    }
    BROADLOOM_COLD Sentence& operator<<(double number) {
        char figures[32];
        const int size = std::snprintf(figures, sizeof(figures), "%.9g", number);
        return write(figures, static_cast<std::size_t>(size));
    }

    /// Blanks up to a number of characters in all.
    BROADLOOM_COLD Sentence& pad(std::size_t size) {
        while (size_ < size) write(" ", 1);
        return *this;
    }

    std::size_t size() const noexcept { return size_; }
    const char* c_str() const noexcept { return text_ != nullptr ? text_ : ""; }
    std::string str() const { return std::string(c_str(), size_); }

private:
    BROADLOOM_COLD Sentence& decimal(bool negative, std::uint64_t bits) {
        char figures[24];
        char* const end = figures + sizeof(figures);
        char* first = end;
        std::uint64_t rest = negative ? 0 - bits : bits;
        do *--first = static_cast<char>('0' + rest % 10);
        while ((rest /= 10) != 0);
        if (negative) *--first = '-';
        return write(first, static_cast<std::size_t>(end - first));
    }
    BROADLOOM_COLD Sentence& write(const char* words, std::size_t count) {
        if (size_ + count >= room_) {
            room_ = 2 * (size_ + count) + 64;
            void* larger = std::realloc(text_, room_);
            if (larger == nullptr) throw std::bad_alloc();
            text_ = static_cast<char*>(larger);
        }
        if (count > 0) std::memcpy(text_ + size_, words, count);
        size_ += count;
        text_[size_] = '\0';
        return *this;
    }

    char* text_ = nullptr;
    std::size_t size_ = 0, room_ = 0;
};

}  // namespace detail

/// What every exception of the library also is.
class error {
public:
    virtual ~error() = default;
    virtual const char* what() const noexcept = 0;

protected:
    error() = default;
    error(const error&) = default;
    error& operator=(const error&) = default;
};

namespace detail {

template <class Standard>
class Exception : public Standard, public error {
public:
    explicit Exception(const std::string& sentence) : Standard(sentence) {}
    explicit Exception(const char* sentence) : Standard(sentence) {}
    explicit Exception(const Sentence& sentence) : Standard(sentence.c_str()) {}
    const char* what() const noexcept override { return Standard::what(); }
};

}  // namespace detail

/// Shapes that do not fit together, or that are no shapes.
class shape_error : public detail::Exception<std::invalid_argument> {
    using Exception::Exception;
};

/// A value outside of what an operation is defined for.
class value_error : public detail::Exception<std::invalid_argument> {
    using Exception::Exception;
};

/// An axis or an index out of range, or an axis named twice.
class index_error : public detail::Exception<std::out_of_range> {
    using Exception::Exception;
};

/// A file that cannot be read or written, or does not hold what was asked for.
class io_error : public detail::Exception<std::runtime_error> {
    using Exception::Exception;
};

}  // namespace broadloom

#endif  // BROADLOOM_CORE_ERROR_HPP

// Printing, character for character as NumPy prints: one format for a whole array, lines of 75
// columns, and only the corners of anything past 1000 elements. Rank 0 prints like a scalar.
// Arrays are laid out from erased elements, so that a program pays for this code once and not per
// element type.
#ifndef BROADLOOM_IO_PRINT_HPP
#define BROADLOOM_IO_PRINT_HPP

#include <charconv>
#include <cmath>
#include <complex>
#include <concepts>
#include <cstddef>
#include <ostream>
#include <streambuf>
#include <string>
#include <type_traits>
#include <utility>

#include "broadloom/core/expression.hpp"
#include "broadloom/io/number.hpp"
#include "broadloom/tensor/tensor.hpp"

namespace broadloom {
namespace detail {

// The values of numpy.get_printoptions().
inline constexpr index_t print_threshold = 1000;
inline constexpr index_t print_edge_items = 3;
inline constexpr index_t print_line_width = 75;

/// An array on its way to text: the elements that are shown, in the order they are shown.
class ArrayText {
public:
    ArrayText(const PrintType& type, const Shape& shape, const Strides& strides, const void* data)
        : type_(type), shape_(shape), strides_(strides), data_(static_cast<const char*>(data)) {}

    std::string text() {
        if (shape_.size() == 0) return "[]";
        if (shape_.rank() == 0) return scalar_text(type_, data_);
        summarised_ = shape_.size() > print_threshold;
        std::size_t shown = 1;
        for (index_t d = 0; d < shape_.rank(); ++d) {
            shown *= static_cast<std::size_t>(cut(d) ? 2 * print_edge_items : shape_[d]);
        }
        words_.make(shown);
        if (is_floating()) real_.make(shown);
        if (type_.kind == PrintKind::complex) imaginary_.make(shown);
        collect(0, data_);
        next_ = 0;
        format();
        lay_out(0);
        return std::move(out_);
    }

private:
    bool cut(index_t axis) const { return summarised_ && shape_[axis] > 2 * print_edge_items; }

    void collect(index_t axis, const char* element) {
        if (axis == shape_.rank()) {
            take(element);
            return;
        }
        for (index_t i = 0; i < shape_[axis]; ++i) {
            if (cut(axis) && i == print_edge_items) i = shape_[axis] - print_edge_items;
            collect(axis + 1, element + i * strides_[axis] * type_.bytes);
        }
    }

    void take(const char* element) {
        if (is_floating()) {
            const std::complex<long double> value = type_.parts(element);
            real_[next_] = value.real();
            if (type_.kind == PrintKind::complex) imaginary_[next_] = value.imag();
        } else {
            words_[next_] = type_.word(element);
        }
        ++next_;
    }
    bool is_floating() const {
        return type_.kind == PrintKind::real || type_.kind == PrintKind::complex;
    }

    void format() {
        if (is_floating()) {
            const RealFormat real(type_, real_, false);
            for (std::size_t i = 0; i < words_.size(); ++i) words_[i] = real(real_[i]);
        }
        if (type_.kind == PrintKind::complex) {
            const RealFormat imaginary(type_, imaginary_, true);
            for (std::size_t i = 0; i < words_.size(); ++i) {
                words_[i] += imaginary(imaginary_[i]);
                words_[i].insert(words_[i].find_last_not_of(' ') + 1, 1, 'j');
            }
        }
        std::size_t width = type_.kind == PrintKind::boolean ? 5 : 0;
        for (const std::string& word : words_) width = word.size() > width ? word.size() : width;
        for (std::string& word : words_) pad_left(word, width);
    }

    // Appends the sub-array whose words come next, brackets included. Lines that follow its first
    // are indented to stand right of the brackets that are open.
    void lay_out(index_t axis) {
        const bool row = axis == shape_.rank() - 1;
        const index_t indent = axis + 1;
        index_t column = indent;
        out_ += '[';
        for (index_t i = 0; i < shape_[axis]; ++i) {
            if (i > 0) separate(row, axis, column);
            if (cut(axis) && i == print_edge_items) {
                if (row) wrap(3, indent, column);
                out_ += "...";
                separate(row, axis, column);
                i = shape_[axis] - print_edge_items;
            }
            if (row) {
                const std::string& word = words_[next_++];
                wrap(static_cast<index_t>(word.size()), indent, column);
                out_ += word;
            } else {
                lay_out(axis + 1);
            }
        }
        out_ += ']';
    }

    // A space between the elements of a row; between larger parts as many line ends as their rank.
    void separate(bool row, index_t axis, index_t& column) {
        if (row) {
            out_ += ' ';
            ++column;
        } else {
            out_.append(static_cast<std::size_t>(shape_.rank() - 1 - axis), '\n');
            out_.append(static_cast<std::size_t>(axis) + 1, ' ');
        }
    }

    // Makes room for `width` columns: on a new line, unless that would not help.
    void wrap(index_t width, index_t indent, index_t& column) {
        const index_t line = print_line_width - indent;
        if (column + width > line && column > indent) {
            out_.erase(out_.find_last_not_of(' ') + 1);
            out_ += '\n';
            out_.append(static_cast<std::size_t>(indent), ' ');
            column = indent;
        }
        column += width;
    }

    const PrintType& type_;
    const Shape& shape_;
    const Strides& strides_;
    const char* data_;
    bool summarised_ = false;
    kernel::HeapArray<long double> real_, imaginary_;
    kernel::HeapArray<std::string> words_;
    std::size_t next_ = 0;
    std::string out_;
};

// From here on the templates: what an element type T says of itself.

/// An element type of the user's own that names itself.
template <class T>
concept has_to_string = requires(const T& value) {
    { to_string(value) } -> std::convertible_to<std::string>;
};

/// A stream's memory that becomes a word.
class WordBuffer : public std::streambuf {
public:
    const std::string& word() const { return word_; }

private:
    int_type overflow(int_type c) override {
        if (!traits_type::eq_int_type(c, traits_type::eof())) word_ += traits_type::to_char_type(c);
        return traits_type::not_eof(c);
    }

    std::string word_;
};

template <class T>
concept reads_as_real = !std::is_enum_v<T> && requires(const T& value, long double real) {
    static_cast<long double>(value);
    static_cast<T>(real);
};
/// One that has an operator<< and nothing else to be printed by; an enumeration may have that of
/// its integers.
template <class T>
concept writes_itself =
    (std::is_class_v<T> || std::is_enum_v<T>) && !has_to_string<T> && !reads_as_real<T> &&
    requires(std::ostream& stream, const T& value) { stream << value; };

template <class T>
struct PrintElement {
    static std::string word(const void* element) {
        const T& value = *static_cast<const T*>(element);
        if constexpr (std::same_as<T, bool>) {
            return value ? "True" : "False";
        } else if constexpr (standard_integral<T>) {
            return std::to_string(+value);
        } else if constexpr (writes_itself<T>) {
            WordBuffer buffer;
            std::ostream stream(&buffer);
            stream << value;
            return buffer.word();
        } else {
            return to_string(value);
        }
    }

    static std::complex<long double> parts(const void* element) {
        const T& value = *static_cast<const T*>(element);
        if constexpr (kind<T> == Kind::complex) {
            return {static_cast<long double>(value.real()), static_cast<long double>(value.imag())};
        } else {
            return {static_cast<long double>(value), 0};
        }
    }
};

template <class Real>
struct PrintReal {
    static char* shortest(char* first, char* last, long double value) {
        if constexpr (std::floating_point<Real> && sizeof(Real) >= sizeof(float)) {
            return std::to_chars(first, last, static_cast<Real>(value),
                                 std::chars_format::scientific)
                .ptr;
        } else {
            // A type the standard library does not print: the fewest digits that come back to it.
            const auto narrow = static_cast<double>(value);
            char* end = first;
            for (int count = 1; count <= 17; ++count) {
                end = std::to_chars(first, last, narrow, std::chars_format::scientific, count - 1)
                          .ptr;
                const Digits digits = split_digits(first, end);
                long double nearest = 0;
                for (const char figure : digits.figures) nearest = nearest * 10 + (figure - '0');
                nearest *= std::pow(10.0L, digits.exponent + 1 - count);
                if (static_cast<long double>(static_cast<Real>(nearest)) == value) break;
            }
            return end;
        }
    }
    static bool wide(long double high, long double low) {
        return static_cast<long double>(
                   static_cast<Real>(static_cast<Real>(high) / static_cast<Real>(low))) > 1000;
    }
};

template <class T>
constexpr PrintType print_type() {
    constexpr index_t bytes = sizeof(T);
    using Element = PrintElement<T>;
    if constexpr (std::same_as<T, bool>) {
        return {PrintKind::boolean, bytes, Element::word, nullptr, nullptr, nullptr};
    } else if constexpr (kind<T> == Kind::complex) {
        using Real = PrintReal<typename T::value_type>;
        return {PrintKind::complex, bytes, nullptr, Element::parts, Real::shortest, Real::wide};
    } else if constexpr (standard_integral<T> || has_to_string<T> || writes_itself<T>) {
        return {PrintKind::word, bytes, Element::word, nullptr, nullptr, nullptr};
    } else {
        static_assert(reads_as_real<T>,
                      "printing elements of your own type needs a function to_string(value) or an "
                      "operator<< beside it, or conversions to and from long double");
        using Real = PrintReal<T>;
        return {PrintKind::real, bytes, nullptr, Element::parts, Real::shortest, Real::wide};
    }
}

/// A tensor, a view, an expression, or the shape or strides of one.
template <class X>
concept printable = tensor_like<X> || std::same_as<std::remove_cvref_t<X>, Shape> ||
                    std::same_as<std::remove_cvref_t<X>, IndexList>;

}  // namespace detail

/// The text that NumPy's `str` gives for the same elements; an expression is evaluated for it.
template <tensor_like X>
std::string to_string(X&& x) {
    if constexpr (detail::operand_kind<X> == detail::OperandKind::expression) {
        return broadloom::to_string(broadloom::eval(std::forward<X>(x)));
    } else {
        static constexpr detail::PrintType type = detail::print_type<element_t<X>>();
        return detail::ArrayText(type, x.shape(), x.strides(), x.data()).text();
    }
}

/// `(2, 3)`, `(3,)` or `()`, as NumPy writes shapes and strides.
inline std::string to_string(const Shape& shape) { return detail::text(shape); }
inline std::string to_string(const IndexList& list) { return detail::text(list); }

/// Writes what `to_string(x)` says. The stream's own width and precision play no part.
template <class Traits, detail::printable X>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, X&& x) {
    const std::string text = broadloom::to_string(std::forward<X>(x));
    out.write(text.data(), static_cast<std::ptrdiff_t>(text.size()));
    out.width(0);  // as after any other value
    return out;
}

}  // namespace broadloom

#endif  // BROADLOOM_IO_PRINT_HPP

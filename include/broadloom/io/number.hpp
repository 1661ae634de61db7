// The text of numbers as NumPy writes them. A floating number shows the fewest digits that tell it
// from its neighbours; in an array at most 8 of them stand behind the point, cut from the exact
// value, and one RealFormat lines up all points and exponents.
#ifndef BROADLOOM_IO_NUMBER_HPP
#define BROADLOOM_IO_NUMBER_HPP

#include <charconv>
#include <cmath>
#include <complex>
#include <cstddef>
#include <string>

#include "broadloom/kernel/heap_array.hpp"

namespace broadloom::detail {

/// The most fractional digits in an array, NumPy's default.
inline constexpr int print_precision = 8;

enum class PrintKind { boolean, word, real, complex };

/// What printing asks of an element type.
struct PrintType {
    PrintKind kind;
    std::ptrdiff_t bytes;
    /// The text of a boolean, an integer, or an element of the user's own type.
    std::string (*word)(const void* element);
    /// The real and the imaginary part of a floating element.
    std::complex<long double> (*parts)(const void* element);
    /// Writes the fewest digits that name the number among its type's, as `d.ddde+xx`; returns
    /// the end.
    char* (*shortest)(char* first, char* last, long double value);
    /// True when high / low, divided in the element's own type, is more than 1000.
    bool (*wide)(long double high, long double low);
};

/// The decimal digits of a number: d.ddd times ten to the exponent.
struct Digits {
    std::string figures;
    int exponent = 0;
};

inline Digits split_digits(const char* first, const char* last) {
    Digits digits;
    for (; first != last && *first != 'e'; ++first) {
        if (*first != '.') digits.figures += *first;
    }
    if (first != last) ++first;
    if (first != last && *first == '+') ++first;
    std::from_chars(first, last, digits.exponent);
    return digits;
}

inline void trim_zeros(std::string& figures, std::size_t least) {
    while (figures.size() > least && figures.back() == '0') figures.pop_back();
}

/// A finite magnitude, rounded from its exact value to `count` significant digits.
inline Digits rounded_digits(long double magnitude, int count) {
    char text[128];
    const double narrow = static_cast<double>(magnitude);
    const std::to_chars_result end = static_cast<long double>(narrow) == magnitude
                                         ? std::to_chars(text, text + sizeof text, narrow,
                                                         std::chars_format::scientific, count - 1)
                                         : std::to_chars(text, text + sizeof text, magnitude,
                                                         std::chars_format::scientific, count - 1);
    return split_digits(text, end.ptr);
}

inline Digits shortest_digits(const PrintType& type, long double magnitude) {
    char text[128];
    return split_digits(text, type.shortest(text, text + sizeof text, magnitude));
}

/// The parts of a positional number, with at most `precision` fractional digits and an exact whole
/// part; when the precision is negative, with just the digits that name the number.
struct Positional {
    std::string whole, fraction;
};
inline Positional positional(const PrintType& type, long double magnitude, int precision) {
    Digits digits = shortest_digits(type, magnitude);
    const int kept = digits.exponent + 1 + precision;
    const int count = static_cast<int>(digits.figures.size());
    if (precision >= 0 && kept > 0 && count > kept) {
        digits = rounded_digits(magnitude, kept);
    } else if (precision >= 0 && count <= digits.exponent) {
        digits = rounded_digits(magnitude, digits.exponent + 1);
    }
    trim_zeros(digits.figures, 1);
    if (magnitude == 0) return {"0", ""};
    if (digits.exponent < 0) {
        const auto zeros = static_cast<std::size_t>(-digits.exponent - 1);
        return {"0", std::string(zeros, '0') + digits.figures};
    }
    const auto whole = static_cast<std::size_t>(digits.exponent) + 1;
    if (digits.figures.size() < whole) digits.figures.append(whole - digits.figures.size(), '0');
    return {digits.figures.substr(0, whole), digits.figures.substr(whole)};
}

/// The exponent with its sign and at least `least` digits: `e-05`.
inline std::string exponent_text(int exponent, std::size_t least) {
    std::string figures = std::to_string(exponent < 0 ? -exponent : exponent);
    if (figures.size() < least) figures.insert(0, least - figures.size(), '0');
    return (exponent < 0 ? "e-" : "e+") + figures;
}

inline std::string sign_text(long double value, bool plus) {
    return std::signbit(value) ? "-" : plus ? "+" : "";
}

inline std::string non_finite_text(long double value, bool plus) {
    if (std::isnan(value)) return plus ? "+nan" : "nan";
    return sign_text(value, plus) + "inf";
}

inline std::string& pad_left(std::string& text, std::size_t width) {
    if (text.size() < width) text.insert(0, width - text.size(), ' ');
    return text;
}

/// The one format that serves a set of floating numbers: positional or scientific, and the widths
/// that line up their points.
class RealFormat {
public:
    RealFormat(const PrintType& type, const kernel::HeapArray<long double>& values, bool plus)
        : type_(type), plus_(plus) {
        bool finite = true, negative_infinity = plus;
        long double high = 0, low = 0;
        for (const long double value : values) {
            if (!std::isfinite(value)) {
                finite = false;
                negative_infinity = negative_infinity || value < 0;
                continue;
            }
            const long double magnitude = std::fabs(value);
            if (magnitude == 0) continue;
            if (high < magnitude) high = magnitude;
            if (low == 0 || magnitude < low) low = magnitude;
        }
        scientific_ = high != 0 && (high >= 1e8L || low < static_cast<long double>(1e-4) ||
                                    type_.wide(high, low));
        for (const long double value : values) {
            if (std::isfinite(value)) measure(value);
        }
        if (scientific_) right_ = exponent_width_ + 2 + precision_;
        if (!finite) {
            // A nan or an inf may also use the columns of the point and the fraction.
            const std::size_t longest = negative_infinity ? 4 : 3;
            if (left_ + right_ + 1 < longest) left_ = longest - right_ - 1;
        }
    }

    std::string operator()(long double value) const {
        if (!std::isfinite(value)) {
            std::string text = non_finite_text(value, plus_);
            pad_left(text, left_ + right_ + 1);
            return text;
        }
        std::string text = sign_text(value, plus_);
        const long double magnitude = std::fabs(value);
        if (scientific_) {
            const Digits digits = rounded_digits(magnitude, static_cast<int>(precision_) + 1);
            text += digits.figures[0];
            pad_left(text, left_) += '.';
            text.append(digits.figures, 1);
            text += exponent_text(digits.exponent, exponent_width_);
            return text;
        }
        const Positional number = positional(type_, magnitude, print_precision);
        text += number.whole;
        pad_left(text, left_) += '.';
        text += number.fraction;
        text.append(right_ - number.fraction.size(), ' ');
        return text;
    }

private:
    void measure(long double value) {
        const std::size_t sign = std::signbit(value) || plus_ ? 1 : 0;
        const long double magnitude = std::fabs(value);
        if (!scientific_) {
            const Positional number = positional(type_, magnitude, print_precision);
            widen(left_, sign + number.whole.size());
            widen(right_, number.fraction.size());
            return;
        }
        Digits digits = shortest_digits(type_, magnitude);
        if (digits.figures.size() > print_precision + 1) {
            digits = rounded_digits(magnitude, print_precision + 1);
            trim_zeros(digits.figures, 1);
        }
        widen(left_, sign + 1);
        widen(precision_, digits.figures.size() - 1);
        widen(exponent_width_, exponent_text(digits.exponent, 2).size() - 2);
    }

    static void widen(std::size_t& width, std::size_t need) {
        if (width < need) width = need;
    }

    const PrintType& type_;
    bool plus_;
    bool scientific_ = false;
    std::size_t left_ = 0, right_ = 0;  // columns before and after the point
    std::size_t precision_ = 0, exponent_width_ = 0;
};

/// A floating scalar in full: as many digits as name it, scientific below 1e-4 and from 1e16 on.
inline std::string scalar_text(const PrintType& type, long double value, bool plus, bool point) {
    if (!std::isfinite(value)) return non_finite_text(value, plus);
    const std::string sign = sign_text(value, plus);
    const long double magnitude = std::fabs(value);
    if (magnitude == 0 || (magnitude >= static_cast<long double>(1e-4) && magnitude < 1e16L)) {
        const Positional number = positional(type, magnitude, -1);
        if (number.fraction.empty()) return sign + number.whole + (point ? ".0" : "");
        return sign + number.whole + '.' + number.fraction;
    }
    const Digits digits = shortest_digits(type, magnitude);
    std::string text = sign + digits.figures[0];
    if (digits.figures.size() > 1) text += '.' + digits.figures.substr(1);
    return text + exponent_text(digits.exponent, 2);
}

inline std::string scalar_text(const PrintType& type, const void* element) {
    switch (type.kind) {
        case PrintKind::boolean:
        case PrintKind::word: return type.word(element);
        case PrintKind::real: return scalar_text(type, type.parts(element).real(), false, true);
        case PrintKind::complex: break;
    }
    const std::complex<long double> value = type.parts(element);
    const bool lone = value.real() == 0 && !std::signbit(value.real());
    const std::string imaginary = scalar_text(type, value.imag(), !lone, false) + 'j';
    if (lone) return imaginary;
    return '(' + scalar_text(type, value.real(), false, false) + imaginary + ')';
}

}  // namespace broadloom::detail

#endif  // BROADLOOM_IO_NUMBER_HPP

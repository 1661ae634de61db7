// Extents in place. A Shape holds up to 32 extents inline and knows its number of elements; it
// refuses negative extents and products that do not fit, so every Shape that exists is sound.
// IndexList, the plain list under it, also serves as strides, axes and index tuples.
#ifndef BROADLOOM_CORE_SHAPE_HPP
#define BROADLOOM_CORE_SHAPE_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string>
#include <type_traits>

#include "broadloom/core/error.hpp"
#include "broadloom/kernel/compiler.hpp"

namespace broadloom {

/// Sizes, strides (in elements), axes and offsets.
using index_t = std::ptrdiff_t;

/// The most dimensions a tensor can have.
inline constexpr index_t max_rank = 32;

namespace detail {

inline constexpr index_t largest_index = static_cast<index_t>(static_cast<std::size_t>(-1) / 2);
/// Bits of which two numbers have a product that index_t holds.
inline constexpr int half_of_bits = 4 * static_cast<int>(sizeof(index_t)) - 1;

/// An integer, as elements are that are indices.
template <class T>
concept integer =
    std::integral<std::remove_cvref_t<T>> && !std::same_as<std::remove_cvref_t<T>, bool>;
/// An enumerator that C++ takes for its number, as names of axes or of channels are.
template <class T>
concept numeric_name =
    std::is_enum_v<std::remove_cvref_t<T>> && std::convertible_to<std::remove_cvref_t<T>, index_t>;
/// An integer as an index, an axis or an extent.
template <class T>
concept integer_index = integer<T> || numeric_name<T>;

/// An index of any type; what index_t does not hold is out of reach, not negative.
template <integer_index Int>
constexpr index_t to_index(Int i) noexcept {
    if constexpr (numeric_name<Int>) {
        return to_index(+i);
    } else if constexpr (std::unsigned_integral<Int> && sizeof(Int) >= sizeof(index_t)) {
        if (i > static_cast<std::size_t>(largest_index)) return largest_index;
    } else if constexpr (sizeof(Int) > sizeof(index_t)) {
        if (i > largest_index) return largest_index;
        if (i < -largest_index) return -largest_index;
    }
    return static_cast<index_t>(i);
}

/// An index, or what converts to one; but no real number, and no truth.
template <class Int>
concept place = integer_index<Int> || (std::is_class_v<Int> && std::convertible_to<Int, index_t>);
template <place Int>
constexpr index_t to_place(const Int& i) {
    if constexpr (integer_index<Int>) return to_index(i);
    else return static_cast<index_t>(i);
}

/// A number in the braces of a list, of any integer type: `{v.size(), 3}` is a shape.
struct Listed {
    template <integer_index Int>
    constexpr Listed(Int i) noexcept : value(to_index(i)) {}

    index_t value;
};

[[noreturn]] BROADLOOM_COLD inline void throw_rank(index_t rank) {
    throw shape_error(Sentence() << "rank " << rank << " is more than the " << max_rank
                                 << " dimensions a tensor can have");
}

}  // namespace detail

/// A range of integers from elsewhere, such as a std::vector, std::array or std::span: what has a
/// rank of its own is not one.
template <class R>
concept integer_range = !requires(const R& r) { r.rank(); } && requires(const R& r) {
    std::begin(r) != std::end(r);
    requires std::is_integral_v<std::remove_cvref_t<decltype(*std::begin(r))>>;
    requires !std::is_same_v<std::remove_cvref_t<decltype(*std::begin(r))>, bool>;
    requires !std::is_same_v<std::remove_cvref_t<decltype(*std::begin(r))>, char>;
};

namespace detail {
/// Integers in braces: what a parameter is that may be an integer_range, unless that is told.
using InBraces = std::initializer_list<index_t>;
}  // namespace detail

/// Up to `max_rank` signed integers, stored in place; copying touches only those in use.
class IndexList {
public:
    constexpr IndexList() noexcept { clear(); }
    constexpr IndexList(std::initializer_list<detail::Listed> values) : IndexList() {
        for (const detail::Listed v : values) push_back(v.value);
    }
    template <integer_range R>
    constexpr IndexList(const R& values) : IndexList() {
        for (const auto v : values) push_back(detail::to_index(v));
    }
    constexpr IndexList(const IndexList& other) noexcept : rank_(other.rank_) {
        if (std::is_constant_evaluated()) clear();
        copy(other);
    }
    constexpr IndexList& operator=(const IndexList& other) noexcept {
        rank_ = other.rank_;
        copy(other);
        return *this;
    }

    /// `count` copies of `value`.
    static constexpr IndexList filled(index_t count, index_t value) {
        IndexList list;
        for (index_t i = 0; i < count; ++i) list.push_back(value);
        return list;
    }
    /// `count` entries yet to be written.
    static constexpr IndexList uninitialized(index_t count) {
        IndexList list;
        if (count > max_rank) detail::throw_rank(count);
        list.rank_ = count;
        return list;
    }

    /// How many there are: the number of dimensions.
    constexpr index_t rank() const noexcept { return rank_; }
    /// Entry i; negative i counts from the back.
    constexpr index_t operator[](index_t i) const noexcept {
        return values_[i < 0 ? i + rank_ : i];
    }
    constexpr index_t& operator[](index_t i) noexcept { return values_[i < 0 ? i + rank_ : i]; }
    constexpr const index_t* begin() const noexcept { return values_; }
    constexpr const index_t* end() const noexcept { return values_ + rank_; }

    constexpr void push_back(index_t value) {
        if (rank_ == max_rank) detail::throw_rank(rank_ + 1);
        values_[rank_++] = value;
    }
    constexpr void insert(index_t position, index_t value) {
        push_back(value);
        for (index_t i = rank_ - 1; i > position; --i) values_[i] = values_[i - 1];
        values_[position] = value;
    }
    constexpr void erase(index_t position) noexcept {
        for (index_t i = position; i + 1 < rank_; ++i) values_[i] = values_[i + 1];
        --rank_;
    }

    friend constexpr bool operator==(const IndexList& a, const IndexList& b) noexcept {
        if (a.rank_ != b.rank_) return false;
        for (index_t i = 0; i < a.rank_; ++i) {
            if (a.values_[i] != b.values_[i]) return false;
        }
        return true;
    }

private:
    // The first four entries are always set, so that a copy can take them without a branch, which
    // serves nearly every tensor. Constants must be whole.
    constexpr void clear() noexcept {
        if (std::is_constant_evaluated()) {
            for (index_t& v : values_) v = 0;
        } else {
            values_[0] = values_[1] = values_[2] = values_[3] = 0;
        }
    }
    constexpr void copy(const IndexList& other) noexcept {
        values_[0] = other.values_[0];
        values_[1] = other.values_[1];
        values_[2] = other.values_[2];
        values_[3] = other.values_[3];
        for (index_t i = 4; i < rank_; ++i) [[unlikely]] {
            values_[i] = other.values_[i];
            // A call of memcpy would have all that is in registers saved before.
            if (!std::is_constant_evaluated()) BROADLOOM_KEEP_UNKNOWN(i);
        }
    }

    index_t rank_ = 0;
    index_t values_[max_rank];
};

/// The distance, in elements, between neighbours along each dimension; may be negative or 0.
using Strides = IndexList;

namespace detail {

/// Writes `(2, 3)`, `(3,)` or `()`, as NumPy writes tuples.
BROADLOOM_COLD inline Sentence& operator<<(Sentence& out, const IndexList& list) {
    out << "(";
    for (index_t i = 0; i < list.rank(); ++i) out << (i > 0 ? ", " : "") << list[i];
    return out << (list.rank() == 1 ? ",)" : ")");
}
[[noreturn]] BROADLOOM_COLD inline void throw_too_many_elements(const IndexList& extents) {
    throw shape_error(Sentence() << "shape " << extents
                                 << " has more elements than can be counted");
}
[[noreturn]] BROADLOOM_COLD inline void throw_no_shape(const IndexList& extents) {
    for (const index_t extent : extents) {
        if (extent < 0) {
            throw shape_error(Sentence() << "extents must not be negative: " << extents);
        }
    }
    throw_too_many_elements(extents);
}

/// The number of elements of these extents, or -1 if they are not those of a shape.
constexpr index_t count_elements(const IndexList& extents) noexcept {
    index_t product = 1;
    bool empty = false;
    for (const index_t extent : extents) {
        if (extent < 0) return -1;
        if (extent == 0) {
            empty = true;
        } else {
            // The division is only paid by extents large enough to matter.
            if ((product | extent) >> half_of_bits != 0 && product > largest_index / extent) {
                return -1;
            }
            product *= extent;
        }
    }
    return empty ? 0 : product;
}
/// The number of elements of these extents. Throws shape_error if they are not those of a shape.
BROADLOOM_NOINLINE constexpr index_t element_count(const IndexList& extents) {
    const index_t count = count_elements(extents);
    if (count < 0) throw_no_shape(extents);
    return count;
}

}  // namespace detail

/// The extents of a tensor: `Shape{2, 3}` has rank 2 and 6 elements, `Shape{}` rank 0 and 1.
///
/// Throws shape_error for a negative extent, more than `max_rank` dimensions, or a product of
/// non-zero extents past index_t.
class Shape {
public:
    constexpr Shape() noexcept = default;
    constexpr Shape(std::initializer_list<detail::Listed> extents) : Shape(IndexList(extents)) {}
    constexpr explicit Shape(const IndexList& extents)
        : extents_(extents), size_(detail::element_count(extents)) {}
    template <integer_range R>
    constexpr Shape(const R& extents) : Shape(IndexList(extents)) {}

    /// The number of dimensions.
    constexpr index_t rank() const noexcept { return extents_.rank(); }
    /// The number of elements, 1 for rank 0.
    constexpr index_t size() const noexcept { return size_; }
    /// The extent of an axis; a negative one counts from the back.
    constexpr index_t operator[](index_t axis) const noexcept { return extents_[axis]; }
    constexpr const index_t* begin() const noexcept { return extents_.begin(); }
    constexpr const index_t* end() const noexcept { return extents_.end(); }
    constexpr const IndexList& extents() const& noexcept { return extents_; }
    constexpr IndexList extents() const&& noexcept { return extents_; }
    // By value, since a reference to a constant would bind to what is inside a shape that dies.
    constexpr operator IndexList() const noexcept { return extents_; }

    friend constexpr bool operator==(const Shape& a, const Shape& b) noexcept {
        return a.extents_ == b.extents_;
    }

    /// A shape whose extents and number of elements are known to be sound.
    static constexpr Shape trusted(const IndexList& extents, index_t size) noexcept {
        Shape shape;
        shape.extents_ = extents;
        shape.size_ = size;
        return shape;
    }

private:
    IndexList extents_;
    index_t size_ = 1;
};

namespace detail {

inline Sentence& operator<<(Sentence& out, const Shape& shape) { return out << shape.extents(); }

/// The tuple as text: `text(Shape{2, 3}) == "(2, 3)"`.
BROADLOOM_COLD inline std::string text(const IndexList& list) {
    Sentence out;
    return (out << list).str();
}
inline std::string text(const Shape& shape) { return text(shape.extents()); }

[[noreturn]] BROADLOOM_COLD inline void throw_too_many_elements(const char* what,
                                                                const IndexList& extents) {
    throw shape_error(Sentence() << what << "shape " << extents
                                 << " would have more elements than can be counted");
}

/// The shape, or one of a single dimension of extent 1 in place of none.
constexpr Shape at_least_1d(const Shape& shape) { return shape.rank() > 0 ? shape : Shape{1}; }
/// The shape with another extent along one axis, counted from the front.
constexpr Shape with_extent(const Shape& shape, index_t axis, index_t extent) {
    IndexList extents = shape.extents();
    extents[axis] = extent;
    return Shape(extents);
}

}  // namespace detail

}  // namespace broadloom

#endif  // BROADLOOM_CORE_SHAPE_HPP

// Braces mean values: a literal is a value or a list of literals, so `{{1, 2}, {3, 4}}` has rank
// 2 at any depth. Ragged braces are a shape_error.
#ifndef BROADLOOM_TENSOR_LITERAL_HPP
#define BROADLOOM_TENSOR_LITERAL_HPP

#include <initializer_list>

#include "broadloom/core/shape.hpp"
#include "broadloom/scalar/convert.hpp"

namespace broadloom {

/// One level of braces around elements of type T.
template <class T>
class Literal {
public:
    template <class U>
        requires value_for<U, T>
    constexpr Literal(U value) : value_(scalar::convert<T>(value)) {}
    constexpr Literal(std::initializer_list<Literal> list)
        : list_(nullptr), count_(static_cast<index_t>(list.size())), is_list_(true) {
        list_ = list.begin();  // the braces of one full expression
    }

    /// The shape of a list of literals. Throws shape_error when they are ragged.
    static constexpr Shape shape_of(std::initializer_list<Literal> list) {
        return Shape(Literal(list).extents());
    }
    /// Writes the values in row-major order and returns the end of what was written.
    constexpr T* write(T* to) const {
        if (!is_list_) {
            *to = value_;
            return to + 1;
        }
        for (index_t i = 0; i < count_; ++i) to = list_[i].write(to);
        return to;
    }

private:
    constexpr IndexList extents() const {
        IndexList result;
        if (!is_list_) return result;
        if (count_ > 0) {
            result = list_[0].extents();
            for (index_t i = 1; i < count_; ++i) {
                if (list_[i].is_list_ != list_[0].is_list_ || list_[i].extents() != result) {
                    throw shape_error(detail::Sentence()
                                      << "braces are ragged: entry 0 has shape " << result
                                      << ", entry " << i << " has shape " << list_[i].extents());
                }
            }
        }
        result.insert(0, count_);
        return result;
    }

    union {
        T value_;
        const Literal* list_;
    };
    index_t count_ = 0;
    bool is_list_ = false;
};

}  // namespace broadloom

#endif  // BROADLOOM_TENSOR_LITERAL_HPP

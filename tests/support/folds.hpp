// What the tests of reductions share: the records of reference/reduce.txt, results that are close,
// and a naive evaluator that gathers the elements of every result.
#ifndef BROADLOOM_TESTS_SUPPORT_FOLDS_HPP
#define BROADLOOM_TESTS_SUPPORT_FOLDS_HPP

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/axes.hpp"
#include "support/elementwise.hpp"
#include "support/indexing.hpp"
#include "support/naive.hpp"
#include "support/present.hpp"

namespace folds {

using broadloom::Axes;
using broadloom::index_t;
using broadloom::IndexList;
using broadloom::Shape;
using broadloom::Tensor;
using broadloom::TensorView;

// ---- sums to the bit ----------------------------------------------------------------------------

/// Floats whose sums depend on the order of the additions.
inline Tensor<float> awkward(const Shape& shape, std::uint32_t seed) {
    naive::Random random(seed);
    Tensor<float> x = broadloom::empty<float>(shape);
    for (float& e : x)
        e = static_cast<float>(static_cast<double>(random.bits()) / 4294967296.0 * 20.0 - 10.0);
    return x;
}

// ---- records ---------------------------------------------------------------------------------

/// Elements as the file has them.
struct Stored {
    std::string type;
    Shape shape;
    std::string bytes;

    template <class T>
    Tensor<T> tensor() const {
        const auto list = reference::elements<T>(bytes);
        Tensor<T> x = broadloom::empty<T>(shape);
        for (std::size_t i = 0; i < list.size(); ++i) x.data()[i] = list[i];
        return x;
    }
};
inline Stored stored(std::istream& words) {
    std::string type, shape, values;
    words >> type >> shape >> values;
    return Stored{type, reference::shape(shape), reference::bytes(values)};
}

struct Record {
    std::string operation, axes;
    Stored data, result;

    bool takes_all() const { return axes == "all"; }
    IndexList list() const {
        IndexList list;
        if (axes == "none" || takes_all()) return list;
        std::istringstream in(axes);
        std::string axis;
        while (std::getline(in, axis, ',')) list.push_back(static_cast<index_t>(std::stoll(axis)));
        return list;
    }
    std::string text() const {
        return operation + " over " + axes + " of " + data.type + " " +
               broadloom::detail::text(data.shape);
    }
};

/// The records of one operation on elements of one type.
inline std::vector<Record> records(const std::string& operation, const std::string& type) {
    std::ifstream in = reference::open("reduce.txt");
    std::vector<Record> list;
    Stored data;
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string name, axes;
        words >> name;
        if (name == "data") data = stored(words);
        if (name != operation || data.type != type) continue;
        words >> axes;
        list.push_back(Record{name, axes, data, stored(words)});
    }
    return list;
}

template <class T>
std::string name_of() {
    if constexpr (std::is_same_v<T, bool>) return "bool";
    else if constexpr (std::is_same_v<T, std::complex<float>>) return "complex64";
    else if constexpr (std::is_same_v<T, std::complex<double>>) return "complex128";
    else {
        return (std::is_floating_point_v<T> ? "float"
                : std::is_signed_v<T>       ? "int"
                                            : "uint") +
               std::to_string(8 * sizeof(T));
    }
}

// ---- comparison ------------------------------------------------------------------------------

template <class T>
bool near(T a, T b, T tolerance) {
    if (a != a || b != b) return a != a && b != b;
    if (std::isinf(a) || std::isinf(b)) return a == b;
    return std::abs(a - b) <= tolerance * std::max(T(1), std::abs(b));
}
/// The same numbers, but for rounding: `units` of the last place.
template <class T>
bool close(const T& a, const T& b, int units) {
    if constexpr (std::is_floating_point_v<T>) {
        return near(a, b, T(units) * std::numeric_limits<T>::epsilon());
    } else {
        return a == b;
    }
}
template <class T>
bool close(const std::complex<T>& a, const std::complex<T>& b, int units) {
    const T scale = T(units) * std::numeric_limits<T>::epsilon() *
                    (std::isfinite(std::abs(b)) ? std::max(T(1), std::abs(b)) : T(1));
    return near(a.real(), b.real(), scale) && near(a.imag(), b.imag(), scale);
}
template <class T>
bool close(const Tensor<T>& x, const Tensor<T>& y, int units) {
    if (x.shape() != y.shape()) return false;
    const auto a = naive::values(x), b = naive::values(y);
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (!close(static_cast<T>(a[i]), static_cast<T>(b[i]), units)) return false;
    }
    return true;
}

/// Indices as the records have them, of 64 bits on every machine.
inline std::int64_t recorded(index_t index) { return index; }
inline Tensor<std::int64_t> recorded(const Tensor<index_t>& indices) {
    return broadloom::cast<std::int64_t>(indices);
}

/// Compares `compute(x)` and `compute(x, axes)` with what the records have, for the operand as it
/// is and in another order of memory: the first record that differs, in words, or nothing.
template <class T, class F>
std::string disagreement(const std::string& operation, int units, F&& compute) {
    std::mt19937 engine(3);
    const auto list = records(operation, name_of<T>());
    if (list.size() < 4) return "there are no records of " + operation + " on " + name_of<T>();
    for (const Record& record : list) {
        const auto x = record.data.tensor<T>(), scrambled = indexing::scrambled(x, engine);
        const auto same = [&](const auto& value) {
            using R = std::remove_cvref_t<decltype(value)>;
            if constexpr (broadloom::tensor_like<R>) {
                using E = typename R::value_type;
                return name_of<E>() == record.result.type &&
                       close(value, record.result.tensor<E>(), units);
            } else {
                return name_of<R>() == record.result.type && record.takes_all() &&
                       close(value, record.result.tensor<R>().data()[0], units);
            }
        };
        for (const auto& operand : {x.view(), scrambled.view()}) {
            const bool good = record.takes_all() ? same(compute(operand))
                                                 : same(compute(operand, Axes(record.list())));
            if (!good) return record.text();
        }
    }
    return "";
}

// ---- the naive evaluator ---------------------------------------------------------------------

/// What a reduction comes to: the shape of the result, with the reduced axes and without, and for
/// every result the positions, in row-major order, of the elements that make it.
struct Groups {
    Shape kept, result;
    std::vector<std::vector<index_t>> members;
};
inline Groups groups(const Shape& shape, std::uint32_t mask) {
    Groups g;
    IndexList kept, result;
    for (index_t d = 0; d < shape.rank(); ++d) {
        const bool gone = ((mask >> d) & 1) != 0;
        kept.push_back(gone ? 1 : shape[d]);
        if (!gone) result.push_back(shape[d]);
    }
    g.kept = Shape(kept);
    g.result = Shape(result);
    g.members.resize(static_cast<std::size_t>(g.result.size()));
    index_t position = 0;
    naive::for_each_index(shape, [&](const IndexList& index) {
        index_t at = 0;
        for (index_t d = 0; d < shape.rank(); ++d) {
            if (((mask >> d) & 1) == 0) at = at * shape[d] + index[d];
        }
        g.members[static_cast<std::size_t>(at)].push_back(position++);
    });
    return g;
}

/// The axes of a mask, some named from the back and in any order.
inline Axes axes_of(std::uint32_t mask, index_t rank, naive::Random& random) {
    IndexList list;
    for (index_t d = 0; d < rank; ++d) {
        if (((mask >> d) & 1) == 0) continue;
        list.insert(random(0, list.rank()), random(0, 1) == 0 ? d : d - rank);
    }
    return Axes(list);
}

}  // namespace folds

#endif  // BROADLOOM_TESTS_SUPPORT_FOLDS_HPP

// What the tests of indexing share: arrays as plain lists of numbers with a shape, all shapes of
// some extents, layouts that are not contiguous, and reference records.
#ifndef BROADLOOM_TESTS_SUPPORT_INDEXING_HPP
#define BROADLOOM_TESTS_SUPPORT_INDEXING_HPP

#include <complex>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "broadloom/tensor/tensor.hpp"
#include "support/reference.hpp"

namespace indexing {

using broadloom::index_t;
using broadloom::Tensor;

/// An element of 12 bytes.
struct Triple {
    int a, b, c;

    Triple() = default;
    explicit Triple(double v) : a(static_cast<int>(v)), b(a + 1), c(a + 2) {}
    friend bool operator==(const Triple&, const Triple&) = default;
};

inline index_t size_of(const std::vector<index_t>& shape) {
    index_t size = 1;
    for (const index_t extent : shape) size *= extent;
    return size;
}

/// Calls `f` with every index of a shape, in row-major order.
template <class F>
void for_each_index(const std::vector<index_t>& shape, F&& f) {
    std::vector<index_t> at(shape.size(), 0);
    for (index_t left = size_of(shape); left > 0; --left) {
        f(std::as_const(at));
        for (std::size_t d = shape.size(); d-- > 0;) {
            if (++at[d] < shape[d]) break;
            at[d] = 0;
        }
    }
}

template <class T>
T element(double v) {
    if constexpr (std::is_same_v<T, bool>) return v != 0;
    else if constexpr (std::is_same_v<T, std::complex<float>>) return T(static_cast<float>(v));
    else return static_cast<T>(v);
}

/// Numbers in row-major order, with a shape.
struct Array {
    std::vector<index_t> shape;
    std::vector<double> values;

    std::size_t offset(const std::vector<index_t>& at) const {
        index_t offset = 0;
        for (std::size_t d = 0; d < shape.size(); ++d) {
            offset = offset * shape[d] + (shape[d] == 1 ? 0 : at[d]);
        }
        return static_cast<std::size_t>(offset);
    }
    /// The element at an index of equal rank, extents of 1 standing still.
    double broadcast(const std::vector<index_t>& at) const { return values.at(offset(at)); }

    broadloom::Shape extents() const {
        broadloom::IndexList list;
        for (const index_t extent : shape) list.push_back(extent);
        return broadloom::Shape(list);
    }
    template <class T>
    Tensor<T> tensor() const {
        Tensor<T> result = broadloom::empty<T>(extents());
        for (std::size_t i = 0; i < values.size(); ++i) result.data()[i] = element<T>(values[i]);
        return result;
    }
};

/// 1, 2, 3, ... in a shape.
inline Array counted(const std::vector<index_t>& shape) {
    Array array{shape, {}};
    for (index_t i = 0; i < size_of(shape); ++i) array.values.push_back(static_cast<double>(i + 1));
    return array;
}
/// Random integers in [low, high), or 0.
inline Array random(const std::vector<index_t>& shape, index_t low, index_t high,
                    std::mt19937& engine) {
    Array array{shape, {}};
    const auto span = static_cast<unsigned>(high > low ? high - low : 1);
    for (index_t i = 0; i < size_of(shape); ++i) {
        array.values.push_back(static_cast<double>(low + static_cast<index_t>(engine() % span)));
    }
    return array;
}

/// All shapes of a rank in [least, most] with these extents.
inline std::vector<std::vector<index_t>> shapes(std::size_t least, std::size_t most,
                                                const std::vector<index_t>& extents) {
    std::vector<std::vector<index_t>> all, last = {{}};
    for (std::size_t rank = 0; rank <= most; ++rank) {
        if (rank >= least) all.insert(all.end(), last.begin(), last.end());
        std::vector<std::vector<index_t>> next;
        for (const auto& shape : last) {
            for (const index_t extent : extents) {
                next.push_back(shape);
                next.back().push_back(extent);
            }
        }
        last = next;
    }
    return all;
}

template <class T>
bool equal(const Tensor<T>& x, const Array& expected) {
    if (x.shape() != expected.extents()) return false;
    auto value = expected.values.begin();
    for (const T& e : x) {
        const T wanted = element<T>(*value++);
        bool same = e == wanted;
        if constexpr (std::is_floating_point_v<T>) same = same || (e != e && wanted != wanted);
        if (!same) return false;
    }
    return true;
}

/// The same elements in another order of memory, with gaps, and some dimensions backwards.
template <class T>
Tensor<T> scrambled(const Tensor<T>& x, std::mt19937& engine) {
    const index_t rank = x.rank();
    broadloom::IndexList order, extents;
    for (index_t d = 0; d < rank; ++d) order.push_back(d);
    for (index_t d = rank - 1; d > 0; --d) {
        std::swap(order[d], order[static_cast<index_t>(engine() % static_cast<unsigned>(d + 1))]);
    }
    broadloom::Layout layout{x.shape(), broadloom::Strides::filled(rank, 0), 0};
    index_t step = 1 + static_cast<index_t>(engine() % 2);
    for (index_t i = 0; i < rank; ++i) {
        const index_t d = order[i];
        const bool backwards = engine() % 3 == 0 && x.shape()[d] > 0;
        layout.strides[d] = backwards ? -step : step;
        if (backwards) layout.offset += (x.shape()[d] - 1) * step;
        step *= x.shape()[d] > 0 ? x.shape()[d] : 1;
    }
    if (x.size() == 0) layout.offset = 0;
    Tensor<T> result = broadloom::empty<T>(broadloom::Shape{step + 1}).laid(layout);
    result.view() = x;
    return result;
}

/// One line of a reference file: `name key=value key=2x3:1,2,3,4,5,6 ...`.
struct Record {
    std::string line, name;
    std::map<std::string, std::string> fields;

    index_t number(const std::string& key) const {
        return static_cast<index_t>(std::stoll(fields.at(key)));
    }
    const std::string& word(const std::string& key) const { return fields.at(key); }
    /// `1,-2` is two numbers, nothing none.
    std::vector<index_t> numbers(const std::string& key) const {
        std::vector<index_t> list;
        std::istringstream in(fields.at(key));
        std::string value;
        while (std::getline(in, value, ',')) {
            list.push_back(static_cast<index_t>(std::stoll(value)));
        }
        return list;
    }
    Array array(const std::string& key) const {
        const std::string& field = fields.at(key);
        const auto colon = field.find(':');
        Array array;
        const broadloom::Shape shape = reference::shape(field.substr(0, colon));
        array.shape.assign(shape.begin(), shape.end());
        std::istringstream in(field.substr(colon + 1));
        std::string value;
        while (std::getline(in, value, ',')) array.values.push_back(std::stod(value));
        return array;
    }
};

/// Calls `f` with the same values as a tensor, as a view in another order of memory, as an
/// expression, and as a tensor about to die.
template <class T, class F>
void in_every_form(const Tensor<T>& x, std::mt19937& engine, F&& f) {
    f(x);
    const Tensor<T> elsewhere = scrambled(x, engine);
    f(elsewhere.view());
    f(broadloom::map([](T v) { return v; }, x));
    f(scrambled(x, engine));
}

inline std::vector<Record> records(const std::string& file) {
    std::ifstream in = reference::open(file);
    std::vector<Record> list;
    std::string line;
    while (std::getline(in, line)) {
        if (line.empty() || line[0] == '#') continue;
        Record record;
        record.line = line;
        std::istringstream words(line);
        words >> record.name;
        std::string field;
        while (words >> field) {
            const auto equals = field.find('=');
            record.fields[field.substr(0, equals)] = field.substr(equals + 1);
        }
        list.push_back(record);
    }
    return list;
}

}  // namespace indexing

#endif  // BROADLOOM_TESTS_SUPPORT_INDEXING_HPP

#include "broadloom/scalar/comparison.hpp"

#include <complex>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/elementwise.hpp"
#include "support/limits.hpp"

namespace scalar = broadloom::scalar;

namespace {

/// Holds when all six comparisons agree with the order of the values as mathematics has it.
template <class A, class B>
constexpr bool ordered(A a, B b, bool less, bool equal) {
    return scalar::less{}(a, b) == less && scalar::equal{}(a, b) == equal &&
           scalar::not_equal{}(a, b) == !equal && scalar::less_equal{}(a, b) == (less || equal) &&
           scalar::greater{}(a, b) == (!less && !equal) && scalar::greater_equal{}(a, b) == !less;
}

template <class A, class B>
bool all_pairs_ordered() {
    for (int i = std::numeric_limits<A>::min(); i <= std::numeric_limits<A>::max(); ++i) {
        for (int j = std::numeric_limits<B>::min(); j <= std::numeric_limits<B>::max(); ++j) {
            if (!ordered(static_cast<A>(i), static_cast<B>(j), i < j, i == j)) return false;
        }
    }
    return true;
}

template <class T>
std::vector<T> edges() {
    std::vector<T> out;
    for (int i = 0; i < 3; ++i) {
        out.push_back(static_cast<T>(std::numeric_limits<T>::min() + static_cast<T>(i)));
        out.push_back(static_cast<T>(std::numeric_limits<T>::max() - static_cast<T>(i)));
        out.push_back(static_cast<T>(i));
        out.push_back(static_cast<T>(-i));
        out.push_back(static_cast<T>(std::numeric_limits<T>::max() / 2 + static_cast<T>(i)));
    }
    return out;
}
template <class A, class B>
bool edges_ordered() {
    bool ok = true;
    for (const A a : edges<A>()) {
        for (const B b : edges<B>()) {
            ok = ok && ordered(a, b, std::cmp_less(a, b), std::cmp_equal(a, b));
        }
    }
    return ok;
}
template <class A, class... B>
bool edges_ordered_with() {
    return (edges_ordered<A, B>() && ...);
}
template <class... T>
bool all_edges_ordered() {
    return (edges_ordered_with<T, T...>() && ...);
}

constexpr float no_number = std::numeric_limits<float>::quiet_NaN();

constexpr bool nan_compares_false_but_for_not_equal() {
    for (const float x : {no_number, infinite<float>, -infinite<float>, 0.0F, 1.0F}) {
        if (scalar::less{}(x, no_number) || scalar::less_equal{}(x, no_number) ||
            scalar::greater{}(x, no_number) || scalar::greater_equal{}(x, no_number) ||
            scalar::equal{}(x, no_number) || !scalar::not_equal{}(x, no_number) ||
            scalar::less{}(no_number, x) || scalar::less_equal{}(no_number, x) ||
            scalar::greater{}(no_number, x) || scalar::greater_equal{}(no_number, x) ||
            scalar::equal{}(no_number, x) || !scalar::not_equal{}(no_number, x)) {
            return false;
        }
    }
    return true;
}
static_assert(nan_compares_false_but_for_not_equal());

constexpr bool kinds_meet_before_they_compare() {
    return ordered(1, 1.5, true, false) && ordered(2.0F, 2, false, true) &&
           ordered(true, 1, false, true) && ordered(true, 2.5, true, false) &&
           ordered(false, std::int8_t(-1), false, false) && ordered(-0.0, 0.0, false, true) &&
           ordered(-infinite<float>, infinite<float>, true, false);
}
static_assert(kinds_meet_before_they_compare());

constexpr bool logic_takes_any_value_but_zero_as_true() {
    return scalar::logical_and{}(2, 0.5) && !scalar::logical_and{}(2, 0.0) &&
           scalar::logical_or{}(0, no_number) && !scalar::logical_or{}(0, -0.0) &&
           scalar::logical_not{}(0) && !scalar::logical_not{}(-3);
}
static_assert(logic_takes_any_value_but_zero_as_true());

template <class R>
void compare_with_numpy(const reference::Elementwise& record) {
    using C = std::complex<R>;
    const std::vector<C> x = reference::elements<C>(record.values);
    const std::vector<bool> expected = reference::elements<bool>(record.results);
    const auto all = [&](auto f) {
        for (std::size_t k = 0; k < expected.size(); ++k) {
            const C a = x[k / x.size()], b = x[k % x.size()];
            if (f(a, b) != expected[k]) FAIL(a << " " << record.operation << " " << b);
        }
    };
    if (record.operation == "equal") all(scalar::equal{});
    if (record.operation == "not_equal") all(scalar::not_equal{});
    if (record.operation == "less") all(scalar::less{});
    if (record.operation == "less_equal") all(scalar::less_equal{});
    if (record.operation == "greater") all(scalar::greater{});
    if (record.operation == "greater_equal") all(scalar::greater_equal{});
}

}  // namespace

TEST_CASE("All pairs of bytes compare as mathematics has it, whatever their signs") {
    CHECK(all_pairs_ordered<std::int8_t, std::int8_t>());
    CHECK(all_pairs_ordered<std::int8_t, std::uint8_t>());
    CHECK(all_pairs_ordered<std::uint8_t, std::int8_t>());
    CHECK(all_pairs_ordered<std::uint8_t, std::uint8_t>());
}

TEST_CASE("The edges of all integers compare as mathematics has it") {
    CHECK(all_edges_ordered<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                            std::uint32_t, std::int64_t, std::uint64_t>());
}

TEST_CASE("NaN, kinds and logic are the same at run time") {
    CHECK(nan_compares_false_but_for_not_equal());
    CHECK(kinds_meet_before_they_compare());
    CHECK(logic_takes_any_value_but_zero_as_true());
}

TEST_CASE("Complex numbers are ordered by their parts, as NumPy orders them") {
    int count = 0;
    for (const char* const operation :
         {"equal", "not_equal", "less", "less_equal", "greater", "greater_equal"}) {
        count += reference::for_each_record(operation, [](const reference::Elementwise& record) {
            if (record.type == "complex64") compare_with_numpy<float>(record);
            else compare_with_numpy<double>(record);
        });
    }
    CHECK(count == 12);
}

TEST_CASE("A complex number equals a real one when its second part is 0") {
    CHECK(scalar::equal{}(std::complex<float>(2, 0), 2));
    CHECK(!scalar::equal{}(2.0, std::complex<double>(2, 1)));
    CHECK(scalar::logical_not{}(std::complex<float>(0, 0)));
    CHECK(scalar::logical_and{}(std::complex<float>(0, 1), true));
}

TEST_CASE("Types of the user compare by their own operators") {
    struct Version {
        int major, minor;
        bool operator==(const Version&) const = default;
        bool operator<(const Version& other) const {
            return major != other.major ? major < other.major : minor < other.minor;
        }
    };
    CHECK(ordered(Version{1, 2}, Version{1, 3}, true, false));
    CHECK(ordered(Version{2, 0}, Version{1, 3}, false, false));
    CHECK(ordered(Version{1, 3}, Version{1, 3}, false, true));
    struct Rough {  // as good as equal up to 1
        int value;
        bool operator<=(const Rough& other) const { return value <= other.value + 1; }
        bool operator>=(const Rough& other) const { return value + 1 >= other.value; }
        bool operator>(const Rough& other) const { return value > other.value + 1; }
        bool operator!=(const Rough& other) const { return *this > other || other > *this; }
    };
    for (const int other : {3, 4}) {
        CHECK(scalar::less_equal{}(Rough{5}, Rough{other}) == (other == 4));
        CHECK(scalar::greater_equal{}(Rough{other}, Rough{5}) == (other == 4));
        CHECK(scalar::greater{}(Rough{5}, Rough{other}) == (other == 3));
        CHECK(scalar::not_equal{}(Rough{5}, Rough{other}) == (other == 3));
    }
}

// What the tests of losses share: results close to PyTorch's, and the reductions by their names.
#ifndef BROADLOOM_TESTS_SUPPORT_LOSS_HPP
#define BROADLOOM_TESTS_SUPPORT_LOSS_HPP

#include <algorithm>
#include <cmath>
#include <concepts>
#include <string>
#include <utility>

#include "broadloom/operations/loss.hpp"
#include "support/indexing.hpp"

namespace losses {

template <class T>
inline constexpr double tolerance = std::same_as<T, float> ? 4e-6 : 1e-12;

/// The same shape, and values that are close, in proportion where they are large.
template <class T>
bool close(const broadloom::Tensor<T>& x, const indexing::Array& expected) {
    if (x.shape() != expected.extents()) return false;
    auto wanted = expected.values.begin();
    for (const T& e : x) {
        const double a = double{e}, b = *wanted++;
        const bool same = a == b || (std::isnan(a) && std::isnan(b));
        if (!same && !(std::abs(a - b) <= tolerance<T> * std::max(1.0, std::abs(b)))) return false;
    }
    return true;
}

inline const std::pair<broadloom::Reduction, std::string> reductions[] = {
    {broadloom::Reduction::mean, "mean"},
    {broadloom::Reduction::sum, "sum"},
    {broadloom::Reduction::none, "none"}};

}  // namespace losses

#endif  // BROADLOOM_TESTS_SUPPORT_LOSS_HPP

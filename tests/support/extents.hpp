// Extents that an index counts on any machine, though no memory has so many elements.
#ifndef BROADLOOM_TESTS_SUPPORT_EXTENTS_HPP
#define BROADLOOM_TESTS_SUPPORT_EXTENTS_HPP

#include "broadloom/core/shape.hpp"

namespace extents {

/// Its square cannot be counted.
inline constexpr broadloom::index_t vast = broadloom::index_t{1}
                                           << (5 * sizeof(broadloom::index_t));
/// Its double cannot be counted.
inline constexpr broadloom::index_t endless = broadloom::detail::largest_index / 2 + 1;

}  // namespace extents

#endif  // BROADLOOM_TESTS_SUPPORT_EXTENTS_HPP

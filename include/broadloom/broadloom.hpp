// Broadloom: broadcasting tensors. This page is the table of contents, floor by floor; a header
// includes only what stands above it.
#ifndef BROADLOOM_HPP
#define BROADLOOM_HPP

// The platform, and what happens to one element.
#include "broadloom/kernel/dispatch.hpp"
#include "broadloom/scalar/promote.hpp"
#include "broadloom/scalar/convert.hpp"
#include "broadloom/scalar/bits.hpp"
#include "broadloom/scalar/arithmetic.hpp"
#include "broadloom/scalar/compare.hpp"
#include "broadloom/scalar/select.hpp"
#include "broadloom/scalar/rounding.hpp"
#include "broadloom/scalar/exponential.hpp"
#include "broadloom/scalar/logarithm.hpp"
#include "broadloom/scalar/power.hpp"
#include "broadloom/scalar/trigonometric.hpp"
#include "broadloom/scalar/special.hpp"
#include "broadloom/scalar/fold.hpp"

// Where: shapes, layouts, the rule, views, expressions.
#include "broadloom/core/error.hpp"
#include "broadloom/core/shape.hpp"
#include "broadloom/core/strides.hpp"
#include "broadloom/core/explain.hpp"
#include "broadloom/core/contract.hpp"
#include "broadloom/core/broadcast.hpp"
#include "broadloom/core/slice.hpp"
#include "broadloom/core/rearrange.hpp"
#include "broadloom/core/iterator.hpp"
#include "broadloom/core/view.hpp"
#include "broadloom/core/expression.hpp"

// How: from layouts to loops.
#include "broadloom/kernel/parallel.hpp"
#include "broadloom/kernel/plan.hpp"
#include "broadloom/kernel/tile.hpp"
#include "broadloom/kernel/tiling.hpp"
#include "broadloom/kernel/walk.hpp"
#include "broadloom/kernel/elementwise.hpp"
#include "broadloom/kernel/describe.hpp"
#include "broadloom/kernel/accumulate.hpp"
#include "broadloom/kernel/extreme.hpp"
#include "broadloom/kernel/reader.hpp"
#include "broadloom/kernel/fold.hpp"
#include "broadloom/kernel/order.hpp"
//GEMM

// Who: ownership.
#include "broadloom/tensor/memory.hpp"
#include "broadloom/tensor/literal.hpp"
#include "broadloom/tensor/tensor.hpp"
#include "broadloom/tensor/create.hpp"
#include "broadloom/tensor/random.hpp"

// What: the operations.
#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/align.hpp"
#include "broadloom/operations/math.hpp"
#include "broadloom/operations/compare.hpp"
#include "broadloom/operations/select.hpp"
#include "broadloom/operations/axes.hpp"
#include "broadloom/operations/reduce.hpp"
#include "broadloom/operations/argreduce.hpp"
#include "broadloom/operations/expand.hpp"
#include "broadloom/operations/join.hpp"
#include "broadloom/operations/repeat.hpp"
#include "broadloom/operations/roll.hpp"
#include "broadloom/operations/pad.hpp"
#include "broadloom/operations/sort.hpp"
#include "broadloom/operations/quantile.hpp"

// Doors.
#include "broadloom/io/file.hpp"
#include "broadloom/io/number.hpp"
#include "broadloom/io/print.hpp"
#include "broadloom/io/zip.hpp"
#include "broadloom/io/npy.hpp"
#include "broadloom/io/npz.hpp"
#include "broadloom/io/format.hpp"
#include "broadloom/interop/span.hpp"
#include "broadloom/interop/mdspan.hpp"
#include "broadloom/interop/dlpack.hpp"

#endif  // BROADLOOM_HPP

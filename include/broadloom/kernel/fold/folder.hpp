// A fold, its types forgotten: what a reduction calls, and the stack of accumulators that it keeps.
// Vectors for equal numbers of rows are joined as a binary counter carries, so that the order of
// additions is one, and rounding errors grow with the logarithm of the number of rows.
#ifndef BROADLOOM_KERNEL_FOLD_FOLDER_HPP
#define BROADLOOM_KERNEL_FOLD_FOLDER_HPP

#include <cstddef>
#include <cstring>

#include "broadloom/core/shape.hpp"

namespace broadloom::kernel {

struct Run;

/// What a fold has the caches fetch ahead: nothing, rows that follow one another, others that it
/// reads in one piece, or both; or it reads all once in order, before it goes from row to row.
enum class Prefetched { nothing, flat, pieces, all, in_order };
BROADLOOM_INLINE constexpr bool prefetches_flat_rows(Prefetched prefetched) {
    return prefetched == Prefetched::flat || prefetched == Prefetched::all;
}
BROADLOOM_INLINE constexpr bool prefetches_pieces(Prefetched prefetched) {
    return prefetched == Prefetched::pieces || prefetched == Prefetched::all;
}

/// Accumulators in the making: a stack of vectors, each of `width` accumulators, that stand for
/// more and more rows towards the bottom.
struct Stack {
    char* first;  // where the result comes to lie
    char* rest;   // the vectors above
    index_t width;
    index_t bytes;                                // from one vector to the next
    Prefetched prefetched = Prefetched::nothing;  // while it is made
    index_t blocks = 0;
    int height = 0;
    index_t rows = 0;  // seen so far

    BROADLOOM_INLINE char* slot(int k) const { return k == 0 ? first : rest + (k - 1) * bytes; }
    BROADLOOM_INLINE char* top() const { return slot(height); }

    /// Has come as far as a copy of it. Not by assignment: what a call has just written is then
    /// read in larger pieces, for which a processor waits.
    BROADLOOM_INLINE void follow(const Stack& copy) {
        first = copy.first;
        blocks = copy.blocks;
        height = copy.height;
        rows = copy.rows;
    }
};

/// Folds `rows` rows, `stride` elements apart, into a stack. Calls but the last bring a multiple
/// of 16 rows, or the end of what belongs together. Of several groups each makes a vector of its
/// own, from the first of the stack on.
using FoldColumns = void(const void* fold, Stack* stack, const char* rows_at, index_t stride,
                         index_t rows, index_t groups, index_t group_stride);
/// The same for rows that a formula makes; runs step from group to group, and a constant has room
/// for 16 times the lanes. Of every group the lanes from `rest_at` on are written to `rest`, if
/// there is one. `by_lanes` the rows, fewer than these, are elements of long rows, joined as
/// vectors of such rows would be.
using FoldComputed = void(const void* fold, const void* formula, Stack* stack, const Run* runs,
                          index_t rows, index_t groups, char* rest, index_t rest_at, bool by_lanes);
/// The same where what is no constant lies in panels of lanes, all rows of one behind those of the
/// one before, in the order in which they are folded.
using FoldPanels = void(const void* fold, const void* formula, Stack* stack, const Run* runs,
                        index_t rows, bool by_lanes);
/// Folds groups of `rows` rows of `width` elements, all side by side, into `width` accumulators
/// each. `seen` rows of the only group went before.
using FoldRows = void(const void* fold, const char* data, index_t group_stride, index_t groups,
                      index_t rows, index_t width, char* to, index_t seen, Prefetched prefetched);
/// Folds vectors, in each of which `turns` rows of `width` accumulators lie side by side, into
/// `width` accumulators each, after `left` elements more have joined every one. Without turns there
/// are these elements alone.
using FoldTurns = void(const void* fold, char* vectors, const char* data, index_t group_stride,
                       index_t groups, index_t left, index_t width, index_t turns, char* to);
/// Folds groups of two, three or four elements side by side.
using FoldFew = void(const void* fold, const char* data, index_t groups, index_t rows, char* to);
/// Folds groups of two, three or four vectors of lanes side by side, or of one where order does
/// not matter, or of two or three and `left` elements behind them where a fold takes these. The
/// memory has room for two vectors of every group.
using FoldFewVectors = void(const void* fold, char* memory, const char* data, index_t stride,
                            index_t groups, index_t vectors, index_t left, char* to);
/// Joins accumulators, element for element: to = join(to, from).
using FoldJoin = void(const void* fold, char* to, const char* from, index_t width);
/// Makes results of accumulators.
using FoldFinish = void(const void* fold, const char* from, char* to, index_t width);
/// Tells whether an accumulator can no longer change.
using FoldDecided = bool(const void* fold, const char* accumulator);
/// Tells whether some of `count` results depend on the order in which elements were joined.
using FoldShows = bool(const char* results, index_t count);

/// A fold, its types forgotten. One whose elements must come in order has columns alone.
struct Folder {
    const void* fold;
    FoldColumns* columns;
    FoldColumns* large_columns;  // the same for large results
    FoldComputed* computed;      // null where elements go through a tile
    FoldPanels* panels;          // the same
    FoldRows* rows;              // null where rows are folded by `turns` and `few`
    FoldTurns* turns;
    FoldFew* few;
    FoldFewVectors* few_vectors;  // null where lanes are joined by `turns`
    FoldJoin* join;
    FoldFinish* finish;      // null where accumulators are the results
    FoldDecided* decided;    // null where every element counts
    FoldShows* shows_order;  // null where that is so of all results, or of none
    index_t accumulator_bytes, result_bytes;
    index_t lanes;    // columns that are worth a vector
    bool pads;        // vectors are made of whole lanes, the last of which overlap,
    bool overlaps;    // or, of many groups of few rows, where they lie side by side
    bool takes_left;  // few vectors may have elements behind them
    bool any_order;   // the same comes out in any order
    bool places;      // but results are places in the order of the elements

    bool in_order() const { return join == nullptr; }
};

namespace detail {

/// Puts a vector of `width` accumulators that was written to the top of a stack in its place:
/// vectors for equal numbers of rows join.
inline void carry(const Folder& folder, Stack& stack, index_t rows, index_t width) {
    ++stack.height;
    stack.rows += rows;
    for (index_t b = stack.blocks++; (b & 1) != 0; b >>= 1) {
        --stack.height;
        folder.join(folder.fold, stack.slot(stack.height - 1), stack.slot(stack.height), width);
    }
}

/// Joins all that is left, the smallest first; a vector has `width` accumulators.
inline void collapse(const Folder& folder, Stack& stack, index_t width) {
    for (; stack.height > 1; --stack.height) {
        folder.join(folder.fold, stack.slot(stack.height - 2), stack.slot(stack.height - 1), width);
    }
}

/// Makes results of `width` accumulators.
inline void finish(const Folder& folder, const char* from, char* to, index_t width) {
    if (folder.finish != nullptr) folder.finish(folder.fold, from, to, width);
    else std::memcpy(to, from, static_cast<std::size_t>(width * folder.accumulator_bytes));
}
/// The same of a vector that takes the room of `joined` ones: of several lanes the last overlap.
inline void finish_vector(const Folder& folder, const char* from, char* to, index_t width,
                          index_t joined) {
    const index_t lanes = folder.lanes;
    const index_t whole = joined == width || width < lanes ? width : joined - lanes;
    finish(folder, from, to, whole);
    if (whole < width) {
        finish(folder, from + whole * folder.accumulator_bytes,
               to + (width - lanes) * folder.result_bytes, lanes);
    }
}

/// The i-th lane of a vector in the order in which a binary counter joins lanes as halves of the
/// vector do: the binary digits of i, backwards.
BROADLOOM_INLINE constexpr index_t in_halves(index_t i, index_t lanes) {
    index_t lane = 0;
    for (index_t digit = lanes / 2; digit > 0; digit /= 2, i /= 2) lane += i % 2 * digit;
    return lane;
}

/// Elements in a vector: 128 bytes, the same for every instruction set.
template <std::size_t Bytes>
inline constexpr index_t lanes = Bytes > 64   ? 1
                                 : Bytes > 32 ? 2
                                 : Bytes > 16 ? 4
                                 : Bytes > 8  ? 8
                                 : Bytes > 4  ? 16
                                 : Bytes > 2  ? 32
                                 : Bytes > 1  ? 64
                                              : 128;

}  // namespace detail
}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_FOLD_FOLDER_HPP

// Folds that remember where: the first index of an extreme element, or of the first NaN. Vectors of
// accumulators hold all values first, then all indices.
#ifndef BROADLOOM_KERNEL_EXTREME_HPP
#define BROADLOOM_KERNEL_EXTREME_HPP

#include <cstdint>
#include <type_traits>

#include "broadloom/kernel/fold/accumulator.hpp"
#include "broadloom/kernel/masked.hpp"
#include "broadloom/kernel/elementwise/streaming.hpp"

namespace broadloom::kernel {

/// The index of the first element that none exceeds: F joins two elements to the more extreme one,
/// and `exceeds(a, b)` says that a takes b's place. Of truth, 0 or 1, the first of the more extreme
/// ones ends the search.
template <class F, bool of_truth = false>
struct IndexOf {
    F extreme;

    template <class T>
    index_t lift(const T&) const;
};

namespace detail {

template <class F, class T, bool of_truth>
struct AccumulateIndex {
    using Fold = IndexOf<F, of_truth>;

    /// Lanes of values with their indices, for columns that are fewer.
    static constexpr index_t lanes = sizeof(T) > 4 ? 32 : 64;
    static constexpr index_t value_bytes = (static_cast<index_t>(sizeof(T)) + 7) / 8 * 8;
    /// What follows such values stays aligned, also where an index takes four bytes.
    static constexpr index_t accumulator_bytes = value_bytes + 8;

    BROADLOOM_INLINE static T* values(char* vector) { return reinterpret_cast<T*>(vector); }
    BROADLOOM_INLINE static const T* values(const char* vector) {
        return reinterpret_cast<const T*>(vector);
    }
    BROADLOOM_INLINE static index_t* indices(char* vector, index_t width) {
        return reinterpret_cast<index_t*>(vector + width * value_bytes);
    }
    BROADLOOM_INLINE static const index_t* indices(const char* vector, index_t width) {
        return reinterpret_cast<const index_t*>(vector + width * value_bytes);
    }
    /// A row of elements with one index, taken in by values and indices.
    BROADLOOM_INLINE static void take(const F& f, T* __restrict value, index_t* __restrict index,
                                      const T* from, index_t width, index_t row) {
        for (index_t j = 0; j < width; ++j) {
            const T x = scalar::load(from + j);
            const bool better = f.exceeds(x, value[j]);
            value[j] = better ? x : value[j];
            index[j] = better ? row : index[j];
        }
    }
    BROADLOOM_INLINE static void start(T* __restrict value, index_t* __restrict index,
                                       const T* from, index_t width, index_t row) {
        for (index_t j = 0; j < width; ++j) {
            value[j] = scalar::load(from + j);
            index[j] = row;
        }
    }

    struct Columns {
        template <class Isa>
        BROADLOOM_KERNEL static void run(const void* context, Stack* stack, const char* data,
                                         index_t stride, index_t rows, index_t, index_t) {
            const F f = static_cast<const Fold*>(context)->extreme;
            const T* from = reinterpret_cast<const T*>(data);
            const index_t width = stack->width;
            T* value = values(stack->first);
            index_t* index = indices(stack->first, width);
            index_t i = 0;
            if (stack->height == 0) {
                start(value, index, from, width, stack->rows);
                stack->height = 1;
                i = 1;
            }
            BROADLOOM_ROLLED
            for (; i < rows; ++i) {
                take(f, value, index, from + i * stride, width, stack->rows + i);
            }
            stack->rows += rows;
        }
    };

    struct Rows {
        /// The most extreme of N lanes, a power of two.
        template <index_t N>
        BROADLOOM_INLINE static T of_lanes(const F& f, T* lane) {
            if constexpr (N == 1) {
                return lane[0];
            } else if constexpr (N >= 4 && joins_four<F, T>) {
                constexpr index_t part = N / 4;
                for (index_t l = 0; l < part; ++l) {
                    lane[l] =
                        f.lift(lane[l], lane[l + part], lane[l + 2 * part], lane[l + 3 * part]);
                }
                return of_lanes<part>(f, lane);
            } else {
                constexpr index_t part = N / 2;
                for (index_t l = 0; l < part; ++l) lane[l] = f.join(lane[l], lane[l + part]);
                return of_lanes<part>(f, lane);
            }
        }
        /// The most extreme of at least N elements; the last N may have been seen before.
        template <index_t N>
        BROADLOOM_INLINE static T extreme(const F& f, const T* from, index_t rows,
                                          bool prefetches) {
            // So far ahead that the next row comes while a place is looked for in this one.
            constexpr index_t ahead = 4096, bytes = sizeof(T);
            T lane[static_cast<std::size_t>(N)];
            for (index_t l = 0; l < N; ++l) lane[l] = scalar::load(from + l);
            index_t i = N;
            if constexpr (joins_four<F, T> && N >= 32) {
                // In the order of memory, as the caches fetch it.
                constexpr index_t part = N / 4;
                BROADLOOM_ROLLED
                for (; i + 4 * N <= rows; i += 4 * N) {
                    if (prefetches) prefetch<4 * N * bytes>(from + i, ahead);
                    for (index_t at = 0; at < N; at += part) {
                        const T* p = from + i + 4 * at;
                        BROADLOOM_VECTORISED
                        for (index_t l = 0; l < part; ++l) {
                            T& most = lane[at + l];
                            most = f.join(most, scalar::load(p + l), scalar::load(p + part + l),
                                          scalar::load(p + 2 * part + l),
                                          scalar::load(p + 3 * part + l));
                        }
                    }
                }
            }
            BROADLOOM_ROLLED
            for (; i < rows; i += N) {
                if (prefetches) prefetch<N * bytes>(from + i, ahead);
                const T* p = from + (rows - i < N ? rows - N : i);
                BROADLOOM_VECTORISED
                for (index_t l = 0; l < N; ++l) lane[l] = f.join(lane[l], scalar::load(p + l));
            }
            return of_lanes<N>(f, lane);
        }
        /// Where a value first stands among N elements; N if nowhere.
        template <index_t N>
        BROADLOOM_INLINE static index_t place_of(const T* from, T value) {
            // Of words the lesser one is found without a sign in more instructions.
            using Unsigned = broadloom::detail::unsigned_of<sizeof(T)>;
            using Word =
                std::conditional_t<(sizeof(T) < 4), Unsigned, std::make_signed_t<Unsigned>>;
            Word place = N;
            BROADLOOM_VECTORISED
            for (index_t l = 0; l < N; ++l) {
                const Word here = scalar::load(from + l) == value ? static_cast<Word>(l) : N;
                place = here < place ? here : place;
            }
            return static_cast<index_t>(place);
        }
        /// Where a value first stands among at least N elements: of two blocks of N without a
        /// branch, else in the first one that has it. The last N may have been seen before.
        template <index_t N>
        BROADLOOM_INLINE static index_t first(const T* from, index_t rows, T value) {
            using Word = broadloom::detail::unsigned_of<sizeof(T)>;
            if (rows == N) return place_of<N>(from, value);
            if (rows <= 2 * N) {
                const index_t place = place_of<N>(from, value);
                const index_t later = place_of<N>(from + rows - N, value);
                return place + index_t{place == N} * (rows - 2 * N + later);
            }
            index_t i = 0;
            BROADLOOM_ROLLED
            for (; i + N <= rows; i += N) {
                Word found = 0;
                BROADLOOM_VECTORISED
                for (index_t l = 0; l < N; ++l) {
                    found |= static_cast<Word>(scalar::load(from + i + l) == value);
                }
                if (found != 0) break;
            }
            if (i + N > rows) i = rows - N;
            return i + place_of<N>(from + i, value);
        }
        template <index_t N>
        BROADLOOM_INLINE static index_t find_by_blocks(const F& f, const T* from, index_t rows,
                                                       T& best, bool prefetches) {
            // Of wide elements as many as stay in registers.
            constexpr index_t fill = 256 / index_t{sizeof(T)};
            best = extreme<(fill < N ? fill : N)>(f, from, rows, prefetches);
            if (best == best) return first<N>(from, rows, best);
            index_t i = 0;
            while (scalar::load(from + i) == scalar::load(from + i)) ++i;
            return i;
        }
        /// The most extreme value of a row, then where it first stands.
        BROADLOOM_INLINE static index_t find(const F& f, const T* from, index_t rows, T& best,
                                             bool prefetches) {
            if constexpr (of_truth) {
                const T wanted = end_of_search(f);
                const index_t place = first_truth(from, rows, wanted);
                best = place < rows ? wanted : from[0];
                return place < rows ? place : 0;
            }
            if constexpr (kind<T> != Kind::complex && kind<T> != Kind::other) {
                constexpr index_t block = 64, least = 16;
                if (rows >= block) return find_by_blocks<block>(f, from, rows, best, prefetches);
                if (rows >= least) return find_by_blocks<least>(f, from, rows, best, prefetches);
            }
            best = scalar::load(from);
            index_t index = 0;
            for (index_t i = 1; i < rows; ++i) {
                const T x = scalar::load(from + i);
                const bool better = f.exceeds(x, best);
                best = better ? x : best;
                index = better ? i : index;
            }
            return index;
        }

        /// Takes rows of few columns, several side by side in as many lanes, into columns that have
        /// been started; returns how many rows. A lane counts turns, of equal elements the first
        /// row wins.
        BROADLOOM_INLINE static index_t by_lanes(const F& f, const T* from, index_t rows,
                                                 index_t width, index_t seen, T* best,
                                                 index_t* where) {
            using Turn = std::conditional_t<(sizeof(T) > 4), index_t, std::int32_t>;
            const index_t side = lanes / width, used = side * width;
            if (used == 0 || rows * width < 4 * lanes) return 1;
            T value[static_cast<std::size_t>(lanes)];
            Turn turn[static_cast<std::size_t>(lanes)] = {};
            for (index_t l = 0; l < lanes; ++l) value[l] = scalar::load(from + l);
            // Lanes that are not used read on, but not beyond the end.
            const index_t turns = (rows * width - lanes) / used + 1;
            BROADLOOM_ROLLED
            for (index_t t = 1; t < turns; ++t) {
                for (index_t l = 0; l < lanes; ++l) {
                    const T x = scalar::load(from + t * used + l);
                    const bool better = f.exceeds(x, value[l]);
                    value[l] = better ? x : value[l];
                    turn[l] = better ? static_cast<Turn>(t) : turn[l];
                }
            }
            BROADLOOM_ROLLED
            for (index_t l = 0; l < used; ++l) {
                const index_t column = l % width;
                const index_t row = seen + turn[l] * side + l / width;
                const bool tie = !f.exceeds(best[column], value[l]) && row < where[column];
                if (f.exceeds(value[l], best[column]) || tie) {
                    best[column] = value[l];
                    where[column] = row;
                }
            }
            return turns * side;
        }

        template <class Isa>
        BROADLOOM_KERNEL static void run(const void* context, const char* data,
                                         index_t group_stride, index_t groups, index_t rows,
                                         index_t width, char* to, index_t seen,
                                         Prefetched prefetched) {
            const F f = static_cast<const Fold*>(context)->extreme;
            const T* from = reinterpret_cast<const T*>(data);
            T* value = values(to);
            index_t* index = indices(to, groups * width);
            BROADLOOM_ROLLED
            for (index_t g = 0; g < groups; ++g, from += group_stride) {
                if (width == 1) {
                    index[g] = seen + find(f, from, rows, value[g], prefetches_pieces(prefetched));
                } else {
                    T* const best = value + g * width;
                    index_t* const where = index + g * width;
                    start(best, where, from, width, seen);
                    index_t i = 1;
                    if constexpr (kind<T> != Kind::complex && kind<T> != Kind::other) {
                        i = by_lanes(f, from, rows, width, seen, best, where);
                    }
                    BROADLOOM_ROLLED
                    for (; i < rows; ++i) {
                        take(f, best, where, from + i * width, width, seen + i);
                    }
                }
            }
        }
    };

    struct Join {
        template <class Isa>
        BROADLOOM_KERNEL static void run(const void* context, char* to, const char* from,
                                         index_t width) {
            const F f = static_cast<const Fold*>(context)->extreme;
            T* value = values(to);
            index_t* index = indices(to, width);
            const T* later = values(from);
            const index_t* later_index = indices(from, width);
            for (index_t j = 0; j < width; ++j) {
                const bool better = f.exceeds(later[j], value[j]);
                value[j] = better ? later[j] : value[j];
                index[j] = better ? later_index[j] : index[j];
            }
        }
    };

    /// Of 0 and 1 the more extreme one.
    BROADLOOM_INLINE static T end_of_search(const F& f) { return f.exceeds(T(1), T(0)) ? 1 : 0; }
    static bool decided(const void* context, const char* accumulator) {
        return *values(accumulator) == end_of_search(static_cast<const Fold*>(context)->extreme);
    }

    struct Finish {
        template <class Isa>
        BROADLOOM_KERNEL static void run(const void*, const char* from, char* to, index_t width) {
            const index_t* index = indices(from, width);
            index_t* result = reinterpret_cast<index_t*>(to);
            for (index_t j = 0; j < width; ++j) result[j] = index[j];
        }
    };
};

}  // namespace detail

template <class T, class F, bool of_truth>
Folder make_folder(const IndexOf<F, of_truth>& f) {
    using Loops = detail::AccumulateIndex<F, T, of_truth>;
    const auto pick = []<class Kernel, class Signature, Widest W = Widest::avx512>() {
        if constexpr (arithmetic<T>) return strict<Kernel, Signature, W>();
        else return plain<Kernel, Signature>();
    };
    // What runs once for many elements does not repay more code.
    const auto pick_least = []<class Kernel, class Signature>() {
        if constexpr (arithmetic<T>) return strict_baseline_form<Kernel, Signature>;
        else return plain_baseline_form<Kernel, Signature>;
    };
    Folder folder{};
    folder.fold = &f;
    folder.columns = pick.template operator()<typename Loops::Columns, FoldColumns>();
    // Rows keep values and their indices in as many registers as AVX2 has.
    folder.rows = pick.template operator()<typename Loops::Rows, FoldRows, Widest::avx2>();
    folder.join = pick_least.template operator()<typename Loops::Join, FoldJoin>();
    folder.finish = pick_least.template operator()<typename Loops::Finish, FoldFinish>();
    if constexpr (of_truth) folder.decided = &Loops::decided;
    folder.accumulator_bytes = Loops::accumulator_bytes;
    folder.result_bytes = static_cast<index_t>(sizeof(index_t));
    folder.lanes = Loops::lanes;
    folder.any_order = folder.places = true;
    return folder;
}

}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_EXTREME_HPP

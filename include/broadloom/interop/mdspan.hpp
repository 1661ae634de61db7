// Tensors and views as std::mdspan, and back, where the standard library has it. The layout
// `strided` has any strides, negative ones and 0 included, which std::layout_stride has not.
#ifndef BROADLOOM_INTEROP_MDSPAN_HPP
#define BROADLOOM_INTEROP_MDSPAN_HPP

#include <version>

#if defined(__cpp_lib_mdspan)

#include <array>
#include <cstddef>
#include <mdspan>
#include <type_traits>
#include <utility>

#include "broadloom/tensor/tensor.hpp"

namespace broadloom {

/// A layout with a stride for every dimension and the offset of the first element, so that all
/// offsets count from the lowest one and none is negative.
struct strided {
    template <class Extents>
    class mapping {
    public:
        using extents_type = Extents;
        using index_type = typename Extents::index_type;
        using size_type = typename Extents::size_type;
        using rank_type = typename Extents::rank_type;
        using layout_type = strided;
        using strides_type = std::array<index_type, Extents::rank()>;

        constexpr mapping() noexcept = default;
        constexpr mapping(const Extents& extents, const strides_type& strides,
                          index_type offset = 0) noexcept
            : extents_(extents), strides_(strides), offset_(offset) {}

        constexpr const Extents& extents() const noexcept { return extents_; }
        constexpr const strides_type& strides() const noexcept { return strides_; }
        constexpr index_type stride(rank_type r) const noexcept { return strides_[r]; }

        template <class... At>
            requires(sizeof...(At) == Extents::rank() &&
                     (std::is_convertible_v<At, index_type> && ...))
        constexpr index_type operator()(At... indices) const noexcept {
            index_type offset = offset_;
            rank_type r = 0;
            ((offset += static_cast<index_type>(indices) * strides_[r++]), ...);
            return offset;
        }
        /// One more than the highest offset; 0 when there are no elements.
        constexpr index_type required_span_size() const noexcept {
            index_type highest = offset_;
            for (rank_type r = 0; r < Extents::rank(); ++r) {
                const index_type extent = extents_.extent(r);
                if (extent == 0) return 0;
                if (strides_[r] > 0) highest += (extent - 1) * strides_[r];
            }
            return highest + 1;
        }

        static constexpr bool is_always_unique() noexcept { return false; }
        static constexpr bool is_always_exhaustive() noexcept { return false; }
        static constexpr bool is_always_strided() noexcept { return true; }
        /// False where a dimension stands still; conservative where dimensions interlock.
        constexpr bool is_unique() const { return !detail::has_internal_overlap(shape(), steps()); }
        constexpr bool is_exhaustive() const {
            return is_unique() && required_span_size() == shape().size();
        }
        static constexpr bool is_strided() noexcept { return true; }

        friend constexpr bool operator==(const mapping& a, const mapping& b) noexcept {
            return a.extents_ == b.extents_ && a.strides_ == b.strides_ && a.offset_ == b.offset_;
        }

    private:
        constexpr Shape shape() const {
            IndexList list;
            for (rank_type r = 0; r < Extents::rank(); ++r) {
                list.push_back(static_cast<index_t>(extents_.extent(r)));
            }
            return Shape(list);
        }
        constexpr Strides steps() const {
            Strides list;
            for (const index_type stride : strides_) list.push_back(static_cast<index_t>(stride));
            return list;
        }

        Extents extents_{};
        strides_type strides_{};
        index_type offset_ = 0;
    };
};

/// The view as a std::mdspan of the rank that is asked for: `to_mdspan<2>(x)`. Throws shape_error
/// when it has another.
template <std::size_t Rank, class T>
auto to_mdspan(const TensorView<T>& x) {
    using Extents = std::dextents<index_t, Rank>;
    if (x.rank() != static_cast<index_t>(Rank)) {
        throw shape_error(detail::Sentence()
                          << "shape " << x.shape() << " is no mdspan of rank " << Rank);
    }
    std::array<index_t, Rank> extents{}, strides{};
    for (std::size_t r = 0; r < Rank; ++r) {
        extents[r] = x.shape()[static_cast<index_t>(r)];
        strides[r] = x.strides()[static_cast<index_t>(r)];
    }
    const index_t low = x.size() == 0 ? 0 : detail::bounds_of(x.shape(), x.strides()).low;
    const strided::mapping<Extents> mapping(Extents(extents), strides, -low);
    return std::mdspan<T, Extents, strided>(x.data() + low, mapping);
}
template <std::size_t Rank, class T>
auto to_mdspan(Tensor<T>& x) {
    return broadloom::to_mdspan<Rank>(x.view());
}
template <std::size_t Rank, class T>
auto to_mdspan(const Tensor<T>& x) {
    return broadloom::to_mdspan<Rank>(x.view());
}
template <std::size_t Rank, class T>
void to_mdspan(const Tensor<T>&&) = delete;

/// A view of what a std::mdspan with strides refers to. Where elements repeat it must be of const
/// elements: throws value_error otherwise, shape_error for extents past index_t or strides past
/// all memory.
template <class T, class Extents, class Layout_, class Accessor>
    requires(std::mdspan<T, Extents, Layout_, Accessor>::is_always_strided() &&
             std::is_same_v<typename Accessor::data_handle_type, T*>)
TensorView<T> view_of(const std::mdspan<T, Extents, Layout_, Accessor>& x) {
    static_assert(Extents::rank() <= static_cast<std::size_t>(max_rank),
                  "a tensor has at most max_rank dimensions");
    IndexList extents;
    Strides strides;
    if constexpr (Extents::rank() > 0) {  // without dimensions there is no stride to ask for
        for (typename Extents::rank_type r = 0; r < Extents::rank(); ++r) {
            extents.push_back(static_cast<index_t>(x.extent(r)));
            strides.push_back(static_cast<index_t>(x.stride(r)));
        }
    }
    const Shape shape(extents);
    strides = detail::require_addressable(shape, strides, sizeof(T));
    if constexpr (!std::is_const_v<T>) {
        if (detail::has_internal_overlap(shape, strides)) {
            throw value_error(
                "an mdspan in which elements may repeat can only be read: make it one "
                "of const elements");
        }
    }
    index_t offset = 0;
    if (shape.size() > 0) {
        offset = [&]<std::size_t... At>(std::index_sequence<At...>) {
            return static_cast<index_t>(x.mapping()((static_cast<void>(At), 0)...));
        }(std::make_index_sequence<Extents::rank()>{});
    }
    return TensorView<T>(x.data_handle() + offset, shape, strides);
}

}  // namespace broadloom

#endif  // __cpp_lib_mdspan

#endif  // BROADLOOM_INTEROP_MDSPAN_HPP

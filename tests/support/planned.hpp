// Plans as the rooms of the kernel get them, without tensors.
#ifndef BROADLOOM_TESTS_SUPPORT_PLANNED_HPP
#define BROADLOOM_TESTS_SUPPORT_PLANNED_HPP

#include <vector>

#include "broadloom/kernel/elementwise/tiling.hpp"

namespace planned {

namespace kernel = broadloom::kernel;
namespace detail = broadloom::kernel::detail;
using broadloom::index_t;
using detail::Access;

/// A plan of streams with given strides, the target first, and how each is read.
struct Planned {
    kernel::Plan plan{};
    std::vector<kernel::Stream> streams;
    std::vector<detail::Part> parts;
    std::vector<kernel::Run> runs;
    kernel::Code code{};

    Planned(const std::vector<index_t>& extents, const std::vector<std::vector<index_t>>& strides)
        : streams(strides.size()), parts(strides.size()), runs(strides.size()) {
        plan.rank = static_cast<int>(extents.size());
        plan.count = static_cast<int>(strides.size());
        plan.streams = streams.data();
        for (std::size_t l = 0; l < extents.size(); ++l) plan.extents[l] = extents[l];
        for (std::size_t i = 0; i < strides.size(); ++i) {
            streams[i].bytes = 4;
            // Apart from each other.
            streams[i].data = reinterpret_cast<char*>((i + 1) << 5 * sizeof(i));
            for (std::size_t l = 0; l < extents.size(); ++l) streams[i].strides[l] = strides[i][l];
        }
    }
    detail::Walk walk() { return detail::Walk{plan, code, nullptr, parts.data(), runs.data()}; }
    std::vector<Access> access() const {
        std::vector<Access> list;
        for (const auto& part : parts) list.push_back(part.access);
        return list;
    }
};

}  // namespace planned

#endif  // BROADLOOM_TESTS_SUPPORT_PLANNED_HPP

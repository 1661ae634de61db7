// Results of a reduction that are made in another order than their own, and brought into it at the
// end.
#ifndef BROADLOOM_KERNEL_FOLD_ASIDE_HPP
#define BROADLOOM_KERNEL_FOLD_ASIDE_HPP

#include "broadloom/kernel/memory.hpp"
#include "broadloom/kernel/packing.hpp"
#include "broadloom/kernel/plan.hpp"

BROADLOOM_PLANNING_BEGIN

namespace broadloom::kernel::detail {

/// Results that are made in the order of a plan's loops, to be brought into their own.
class Aside {
public:
    /// Lays the target of a plan aside.
    void lay(Plan& plan, index_t bytes) {
        Stream& target = plan.streams[0];
        index_t own[max_rank], step = 1;
        result_ = const_cast<char*>(target.data);
        for (int loop = plan.rank - 1; loop >= 0; --loop) {
            if (target.strides[loop] == 0) continue;
            int i = loops_++;
            for (; i > 0 && own[i - 1] < target.strides[loop]; --i) {
                own[i] = own[i - 1];
                extents_[i] = extents_[i - 1];
                strides_[i] = strides_[i - 1];
            }
            own[i] = target.strides[loop];
            extents_[i] = plan.extents[loop];
            strides_[i] = target.strides[loop] = step;
            step *= plan.extents[loop];
        }
        target.data = memory_.make(static_cast<std::size_t>(step * bytes));
    }
    void bring_back(const Movers& movers) {
        if (loops_ > 0) pack(result_, memory_.data(), extents_, strides_, loops_, movers);
    }

private:
    char* result_ = nullptr;
    int loops_ = 0;
    index_t extents_[max_rank], strides_[max_rank];
    Memory memory_;
};

}  // namespace broadloom::kernel::detail

BROADLOOM_PLANNING_END

#endif  // BROADLOOM_KERNEL_FOLD_ASIDE_HPP

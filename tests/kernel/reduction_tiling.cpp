// How reductions are cut: by the extents, whatever the strides.
#include "broadloom/kernel/reduction_tiling.hpp"

#include <vector>

#include "broadloom/kernel/accumulate.hpp"
#include "broadloom/scalar/fold.hpp"
#include "support/catch.hpp"

namespace bl = broadloom;
namespace kernel = broadloom::kernel;
using bl::index_t;

namespace {

struct Loop {
    index_t extent, target, operand;  // strides
};

/// The tiling of a sum of floats over loops, the outermost first.
struct Cut : kernel::detail::ReductionTiling {
    using ReductionTiling::Form, ReductionTiling::form_, ReductionTiling::direct_,
        ReductionTiling::columns_, ReductionTiling::rows_, ReductionTiling::groups_,
        ReductionTiling::tile_rows_, ReductionTiling::tile_columns_, ReductionTiling::tile_groups_;

    Cut(kernel::Reader& reader, const kernel::Folder& folder)
        : ReductionTiling(reader, folder, 4096) {}
};

template <class Check>
void with_cut(const std::vector<Loop>& loops, Check&& check) {
    const float data[1] = {};
    kernel::Stream streams[2];
    kernel::Input inputs[2];
    kernel::Run runs[2];
    kernel::Plan plan;
    plan.count = 2;
    plan.streams = streams;
    plan.rank = 0;
    for (int i = 0; i < 2; ++i) {
        streams[i].data = reinterpret_cast<const char*>(data);
        streams[i].bytes = sizeof(float);
    }
    for (const Loop& loop : loops) {
        streams[0].strides[plan.rank] = loop.target;
        streams[1].strides[plan.rank] = loop.operand;
        plan.extents[plan.rank++] = loop.extent;
    }
    const bl::scalar::fold::sum sum{};
    const kernel::Folder folder = kernel::make_folder<float>(sum);
    kernel::Reader reader(plan, nullptr, nullptr, inputs, runs, kernel::movers_of<sizeof(float)>,
                          4096, kernel::block_length);
    check(Cut(reader, folder));
}

}  // namespace

TEST_CASE("Many columns are wide, few are flat, and few of few rows are turned") {
    using Form = Cut::Form;
    // Columns in any order of memory.
    for (const index_t stride : {1, 1000}) {
        with_cut({{1000, 0, 1001 - stride}, {1000, 1, stride}}, [&](const Cut& cut) {
            CHECK((cut.form_ == Form::wide && cut.rows_ == 1000 && cut.columns_ == 1000));
            CHECK(cut.tile_columns_ == (stride == 1 ? 1000 : 256));
        });
        with_cut({{50, 1, 64 * stride}, {64, 0, stride}}, [&](const Cut& cut) {
            CHECK((cut.form_ == Form::flat && cut.groups_ == 50 && cut.rows_ == 64));
            CHECK((cut.direct_ == (stride == 1) && cut.columns_ == 1));
        });
        with_cut({{50, 1, 63 * stride}, {63, 0, stride}}, [&](const Cut& cut) {
            CHECK((cut.form_ == Form::short_ && cut.groups_ == 50 && cut.rows_ == 63));
            CHECK(cut.tile_groups_ >= 32);
        });
    }
    with_cut({{1000000, 0, 4}, {4, 1, 1}}, [](const Cut& cut) {
        CHECK((cut.form_ == Form::flat && cut.rows_ == 1000000 && cut.columns_ == 4));
        CHECK((cut.direct_ && cut.tile_rows_ == cut.rows_));
    });
}

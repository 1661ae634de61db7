// How reductions are cut: by the extents, whatever the strides.
#include "broadloom/kernel/fold/reduction_tiling.hpp"

#include <vector>

#include "broadloom/kernel/fold/stored.hpp"
#include "broadloom/scalar/monoid.hpp"
#include "support/catch.hpp"
#include "support/settings.hpp"

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
        : ReductionTiling(reader, folder, {4096}) {}
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

TEST_CASE("Results of their own are shared out, outermost first, or else parts of the rows") {
    const auto shared = [](const std::vector<Loop>& loops, int loop, index_t least) {
        bool same = false;
        with_cut(loops, [&](const Cut& cut) {
            const kernel::detail::Share share = cut.share(8);
            same = share.loop == loop && share.least == least && cut.part_rows(8) == 0;
        });
        return same;
    };
    const auto parts = [](const std::vector<Loop>& loops) {
        index_t rows = -1;
        with_cut(loops, [&](const Cut& cut) { rows = cut.part_rows(8); });
        return rows;
    };
    // Groups of a flat fold; the loop around where there are too few; blocks of many columns.
    CHECK(shared({{50, 1, 4000}, {4000, 0, 1}}, 0, 1));
    CHECK(shared({{100, 7, 28000}, {7, 1, 4000}, {4000, 0, 1}}, 0, 1));
    CHECK(shared({{16, 0, 100000}, {100000, 1, 1}}, 1, 256));
    CHECK(shared({{3, 1000, 16000}, {16, 0, 1000}, {1000, 1, 1}}, 0, 1));
    // Short groups that fill a vector of 32 lanes.
    CHECK(shared({{100000, 2, 10}, {5, 0, 2}, {2, 1, 1}}, 0, 16));
    // A whole tensor, columns by vectors of 32 lanes, and rows of few columns.
    CHECK(parts({{1 << 20, 0, 1}}) == (1 << 20) / 32 / 8);
    CHECK(parts({{1000000, 0, 4}, {4, 1, 1}}) == 8192);
    CHECK(parts({{100000, 0, 64}, {64, 1, 1}}) == 8192);
    // Parts of sixteen rows are the smallest; what is reduced outside as well stays together.
    CHECK(parts({{100, 0, 64}, {64, 1, 1}}) == 16);
    CHECK(parts({{16, 0, 64}, {64, 1, 1}}) == 0);
    CHECK(parts({{100, 0, 64000}, {64, 1, 1000}, {1000, 0, 1}}) == 0);
}

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
        with_cut({{4, 1, 63 * stride}, {63, 0, stride}},
                 [&](const Cut& cut) { CHECK(cut.form_ == Form::short_); });
        with_cut({{3, 1, 63 * stride}, {63, 0, stride}},
                 [&](const Cut& cut) { CHECK(cut.form_ == Form::wide); });
    }
    // Groups of a few vectors are turned as well, unless they lie side by side.
    with_cut({{400, 48, 288}, {3, 0, 96}, {48, 1, 2}}, [](const Cut& cut) {
        CHECK((cut.form_ == Form::short_ && cut.groups_ == 400 && cut.tile_groups_ > 4));
    });
    with_cut({{400, 48, 1440}, {30, 0, 48}, {48, 1, 1}},
             [](const Cut& cut) { CHECK(cut.form_ == Form::wide); });
    with_cut({{1000000, 0, 4}, {4, 1, 1}}, [](const Cut& cut) {
        CHECK((cut.form_ == Form::flat && cut.rows_ == 1000000 && cut.columns_ == 4));
        CHECK((cut.direct_ && cut.tile_rows_ == cut.rows_));
    });
}

TEST_CASE("Groups of one block of rows are folded where they lie, some KiB at a time") {
    using Form = Cut::Form;
    const auto form = [](index_t groups, index_t rows, index_t columns, index_t gap = 0) {
        Form found{};
        const index_t row = columns + gap;
        with_cut({{groups, columns, rows * row}, {rows, 0, row}, {columns, 1, 1}},
                 [&](const Cut& cut) { found = cut.form_; });
        return found;
    };
    const settings::Restore restore;
    kernel::set_isa(0);
    // The baseline of x86 has no loop for them.
    CHECK((form(400, 15, 48) == Form::wide) == BROADLOOM_X86);
    kernel::set_isa(1);
    if (BROADLOOM_X86 && kernel::isa() < 1) return;
    with_cut({{400, 48, 720}, {15, 0, 48}, {48, 1, 1}}, [](const Cut& cut) {
        CHECK(cut.direct_);
        CHECK(cut.tile_groups_ == 5);
    });
    CHECK(form(400, 16, 32) == Form::blocks);
    CHECK(form(2, 2, 5000, 7) == Form::blocks);
    CHECK(form(400, 17, 48) == Form::wide);
    // Through a tile go small ones that do not lie so, unless they are turned.
    with_cut({{400, 48, 960}, {10, 0, 96}, {48, 1, 2}}, [](const Cut& cut) {
        CHECK((cut.form_ == Form::blocks && !cut.direct_));
        CHECK(cut.tile_groups_ == 4);
    });
    with_cut({{400, 48, 1056}, {11, 0, 96}, {48, 1, 2}},
             [](const Cut& cut) { CHECK(cut.form_ == Form::wide); });
    CHECK(form(400, 3, 20) == Form::short_);
    // Above these some more is reduced.
    with_cut({{7, 0, 57600}, {400, 48, 144}, {3, 0, 48}, {48, 1, 1}},
             [](const Cut& cut) { CHECK(cut.form_ == Form::short_); });
}

TEST_CASE("Panels serve many rows of a formula, eights of elements each") {
    using kernel::detail::RowOrder, kernel::detail::takes_panels;
    const bl::scalar::fold::sum sum{};
    kernel::Folder folder = kernel::make_folder<float>(sum);
    folder.panels = [](const void*, const void*, kernel::Stack*, const kernel::Run*, index_t,
                       bool) {};
    kernel::Stream streams[3];
    // `around` rows of one operand with `columns` of another, which moves with them by `step`.
    const auto takes = [&](index_t around, index_t rows, index_t columns, index_t step,
                           RowOrder order) {
        kernel::Plan plan;
        plan.count = 3;
        plan.streams = streams;
        plan.rank = 3;
        const index_t extents[] = {around, rows, columns};
        const index_t strides[3][3] = {{columns, 0, 1}, {rows, 1, 0}, {step, 1, rows}};
        for (int loop = 0; loop < 3; ++loop) {
            plan.extents[loop] = extents[loop];
            for (int i = 0; i < 3; ++i) streams[i].strides[loop] = strides[i][loop];
        }
        return takes_panels(plan, folder, order);
    };
    CHECK(takes(16, 8, 32, 0, RowOrder::plain));
    CHECK(takes(500, 248, 500, 0, RowOrder::plain));
    // Not for few turns, other rows, few columns, or operands that move.
    CHECK_FALSE(takes(15, 8, 32, 0, RowOrder::plain));
    CHECK_FALSE(takes(16, 9, 32, 0, RowOrder::plain));
    CHECK_FALSE(takes(16, 256, 32, 0, RowOrder::plain));
    CHECK_FALSE(takes(16, 8, 31, 0, RowOrder::plain));
    CHECK_FALSE(takes(16, 8, 32, 1, RowOrder::plain));
    // Lanes of two or four rows each.
    CHECK(takes(16, 64, 32, 0, RowOrder::by_lanes_at_once));
    CHECK(takes(16, 128, 32, 0, RowOrder::by_lanes_at_once));
    CHECK_FALSE(takes(16, 96, 32, 0, RowOrder::by_lanes_at_once));
    CHECK_FALSE(takes(16, 64, 32, 0, RowOrder::by_lanes));
    folder.panels = nullptr;
    CHECK_FALSE(takes(16, 8, 32, 0, RowOrder::plain));
}

#include "broadloom/tensor/normal_quantile.hpp"

#include <cmath>
#include <random>
#include <vector>

#include "support/catch.hpp"
#include "support/same_bits.hpp"
#include "support/settings.hpp"

namespace random_detail = broadloom::random::detail;
using broadloom::index_t;

TEST_CASE("quantiles are those of the normal distribution") {
    // By mpmath: sqrt(2) erfinv(2p - 1).
    const struct {
        double p, z;
    } known[] = {{0.5, 0.0},
                 {0.25, -0.67448975019608174},
                 {0.001, -3.0902323061678135},
                 {0.975, 1.9599639845400543},
                 {1e-15, -7.9413453261709970}};
    for (const auto& [p, z] : known) {
        double x = p;
        random_detail::to_normal(&x, 1);
        CHECK(x == Approx(z).epsilon(4e-16).margin(0));
    }
}

TEST_CASE("approximations meet where one takes over from the other") {
    for (const double side : {0.075, 1.388794386496402e-11}) {
        for (const double p : {side, 1 - side}) {
            double near[] = {p * (1 - 1e-9), p * (1 + 1e-9)};
            if (near[1] > 1) continue;
            random_detail::to_normal(near, 2);
            CHECK(near[0] == Approx(near[1]).epsilon(1e-6));
        }
    }
}

TEST_CASE("every one of many probabilities becomes what it becomes alone, whatever the processor") {
    const settings::Restore restore;
    std::mt19937 engine(2);
    for (const index_t count : {0, 1, 7, 8, 9, 255, 256, 257, 1000}) {
        // Few of them outside, a mixture, all.
        for (const double width : {0.8, 0.9, 1.0, 0.05}) {
            std::vector<double> p(static_cast<std::size_t>(count)), one;
            for (double& x : p) x = (static_cast<double>(engine()) + 0.5) * 0x1p-32 * width;
            for (const double x : p) {
                one.push_back(random_detail::is_central(x) ? random_detail::central_quantile(x)
                                                           : random_detail::outer_quantile(x));
            }
            for (const int level : {0, 1, 2}) {
                broadloom::kernel::set_isa(level);
                std::vector<double> all = p;
                random_detail::to_normal(all.data(), count);
                bool same = true;
                for (std::size_t i = 0; i < all.size(); ++i) {
                    same = same && naive::same_bits(all[i], one[i]);
                }
                REQUIRE(same);
            }
        }
    }
}

// Even numbers made normal, by the inverse of the distribution function: the same bits from every
// instruction set.
#ifndef BROADLOOM_TENSOR_NORMAL_QUANTILE_HPP
#define BROADLOOM_TENSOR_NORMAL_QUANTILE_HPP

#include "broadloom/core/shape.hpp"
#include "broadloom/kernel/dispatch.hpp"
#include "broadloom/scalar/logarithm.hpp"
#include "broadloom/scalar/root.hpp"

namespace broadloom::random::detail {

BROADLOOM_EXACT_BEGIN

// M. J. Wichura, Algorithm AS 241, The Percentage Points of the Normal Distribution, Applied
// Statistics 37 (1988), whose error is about 1e-16.

/// True where the middle of the distribution has an approximation of its own: for 85 of 100.
BROADLOOM_INLINE constexpr bool is_central(double p) {
    const double q = p - 0.5;
    return (q <= 0.425) & (q >= -0.425);
}

/// The value below which a normal variable falls with probability p, there.
BROADLOOM_INLINE constexpr double central_quantile(double p) {
    const double q = p - 0.5, x = 0.180625 - q * q;
    const double top = scalar::math::polynomial(
        x, 3.3871328727963666080e0, 1.3314166789178437745e+2, 1.9715909503065514427e+3,
        1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
        3.3430575583588128105e+4, 2.5090809287301226727e+3);
    const double bottom = scalar::math::polynomial(
        x, 1.0, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3,
        2.1213794301586595867e+4, 3.9307895800092710610e+4, 2.8729085735721942674e+4,
        5.2264952788528545610e+3);
    return q * top / bottom;
}

/// One of the two tails of an approximation, by its choice of constants.
struct Tail {
    bool is_far;

    BROADLOOM_INLINE constexpr double pick(double usual, double outer) const {
        return is_far ? outer : usual;
    }
};

/// The same elsewhere, of p in (0, 1). Written without branches, so that it is vector code.
BROADLOOM_INLINE constexpr double outer_quantile(double p) {
    const double q = p - 0.5, side = q < 0 ? p : 1.0 - p;
    const double depth = -scalar::math::log(side);
    const double s = depth * scalar::math::inverse_root<4>(depth);
    const Tail in{s > 5.0};
    const double x = in.pick(s - 1.6, s - 5.0);
    const double top =
        scalar::math::polynomial(x, in.pick(1.42343711074968357734e0, 6.65790464350110377720e0),
                                 in.pick(4.63033784615654529590e0, 5.46378491116411436990e0),
                                 in.pick(5.76949722146069140550e0, 1.78482653991729133580e0),
                                 in.pick(3.64784832476320460504e0, 2.96560571828504891230e-1),
                                 in.pick(1.27045825245236838258e0, 2.65321895265761230930e-2),
                                 in.pick(2.41780725177450611770e-1, 1.24266094738807843860e-3),
                                 in.pick(2.27238449892691845833e-2, 2.71155556874348757815e-5),
                                 in.pick(7.74545014278341407640e-4, 2.01033439929228813265e-7));
    const double bottom = scalar::math::polynomial(
        x, 1.0, in.pick(2.05319162663775882187e0, 5.99832206555887937690e-1),
        in.pick(1.67638483018380384940e0, 1.36929880922735805310e-1),
        in.pick(6.89767334985100004550e-1, 1.48753612908506148525e-2),
        in.pick(1.48103976427480074590e-1, 7.86869131145613259100e-4),
        in.pick(1.51986665636164571966e-2, 1.84631831751005468180e-5),
        in.pick(5.47593808499534494600e-4, 1.42151175831644588870e-7),
        in.pick(1.05075007164441684324e-9, 2.04426310338993978564e-15));
    return (q < 0 ? -1.0 : 1.0) * top / bottom;
}

BROADLOOM_EXACT_END

/// Probabilities become quantiles: those that are not central once more, brought together, so that
/// few take a logarithm and a root.
struct NormalQuantiles {
    static constexpr index_t block = 256;

    template <class Isa>
    BROADLOOM_KERNEL static void run(double* p, index_t count) {
        constexpr index_t step = 8;
        double outer[block + step];
        index_t place[block];
        for (; count > 0; count -= block, p += block) {
            const index_t some = count < block ? count : block;
            index_t found = 0;
            BROADLOOM_ROLLED
            for (index_t i = 0; i < some; ++i) {
                outer[found] = p[i];
                place[found] = i;
                found += index_t{!is_central(p[i])};
            }
            for (index_t i = found; i < found + step; ++i) outer[i] = 0.0625;
            const index_t whole = (found + step - 1) / step * step;
            for (index_t i = 0; i < some; ++i) p[i] = central_quantile(p[i]);
            for (index_t i = 0; i < whole; ++i) outer[i] = outer_quantile(outer[i]);
            BROADLOOM_ROLLED
            for (index_t i = 0; i < found; ++i) p[place[i]] = outer[i];
        }
    }
};

/// Turns probabilities in (0, 1) into the values below which a normal variable falls with them.
inline void to_normal(double* p, index_t count) {
    kernel::strict<NormalQuantiles, void(double*, index_t)>()(p, count);
}

}  // namespace broadloom::random::detail

#endif  // BROADLOOM_TENSOR_NORMAL_QUANTILE_HPP

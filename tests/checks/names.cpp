// Functions of a user's that bear the names of Broadloom's. Lookup by arguments finds them wherever
// the library calls its own without a namespace on tensors of the user's elements, or on
// expressions with the user's functions in them: no such call compiles here. What the library asks
// of elements in this way, as `to_string` of one, the list leaves out.
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

namespace user {

/// The result of a function that no call may even consider.
template <class... A>
struct Refused {
    static_assert(sizeof...(A) > 99, "the library finds a function of the user's");
    using type = void;
};

#define NAME(name)                             \
    template <class... Types, class... A>      \
    typename Refused<A...>::type name(A&&...); \
    template <auto... Values, class... A>      \
    typename Refused<A...>::type name(A&&...);
#include "names.inc"
#undef NAME

struct Number {
    float value = 0;

    constexpr Number() = default;
    template <bl::arithmetic T>
    constexpr Number(T x) : value(static_cast<float>(x)) {}
    constexpr explicit operator float() const { return value; }
    constexpr explicit operator bool() const { return value != 0; }

    friend Number operator+(Number a, Number b) { return a.value + b.value; }
    friend Number operator-(Number a, Number b) { return a.value - b.value; }
    friend Number operator*(Number a, Number b) { return a.value * b.value; }
    friend Number operator/(Number a, Number b) { return a.value / b.value; }
    friend Number operator-(Number a) { return -a.value; }
    friend auto operator<=>(const Number&, const Number&) = default;
    friend std::string to_string(Number x) { return std::to_string(x.value); }
};

struct Same {
    template <class T>
    T operator()(const T& x) const {
        return x;
    }
};

struct Larger {
    template <class T>
    T operator()(const T& a, const T& b) const {
        return a < b ? b : a;
    }
};

struct Generator : std::mt19937 {};

}  // namespace user

namespace {

using Numbers = bl::Tensor<user::Number>;

template <class... Results>
void use(Results&&...) {}

/// Calls f with what makes a tensor that dies, and with what makes an expression.
template <class T, class F>
void with_operands(const bl::Tensor<T>& x, F f) {
    f([&] { return x.copy(); });
    f([&] { return bl::map(user::Same{}, x); });
}

void elements(const Numbers& numbers, const bl::Tensor<bool>& mask, const bl::Tensor<int>& index) {
    with_operands(numbers, [&](auto x) {
        const user::Number n(2);
        use(x() + x() * n, x() - x(), -x(), x() / n, x() == x(), x() < n);
        use(bl::add(x(), x()), bl::multiply(x(), x(), 0), bl::maximum(x(), x()),
            bl::minimum(x(), n), bl::where(mask, x(), n), bl::clip(x(), n, n),
            bl::map(user::Larger{}, x(), x()), bl::eval(x()), bl::cast<float>(x()),
            bl::array_equal(x(), x()), bl::square(x()), bl::fma(x(), x(), x()));
        use(bl::sum(x()), bl::sum(x(), 0), bl::sum(x(), 0, bl::keepdims), bl::prod(x(), {0, 1}),
            bl::max(x()), bl::min(x(), 1), bl::any_of(x()), bl::all_of(x(), 0),
            bl::count_nonzero(x()), bl::argmax(x()), bl::argmin(x(), 0), bl::cumsum(x(), 0),
            bl::cumprod(x()), bl::cummax(x()), bl::cummin(x(), 1), bl::diff(x()),
            bl::sum_to(x(), {1, 2}), bl::reduce(user::Larger{}, user::Number(), x(), 0));
        use(bl::matmul(x(), x()), bl::dot(x(), x()), bl::outer(x().flatten(), x().flatten()),
            bl::tensordot(x(), x(), 1), bl::einsum("ij,jk->i", x(), x()));
        use(bl::broadcast_to(x(), {3, 2, 2}), bl::expand(x(), {3, -1, -1}),
            bl::broadcast_tensors(x(), x()), bl::align(x(), 3, 0), bl::meshgrid(x()[0], x()[1]));
        use(bl::concat(0, x(), x()), bl::stack(0, x(), x()), bl::split(x(), 2), bl::split(x(), {1}),
            bl::tile(x(), {2, 2}), bl::repeat(x(), 2, 0), bl::repeat(x(), {1, 2}, 0),
            bl::roll(x(), 1), bl::roll(x(), 1, 0), bl::flip(x()), bl::flip(x(), 0), bl::rot90(x()),
            bl::rot90(x(), 1, 0, 1), bl::pad(x(), 1, n), bl::pad(x(), {1, 1}),
            bl::pad(x(), {{1, 1}, {0, 1}}, bl::PadMode::reflect), bl::tril(x()), bl::triu(x(), 1));
        use(bl::gather(x(), 0, index), bl::take(x(), index, 0), bl::take(x(), {0, 1}, 0),
            bl::take(x(), index), bl::index(x(), index), bl::index(x(), mask),
            bl::index(x(), bl::all, index), bl::take_along_axis(x(), index, 0),
            bl::masked_select(x(), mask), bl::masked_fill(x(), mask, n),
            bl::scatter(x(), 0, index, x()), bl::scatter_add(x(), 0, index, x()),
            bl::index_add(x(), 0, index[0], x()));
        use(bl::sort(x()), bl::sort(x(), 0, true), bl::argsort(x()), bl::topk(x(), 1),
            bl::unique(x()), bl::unique_all(x()), bl::searchsorted(x()[0], x()[1]),
            bl::nonzero(x()));
        use(bl::zeros_like(x()), bl::ones_like(x()), bl::full_like(x(), n), bl::empty_like(x()),
            bl::to_string(x()), bl::describe_plan(x() + x()), bl::explain(x(), x()));
        user::Generator generator;
        use(bl::random::choice(x(), 2, generator));
        std::cout << x();
    });
    use(bl::full({2}, user::Number()), bl::zeros<user::Number>({2}), bl::eye<user::Number>(2),
        bl::from(std::vector<user::Number>(3)), bl::as_strided(numbers, {2}, {1}),
        bl::as_span(numbers), numbers.windows({1, 1}), numbers.permute(1, 0), numbers.reshape(4),
        numbers.at(0, 0), numbers[0][0].item());
    Numbers list[] = {numbers, numbers};
    use(bl::concat(0, list), bl::stack(0, {numbers, numbers}), bl::view_of(list[0].data(), {2, 2}));
#ifdef __cpp_lib_mdspan
    use(bl::to_mdspan<2>(numbers));
#endif
}

void writing(Numbers x, const bl::Tensor<bool>& mask, const bl::Tensor<int>& index) {
    with_operands(Numbers(x), [&](auto y) {
        const user::Number n(2);
        Numbers z = y();
        z = y();
        z += y();
        z *= n;
        z(bl::all, 0) = y()[0];
        z[0] -= y()[0];
        z[0].fill(n);
        bl::masked_fill_(x, mask, n);
        bl::masked_scatter_(x, mask, y());
        bl::index_put_(x, y()[0], index);
        bl::index_put_(x, n, mask);
        bl::index_put_(x, n, bl::Duplicates::error, 0, index[0]);
        bl::index_add_(x, 0, index[0], y());
        bl::scatter_(x, 0, index, y());
        bl::scatter_(x, 0, index, y(), bl::Duplicates::add);
        bl::scatter_add_(x, 0, index, y());
        bl::put_along_axis(x, index, y(), 0);
    });
}

/// What takes real elements meets the user in the functions of its operands.
void reals(const bl::Tensor<float>& values, const bl::Tensor<int>& classes) {
    const auto x = [&] { return bl::map(user::Same{}, values); };
    const auto index = [&] { return bl::map(user::Same{}, classes); };
    use(bl::abs(x()), bl::exp(x()), bl::log(x()), bl::sqrt(x()), bl::sin(x()), bl::pow(x(), 2),
        bl::floor(x()), bl::round(x(), 1), bl::sigmoid(x()), bl::gelu(x()), bl::isfinite(x()),
        bl::hypot(x(), x()), bl::lerp(x(), x(), 0.5), bl::addcmul(x(), x(), x(), 2),
        bl::floor_divide(x(), x()), bl::fmax(x(), x()), bl::isclose(x(), x()),
        bl::allclose(x(), x()), bl::add(x(), x(), 0));
    use(bl::mean(x()), bl::var(x()), bl::stddev(x(), 0), bl::norm(x()), bl::norm(x(), bl::ord(1)),
        bl::norm(x(), 0, bl::ord(3)), bl::logsumexp(x(), 0), bl::median(x()), bl::median(x(), 0),
        bl::quantile(x(), 0.5), bl::quantile(x(), {0.5, 0.75}, 0), bl::quantile(x(), x()),
        bl::histogram(x(), 2), bl::histogram(x(), {0, 1, 2}), bl::histogram(x(), 2, {0, 1}),
        bl::bincount(index()), bl::bincount(index(), x()));
    use(bl::softmax(x()), bl::log_softmax(x(), 0), bl::layer_norm(x(), -1),
        bl::layer_norm(x(), -1, x()[0], x()[0]), bl::batch_norm(x(), x()[0], x()[0]),
        bl::batch_norm(x(), x()[0], x()[0], x()[0], x()[0]), bl::batch_norm(x(), 0, 1));
    use(bl::mse_loss(x(), x()), bl::l1_loss(x(), x(), bl::Reduction::none),
        bl::huber_loss(x(), x()), bl::smooth_l1_loss(x(), x()), bl::bce_loss(x(), x()),
        bl::bce_with_logits_loss(x(), x(), {.weight = values}), bl::kl_div_loss(x(), x()),
        bl::nll_loss(x(), index()[0]), bl::nll_loss(x(), 0, bl::Reduction::sum),
        bl::cross_entropy(x(), index()[0]), bl::cross_entropy(x(), x()));
    use(bl::matmul(x(), x()), bl::dot(x(), x()), bl::tensordot(x(), x()),
        bl::einsum("ij,jk,kl", x(), x(), x()), bl::sort(x()), bl::topk(x(), 1), bl::unique(x()),
        bl::argmax(x() > 0), bl::cumsum(x() > 0), bl::searchsorted(x()[0], x()),
        bl::searchsorted(x()[0], {1, 2}), bl::real(x()), bl::full_like(x(), 1));
    use(bl::gather(x(), 0, index()), bl::take(x(), index(), 0), bl::index(x(), index(), 0),
        bl::index(x(), x() > 0), bl::masked_select(x(), x() > 0), bl::one_hot(index()),
        bl::where(x() > 0, x(), 0), bl::nonzero(x() > 0), bl::scatter_add(x(), 0, index(), x()));
    user::Generator generator;
    use(bl::random::uniform({2, 2}, generator, x(), x()), bl::random::normal(x(), x(), generator),
        bl::random::bernoulli(x(), generator), bl::random::integers(index(), 9, generator),
        bl::random::permutation(9, generator));
    bl::Tensor<float> target = values;
    bl::masked_fill_(target, x() > 0, 1);
    bl::scatter_(target, 0, index(), x(), bl::Duplicates::mean);
    bl::index_put_(target, x()[0], bl::Duplicates::last, index()[0]);
    bl::masked_scatter_(target, x() > 0, x());
    bl::save_npy("x.npy", x());
    bl::save_npz("x.npz", {{"x", x()}});
    std::cout << x() << bl::to_string(x());
}

}  // namespace

int main() {
    elements({{1, 2}, {3, 4}}, {{true, false}, {false, true}}, {{0, 1}, {1, 0}});
    writing({{1, 2}, {3, 4}}, {{true, false}, {false, true}}, {{0, 1}, {1, 0}});
    reals({{1, 2}, {3, 4}}, {{0, 1}, {1, 0}});
}

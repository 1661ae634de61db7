"""Writes sort.txt: what NumPy gives for sort, argsort, median and quantile (made with NumPy
1.24.2). Run in this folder. Results of a falling order are those of a rising one of the negated
numbers, which keeps NaN last."""

import numpy as np

rng = np.random.default_rng(20240611)


def field(name, a):
    a = np.asarray(a)
    shape = "x".join(map(str, a.shape)) if a.ndim else "scalar"
    values = ",".join(repr(float(v)) if a.dtype.kind == "f" else str(int(v)) for v in a.ravel())
    return f"{name}={shape}:{values}"


def inputs():
    for shape in [(1,), (7,), (0,), (40,), (3, 5), (4, 1), (2, 0), (2, 3, 4)]:
        yield rng.integers(-5, 5, shape).astype(float)
        x = rng.normal(size=shape).round(3)
        if x.size > 3:
            x.ravel()[rng.integers(0, x.size, 2)] = np.inf
            x.ravel()[rng.integers(0, x.size, 2)] = -np.inf
            yield x.copy()
            x.ravel()[rng.integers(0, x.size, 3)] = np.nan
        yield x


def main():
    np.seterr(all="ignore")
    with open("sort.txt", "w") as out:
        out.write(f"# Written by make_sort.py with NumPy {np.__version__}.\n")
        for x in inputs():
            for axis in range(-x.ndim, x.ndim):
                order = np.argsort(x, axis, kind="stable")
                falling = np.argsort(-x, axis, kind="stable")
                out.write(" ".join([
                    f"sort axis={axis}", field("x", x), field("rising", np.sort(x, axis)),
                    field("falling", np.take_along_axis(x, falling, axis)),
                    field("order", order), field("falling_order", falling)]) + "\n")
        for x in inputs():
            if np.isinf(x).any() or x.size == 0:  # NumPy makes NaN of 0 * inf
                continue
            q = np.array([[0.0, 0.1, 0.25], [0.5, 0.77, 1.0]])
            out.write(" ".join(["all", field("x", x), field("median", np.median(x)),
                                field("q", q), field("quantile", np.quantile(x, q))]) + "\n")
            for axis in range(-x.ndim, x.ndim):
                out.write(" ".join([
                    f"along axis={axis}", field("x", x), field("median", np.median(x, axis)),
                    field("kept", np.median(x, axis, keepdims=True)), field("q", q),
                    field("quantile", np.quantile(x, q, axis))]) + "\n")


if __name__ == "__main__":
    main()

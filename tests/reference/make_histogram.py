"""Writes histogram.txt: what NumPy gives for searchsorted, bincount, histogram and unique. Run in
this folder."""

import numpy as np

rng = np.random.default_rng(20240608)


def field(name, a):
    a = np.asarray(a)
    shape = "x".join(map(str, a.shape)) if a.ndim else "scalar"
    values = ",".join(repr(float(v)) if a.dtype.kind == "f" else str(int(v)) for v in a.ravel())
    return f"{name}={shape}:{values}"


def search():
    special = np.array([-np.inf, -1.5, -1.5, -0.0, 0.0, 2.0, 2.0, 2.0, np.inf, np.nan, np.nan])
    for sorted_ in [special, special[:7], special[:1], np.array([]), np.sort(rng.normal(size=33)),
                    np.sort(rng.integers(-5, 5, 20).astype(float))]:
        values = np.concatenate([special, sorted_, rng.normal(size=5)])
        for right in [0, 1]:
            yield " ".join(["searchsorted", field("sorted", sorted_), field("values", values),
                            f"right={right}",
                            field("result", np.searchsorted(sorted_, values,
                                                            ["left", "right"][right]))])


def count():
    for size in [0, 1, 30]:
        x = rng.integers(0, 12, size)
        weights = rng.normal(size=size).round(3)
        for length in [0, 5, 20]:
            yield " ".join(["bincount", field("x", x), field("weights", weights),
                            f"length={length}", field("result", np.bincount(x, minlength=length)),
                            field("sums", np.bincount(x, weights, length))])


def histogram():
    samples = [np.array([]), np.array([3.0]), np.array([2.0, 2.0]), rng.normal(size=200),
               np.linspace(0, 1, 101), rng.integers(-3, 4, 50).astype(float),
               np.array([0.1, 0.2, 0.3, 0.30000000000000004, 0.7, 0.9, 1.0])]
    for x in samples:
        for bins in [1, 3, 10, 64]:
            counts, edges = np.histogram(x, bins)
            yield " ".join(["histogram", field("x", x), f"bins={bins}", field("counts", counts),
                            field("edges", edges)])
            counts, edges = np.histogram(np.append(x, np.nan), bins, (-1.0, 0.9))
            yield " ".join(["histogram_range", field("x", np.append(x, np.nan)), f"bins={bins}",
                            field("counts", counts), field("edges", edges)])
        for edges in [[0.0, 1.0], [-2.0, -0.5, 0.0, 0.3, 0.3, 1.0], [0.0, 0.0, 0.0], [-3.0, 1.0, 1.0]]:
            counts, _ = np.histogram(x, edges)
            yield " ".join(["histogram_edges", field("x", x), field("edges", np.array(edges)),
                            field("counts", counts)])


def unique():
    nan = np.nan
    for x in [np.array([]), np.array([nan, 1.0, nan]), np.array([[3.0, 1.0], [1.0, -2.0]]),
              rng.integers(-9, 9, (4, 5, 6)).astype(float), np.array(7.0),
              np.array([nan, 2.0, -np.inf, 2.0, np.inf, nan, nan, 2.0])]:
        values, indices, inverse, counts = np.unique(x, True, True, True)
        yield " ".join(["unique", field("x", x), field("values", values),
                        field("indices", indices), field("inverse", inverse.reshape(x.shape)),
                        field("counts", counts)])


with open("histogram.txt", "w") as out:
    out.write(f"# Written by make_histogram.py with NumPy {np.__version__}.\n")
    for lines in [search(), count(), histogram(), unique()]:
        out.writelines(line + "\n" for line in lines)

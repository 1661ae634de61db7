#!/usr/bin/env python3
# Writes reduce.txt: what NumPy 1.24 and PyTorch 2 make of small arrays of every type. A line `data type
# shape values` gives the operand of the lines that follow it, `operation axes type shape results`.
# Axes are `all`, `none` or `0,2`; shapes are 2x3 or `scalar`; values are the bytes in hex, `-` for
# none.
import itertools
import pathlib
import warnings

import numpy as np
import torch

warnings.filterwarnings("ignore")
np.seterr(all="ignore")
rng = np.random.default_rng(5)

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float32", "float64"]
COMPLEX = ["complex64", "complex128"]
STATISTICS = ["bool", "int16", "float32", "float64", "complex64"]
# Every type is summed; of the other operations each has some.
TYPES = {
    "prod": ["bool", "int8", "int64", "uint16", "float32", "complex64"],
    "mean": ["bool", "int64", "uint64", "float32", "float64", "complex64"],
    "max": ["bool", "uint8", "int32", "float32", "complex64"],
    "min": ["int8", "uint64", "float64", "complex128"],
    "argmax": ["bool", "uint8", "int64", "float32", "complex64"],
    "argmin": ["int8", "uint16", "float64", "complex128"],
    "any_of": ["bool", "float32", "complex64"],
    "all_of": ["int32", "float64"],
    "count_nonzero": ["uint8", "float32"],
}
for name in ["var", "var1", "stddev", "norm", "norm_0", "norm_1", "norm_3", "norm_half",
             "norm_inf", "norm_-inf", "logsumexp"]:
    TYPES[name] = STATISTICS
lines = []


def shape_text(shape):
    return "x".join(map(str, shape)) if shape else "scalar"


def put(head, x):
    x = np.array(x, order="C")
    lines.append(f"{head} {x.dtype} {shape_text(x.shape)} {x.tobytes().hex() or '-'}")


def result(operation, axes, x):
    if data_type not in TYPES.get(operation, [data_type]):
        return
    if axes is None:
        text = "all"
    else:
        text = ",".join(map(str, axes)) if axes else "none"
    x = np.asarray(x)
    put(f"{operation} {text}", x)


def draw(dtype, shape):
    if dtype == "bool":
        return rng.random(shape) < 0.6
    if dtype in INTEGERS:
        info = np.iinfo(dtype)
        return rng.integers(info.min, info.max, shape, dtype=dtype, endpoint=True)
    x = rng.integers(-40, 40, shape) / 8 + rng.random(shape).round(2)
    if dtype in COMPLEX:
        x = x + 1j * rng.integers(-40, 40, shape) / 8
    return x.astype(dtype)


def special(dtype):
    """Rows with NaN, infinities and zeros of both signs, in one column or another."""
    nan, inf = np.nan, np.inf
    if dtype in COMPLEX:
        return np.array([[1 + 2j, complex(nan, 0), 3, 1 + 3j],
                         [complex(0, nan), 2, complex(nan, nan), 5j],
                         [0, -0.0, 1j, -1j]]).astype(dtype)
    return np.array([[1, -2, 3, 0.5], [1, nan, 3, -inf], [inf, 1, 2, inf], [inf, -inf, 0, 1],
                     [-inf, -inf, -inf, -inf], [nan, nan, nan, nan], [0.0, -0.0, 0.0, -0.0],
                     [-0.0, 0, 1, -1]]).astype(dtype)


def subsets(rank):
    yield None
    for n in range(rank + 1):
        yield from itertools.combinations(range(rank), n)


def reductions(x, is_special):
    dtype = str(x.dtype)
    real, exact = dtype not in COMPLEX, dtype == "bool" or dtype in INTEGERS
    for axes in subsets(x.ndim):
        empty = x.size == 0 and (axes is None or any(x.shape[a] == 0 for a in axes))
        result("sum", axes, np.sum(x, axis=axes))
        if real or not is_special:
            result("prod", axes, np.prod(x, axis=axes))
            result("mean", axes, np.mean(x, axis=axes))
        if not empty:
            result("max", axes, np.max(x, axis=axes))
            result("min", axes, np.min(x, axis=axes))
            if axes is None or len(axes) == 1:
                result("argmax", axes, np.argmax(x, axis=axes and axes[0]))
                result("argmin", axes, np.argmin(x, axis=axes and axes[0]))
        result("any_of", axes, np.any(x, axis=axes))
        result("all_of", axes, np.all(x, axis=axes))
        result("count_nonzero", axes, np.asarray(np.count_nonzero(x, axis=axes), np.int64))
        if real or not is_special:
            result("var", axes, np.var(x, axis=axes))
            result("var1", axes, np.var(x, axis=axes, ddof=1))
            result("stddev", axes, np.std(x, axis=axes))
        t = torch.from_numpy(x.astype("float64") if exact else x.copy())
        dims = tuple(range(x.ndim)) if axes is None else axes
        # PyTorch takes an empty list for all dimensions, and NumPy knows no norm of several.
        if dims or x.ndim == 0:
            if real or not is_special:
                for name, p in [("norm", 2), ("norm_1", 1), ("norm_0", 0), ("norm_3", 3),
                                ("norm_half", 0.5), ("norm_inf", np.inf), ("norm_-inf", -np.inf)]:
                    if not (empty and not (name in ("norm", "norm_1", "norm_0"))):
                        result(name, axes, torch.linalg.vector_norm(t, p, dims or None).numpy())
            if real:
                y = t if empty or x.ndim == 0 else torch.logsumexp(t, dims)
                if empty:
                    y = torch.full(np.sum(x, axis=axes).shape, -np.inf, dtype=t.dtype)
                result("logsumexp", axes, y.numpy())


def along(x, is_special):
    dtype = str(x.dtype)
    real, exact = dtype not in COMPLEX, dtype == "bool" or dtype in INTEGERS
    t = torch.from_numpy(x.astype("float64") if exact else x.copy())
    if real or not is_special:
        for axes in [None] + [(a,) for a in range(x.ndim)]:
            axis = axes and axes[0]
            result("cumsum", axes, np.cumsum(x, axis=axis))
            result("cumprod", axes, np.cumprod(x, axis=axis))
    if not real:
        return
    for axis in range(x.ndim):
        result("softmax", (axis,), torch.softmax(t, axis).numpy())
        result("log_softmax", (axis,), torch.log_softmax(t, axis).numpy())
        # PyTorch normalises the last dimensions only.
        ends = tuple(range(axis, x.ndim))
        y = torch.nn.functional.layer_norm(t, x.shape[axis:], eps=1e-5)
        result("layer_norm", ends, y.numpy())


for data_type in ["bool"] + INTEGERS + FLOATS + COMPLEX:
    dtype = data_type
    large = dtype in ("bool", "int64", "float32", "float64", "complex64")
    shapes = [(2, 3, 4), (5, 3), (0, 3)] + ([(), (41,), (2, 0, 3)] if large else [])
    for shape in shapes:
        x = np.asarray(draw(dtype, shape), dtype)
        put("data", x)
        reductions(x, False)
        if shape == (5, 3) and large or shape == (2, 3, 4) and dtype == "float64":
            along(x, False)
    if dtype in FLOATS + COMPLEX:
        x = special(dtype)
        put("data", x)
        reductions(x, True)
        if dtype != "complex128":
            along(x, True)

pathlib.Path(__file__).with_name("reduce.txt").write_text("\n".join(lines) + "\n")

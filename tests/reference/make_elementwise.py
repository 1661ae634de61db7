#!/usr/bin/env python3
"""Writes elementwise.txt: what NumPy computes from values where implementations differ.

    make_elementwise.py > elementwise.txt    the reference the tests read (made with NumPy 1.24.2)

A record is one line "operation dtype result_dtype values results". The two last are little-endian
hex digits. For a binary operation the results are those of all pairs of the values, the first
operand changing slowest; for a unary one those of the values. Records of `arange`, `linspace` and
`logspace` hold the arguments as float64 instead of the values.
"""
import warnings

import numpy as np

warnings.simplefilter("ignore")
np.seterr(all="ignore")


def digits(array):
    array = np.ascontiguousarray(array)
    return array.astype(array.dtype.newbyteorder("<")).tobytes().hex()


def emit(operation, values, results):
    print(operation, values.dtype.name, results.dtype.name, digits(values), digits(results))


def pairs(operation, values, function=None):
    a, b = np.repeat(values, len(values)), np.tile(values, len(values))
    emit(operation, values, (function or getattr(np, operation))(a, b))


def floats(dtype):
    info = np.finfo(dtype)
    return np.array([0.0, -0.0, 1, -1, 0.1, -0.1, 2.5, -2.5, 3, -7, 1e30, -1e30,
                     info.smallest_subnormal, info.max, np.inf, -np.inf, np.nan], dtype)


def integers(dtype):
    info = np.iinfo(dtype)
    candidates = [0, 1, 2, 3, 7, 31, 32, 63, 64, 100, info.max, info.max - 1, info.max // 2 + 1,
                  -1, -2, -3, -7, -64, info.min, info.min + 1]
    return np.array([c for c in dict.fromkeys(candidates) if info.min <= c <= info.max], dtype)


for dtype in (np.float32, np.float64):
    for operation in ("floor_divide", "remainder", "fmod", "maximum", "minimum", "fmax", "fmin",
                      "copysign"):
        pairs(operation, floats(dtype))
    halves = np.array([0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.49999997, 8388609.5, 4194305.5, 1e20],
                      dtype)
    for operation in ("rint", "floor", "ceil", "trunc", "sign", "absolute", "square"):
        values = np.concatenate([floats(dtype), halves])
        emit(operation, values, getattr(np, operation)(values))

for dtype in (np.int16, np.int32, np.int64, np.uint32, np.uint64):
    for operation in ("add", "multiply", "floor_divide", "remainder", "fmod", "left_shift",
                      "right_shift"):
        pairs(operation, integers(dtype))
    emit("sign", integers(dtype), np.sign(integers(dtype)))
    emit("absolute", integers(dtype), np.absolute(integers(dtype)))

for dtype in (np.int32, np.int64, np.uint64):
    bases = integers(dtype)
    exponents = np.array([e for e in bases.tolist() if 0 <= e], dtype)
    a, b = np.repeat(bases, len(exponents)), np.tile(exponents, len(bases))
    # All bases, each with all exponents that are not negative.
    print("power", bases.dtype.name, bases.dtype.name, digits(bases), digits(np.power(a, b)))

# Parts that are exact in every order of evaluation, and those that are not finite. The product is
# written out, since NumPy's own may contract.
for dtype in (np.complex64, np.complex128):
    parts = [0.0, -0.0, 1.0, -2.0, 3.0, np.inf, -np.inf, np.nan]
    values = np.array([complex(re, im) for re in parts for im in parts], dtype)
    values = values[::3]

    def product(x, y):
        out = np.empty(x.shape, dtype)
        out.real = x.real * y.real - x.imag * y.imag
        out.imag = x.real * y.imag + x.imag * y.real
        return out

    pairs("multiply", values, product)
    pairs("divide", values)
    for operation in ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"):
        pairs(operation, values)
    pairs("maximum", values)
    pairs("minimum", values)
    pairs("fmax", values)
    pairs("fmin", values)

for arguments in ((0, 1, 0.1), (1, 2, 0.1), (0, 5, 1), (5, 0, -1), (5, 0, 1), (0, 1, 0.3), (1, 1.3, 0.1),
                  (-1, 1, 0.25), (0, -1, -0.3), (0.5, 0.5, 1), (0, 1e-3, 1e-4)):
    emit("arange", np.array(arguments, np.float64), np.arange(*arguments, dtype=np.float64))
for arguments in ((0, 1, 11), (0, 1, 50), (-3, 7, 4), (1, 0, 5), (2, 2, 3), (0, 1, 1), (0, 1, 0),
                  (0.1, 0.3, 7), (-1e300, 1e300, 5), (0, 5e-324, 4), (0, 10, 2)):
    start, stop, count = arguments
    emit("linspace", np.array(arguments, np.float64), np.linspace(start, stop, int(count)))
    emit("linspace_open", np.array(arguments, np.float64),
         np.linspace(start, stop, int(count), endpoint=False))
for arguments in ((-3.5, 3.5, 8), (0, -2.5, 4), (3, 0, 6), (0, 9.9, 5)):
    start, stop, count = arguments
    emit("linspace", np.array(arguments, np.float64),
         np.linspace(start, stop, int(count), dtype=np.int64))
for arguments in ((0, 3, 4, 10), (-2, 2, 5, 2), (0, 1, 3, 10), (2, -2, 9, 10)):
    start, stop, count, base = arguments
    emit("logspace", np.array(arguments, np.float64), np.logspace(start, stop, int(count), base=base))

#!/usr/bin/env python3
"""Writes print.txt: arrays and the text NumPy prints for them.

    make_print.py > print.txt             the reference the tests read (made with NumPy 1.24.2)
    make_print.py SEED COUNT > other.txt  COUNT random arrays more, for a wider comparison

A record is a line "dtype extents bytes", where extents are joined by x ("scalar" for rank 0) and
bytes are little-endian hex digits of the first elements, repeated as often as the shape needs;
the lines of the expected text follow, each behind a "|".
"""
import sys
import warnings

import numpy as np

warnings.simplefilter("ignore")

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float32", "float64"]
COMPLEX = ["complex64", "complex128"]


def emit(values, shape=None):
    values = np.asarray(values)
    shape = values.shape if shape is None else shape
    array = np.resize(values, shape) if values.size else values.reshape(shape)
    extents = "x".join(map(str, shape)) if shape else "scalar"
    data = values.astype(values.dtype.newbyteorder("<")).tobytes().hex() or "-"
    print(values.dtype.name, extents, data)
    for line in str(array).split("\n"):
        print("|" + line)


def special_values(dtype):
    info = np.finfo(dtype)
    return np.array([0.0, -0.0, 1, -1, np.nan, np.inf, -np.inf, info.max, info.tiny, -info.max,
                     info.smallest_subnormal, info.eps, 0.1, 1 / 3, 2 / 3, 1e-4, 9.9999e-5, 1e8,
                     99999999, 99999990, 1e15, 1e16, 123456789, 0.5, 1.5, 2.5, 1000, 1001, 1e5],
                    dtype)


def random_floats(random, dtype, count):
    """Floats of one of several habits."""
    bits = {"float32": np.uint32, "float64": np.uint64}[dtype]
    habit = random.integers(10)
    if habit == 0:
        values = random.normal(size=count)
    elif habit == 1:
        values = random.normal(size=count) * 10.0 ** random.integers(-6, 9)
    elif habit == 2:
        values = 10.0 ** random.uniform(-6, 9, count)
    elif habit == 3:
        values = random.integers(-1000, 1000, count) / 10.0 ** random.integers(0, 6)
    elif habit == 4:
        values = random.integers(-1000, 1000, count).astype(float)
    elif habit == 5:
        raw = random.integers(0, np.iinfo(bits).max, count, dtype=bits, endpoint=True)
        return raw.view(dtype)
    elif habit == 6:  # exact halves of the last printed digit
        values = random.integers(0, 2**13, count) / 2.0 ** random.integers(7, 12)
    elif habit == 7:  # next to round numbers
        values = random.integers(1, 100, count) / 10.0 ** random.integers(0, 4)
        values = values * (1 + random.integers(-3, 4, count) * 10.0 ** -random.integers(6, 17))
    elif habit == 8:
        values = random.choice(special_values(dtype), count)
    else:
        values = 2.0 ** random.integers(-40, 40, count)
    values = values.astype(dtype)
    if random.integers(4) == 0:
        values[random.integers(count)] = random.choice([np.nan, np.inf, -np.inf, 0.0, -0.0])
    return values


def random_values(random, dtype, count):
    if dtype == "bool":
        return random.integers(0, 2, count).astype(bool)
    if dtype in INTEGERS:
        info = np.iinfo(dtype)
        if random.integers(2):
            return random.integers(info.min, info.max, count, dtype=dtype, endpoint=True)
        return random.integers(max(info.min, -99), 100, count).astype(dtype)
    if dtype in FLOATS:
        return random_floats(random, dtype, count)
    part = {"complex64": "float32", "complex128": "float64"}[dtype]
    values = np.empty(count, dtype)
    values.real = random_floats(random, part, count)
    values.imag = random_floats(random, part, count)
    return values


def random_shape(random):
    rank = random.integers(0, 5)
    if rank < 3 and random.integers(2) == 0:
        return tuple(int(e) for e in random.integers(1, 16, rank))
    return tuple(int(e) for e in random.integers(1, 5, rank))


def emit_random(random, count):
    dtypes = ["bool"] + INTEGERS + 4 * FLOATS + 2 * COMPLEX
    for _ in range(count):
        shape = random_shape(random)
        dtype = random.choice(dtypes)
        emit(random_values(random, dtype, min(int(np.prod(shape)), 40)), shape)


def emit_chosen():
    for dtype in ["bool"] + INTEGERS + FLOATS + COMPLEX:
        zero = np.zeros(0, dtype)
        for shape in [(0,), (3, 0), (0, 3), (2, 0, 4)]:
            emit(zero, shape)
        count = np.arange(12).astype(dtype)
        for shape in [(), (1,), (12,), (3, 4), (1, 1, 1), (2, 3, 2), (2, 1, 2, 3), (1, 12)]:
            emit(count[:max(1, int(np.prod(shape)))], shape)
        # Wrapped and summarised.
        for shape in [(30,), (2, 60), (1001,), (1001, 1), (7, 11, 13)]:
            emit(count if dtype == "bool" else count * 7, shape)
    for dtype in ["int8", "float32", "complex128"]:
        count = np.arange(12).astype(dtype) * 7
        for shape in [(1000,), (2, 501), (334, 3), (6, 7, 6, 4), (1, 1, 1001), (2, 3, 170),
                      (8, 8, 8, 8)]:
            emit(count, shape)

    for dtype in INTEGERS:
        info = np.iinfo(dtype)
        for value in [info.min, info.max]:
            emit(np.array(value, dtype))
            emit(np.array([value, 1], dtype))
    for dtype in FLOATS:
        specials = special_values(dtype)
        for value in specials:
            emit(np.array(value, dtype))
            emit(np.array([value, 1, -2.5], dtype))
            emit(np.array([value, np.nan], dtype))
        emit(specials)
        emit(np.array([np.nan, np.inf], dtype))
        emit(np.array([np.nan, -np.inf], dtype))
        # Either side of the change to scientific.
        for one in [1e-4, 1e8, 1e16, 1000]:
            value = np.array(one, dtype)[()]
            for near in [np.nextafter(value, dtype_zero(dtype)), value,
                         np.nextafter(value, np.array(np.inf, dtype)[()])]:
                emit(np.array(near, dtype))
                emit(np.array([near], dtype))
                emit(np.array([near, 1], dtype))
                emit(np.array([-near, 1.25], dtype))
        # Digits that are cut, with and without a carry.
        for value in [0.999999994, 0.999999995, 0.999999996, 9.9999999999, 99999999.9, 0.123456789,
                      0.001953125, 0.005859375, 3.001953125, 1 / 3, 2 / 3, 9.9999999996e-7]:
            emit(np.array([value], dtype))
            emit(np.array([value, 1e-7], dtype))
            emit(np.array([value, -1], dtype))
    for dtype in COMPLEX:
        specials = special_values("float32" if dtype == "complex64" else "float64")
        for value in specials:
            for other in [0.0, -0.0, 1.5, np.nan, -np.inf]:
                emit(np.array(complex(value, other), dtype))
        emit(np.array([complex(v, -w) for v, w in zip(specials, specials[::-1])], dtype))
        emit(np.array([1 + 2j, -0.5 - 1e-9j], dtype))
        emit(np.array([1 + 1j, -2.25 + 10j], dtype))


def dtype_zero(dtype):
    return np.array(0, dtype)[()]


def main():
    if len(sys.argv) == 3:
        emit_random(np.random.default_rng(int(sys.argv[1])), int(sys.argv[2]))
    else:
        emit_chosen()
        emit_random(np.random.default_rng(1), 300)


if __name__ == "__main__":
    main()

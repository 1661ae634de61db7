#!/usr/bin/env python3
# Writes products.txt: what NumPy 1.24 makes of products of small arrays of every type. A line is
# `operation parameter type x-shape x y-shape y result-type shape result`: shapes are 2x3 or
# `scalar`, values are the bytes in hex, `-` for none. Whole numbers, so that results are exact.
import itertools
import pathlib

import numpy as np

rng = np.random.default_rng(11)
TYPES = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32",
         "float64", "complex64", "complex128"]
lines = []


def draw(dtype, shape):
    x = rng.integers(0 if dtype.startswith("u") else -4, 9, shape)
    if dtype.startswith("complex"):
        return (x + 1j * rng.integers(-4, 9, shape)).astype(dtype)
    return x.astype(dtype)


def text(x):
    x = np.array(x, order="C")
    shape = "x".join(map(str, x.shape)) if x.shape else "scalar"
    return f"{shape} {x.tobytes().hex() or '-'}"


def put(operation, parameter, dtype, a, b, f):
    x, y = draw(dtype, a), draw(dtype, b)
    r = np.asarray(f(x, y))
    lines.append(f"{operation} {parameter} {dtype} {text(x)} {text(y)} {r.dtype} {text(r)}")


def matmul(dtype, a, b):
    put("matmul", "-", dtype, a, b, np.matmul)


for m, k, n in itertools.product(range(4), repeat=3):
    matmul("float64", (m, k), (k, n))
    matmul("float32", (2, m, k), (2, k, n))
for dtype in TYPES:
    for a, b in [((2, 3), (3, 2)), ((3, 0), (0, 2)), ((17, 5), (5, 9)), ((3,), (3,)), ((3,), (3, 2)),
                 ((2, 3), (3,)), ((2, 2, 3), (3, 2)), ((2, 1, 3, 2), (3, 2, 3)), ((3, 2), (2, 1, 2, 3)),
                 ((2, 3, 1), (1, 1, 3)), ((3,), (2, 3, 2)), ((2, 0, 3), (3, 1))]:
        matmul(dtype, a, b)
    put("dot", "-", dtype, (3,), (3,), np.dot)
    put("dot", "-", dtype, (0,), (0,), np.dot)
    put("dot", "-", dtype, (2, 3), (3, 2), np.dot)
    put("outer", "-", dtype, (3,), (2,), np.outer)
    put("outer", "-", dtype, (2, 2), (0,), np.outer)
    for count, a, b in [(0, (2,), (3, 1)), (1, (2, 3), (3, 2)), (2, (2, 3, 2), (3, 2, 3)),
                        (2, (3, 0), (3, 0)), (1, (3, 0), (0, 2))]:
        put("tensordot", count, dtype, a, b, lambda x, y: np.tensordot(x, y, count))
    for equation, a, b in [
            ("ij,jk->ik", (2, 3), (3, 2)), ("ij,jk->ki", (3, 2), (2, 3)), ("i,i->", (3,), (3,)),
            ("ij,ij->ij", (2, 3), (2, 3)), ("i,j->ij", (2,), (3,)), ("bij,bjk->bik", (2, 3, 1), (2, 1, 3)),
            ("...ij,...jk->...ik", (2, 1, 2, 3), (3, 3, 2)), ("ii,ij->j", (3, 3), (3, 2)),
            ("ij,k->j", (2, 3), (2,)), ("ij,jk", (2, 0), (0, 3)), ("ba,ac", (2, 3), (3, 2)),
            ("iij,j->i", (2, 2, 3), (3,)), ("...,...", (2, 3), (2, 3)), ("i...,i...->...", (3, 2), (3, 2))]:
        put("einsum", equation, dtype, a, b, lambda x, y: np.einsum(equation, x, y))

pathlib.Path(__file__).with_name("products.txt").write_text("\n".join(lines) + "\n")

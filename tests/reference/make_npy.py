#!/usr/bin/env python3
"""Writes npy.txt: the bytes of .npy and .npz files as NumPy makes them (made with NumPy 1.24.2).

    make_npy.py > npy.txt

A line is "name dtype extents bytes", where extents are joined by x ("scalar" for rank 0) and bytes
are hex digits. Element k, in row-major order, of an array of each kind is:
    bool k % 3 == 0   unsigned 5k   signed 5k - 20   floating 1.5k - 4   complex (k - 2) + 0.5k j
The arrays of a .npz file, all of the line's dtype and extents, are called first and second.
"""
import io
import types
import warnings
import zipfile

import numpy as np

warnings.simplefilter("ignore")
# Every run gives the same bytes.
zipfile.time = types.SimpleNamespace(time=lambda: 0,
                                     localtime=lambda _: (1980, 1, 1, 0, 0, 0, 0, 1, 0))


def array(dtype, shape):
    k = np.arange(int(np.prod(shape))).reshape(shape)
    kind = np.dtype(dtype).kind
    values = {"b": k % 3 == 0, "u": 5 * k, "i": 5 * k - 20, "f": 1.5 * k - 4,
              "c": (k - 2) + 0.5j * k}[kind]
    return np.asarray(values).astype(dtype)


def emit(name, dtype, shape, data):
    extents = "x".join(map(str, shape)) if shape else "scalar"
    print(name, np.dtype(dtype).name, extents, data.hex())


def npy(x, version=None):
    out = io.BytesIO()
    np.lib.format.write_array(out, x, version)
    return out.getvalue()


def main():
    dtypes = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8", "c8", "c16"]
    for dtype in dtypes:
        emit("plain", dtype, (2, 3), npy(array("<" + dtype, (2, 3))))
        emit("other", dtype, (2, 3, 2), npy(array(">" + dtype, (2, 3, 2))))
        emit("other", dtype, (4, 3, 2), npy(np.asfortranarray(array(dtype, (4, 3, 2)))))
    for shape in [(), (1,), (0,), (5,), (3, 0, 2), (1, 1, 1, 1), (12345678901, 0), (2,) * 4]:
        emit("plain", "i2", shape, npy(array("<i2", shape)))
    for version in [(2, 0), (3, 0)]:
        emit("other", "f4", (2, 3), npy(array("<f4", (2, 3)), version))
        emit("other", "f4", (3, 2), npy(np.asfortranarray(array(">f4", (3, 2))), version))
    for dtype in ["u1", "f8"]:
        arrays = {"first": array(dtype, (2, 3)), "second": array(dtype, (2, 3))}
        for name, save in [("savez", np.savez), ("savez_compressed", np.savez_compressed)]:
            out = io.BytesIO()
            save(out, **arrays)
            emit(name, dtype, (2, 3), out.getvalue())


if __name__ == "__main__":
    main()

"""Writes gather.txt, scatter.txt and index.txt: what NumPy gives for take, take_along_axis,
put_along_axis and indexing with arrays, and PyTorch for scatter_reduce. Run in this folder."""

import numpy as np
import torch

rng = np.random.default_rng(20240607)


def field(name, a):
    a = np.asarray(a)
    shape = "x".join(map(str, a.shape)) if a.ndim else "scalar"
    values = ",".join(repr(float(v)) if a.dtype.kind == "f" else str(int(v)) for v in a.ravel())
    return f"{name}={shape}:{values}"


def write(name, lines):
    with open(name, "w") as out:
        out.write(f"# Written by make_indexing.py with NumPy {np.__version__} "
                  f"and PyTorch {torch.__version__.split('+')[0]}.\n")
        out.writelines(line + "\n" for line in lines)


def counted(shape):
    return np.arange(1, int(np.prod(shape)) + 1, dtype=np.int64).reshape(shape)


def gather():
    for shape in [(5,), (3, 4), (2, 3, 4), (1, 3), (4, 0)]:
        x = counted(shape)
        for axis in range(-len(shape), len(shape)):
            n = shape[axis]
            for index_shape in [(), (1,), (3,), (2, 2), (0,), (2, 1, 2)]:
                if n == 0 and 0 not in index_shape:
                    continue
                index = rng.integers(-n, n, index_shape) if n else np.zeros(index_shape, int)
                yield " ".join(["take", field("x", x), field("index", index), f"axis={axis}",
                                field("result", np.take(x, index, axis))])
            other = list(shape)
            other[axis] = 3
            variants = {tuple(other)}
            for d in range(len(shape)):
                one = list(other)
                if d != axis % len(shape):
                    one[d] = 1
                variants.add(tuple(one))
            for index_shape in sorted(variants):
                if n == 0:
                    continue
                index = rng.integers(-n, n, index_shape)
                yield " ".join(["take_along_axis", field("x", x), field("index", index),
                                f"axis={axis}",
                                field("result", np.take_along_axis(x, index, axis))])
        if x.size:
            index = rng.integers(-x.size, x.size, (2, 3))
            yield " ".join(["take_flat", field("x", x), field("index", index), "axis=0",
                            field("result", np.take(x, index))])


def scatter():
    for shape in [(5,), (3, 4), (2, 3, 4)]:
        for axis in range(-len(shape), len(shape)):
            n = shape[axis]
            other = list(shape)
            other[axis] = n + 2
            for ones in range(len(shape) + 1):
                index_shape = list(other)
                if ones < len(shape) and ones != axis % len(shape):
                    index_shape[ones] = 1
                index = rng.integers(-n, n, index_shape)
                for value_shape in [other, other[1:], [1] * 4, []]:
                    values = 100 + counted(value_shape)
                    x = counted(shape)
                    try:
                        np.put_along_axis(x, index, values, axis)
                    except ValueError:
                        continue
                    yield " ".join(["put_along_axis", field("x", counted(shape)),
                                    field("index", index), field("values", values),
                                    f"axis={axis}", field("result", x)])
    names = {"add": "sum", "multiply": "prod", "min": "amin", "max": "amax", "mean": "mean"}
    for shape in [(4,), (3, 4)]:
        for dim in range(-len(shape), len(shape)):
            other = list(shape)
            other[dim] = 6
            for policy, reduce in names.items():
                for kind in ["int64", "float64"]:
                    x = torch.from_numpy(rng.integers(-9, 9, shape).astype(kind))
                    index = torch.from_numpy(rng.integers(0, shape[dim], other))
                    source = torch.from_numpy(rng.integers(-9, 9, other).astype(kind))
                    result = x.scatter_reduce(dim, index, source, reduce)
                    yield " ".join(["scatter", f"kind={kind}", f"policy={policy}",
                                    field("x", x.numpy()), field("index", index.numpy()),
                                    field("source", source.numpy()), f"dim={dim}",
                                    field("result", result.numpy())])
    for shape in [(4,), (3, 4), (2, 3, 4)]:
        for dim in range(-len(shape), len(shape)):
            other = list(shape)
            other[dim] = 5
            x = torch.from_numpy(counted(shape))
            index = torch.from_numpy(rng.integers(0, shape[dim], 5))
            source = torch.from_numpy(counted(other))
            yield " ".join(["index_add", field("x", x.numpy()), field("index", index.numpy()),
                            field("source", source.numpy()), f"dim={dim}",
                            field("result", x.index_add(dim, index, source).numpy())])


def index():
    x = counted((3, 4, 2, 5))
    i = np.array([0, 1, -1])
    j = np.array([[1], [-2]])
    k = np.array([[0, 1, 1], [1, 0, -2]])
    s = np.array(1)
    m = np.array([[0, 1, 0, 0], [1, 0, 0, 1], [0, 0, 0, 0]], bool)
    row = np.array([True, False, True, True])
    words = {"i": i, "j": j, "k": k, "s": s, "m": m, "row": row, ":": slice(None),
             "1:": slice(1, None), "::-1": slice(None, None, -1), "...": Ellipsis,
             "newaxis": None, "0": 0, "-1": -1}
    for name in ["i", "j", "k", "s", "m", "row"]:
        yield " ".join(["array", f"name={name}", field("value", words[name])])
    yield " ".join(["array", "name=x", field("value", x)])
    for text in ["i", "i j", "i j k", "i : k", ": j k", ": j : i", "i ... k", "... k i", ": : k",
                 "i 1:", "1: i", "1: i ::-1", "0 i", "0 : i", ": 0 : i", "i 0", "i : 0",
                 "i -1 : :", "newaxis i", "i newaxis j", "i newaxis", ": newaxis j k", "s", "s s",
                 ": s", ": s 0", "i j ... k", "j 1: k newaxis", "m", "m :", "m ... s", ": row",
                 ": row i", ": row s", "i j k i", "::-1 j ... s", "... i",
                 "... newaxis i", "i ... newaxis", "i j : i", "k", "0 ... i", ": i ... k",
                 ": i k ...", "i row", "newaxis ... i j", ": i ... 0", "0 ... 0 i", "s : i"]:
        key = tuple(words[word] for word in text.split())
        result = x[key]
        written = x.copy()
        written[key] = -counted(result.shape)
        yield " ".join(["index", f"words={text.replace(' ', ';')}", field("result", result),
                        field("written", written)])


write("gather.txt", gather())
write("scatter.txt", scatter())
write("index.txt", index())

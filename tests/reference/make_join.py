"""Writes join.txt: what NumPy gives for concatenate, stack, split, tile, repeat, roll, rot90, flip
and pad (made with NumPy 1.24.2). Run in this folder.

x counts from 1, y from 101, in row-major order. NumPy before 1.25 wraps borders wider than the
tensor in another way; here they are periodic, by take."""

import itertools

import numpy as np

SHAPES = [(1,), (3,), (5,), (0,), (2, 3), (3, 1), (0, 2), (2, 0, 3), (2, 3, 2), (1, 2, 1, 3)]


def counted(shape, first=1):
    return np.arange(first, first + int(np.prod(shape)), dtype=np.int64).reshape(shape)


def field(name, a):
    a = np.asarray(a)
    shape = "x".join(map(str, a.shape)) if a.ndim else "scalar"
    return f"{name}={shape}:{','.join(str(int(v)) for v in a.ravel())}"


def numbers(values):
    return ",".join(map(str, values))


def join():
    for shape in SHAPES:
        x = counted(shape)
        for axis in range(-len(shape), len(shape)):
            other = list(shape)
            for extent in [0, 2]:
                other[axis] = extent
                y = counted(other, 101)
                yield (f"concat axis={axis} {field('x', x)} {field('y', y)} "
                       + field("result", np.concatenate([x, y, x], axis)))
        for axis in range(-len(shape) - 1, len(shape) + 1):
            y = counted(shape, 101)
            yield (f"stack axis={axis} {field('x', x)} {field('y', y)} "
                   + field("result", np.stack([x, y], axis)))


def split():
    for shape in SHAPES:
        x = counted(shape)
        for axis in range(-len(shape), len(shape)):
            for indices in [[1], [0, 2], [-1], [2, 1, 9]]:
                parts = np.split(x, indices, axis)
                fields = [field(f"part{i}", p) for i, p in enumerate(parts)]
                yield f"split axis={axis} indices={numbers(indices)} {field('x', x)} {' '.join(fields)}"
            for n in range(1, 4):
                if shape[axis] % n == 0:
                    parts = np.split(x, n, axis)
                    fields = [field(f"part{i}", p) for i, p in enumerate(parts)]
                    yield f"sections axis={axis} n={n} {field('x', x)} {' '.join(fields)}"


def repeat():
    for shape in [()] + SHAPES:
        x = counted(shape)
        for counts in [[2], [0], [1, 3], [2, 1, 2], [2, 2, 1, 1, 3]]:
            yield f"tile counts={numbers(counts)} {field('x', x)} " + field("result", np.tile(x, counts))
        for axis in range(-len(shape), len(shape)):
            for n in range(4):
                yield f"repeat axis={axis} counts={n} {field('x', x)} " + field("result", np.repeat(x, n, axis))
            if shape[axis] > 0:
                counts = [(3 * i + 2) % 4 for i in range(shape[axis])]
                yield (f"repeat axis={axis} counts={numbers(counts)} {field('x', x)} "
                       + field("result", np.repeat(x, counts, axis)))


def roll():
    for shape in [()] + SHAPES:
        x = counted(shape)
        for shift in [0, 1, -1, 2, 7, -100]:
            yield f"roll shift={shift} {field('x', x)} " + field("result", np.roll(x, shift))
            for axis in range(-len(shape), len(shape)):
                yield (f"roll shift={shift} axis={axis} {field('x', x)} "
                       + field("result", np.roll(x, shift, axis)))
        if len(shape) > 1:
            for shifts in [(1, 1), (-2, 5)]:
                for axes in [(0, 1), (-1, 0), (1, 1)]:
                    yield (f"roll shift={numbers(shifts)} axis={numbers(axes)} {field('x', x)} "
                           + field("result", np.roll(x, shifts, axes)))


def turn():
    for shape in [()] + SHAPES:
        x = counted(shape)
        yield f"flip axes= {field('x', x)} " + field("result", np.flip(x))
        for axis in range(-len(shape), len(shape)):
            yield f"flip axes={axis} {field('x', x)} " + field("result", np.flip(x, axis))
        for plane in itertools.permutations(range(len(shape)), 2):
            for k in range(-1, 5):
                yield (f"rot90 k={k} plane={numbers(plane)} {field('x', x)} "
                       + field("result", np.rot90(x, k, plane)))


def padded(x, widths, mode):
    if mode != "wrap":
        return np.pad(x, widths, mode, **({"constant_values": -7} if mode == "constant" else {}))
    for axis, (before, after) in enumerate(widths):
        n = x.shape[axis]
        x = np.take(x, np.arange(-before, n + after) % n, axis)
    return x


def pad():
    for shape in SHAPES:
        x = counted(shape)
        for mode in ["constant", "edge", "reflect", "wrap"]:
            if mode != "constant" and 0 in shape:
                continue
            for widths in [(0, 0, 0, 0), (1, 0, 0, 2), (0, 2, 1, 1), (4, 7, 3, 0)]:
                pairs = [(widths[d], widths[3 - d]) for d in range(len(shape))]
                flat = [w for pair in pairs for w in pair]
                yield (f"pad widths={numbers(flat)} mode={mode} {field('x', x)} "
                       + field("result", padded(x, pairs, mode)))


def main():
    with open("join.txt", "w") as out:
        out.write(f"# Written by make_join.py with NumPy {np.__version__}.\n")
        for lines in [join(), split(), repeat(), roll(), turn(), pad()]:
            out.writelines(line + "\n" for line in lines)


if __name__ == "__main__":
    main()

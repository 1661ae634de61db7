"""Writes loss.txt: what PyTorch gives for the losses, in double, with every reduction. Run in this
folder."""

import itertools
import math
import warnings

import numpy as np
import torch
import torch.nn.functional as F

warnings.simplefilter("ignore")
rng = np.random.default_rng(20240611)
inf = math.inf


def text(value):
    return f"{value:.14g}" if isinstance(value, float) else str(value)


def field(name, a):
    shape = "x".join(map(str, a.shape)) if a.dim() else "scalar"
    return f"{name}={shape}:" + ",".join(text(v) for v in a.reshape(-1).tolist())


def numbers(shape, low, high):
    """Random numbers that a float holds exactly."""
    return torch.from_numpy(np.asarray(rng.integers(low * 64, high * 64 + 1, shape) / 64))


def record(name, loss, **given):
    words = [name]
    words += [field(k, v) if torch.is_tensor(v) else f"{k}={v}" for k, v in given.items()
              if v is not None]
    words += [field(r, loss(r)) for r in ["mean", "sum", "none"]]
    return " ".join(words)


PAIRS = [((), ()), ((4,), (4,)), ((2, 3), (2, 3)), ((2, 1, 3), (2, 1, 3)), ((4, 1), (4,)),
         ((2, 3, 4), (3, 1)), ((), (2, 3)), ((3, 1), (1, 4)), ((0,), (0,)), ((2, 0), (1,)),
         ((5,), (2, 1, 5))]


def elementwise():
    for a, b in PAIRS:
        x, y = numbers(a, -3, 3), numbers(b, -3, 3)
        yield record("mse", lambda r: F.mse_loss(x, y, reduction=r), x=x, y=y)
        yield record("l1", lambda r: F.l1_loss(x, y, reduction=r), x=x, y=y)
        for k in [0.0, 0.5, 1.0, 2.5]:
            yield record("smooth_l1", lambda r: F.smooth_l1_loss(x, y, reduction=r, beta=k),
                         x=x, y=y, beta=k)
            if k > 0:
                yield record("huber", lambda r: F.huber_loss(x, y, reduction=r, delta=k),
                             x=x, y=y, delta=k)
        p = numbers(b, 0, 1)
        yield record("kl_div", lambda r: F.kl_div(x, p, reduction=r), x=x, y=p)
        yield record("kl_div", lambda r: F.kl_div(x, y, reduction=r, log_target=True),
                     x=x, y=y, log_target=1)

        # PyTorch wants equal shapes here.
        q = numbers(a, 0, 1)
        q_all, x_all, p_all = torch.broadcast_tensors(q, x, p)
        shape = q_all.shape
        weights = [None, numbers(shape, 0, 3), numbers(shape[-1:], 0, 3), numbers((), 0, 3)]
        for w in weights:
            yield record("bce", lambda r: F.binary_cross_entropy(q_all, p_all, w, reduction=r),
                         x=q, y=p, weight=w)
        for w, n in itertools.product(weights, [None, numbers(shape[-1:], 0, 3)]):
            yield record("bce_with_logits", lambda r: F.binary_cross_entropy_with_logits(
                x_all, p_all, w, reduction=r, pos_weight=n), x=x, y=p, weight=w, pos_weight=n)
    x = torch.tensor([0.0, 1.0, 0.0, 1.0, 0.5, 1e-30], dtype=torch.float64)
    y = torch.tensor([0.0, 1.0, 1.0, 0.0, 0.25, 1.0], dtype=torch.float64)
    yield record("bce", lambda r: F.binary_cross_entropy(x, y, reduction=r), x=x, y=y)
    x = torch.tensor([1e4, -1e4, 50.0, -50.0, 1e4, -1e4, 800.0], dtype=torch.float64)
    y = torch.tensor([0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.5], dtype=torch.float64)
    yield record("bce_with_logits", lambda r: F.binary_cross_entropy_with_logits(
        x, y, reduction=r), x=x, y=y)
    x = torch.tensor([inf, -inf, inf, -inf, 1.0], dtype=torch.float64)
    y = torch.tensor([0.0, 1.0, -inf, inf, inf], dtype=torch.float64)
    yield record("mse", lambda r: F.mse_loss(x, y, reduction=r), x=x, y=y)
    yield record("l1", lambda r: F.l1_loss(x, y, reduction=r), x=x, y=y)
    yield record("smooth_l1", lambda r: F.smooth_l1_loss(x, y, reduction=r), x=x, y=y, beta=1.0)
    yield record("huber", lambda r: F.huber_loss(x, y, reduction=r), x=x, y=y, delta=1.0)


def cross_entropy(x, y, w, ignore, smoothing):
    def loss(r):
        return F.cross_entropy(x, y, w, ignore_index=ignore, reduction=r,
                               label_smoothing=smoothing)
    return record("cross_entropy", loss, x=x, y=y, weight=w, ignore=ignore, smoothing=smoothing)


def nll(x, y, w, ignore):
    return record("nll", lambda r: F.nll_loss(x, y, w, ignore_index=ignore, reduction=r),
                  x=x, y=y, weight=w, ignore=ignore)


def classes():
    for shape in [(3,), (4, 3), (1, 1), (2, 3, 2), (2, 3, 2, 2), (2, 3, 1, 2, 2)]:
        axis = min(len(shape), 2) - 1
        count, rest = shape[axis], shape[:axis] + shape[axis + 1:]
        x = numbers(shape, -4, 4)
        for w in [None, numbers((count,), 0, 3)]:
            for ignore in [-100, -1, 1, 255]:
                y = torch.from_numpy(np.asarray(rng.integers(0, count, rest)))
                if rest and ignore != 1:
                    y.view(-1)[::3] = ignore
                yield nll(x, y, w, ignore)
                for smoothing in [0.0, 0.25, 1.0]:
                    yield cross_entropy(x, y, w, ignore, smoothing)
            for smoothing in [0.0, 0.25, 1.0]:
                p = numbers(shape, 0, 1)
                yield cross_entropy(x, p, w, -100, smoothing)
    x, w = numbers((3, 2), -2, 2), numbers((2,), 1, 3)
    none = torch.full((3,), -100)
    yield nll(x, none, w, -100)
    yield cross_entropy(x, none, w, -100, 0.0)
    yield cross_entropy(x, none, None, -100, 0.0)
    empty, nothing = torch.zeros((0, 3), dtype=torch.float64), torch.zeros(0, dtype=torch.int64)
    yield nll(empty, nothing, None, -100)
    yield cross_entropy(empty, nothing, None, -100, 0.0)
    yield cross_entropy(empty, empty, None, -100, 0.0)
    x = torch.tensor([[1e4, -1e4, 0.0], [1e30, 1e30, 0.0], [-inf, 1.0, 2.0], [-inf, 0.0, -inf],
                      [-1e30, -1e30, -1e30]], dtype=torch.float64)
    for y in [[0, 1, 2, 1, 0], [1, 2, 1, 1, 2], [2, 0, 0, 1, 1]]:
        yield cross_entropy(x, torch.tensor(y), None, -100, 0.0)
    x = torch.tensor([[-inf, -inf], [math.nan, 0.0]], dtype=torch.float64)
    yield cross_entropy(x, torch.tensor([0, 1]), None, -100, 0.0)
    x = torch.tensor([[math.nan, 1.0], [0.5, 1.0]], dtype=torch.float64)
    yield cross_entropy(x, torch.tensor([-100, 1]), None, -100, 0.5)


with open("loss.txt", "w") as out:
    out.write(f"# Written by make_loss.py with PyTorch {torch.__version__.split('+')[0]}.\n")
    out.writelines(line + "\n" for line in itertools.chain(elementwise(), classes()))

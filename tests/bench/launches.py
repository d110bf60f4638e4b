#!/usr/bin/env python3
"""Programs of a few launches, for capture.sh: launches.py NAME; without NAME their names."""
import sys


def torch_program(operation):
    import torch
    from torch.nn import functional

    torch.manual_seed(0)
    x = torch.randn(4096, 1000, device="cuda")
    if operation == "embedding":
        functional.embedding(torch.arange(10000, device="cuda") * 7919 % 4096, x)
    elif operation == "matmul":
        torch.matmul(x[:, :512].contiguous(), x[:512].contiguous())
    else:
        {
            "softmax": lambda: torch.softmax(x, -1),
            "layer_norm": lambda: functional.layer_norm(x, (1000,)),
            "gelu": lambda: functional.gelu(x),
            "cumsum": lambda: torch.cumsum(x, -1),
            "sum": lambda: x.sum(-1),
        }[operation]()
    torch.cuda.synchronize()


def cupy_program(operation):
    import cupy

    x = cupy.arange(6_000_000, dtype=cupy.float32).reshape(2000, 3000)
    if operation == "sum":
        x.sum(axis=1)
    else:
        cupy.ElementwiseKernel("float32 x, float32 a", "float32 y", "y = a * x + 1", "scaled")(
            x, cupy.float32(2))
    cupy.cuda.Device().synchronize()


def triton_program(operation):
    global tl  # its compiler looks names up there
    import torch
    import triton
    import triton.language as tl

    @triton.jit
    def add(x, y, z, n, BLOCK: tl.constexpr):
        i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(z + i, tl.load(x + i, mask=i < n) + tl.load(y + i, mask=i < n), mask=i < n)

    @triton.jit
    def softmax(x, y, n, BLOCK: tl.constexpr):
        at = tl.arange(0, BLOCK)
        row = tl.program_id(0) * n + at
        values = tl.load(x + row, mask=at < n, other=-float("inf"))
        values = tl.exp(values - tl.max(values, 0))
        tl.store(y + row, values / tl.sum(values, 0), mask=at < n)

    x = torch.randn(2000, 1000, device="cuda")
    z = torch.empty_like(x)
    if operation == "add":
        add[(triton.cdiv(x.numel(), 1024),)](x, x, z, x.numel(), BLOCK=1024)
    else:
        softmax[(2000,)](x, z, 1000, BLOCK=1024)
    torch.cuda.synchronize()


PROGRAMS = {
    "torch": (torch_program, "softmax layer_norm gelu cumsum embedding sum matmul"),
    "cupy": (cupy_program, "sum elementwise"),
    "triton": (triton_program, "add softmax"),
}

if len(sys.argv) < 2:
    for library, (_, operations) in PROGRAMS.items():
        for name in operations.split():
            print(f"{library}_{name}")
else:
    library, operation = sys.argv[1].split("_", 1)
    PROGRAMS[library][0](operation)

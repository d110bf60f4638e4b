#!/usr/bin/env python3
"""Drives Kernel Tuner over a space that autotune has too; kernel_tuner.sh runs both.

usage: kernel_tuner.py SPACE count            configurations, without a GPU
       kernel_tuner.py SPACE answer FILE      what a right kernel gives, for "tune"
       kernel_tuner.py SPACE tune BACKEND [FILE]
       kernel_tuner.py SPACE probe BACKEND    one configuration, to see that all is there

SPACE is matmul or transpose: the parameters, restrictions, problem and source of
spaces/peer_SPACE.cfg. BACKEND is Kernel Tuner's: NVCUDA (cuda-python), CUPY or CUDA (its
own choice). With FILE it verifies each configuration, else none, as its examples do.
Prints one line of JSON.
"""
import json
import os
import sys

import numpy

HERE = os.path.dirname(os.path.abspath(__file__))
# this file bears the name of what it imports
sys.path = [folder for folder in sys.path if os.path.abspath(folder or ".") != HERE]

SPACES = {
    "matmul": {
        "side": 4096,
        "inputs": 2,
        "parameters": {
            "block_size_x": [16, 32, 64],
            "block_size_y": [1, 2, 4, 8, 16, 32],
            "tile_size_x": [1, 2, 4, 8],
            "tile_size_y": [1, 2, 4, 8],
        },
        "restrictions": ["block_size_x == block_size_y * tile_size_y"],
        "block_size_names": ["block_size_x", "block_size_y"],
        "grid_div_x": ["block_size_x", "tile_size_x"],
        "grid_div_y": ["block_size_y", "tile_size_y"],
        "answer": lambda inputs: inputs[0] @ inputs[1],
        "atol": 1e-2,
        "probe": {"block_size_x": [16], "block_size_y": [16], "tile_size_x": [1], "tile_size_y": [1]},
    },
    "transpose": {
        "side": 8192,
        "inputs": 1,
        "parameters": {
            "STAGED": [0, 1],
            "PAD": [0, 1],
            "VECTOR": [1, 2, 4],
            "PREFETCH": [0, 1],
            "BLOCK_X": [8, 16, 32, 64],
            "BLOCK_Y": [8, 16, 32],
            "TILE_Y": [16, 32, 64],
        },
        "restrictions": [
            "STAGED == 1 or PAD == 0",
            "STAGED == 0 or (VECTOR == 1 and PREFETCH == 0)",
            "TILE_Y >= BLOCK_Y",
            "BLOCK_X * VECTOR <= 64",
            "PREFETCH == 0 or TILE_Y > BLOCK_Y",
            # with these names Kernel Tuner does not see to it itself
            "BLOCK_X * BLOCK_Y <= 1024",
        ],
        "block_size_names": ["BLOCK_X", "BLOCK_Y"],
        "grid_div_x": ["BLOCK_X", "VECTOR"],
        "grid_div_y": ["TILE_Y"],
        "answer": lambda inputs: numpy.ascontiguousarray(inputs[0].T),
        "atol": 0.0,
        "probe": {"STAGED": [0], "PAD": [0], "VECTOR": [1], "PREFETCH": [0], "BLOCK_X": [32],
                  "BLOCK_Y": [8], "TILE_Y": [16]},
    },
}


def make_inputs(space):
    """The same at every call: "answer" and "tune" are two processes."""
    random = numpy.random.default_rng(1)
    shape = (space["side"], space["side"])
    return [random.uniform(-1, 1, shape).astype(numpy.float32) for _ in range(space["inputs"])]


def tune(name, space, backend, parameters, answer_path):
    from kernel_tuner import tune_kernel

    inputs = make_inputs(space)
    output = numpy.zeros_like(inputs[0])
    answer = None
    if answer_path:
        answer = [numpy.load(answer_path)] + [None] * len(inputs)
    results, environment = tune_kernel(
        name,
        os.path.join(HERE, "kernels", f"peer_{name}.cu"),
        (space["side"], space["side"]),
        [output] + inputs,
        parameters,
        grid_div_x=space["grid_div_x"],
        grid_div_y=space["grid_div_y"],
        restrictions=space["restrictions"],
        block_size_names=list(space["block_size_names"]),
        answer=answer,
        atol=space["atol"],
        lang=backend,
        quiet=True,
    )
    # a failed one has an object in place of its time
    times = [r["time"] for r in results if isinstance(r.get("time"), (int, float)) and "__error__" not in r]
    best = min(times) if times else float("nan")
    return {"configurations": len(results), "ok": len(times), "best_ns": best * 1e6,
            "verified": answer is not None, "device": environment.get("device_name")}


def main(arguments):
    name, action = arguments[0], arguments[1]
    space = SPACES[name]
    if action == "count":
        from kernel_tuner.searchspace import Searchspace

        names = list(space["block_size_names"]) + ["block_size_z"]
        reply = {"configurations": Searchspace(space["parameters"], space["restrictions"], 1024,
                                               block_size_names=names).size}
    elif action == "answer":
        numpy.save(arguments[2], space["answer"](make_inputs(space)))
        reply = {"answer": arguments[2]}
    elif action == "probe":
        reply = tune(name, space, arguments[2], space["probe"], None)
    else:
        reply = tune(name, space, arguments[2], space["parameters"], arguments[3] if len(arguments) > 3 else None)
    print(json.dumps(reply))


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in SPACES:
        sys.exit(__doc__)
    main(sys.argv[1:])

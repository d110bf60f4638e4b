#!/usr/bin/env python3
"""How long a search takes until it is good, on spaces/matmul.cfg and a GPU.

usage: search.py autotune EXECUTABLE [--device D] [--strategy S] [--seeds N] [--budget B]
                 [--target TFLOPS]
           N runs with nothing recorded: evaluations and seconds of the whole process until
           the target was measured, and what was crowned
       search.py shapes EXECUTABLE [--device D] [--budget B] [--evaluations N]
           three other shapes first, B each; then square_4096 with N evaluations
       search.py peer SITE_PACKAGES [--strategy S] [--seconds N] [--target TFLOPS]
           Kernel Tuner on the same template, parameters and constraints, not verifying;
           SITE_PACKAGES holds it and what it imports, and neither NVRTC's nor the driver's
           cache is used
Prints a line a run.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SIDE = 4096
FLOP = 2.0 * SIDE**3


def watch(command, target):
    """Runs autotune; (evaluations, seconds until the target, best, crowned, all, seconds)."""
    began = time.monotonic()
    count = reached = 0
    reached_after = best = crowned = None
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            event = json.loads(line)
            if event["event"] == "evaluation" and not event.get("reused"):
                count += 1
                if event["outcome"] == "ok" and event.get("time_ns"):
                    speed = FLOP / event["time_ns"] / 1e3
                    if best is None or speed > best:
                        best = speed
                        if speed >= target and reached_after is None:
                            reached, reached_after = count, time.monotonic() - began
            elif event["event"] == "summary" and event.get("time_ns"):
                crowned = FLOP / event["time_ns"] / 1e3
    return reached, reached_after, best, crowned, count, time.monotonic() - began


def number(value, form):
    return "-" if value is None else format(value, form)


def report(name, result):
    reached, after, best, crowned, count, seconds = result
    print(f"{name:<28} target after {reached or '-':>5} evaluations, {number(after, '.1f'):>5} s; "
          f"best {number(best, '.2f')}, crowned {number(crowned, '.2f')} TFLOP/s; "
          f"{count} evaluations in {seconds:.1f} s", flush=True)


def command_of(arguments, space, results):
    return [os.path.abspath(arguments.program), "tune", space, "--device", arguments.device,
            "--results", results, "--json", "--quiet"] + (["--jobs", arguments.jobs] if arguments.jobs else [])


def run_autotune(arguments):
    for seed in range(arguments.first_seed, arguments.first_seed + arguments.seeds):
        results = tempfile.mkdtemp()
        command = command_of(arguments, os.path.join(ROOT, "spaces/matmul.cfg"), results)
        command += ["--strategy", arguments.strategy, "--budget", arguments.budget, "--seed", str(seed)]
        # what one run compiled does not help the next
        os.environ["AUTOTUNE_CACHE"] = os.path.join(results, "units")
        report(f"{arguments.strategy}, seed {seed}", watch(command, arguments.target))
        shutil.rmtree(results)


def run_shapes(arguments):
    folder = tempfile.mkdtemp()
    os.environ["AUTOTUNE_CACHE"] = os.path.join(folder, "units")
    text = open(os.path.join(ROOT, "spaces/matmul.cfg")).read()
    shapes = [("square_2048", 2048, 2048, 2048), ("wide", 2048, 8192, 2048), ("deep", 3072, 3072, 6144),
              ("square_4096", SIDE, SIDE, SIDE)]
    problems = ",\n".join(f'  {{ name = "{n}"; M = {m}; N = {w}; K = {k}; }}' for n, m, w, k in shapes)
    text = re.sub(r"^problems = \(.*?^\);", f"problems = (\n{problems}\n);", text, flags=re.S | re.M)
    text = text.replace("../templates/", os.path.join(ROOT, "templates/"))
    space = os.path.join(folder, "matmul.cfg")
    open(space, "w").write(text)
    for name, *_ in shapes[:-1]:
        command = command_of(arguments, space, folder) + ["--problem", name, "--budget", arguments.budget]
        result = watch(command, float("inf"))
        print(f"{name}: {result[4]} evaluations in {result[5]:.1f} s", flush=True)
    command = command_of(arguments, space, folder) + ["--problem", "square_4096", "--budget", arguments.evaluations]
    report("with three shapes known", watch(command, arguments.target))
    shutil.rmtree(folder)


def run_peer(arguments):
    # this folder has a file of that name
    sys.path = [folder for folder in sys.path if os.path.abspath(folder or ".") != HERE]
    sys.path.insert(0, os.path.abspath(arguments.program))
    os.environ["CUDA_CACHE_DISABLE"] = "1"
    import numpy
    import kernel_tuner

    words = "".join(f"#define {name}_{word} {i}\n" for name, list in
                    (("SHARED", ("static", "dynamic")), ("WARP", ("rows", "patch")),
                     ("EDGES", ("checked", "apart"))) for i, word in enumerate(list))
    source = words + open(os.path.join(ROOT, "templates/matmul.cu")).read()
    parameters = dict(BLOCK_X=[8, 16, 32], BLOCK_Y=[8, 16, 32], TILE_M=[1, 2, 4, 8], TILE_N=[1, 2, 4, 8],
                      TILE_K=[8, 16, 32], VECTOR=[1, 2, 4], PAD=[0, 4], UNROLL=[1, 4, 8], USE_LDG=[0, 1],
                      BUFFERS=[1, 2], SHARED=[0, 1], WARP=[0, 1], EDGES=[0, 1], RESIDENT=[0, 512])
    shared = "4 * BUFFERS * TILE_K * (BLOCK_Y * TILE_M + BLOCK_X * TILE_N + 2 * PAD)"
    restrictions = [
        "BLOCK_X * BLOCK_Y >= 64", "BLOCK_X * BLOCK_Y <= 1024",
        # it does not ask the driver for more than this, and ends where the driver refuses
        f"{shared} <= 49152", "BLOCK_X * TILE_N % VECTOR == 0",
        "BLOCK_Y * TILE_M * TILE_K % (BLOCK_X * BLOCK_Y * VECTOR) == 0",
        "BLOCK_X * TILE_N * TILE_K % (BLOCK_X * BLOCK_Y * VECTOR) == 0",
        "UNROLL <= TILE_K", "RESIDENT == 0 or RESIDENT >= 2 * BLOCK_X * BLOCK_Y",
    ]
    random = numpy.random.default_rng(1)
    a, b = (random.uniform(-1, 1, (SIDE, SIDE)).astype(numpy.float32) for _ in range(2))
    side = numpy.int32(SIDE)
    cache = os.path.join(tempfile.mkdtemp(), "cache.json")
    began = time.time()
    kernel_tuner.tune_kernel(
        "matmul", source, (SIDE, SIDE), [a, b, numpy.zeros_like(a), side, side, side], parameters,
        grid_div_x=["BLOCK_X", "TILE_N"], grid_div_y=["BLOCK_Y", "TILE_M"], restrictions=restrictions,
        block_size_names=["BLOCK_X", "BLOCK_Y"], lang=arguments.backend, quiet=True, cache=cache,
        smem_args={"size": lambda p: eval(shared, {}, dict(p)) if p["SHARED"] else 0},
        strategy=arguments.strategy if arguments.strategy != "auto" else "adaptive_tabu_greywolf",
        strategy_options={"time_limit": arguments.seconds, "max_fevals": 100000})
    seconds = time.time() - began
    text = open(cache).read().rstrip().rstrip(",")
    try:
        rows = json.loads(text)["cache"]
    except ValueError:
        rows = json.loads(text + "}}")["cache"]
    from datetime import datetime
    timed = sorted((datetime.fromisoformat(r["timestamp"]).timestamp() - began, r["time"]) for r in rows.values()
                   if isinstance(r.get("time"), (int, float)) and r["time"] > 0.1)
    # a launch that never ran is faster than the device can be
    speeds = [(at, FLOP / (ms * 1e6) / 1e3) for at, ms in timed if FLOP / (ms * 1e6) / 1e3 < 65]
    reached = next((at for at, speed in speeds if speed >= arguments.target), None)
    print(f"Kernel Tuner, {arguments.strategy}: target after {number(reached, '.1f')} s; best "
          f"{max((s for _, s in speeds), default=0):.2f} TFLOP/s after "
          f"{max(speeds, key=lambda x: x[1])[0] if speeds else 0:.1f} s; {len(rows)} evaluations, "
          f"{len(timed)} that ran, in {seconds:.1f} s", flush=True)


parser = argparse.ArgumentParser(usage=__doc__)
parser.add_argument("what", choices=["autotune", "shapes", "peer"])
parser.add_argument("program")
parser.add_argument("--device", default="cuda:0")
parser.add_argument("--strategy", default="auto")
parser.add_argument("--seeds", type=int, default=10)
parser.add_argument("--first-seed", type=int, default=0)
parser.add_argument("--budget", default="60s")
parser.add_argument("--jobs")
parser.add_argument("--evaluations", default="60")
parser.add_argument("--seconds", type=int, default=240)
parser.add_argument("--backend", default="CUPY")
parser.add_argument("--target", type=float, default=47.0)
chosen = parser.parse_args()
{"autotune": run_autotune, "shapes": run_shapes, "peer": run_peer}[chosen.what](chosen)

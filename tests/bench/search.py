#!/usr/bin/env python3
"""How long a search takes until it is good, on spaces/matmul.cfg and a GPU.

usage: search.py autotune EXECUTABLE [--device D] [--strategy S] [--seeds N] [--budget B]
                 [--target TFLOPS]
           N runs with nothing recorded: evaluations and seconds of the whole process until
           the target was measured, and what was selected
       search.py shapes EXECUTABLE [--device D] [--budget B] [--evaluations N]
           three other shapes first, B each; then square_4096 with N evaluations
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
    """Runs autotune; (evaluations, seconds until the target, best, selected, all, seconds)."""
    began = time.monotonic()
    count = reached = 0
    reached_after = best = selected = None
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
                selected = FLOP / event["time_ns"] / 1e3
    return reached, reached_after, best, selected, count, time.monotonic() - began


def number(value, form):
    return "-" if value is None else format(value, form)


def report(name, result):
    reached, after, best, selected, count, seconds = result
    print(f"{name:<28} target after {reached or '-':>5} evaluations, {number(after, '.1f'):>5} s; "
          f"best {number(best, '.2f')}, selected {number(selected, '.2f')} TFLOP/s; "
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


parser = argparse.ArgumentParser(usage=__doc__)
parser.add_argument("what", choices=["autotune", "shapes"])
parser.add_argument("program")
parser.add_argument("--device", default="cuda:0")
parser.add_argument("--strategy", default="auto")
parser.add_argument("--seeds", type=int, default=10)
parser.add_argument("--first-seed", type=int, default=0)
parser.add_argument("--budget", default="60s")
parser.add_argument("--jobs")
parser.add_argument("--evaluations", default="60")
parser.add_argument("--target", type=float, default=53.0)
chosen = parser.parse_args()
{"autotune": run_autotune, "shapes": run_shapes}[chosen.what](chosen)

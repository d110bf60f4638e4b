#!/usr/bin/env python3
"""What gpu.sh does: see there."""

import argparse
import glob
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import world as worlds

SPACE = worlds.SPACES / "mishaps_gpu.cfg"
WINNER = {"WORK": 1, "BLOCK": 128, "MISHAP": "none"}
DEADLINE_S = 75
# what may be said of each; a barrier that not all threads reach is undefined, and some
# boards let it pass
MISHAPS = {
    "null": ("illegal address", ["crashed", "out_of_bounds"]),
    "wild": ("wild address", ["crashed", "out_of_bounds"]),
    "beyond": ("write behind a buffer", ["out_of_bounds"]),
    "misaligned": ("misaligned address", ["crashed", "wrong_result", "out_of_bounds"]),
    "trap": ("trap", ["crashed"]),
    "endless": ("endless loop", ["timed_out"]),
    "deadlock": ("deadlocked barrier", ["timed_out"]),
    "barrier": ("barrier that half of a block reaches", ["timed_out", "crashed", "ok"]),
    "recursion": ("endless recursion", ["crashed", "timed_out", "out_of_bounds"]),
}


class Table:
    def __init__(self):
        self.rows = []
        self.broken = False

    def add(self, fault, tries, held, note):
        self.rows.append(f"| {fault} | {tries} | {held} | {note} |")
        self.broken = self.broken or held != tries

    def print(self):
        print("| fault | tries | held | what was told |\n| --- | --- | --- | --- |")
        print("\n".join(self.rows))


def arguments(world, device):
    return (SPACE, "--device", device, "--results", world.results, "--json", "--sanitize", "never")


def outcomes(run):
    return {
        json.dumps(event["configuration"]): (event["outcome"], event.get("detail", ""))
        for event in run.events("evaluation")
    }


def problems_of(run, winner=WINNER):
    """What did not hold of a run, as texts."""
    found = list(run.complaints([0]))
    if run.winner() != winner:
        found.append(f"the winner is {run.winner()}")
    for configuration, (outcome, detail) in outcomes(run).items():
        if json.loads(configuration)["MISHAP"] == "none" and outcome != "ok":
            found.append(f"{configuration} is {outcome}: {detail[:120]}")
    return found


def count_evaluations(world):
    """How many the run of all faults has."""
    run = world.run("check", SPACE, "--json", deadline_s=DEADLINE_S)
    return next(json.loads(line)["valid"] for line in run.output.splitlines() if "valid" in line)


def kill_workers(world, run, count, evaluations, generator):
    """Kills of the measure worker, or of the guard above it, spread evenly over the first two
    thirds of the evaluations, whatever these take. Each comes after something was told since
    the last one, so that no configuration meets two of them; those that are late, since
    several were told at once, follow one an evaluation: the last third is for them."""
    kills, told = 0, 0
    while kills < count and not run.is_over():
        now = bytes(run.texts[0]).count(b'"event": "evaluation"')
        is_due = now >= 1 + kills * (evaluations * 2 // 3) // count
        if now == told or not is_due:
            time.sleep(0.002)
            continue
        # anywhere in an evaluation, and in what a new process begins with
        time.sleep(generator.uniform(0, 0.03))
        found = sorted(world.find("measure", run))
        if not found:
            continue
        told = now
        try:
            os.kill(generator.choice(found), signal.SIGKILL)
            kills += 1
        except ProcessLookupError:
            pass
    return kills


def tune_among_faults(table, options, folder):
    calm = worlds.World(options.program, folder / "calm")
    run = calm.run(
        *arguments(calm, options.device), "--set", "MISHAP=none", deadline_s=DEADLINE_S
    )
    if found := problems_of(run):
        sys.exit(f"undisturbed, it does not hold: {found}")
    # each kill costs a new process and its setup
    deadline_s = DEADLINE_S + 4 * run.seconds
    calm_s, calm_ns = run.seconds, run.events("summary")[-1]["time_ns"]
    world = worlds.World(options.program, folder / "disturbed")
    evaluations = count_evaluations(world)
    run = world.start(*arguments(world, options.device))
    kills = kill_workers(world, run, options.kills, evaluations, random.Random(options.seed))
    run.wait(deadline_s)
    found = problems_of(run)
    again = world.run(*arguments(world, options.device), deadline_s=deadline_s)
    found += [f"again: {text}" for text in problems_of(again)]
    found += list(world.leftovers())
    said = outcomes(run)
    for mishap, (fault, allowed) in MISHAPS.items():
        key = json.dumps({"WORK": 64, "BLOCK": 64, "MISHAP": mishap})
        outcome, detail = said.get(key, ("nothing", ""))
        if not detail:
            detail = "no reason"
        table.add(fault, 1, int(outcome in allowed), f"{outcome}: {detail[:90]}")
    summaries = run.events("summary")
    time_ns = (summaries and summaries[-1].get("time_ns")) or float("nan")
    table.add(
        "SIGKILL of the measure worker, in the same run",
        options.kills,
        kills if not found else 0,
        f"the undisturbed winner, {time_ns / 1e3:.2f} us (undisturbed {calm_ns / 1e3:.2f} us); "
        f"{run.seconds:.0f} s (undisturbed {calm_s:.0f} s)",
    )
    return found


def lose_device(table, options, folder):
    """The board's file is another one for a while, in a mount namespace of the run alone, and
    the process that had the board is gone: as after a fall from the bus."""
    files = sorted(glob.glob("/dev/nvidia[0-9]*"))
    can = (
        files
        and shutil.which("unshare")
        and shutil.which("nsenter")
        and not subprocess.run(
            ["unshare", "--mount", "mount", "--bind", "/dev/null", files[0]],
            capture_output=True,
            check=False,
        ).returncode
    )
    if not can:
        print("not done: a lost device: no board, or nothing may be mounted here")
        return []
    world = worlds.World(options.program, folder / "lost")
    wrapper = folder / "alone"
    wrapper.write_text(f'#!/bin/sh\nexec unshare --mount "{options.program}" "$@"\n')
    wrapper.chmod(0o755)
    world.program = str(wrapper)
    words = (*arguments(world, options.device), "--set", "MISHAP=none")
    run = world.start(*words)
    while b'"evaluation"' not in run.texts[0] and not run.is_over():
        time.sleep(0.005)

    def mount(*command):
        subprocess.run(["nsenter", "-t", str(run.pid), "-m", *command], check=False)

    for file in files:
        mount("mount", "--bind", "/dev/null", file)
    for pid in world.find("measure", run):
        os.kill(pid, signal.SIGKILL)
    time.sleep(2)
    if not run.is_over():
        for file in files:
            mount("umount", file)
    run.wait(DEADLINE_S)
    found = list(run.complaints([0, 1]))
    bad = [text for text in problems_of(run) if " is " in text and text.startswith("{")]
    world.program = str(options.program)
    again = world.run(*words, deadline_s=DEADLINE_S)
    found += bad + [f"again: {text}" for text in problems_of(again)] + list(world.leftovers())
    told = run.errors.strip().splitlines()
    table.add(
        "device lost for two seconds",
        1,
        int(not found),
        f"exit code {run.code}: {told[-1][:120] if told and run.code else 'went on'}; "
        "the same run again: the undisturbed winner" if not found else "see below",
    )
    return found


def main():
    parser = argparse.ArgumentParser(description="Faults on a GPU: see gpu.sh.")
    parser.add_argument("build")
    parser.add_argument("device", nargs="?", default="cuda:0")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", default="1")
    options = parser.parse_args()
    options.program = pathlib.Path(options.build).resolve() / "autotune"
    if not options.program.exists():
        sys.exit(f"faults: {options.program} is not there: build it first")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="faults-"))
    table = Table()
    try:
        found = tune_among_faults(table, options, folder)
        found += lose_device(table, options, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"seed {options.seed}")
    table.print()
    for text in dict.fromkeys(found):
        print(f"RED {text}")
    return 1 if found or table.broken else 0


if __name__ == "__main__":
    sys.exit(main())

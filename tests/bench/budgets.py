#!/usr/bin/env python3
"""Whether budgets hold, and which phase takes the time beyond them.

usage: tests/bench/budgets.py AUTOTUNE [-b SECONDS,...] [-d DEVICE] SPACE...
  e.g. tests/bench/budgets.py build/autotune -b 5,10,20,60 spaces/*.cfg

Tunes each space with each budget, in a results folder of its own and with nothing compiled before
(--fresh). A line for each run has the budget (of all problems of the space together), the time of
the process, and the time of each phase. "+" marks a run that took more than 1.1 times its budget
and the time of one evaluation of the winner. The end counts these runs. Waiting for other runs of
autotune is no part of a budget, so these have locks of their own. Others may have had the processors:
"cpu" is the processor time of the run, "load" how many processes wanted a processor at its end.
"""
import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

OVER = 1.1
SHORT = {"compiling the reference": "set-up", "compiling the first configurations": "set-up",
         "running the reference and the first configuration": "set-up", "starting": "set-up",
         "searching": "search", "verifying the winner": "verification",
         "explaining the gain": "explanation"}


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(program, space, device, budget):
    """(seconds of the process, number of problems, seconds of one evaluation, phases)"""
    phases, count, evaluation, phase = {}, 0, 0.0, "start"
    with tempfile.TemporaryDirectory() as folder:
        begun = at = time.monotonic()
        process = subprocess.Popen(
            [program, "tune", space, "--device", device, "--fresh", "--budget", f"{budget:g}s",
             "--results", folder, "--json", "--quiet"], stdout=subprocess.PIPE, text=True,
            env={**os.environ, "AUTOTUNE_LOCKS": folder})
        for line in process.stdout:
            event = json.loads(line)
            now = time.monotonic()
            if event["event"] in ("phase", "summary"):
                phases[phase] = phases.get(phase, 0.0) + now - at
                phase, at = SHORT.get(event.get("phase"), event.get("phase", "end")), now
            if event["event"] == "incumbent":
                evaluation = (event["measure_ns"] or 0) * 1e-9
            count += event["event"] == "summary"
        code = process.wait()
    phases["end"] = phases.get("end", 0.0) + time.monotonic() - at
    return time.monotonic() - begun, max(count, 1), evaluation, phases, code


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program")
    parser.add_argument("-b", default="5,10,20,60")
    parser.add_argument("-d", default="host")
    parser.add_argument("spaces", nargs="+")
    options = parser.parse_args()
    over = total = 0
    for budget in [float(text) for text in options.b.split(",")]:
        for space in options.spaces:
            used = processor_seconds()
            seconds, count, evaluation, phases, code = run(
                options.program, space, options.d, budget)
            used = processor_seconds() - used
            is_over = seconds > OVER * budget * count + evaluation
            over, total = over + is_over, total + 1
            print(f"{'+' if is_over else ' '} {os.path.basename(space):28} "
                  f"{budget * count:5g} s {seconds:7.2f} s {seconds / budget / count:5.2f}  "
                  + ", ".join(f"{name} {part:.1f}" for name, part in phases.items())
                  + f"; cpu {used:.1f}, load {os.getloadavg()[0]:.0f}" + (f", exit {code}" if code else ""),
                  flush=True)
    print(f"{total - over} of {total} runs within {OVER} times the budget")
    sys.exit(over > 0)


main()

#!/usr/bin/env python3
"""Whole nights of a recording with planted regressions: what `autotune nightly` finds.

    nights.py AUTOTUNE RECORDING [--nights 200] [--noise 1] [--settled 10] [--step 1]

The space is made of what the recording has. Each night is one run of the program on
device replay, with the noise of that night (a board that drifts, warms up and is held
back, evaluator/replay/replay_night.h) on the recorded samples. Beside every `step`-th night
after the first `settled` ones the same night is run from the same record with a winner that
is 2, 5 and 10 % slower, and where that is not told, the next one too. A line a shift:
how often it was reported that night and by the next, then what was reported of the nights
without a shift.
"""
import argparse
import collections
import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile

SHIFTS = (1.02, 1.05, 1.10)


def read_recording(path):
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt") as file:
        return json.load(file)


def parameters_of(recording):
    """Names and the values that occur; T4 and Kernel Tuner's caches."""
    if "results" in recording:
        rows = [row["configuration"] for row in recording["results"]]
    else:
        keys = recording["tune_params_keys"]
        rows = [{key: row[key] for key in keys} for row in recording["cache"].values()]
    return {key: sorted({row[key] for row in rows}) for key in rows[0]}, rows[0]


def literal(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value)


def write_space(folder, parameters, defaults):
    lines = [
        'kernel: { name = "recorded"; template = "recorded.cu"; reference = "plain"; };',
        'problems = ( { name = "p"; N = 64; } );',
        "parameters: {"
        + " ".join(
            "%s = [ %s ];" % (key, ", ".join(map(literal, values)))
            for key, values in parameters.items()
        )
        + " };",
        "defaults: {"
        + " ".join("%s = %s;" % (key, literal(defaults[key])) for key in parameters)
        + " };",
        'launch: { block = ( "32" ); grid = ( "N" ); };',
        'arguments = ( { name = "x"; type = "float"; count = "N"; access = "out"; } );',
    ]
    with open(os.path.join(folder, "recorded.cfg"), "w") as file:
        file.write("\n".join(lines) + "\n")
    with open(os.path.join(folder, "recorded.cu"), "w") as file:
        file.write("__global__ void recorded(float *x) {}\n")
        file.write("__global__ void plain(float *x) {}\n")


class Nights:
    def __init__(self, arguments, folder):
        self.program = os.path.abspath(arguments.autotune)
        self.noise = arguments.noise
        self.folder = folder

    def run(self, results, *words):
        environment = dict(os.environ, AUTOTUNE_LOCKS=self.folder)
        done = subprocess.run(
            [self.program, *words, "--results", results],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
        )
        if done.returncode not in (0, 4):
            sys.exit("%s: exit code %d\n%s" % (words, done.returncode, done.stderr))
        return done.returncode

    def night(self, results, number, planted=""):
        """The verdict of the one problem, and whether the exit code says regression."""
        device = "replay:recording,night=%d,noise=%d%s" % (number, self.noise, planted)
        report = os.path.join(self.folder, "report")
        code = self.run(
            results, "nightly", "recorded.cfg", "--device", device, "--budget", "1s",
            "--seed", str(number), "--report", report, "--quiet",
        )
        with open(report + ".json") as file:
            problem = json.load(file)["problems"][0]
        return problem["verdict"], code == 4

    def planted(self, number, shift):
        """0: found that night, 1: the next one, 2: not."""
        shutil.rmtree(os.path.join(self.folder, "other"), ignore_errors=True)
        shutil.copytree(
            os.path.join(self.folder, "results"), os.path.join(self.folder, "other")
        )
        for late in range(2):
            if self.night("other", number + late, ",slower=%g" % shift)[1]:
                return late
        return 2


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("autotune")
    parser.add_argument("recording")
    parser.add_argument("--nights", type=int, default=200)
    parser.add_argument("--noise", type=int, default=1)
    parser.add_argument("--settled", type=int, default=10)
    parser.add_argument("--step", type=int, default=1)
    arguments = parser.parse_args()
    found = {shift: collections.Counter() for shift in SHIFTS}
    verdicts = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        parameters, defaults = parameters_of(read_recording(arguments.recording))
        write_space(folder, parameters, defaults)
        # the program goes by contents; a name with commas would have keys
        shutil.copy(arguments.recording, os.path.join(folder, "recording"))
        nights = Nights(arguments, folder)
        nights.run("results", "recorded.cfg", "--device", "replay:recording",
                   "--strategy", "exhaustive", "--quiet")
        for number in range(1, arguments.nights + 1):
            if number > arguments.settled and number % arguments.step == 0:
                for shift in SHIFTS:
                    found[shift][nights.planted(number, shift)] += 1
            verdicts[nights.night("results", number)[0]] += 1
    for shift in SHIFTS:
        count = sum(found[shift].values())
        print("%4.0f %% slower: found %5.1f %% that night, %5.1f %% by the next"
              % (100 * (shift - 1), 100 * found[shift][0] / count,
                 100 * (found[shift][0] + found[shift][1]) / count))
    print("as it is: " + ", ".join("%d %s" % (n, v) for v, n in verdicts.most_common()))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Where the time of a run goes.

usage: tests/bench/where.py AUTOTUNE SPACE [OPTION...]    (options are tune's)
  e.g. tests/bench/where.py build/autotune spaces/matmul.cfg --strategy random --budget 48
  twice, the second time with another --results, for what compiling costs that is cached

The first table has a line for each part of each problem:
  before       from the beginning of the process (or of the problem) to the first measurement
  search       from there to the last answer that the budget counts
  after that   whatever the run says that it does: finals, verifying the winner, ...
  end          from the last problem to the end of the process
with its seconds, its evaluations, what these were measured for (loading, verification launches
and samples, as the worker takes the time) and what is left: "between". Where several boards
measure at once, or an image like another one has the other one's answer, more is measured
than time goes by.

The second one says who was at work while no board of the search measured: samples of all
processes, every other millisecond. "compiler" is that one of them ran, "worker" that the
measuring process did (it loads an image, sends its answer) and no compiler, "coordinator"
that neither did and it ran, "nobody" that all slept: messages on their way, or a wait.
"""
import collections
import json
import os
import subprocess
import sys
import tempfile
import threading
import time

SAMPLE_SECONDS = 0.002


def role_of(pid, own):
    if pid == own:
        return "coordinator"
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            words = file.read().split(b"\0")
    except OSError:
        return None
    if b"--worker" in words:
        return "worker" if words[words.index(b"--worker") + 1] == b"measure" else "compiler"
    return "compiler"  # what a compile worker starts


def children_of(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return []


def state_of(pid):
    """R where any of its threads runs"""
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/stat") as file:
                if file.read().rpartition(")")[2].split()[0] == "R":
                    return "R"
    except OSError:
        pass
    return "S"


class Sampler(threading.Thread):
    """Who runs, with the moment."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.samples, self.roles, self.over = pid, [], {}, False

    def run(self):
        while not self.over:
            at, running, left = time.monotonic(), set(), [self.pid]
            while left:
                pid = left.pop()
                left += children_of(pid)
                if pid not in self.roles:
                    self.roles[pid] = role_of(pid, self.pid)
                if state_of(pid) == "R":
                    running.add(self.roles[pid])
            self.samples.append((at, running))
            time.sleep(SAMPLE_SECONDS)


def run(command):
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    sampler = Sampler(process.pid)
    began = time.monotonic()
    sampler.start()
    events = []
    for line in process.stdout:
        if line.startswith("{"):
            events.append(json.loads(line) | {"at": time.monotonic()})
    code = process.wait()
    sampler.over = True
    sampler.join()
    return began, events, time.monotonic(), sampler.samples, code


def measured(events):
    return sum(max(e.get("measure_ns") or 0, 0) for e in events) * 1e-9


def parts_of(began, events, ended):
    """[(problem, part, from, to, its evaluations)]"""
    parts, at = [], began
    for summary in [e for e in events if e["event"] == "summary"]:
        name = summary["problem"]
        of = [e for e in events if e.get("problem") == name and at <= e["at"] <= summary["at"]]
        fresh = [e for e in of if e["event"] == "evaluation" and not e["reused"]]
        search = fresh[:max(summary["evaluated"] - summary["reused"], 0)]
        if search:
            begin = max(search[0]["at"] - measured(search[:1]), at)
            parts.append((name, "before", at, begin, []))
            parts.append((name, "search", begin, search[-1]["at"], search))
            at = search[-1]["at"]
        steps = [e for e in of if e["event"] == "phase" and e["at"] >= at]
        for step, after in zip(steps, [e["at"] for e in steps[1:]] + [summary["at"]]):
            parts.append((name, step["phase"], at, after,
                          [e for e in fresh[len(search):] if at <= e["at"] <= after]))
            at = after
        at = summary["at"]
    parts.append(("", "end", at, ended, []))
    return parts


def gaps_of(search, begin):
    """the times in which nothing was measured, by what the answers say"""
    busy = sorted((e["at"] - max(e.get("measure_ns") or 0, 0) * 1e-9, e["at"]) for e in search)
    gaps, at = [], begin
    for low, high in busy:
        if low > at:
            gaps.append((at, low))
        at = max(at, high)
    return gaps


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.argv[1], "tune", *sys.argv[2:], "--json", "--quiet"]
        if "--results" not in command:
            command += ["--results", folder]
        began, events, ended, samples, code = run(command)
    parts = parts_of(began, events, ended)
    print(f"{'problem':<20} {'part':<22} {'seconds':>8} {'evaluations':>11} "
          f"{'measuring':>9} {'between':>8} {'a second':>8}")
    who, between = collections.Counter(), 0.0
    for name, part, low, high, evaluations in parts:
        length = measured(evaluations)
        rate = f"{len(evaluations) / (high - low):8.1f}" if evaluations and high > low else ""
        print(f"{name:<20} {part:<22} {high - low:8.3f} {len(evaluations) or '':>11} "
              f"{length:9.3f} {high - low - length:8.3f} {rate:>8}")
        if part != "search":
            continue
        gaps = gaps_of(evaluations, low)
        between += sum(to - at for at, to in gaps)
        for at, running in samples:
            if any(begin <= at < end for begin, end in gaps):
                who[next((r for r in ("compiler", "worker", "coordinator") if r in running),
                         "nobody")] += 1
    session = [e for e in events if e["event"] == "session"]
    if session:
        count = max(session[0]["evaluated"] - session[0]["reused"], 1)
        print(f"\ncoordinator: {session[0]['overhead_seconds']:.3f} s of processor time, "
              f"{session[0]['overhead_seconds'] / count * 1e3:.3f} ms an evaluation")
    print(f"no board of the search measured for {between:.3f} s:")
    for role, count in who.most_common():
        print(f"  {role:<12} {count / sum(who.values()) * between:8.3f} s")
    sys.exit(code)


main()

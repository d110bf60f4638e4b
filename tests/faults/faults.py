#!/usr/bin/env python3
"""Faults injected into whole runs, for real: the table faults.txt, row by row.

Each try has a world of its own (folders, locks, compiled units). A run is disturbed, then the
same is run again undisturbed, and what must hold is checked: it ended, with a documented exit
code; what it told of is in the record, with the outcome that it has undisturbed; the winner is
the undisturbed one; no process, temporary file or lock is left.
"""

import argparse
import collections
import functools
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

import confines
import habits
import inject
import neighbours
import schemas
import signals
import strangers
import world as worlds

HERE = pathlib.Path(__file__).resolve().parent
MISSES_MAX = 12
WAYS = confines.WAYS | inject.WAYS | habits.WAYS | neighbours.WAYS | schemas.WAYS | signals.WAYS | strangers.WAYS


class Row:
    def __init__(self, line):
        fields = [field.strip() for field in line.split("|")]
        self.name, self.fault, by_hand, in_short, codes, how = fields
        self.by_hand = sys.maxsize if by_hand == "all" else int(by_hand)
        self.in_short = int(in_short)
        self.codes = [int(code) for code in codes.split()]
        way, *self.words = how.split()
        self.way = WAYS[way]
        self.tries = self.held = self.repeated = self.lost = self.blamed = self.noisy = 0
        self.places = 0
        self.skipped = None
        self.failures = []


def read_table():
    lines = (HERE / "faults.txt").read_text().splitlines()
    return [Row(line) for line in lines if line.strip() and not line.startswith("#")]


class Calm:
    """What happens when nothing does."""

    def __init__(self, program, folder, compiles):
        self.folder = folder
        self.world = calm = worlds.World(program, folder)
        self.units = calm.units
        self.results = calm.results
        self.cold_s = self.tune(calm)
        self.rows = calm.rows()
        if compiles:
            self.compile_all(calm)
        self.keep_recording(calm)
        second = worlds.World(program, folder / "second", calm.units)
        self.warm_s = self.tune(second)
        shutil.rmtree(self.units)
        shutil.copytree(second.units, self.units)
        for left in [*calm.leftovers(), *second.leftovers()]:
            sys.exit(f"faults: undisturbed, a run {left}")

    @staticmethod
    def compile_all(calm):
        """The kernels that misbehave; each would be compiled again in every try."""
        words = ("check", worlds.SPACES / "mishaps.cfg", "--device", "host", "--compile", "200")
        run = calm.run(*words, deadline_s=300)
        if run.code:
            sys.exit(f"faults: the kernels do not compile: {run.errors}")

    def tune(self, calm):
        for space, more in (
            (worlds.SPACES / "mishaps.cfg", ("--set", "MISHAP=none")),
            (worlds.CALM, ()),
        ):
            shutil.rmtree(calm.results, ignore_errors=True)
            run = calm.run(*calm.tune_arguments(space, *more), deadline_s=300)
            noisy = run.winner() and calm.is_noise(run.winner(), self.winner(run))
            if run.code or not (noisy or run.winner() == self.winner(run)):
                sys.exit(f"faults: undisturbed, {space.name} ends with {run.code}: {run.errors}")
        return run.seconds

    @staticmethod
    def keep_recording(calm):
        run = calm.run(
            *("export", worlds.CALM, "--format", "csv", "-o", "calm.csv"),
            *("--results", calm.results),
        )
        if run.code:
            sys.exit(f"faults: cannot export: {run.errors}")

    @functools.cached_property
    def nights(self):
        """The same results with two nights."""
        results = self.folder / "nights"
        shutil.copytree(self.results, results)
        for night in range(2):
            run = self.world.run(
                *("nightly", worlds.CALM, "--device", "host", "--results", results),
                *("--budget", "1s", "--quiet"),
            )
            if run.code not in (0, 4):
                raise inject.Skipped(f"undisturbed, a night ends with {run.code}")
        return results

    @staticmethod
    def winner(run):
        """By construction: WORK = 1, and of the kernels that misbehave none has that."""
        summaries = run.events("summary")
        with_mishaps = summaries and "MISHAP" in (summaries[-1].get("configuration") or {})
        return {"WORK": 1, "MISHAP": "none"} if with_mishaps else {"WORK": 1}


class Campaign:
    def __init__(self, options):
        self.program = options.program
        self.shim = options.shim
        self.seed = options.seed
        self.keeps = options.keep
        self.can_mount = options.can_mount
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="faults-"))
        self.depth = options.depth
        self.tallies = {}
        self.others = None
        self.products = {}
        self.calm = Calm(self.program, self.folder / "calm", options.compiles)

    def tally(self, name, where):
        """How many calls of each kind one undisturbed process makes, at most."""
        if (name, where) not in self.tallies:
            kept = self.folder / "counts"
            kept.write_bytes(bytes(8 * len(inject.KINDS)))
            self.look(name, where, FAULTS_TALLY=kept)
            counts = struct.unpack(f"{len(inject.KINDS)}Q", kept.read_bytes())
            self.tallies[name, where] = dict(zip(inject.KINDS, counts))
        return self.tallies[name, where]

    def places(self, kind, name, where):
        """The numbers of all places from which undisturbed processes make such a call."""
        if ("places", name, where) not in self.tallies:
            found = set()
            # what comes of the order in which things happen is not met each time
            for turn in range(2):
                kept = self.folder / "places"
                kept.write_bytes(bytes(8 + 16 * inject.PLACES_MAX))
                self.look(name, where, FAULTS_PLACES=kept, FAULTS_DEPTH=self.depth)
                found |= {
                    (inject.KINDS[number], hash)
                    for hash, number, _ in struct.iter_unpack("QII", kept.read_bytes()[8:])
                    if hash
                }
            self.tallies["places", name, where] = found
        return sorted(
            hash for of, hash in self.tallies["places", name, where] if of == kind
        )

    def other_units(self):
        """What a run has compiled, where inject.FEW needs one unit more."""
        if not self.others:
            self.others = worlds.World(self.program, self.folder / "others")
            run = self.others.run(*self.others.tune_arguments(worlds.CALM, *inject.OTHERS))
            if run.code:
                raise inject.Skipped(f"undisturbed, it ends with {run.code}")
        return self.others.units

    def look(self, name, where, **what):
        """One undisturbed run that the shim tells something about."""
        attempt = inject.Try(self, Row("tally | | 0 | 0 | 0 | call"), 0, self.folder / "tally")
        shutil.rmtree(attempt.folder, ignore_errors=True)
        world = attempt.make_world(where in ("compile", "compiler"))
        arguments, _ = inject.command(attempt, name)
        run = world.run(
            *arguments,
            LD_PRELOAD=self.shim,
            FAULTS_WHERE=where,
            **what,
            **inject.surroundings(where),
        )
        # a night that is slower, as it may be where others have the processors
        if run.code and (name, run.code) != ("nightly", 4):
            raise inject.Skipped(f"{name} ends with {run.code}: {run.errors.strip()[-200:]}")

    def attempt(self, row, number):
        """True unless it had to be left out."""
        folder = self.folder / row.name / str(number)
        for miss in range(MISSES_MAX):
            attempt = inject.Try(self, row, number, folder)
            # the moment of a try that came too late is drawn once more
            if miss:
                attempt.random.seed(f"{self.seed}:{row.name}:{number}:{miss}")
            shutil.rmtree(folder, ignore_errors=True)
            try:
                row.way(attempt, *row.words)
                break
            except inject.Missed:
                continue
            except inject.Skipped as reason:
                row.skipped = str(reason)
                return False
            except Exception as error:
                attempt.complain([f"the driver: {type(error).__name__}: {error}"])
                break
            finally:
                if hasattr(attempt, "world"):
                    attempt.world.end()
        else:
            row.skipped = row.skipped or "no moment was found at which it can be done"
            return False
        self.count(row, attempt)
        if self.keeps and attempt.complaints:
            print(f"kept {folder}", flush=True)
        else:
            shutil.rmtree(folder, ignore_errors=True)
        return True

    def count(self, row, attempt):
        row.tries += attempt.tries
        row.held += attempt.tries - bool(attempt.complaints)
        row.lost += attempt.lost
        row.noisy += attempt.is_noisy
        row.blamed += attempt.blamed
        row.repeated = max(row.repeated, attempt.repeated)
        if not attempt.complaints:
            return
        note = f" ({attempt.note})" if attempt.note else ""
        for text in dict.fromkeys(attempt.complaints):
            # numbers and names of a try apart, the same text is the same failure
            text = text.replace(str(attempt.folder), "TRY")
            row.failures.append(re.sub(r"\bprocess \d+", "process", text))
            print(f"{row.name} --try {attempt.number}{note}: {text}", flush=True)

    def close(self):
        if not self.keeps:
            shutil.rmtree(self.folder, ignore_errors=True)


def what_was_lost(row):
    parts = []
    if row.lost:
        parts.append(f"{row.lost} evaluations")
    if row.blamed:
        parts.append(f"{row.blamed} wrong outcomes")
    if row.repeated:
        parts.append(f"up to {row.repeated} measured again")
    return ", ".join(parts) or "nothing"


def print_table(rows, verbose=True):
    print("| fault | tries | held | lost |\n| --- | --- | --- | --- |")
    for row in rows:
        if row.tries:
            places = f" of {row.places}" if row.places else ""
            print(f"| {row.fault} | {row.tries}{places} | {row.held} | {what_was_lost(row)} |")
    tries = sum(row.tries for row in rows)
    held = sum(row.held for row in rows)
    print(f"| all | {tries} | {held} | {sum(row.lost for row in rows)} evaluations |")
    if noisy := sum(row.noisy for row in rows):
        print(f"in {noisy} of them others had the processors, and the winner was measured slower")
    for row in rows:
        if row.skipped and not row.tries:
            print(f"skipped 1: {row.name}: {row.skipped}")
    if not verbose:
        return
    for row in rows:
        for text, count in collections.Counter(row.failures).most_common(5):
            print(f"RED {row.name}: {count} times: {text[:300]}")


def plan(rows, options):
    """(row, number) in the order in which they are tried, the first of each row first. A row
    that has nothing left, or that cannot be done here, comes no more."""
    number = options.first
    if options.seconds:
        # of neighbours one is tried early: where time is short there are some of each kind
        rows = [row for start in range(4) for row in rows[start::4]]
    while True:
        found = False
        for row in rows:
            if options.hours:
                wanted = sys.maxsize
            elif options.tries is not None:
                wanted = options.tries
            else:
                wanted = row.in_short if options.seconds else row.by_hand
            if number - options.first < wanted and row.skipped is None:
                found = True
                yield row, number
        if not found:
            return
        number += 1


def can_mount():
    """In a mount namespace of our own, which main() took care of."""
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "tmpfs", folder], capture_output=True, check=False
        )
        if done.returncode:
            return False
        subprocess.run(["umount", folder], check=True)
    return True


def enter_namespace():
    """Mounts of ours are ours alone: the same again in a mount namespace, if it may be."""
    if os.environ.get("FAULTS_INSIDE") or not shutil.which("unshare"):
        return
    os.environ["FAULTS_INSIDE"] = "1"
    for how in (["--mount"], ["--user", "--map-root-user", "--mount"]):
        if not subprocess.run(["unshare", *how, "true"], capture_output=True, check=False).returncode:
            os.execvp("unshare", ["unshare", *how, sys.executable, "-B", *sys.argv])


def main():
    parser = argparse.ArgumentParser(description="Injects the faults of faults.txt.")
    parser.add_argument("build", help="build folder, with autotune and tests/libfaults_shim.so")
    parser.add_argument("--only", action="append", help="this row; a part of its name does")
    parser.add_argument("--tries", type=int, help="so many of each row")
    parser.add_argument("--try", type=int, dest="number", help="this one of each row, again")
    parser.add_argument("--from", type=int, default=0, dest="first", help="from this try of each row on")
    parser.add_argument("--hours", type=float, help="all rows in turn for so long")
    parser.add_argument("--seconds", type=float, help="a short run, at most about so long")
    parser.add_argument("--seed", default="1", help="of all random choices (1)")
    parser.add_argument(
        "--depth", default="8", help="places are told apart by so many functions, innermost first (8)"
    )
    parser.add_argument("--keep", action="store_true", help="keep the folders of what did not hold")
    options = parser.parse_args()
    build = pathlib.Path(options.build).resolve()
    options.program = build / "autotune"
    options.shim = build / "tests" / "libfaults_shim.so"
    if options.number is not None:
        options.first, options.tries = options.number, 1
    for path in (options.program, options.shim):
        if not path.exists():
            sys.exit(f"faults: {path} is not there: build it first")
    enter_namespace()
    # as after Ctrl-C: what was found is printed
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    options.can_mount = bool(os.environ.get("FAULTS_INSIDE")) and can_mount()
    rows = [
        row
        for row in read_table()
        if not options.only or any(part in row.name for part in options.only)
    ]
    if not rows:
        sys.exit("faults: no row of that name")
    options.compiles = not options.seconds and any(row.way is inject.kernel for row in rows)
    started = time.monotonic()
    limit_s = options.hours * 3600 if options.hours else options.seconds
    campaign = Campaign(options)
    print(
        f"seed {options.seed}; undisturbed {campaign.calm.cold_s:.1f} s, "
        f"{campaign.calm.warm_s:.1f} s where all is compiled",
        flush=True,
    )
    try:
        for row, number in plan(rows, options):
            # the longest try that is still to end in time
            if limit_s and time.monotonic() - started > limit_s:
                break
            campaign.attempt(row, number)
    except KeyboardInterrupt:
        pass
    finally:
        campaign.close()
    print_table(rows)
    print(f"{time.monotonic() - started:.0f} s")
    return 1 if any(row.failures for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())

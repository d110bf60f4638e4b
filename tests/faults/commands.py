"""The commands that are disturbed: what each needs, what it prints and writes where nothing is
wrong, and what must hold of it afterwards."""

import re
import shutil

import world as worlds
from common import DEADLINE_S

DATA = worlds.SPACES.parent / "data"
# what is another one in each run: a time, and how long it took
TIMES = re.compile(
    r"(?<=_seconds\": )\d+|\d+(\.\d+)? (ns|us|ms|s)\b"
    r"|\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\dZ)?|\d+\.\d+"
)


class Command:
    """words: its command line; {results}, {calm}, {out}, {csv} are places.
    writes: the file below the world's folder that it writes.
    needs: what lies in the folder of results: "record", "nights", "" for nothing.
    tells: exit code 0 comes with the same words, or with a line on standard error.
    changes: the record is another one after it.
    is_partial: of what fails the rest is written, and exit code 1 says so."""

    def __init__(
        self,
        words,
        writes=None,
        needs="record",
        tells=True,
        changes=False,
        codes=(),
        is_partial=False,
    ):
        self.words = words.split()
        self.writes = writes
        self.needs = needs
        self.tells = tells
        self.changes = changes
        self.codes = codes
        self.is_partial = is_partial


COMMANDS = {
    "nightly": Command(
        "nightly {space} --device host --results {results} --budget 1s --quiet",
        tells=False,
        changes=True,
        codes=(4,),
    ),
    "import": Command("import {calm} --results {results}", needs="", changes=True),
    "import-csv": Command(
        "import {csv} --space mishaps --results {results}", needs="", changes=True
    ),
    "import-t4": Command(
        "import {data}/recording/t4.json --space mishaps --results {results}",
        needs="",
        changes=True,
    ),
    "import-cache": Command(
        "import {data}/recording/cache.json.gz --space mishaps --results {results}",
        needs="",
        changes=True,
    ),
    "header": Command("header {space} --results {results}", writes="results/mishaps.h"),
    "results": Command("results {space} --results {results}"),
    "results-json": Command("results {space} --results {results} --json"),
    "check": Command("check {space}", needs=""),
    "check-compile": Command("check {space} --device host --compile 2 --seed 1", needs=""),
    "export": Command("export {space} --results {results} --format csv -o {out}", writes="out"),
    "export-t4": Command("export {space} --results {results} --format t4 -o {out}", writes="out"),
    "export-cache": Command(
        "export {space} --results {results} --format kernel-tuner -o {out}", writes="out"
    ),
    "report": Command("report {space} --results {results}", needs="nights"),
    "report-page": Command("report {space} --results {results} -o {out}", "out", "nights"),
    "history": Command("history {space} --results {results}", needs="nights"),
    "compare": Command("compare {calm} {results}"),
    "devices": Command("devices", needs="", tells=False),
    "forget": Command("forget {space} --results {results} --yes", changes=True),
    "simulate": Command(
        "simulate {csv} --repeats 2 --evaluations 4 --seed 1 --jobs 1", needs="", tells=True
    ),
    "simulate-plot": Command(
        "simulate {csv} --strategy random --repeats 2 --evaluations 4 --plot {out}",
        needs="",
        writes="out",
        is_partial=True,
    ),
}


def places_of(attempt):
    world = attempt.world
    return {
        "space": worlds.CALM,
        "results": world.results,
        "calm": attempt.calm.results,
        "out": world.folder / "out",
        "csv": attempt.calm.folder / "calm.csv",
        "data": DATA,
    }


def make_ready(attempt, name):
    """The command line, and a world in which it has what it needs."""
    world = attempt.world
    command = COMMANDS[name]
    if command.needs:
        from_where = attempt.calm.nights if command.needs == "nights" else attempt.calm.results
        if command.changes:
            shutil.rmtree(world.results, ignore_errors=True)
        shutil.copytree(from_where, world.results, dirs_exist_ok=True)
    else:
        shutil.rmtree(world.results, ignore_errors=True)
    (world.folder / "out").unlink(missing_ok=True)
    return [word.format(**places_of(attempt)) for word in command.words]


def product(attempt, name, run):
    """What the command printed and wrote, without what is another one each time."""
    command = COMMANDS[name]
    texts = [run.output]
    if command.writes:
        path = attempt.world.folder / command.writes
        texts.append(path.read_text(errors="replace") if path.is_file() else None)
    folder = str(attempt.world.folder)
    return [text and TIMES.sub("#", text.replace(folder, "TRY")) for text in texts]


def learn(attempt, name):
    """What comes of it undisturbed: once a campaign. A line that two runs have otherwise may be
    anything."""
    known = attempt.campaign.products
    if name not in known:
        both = []
        for turn in range(2):
            run = attempt.world.run(*make_ready(attempt, name), deadline_s=DEADLINE_S)
            both.append((product(attempt, name, run), attempt.world.rows()))
            shutil.rmtree(attempt.world.results, ignore_errors=True)
        known[name] = both
    return known[name]


def is_alike(found, first, second):
    """found has each line that both undisturbed ones have in the same place."""
    if found is None or first is None:
        return found is first
    lines, one, other = (text.splitlines() for text in (found, first, second))
    if len(one) != len(other):
        return True
    return len(lines) == len(one) and all(
        line == a for line, a, b in zip(lines, one, other) if a == b
    )


def judge(attempt, name, run):
    """What a command that was disturbed left is whole, and the same command mends it."""
    world = attempt.world
    command = COMMANDS[name]
    (first, rows), (second, _) = attempt.campaign.products[name]
    found = product(attempt, name, run)
    if command.writes and run.code and found[1] is not None and not command.is_partial:
        # the header that was there before
        if not is_alike(found[1], first[1], second[1]):
            attempt.complain([f"{command.writes} is not whole"])
    if run.code == 0 and command.tells and not run.errors.strip():
        for what, *texts in zip(("what was printed", command.writes), found, first, second):
            if not is_alike(*texts):
                text = difference(*texts)
                attempt.complain([f"exit code 0 without a word, and {what} is another: {text}"])
    if not command.changes:
        if command.needs and not set(attempt.calm.rows) <= set(world.rows()):
            attempt.complain(["lost rows of the record"])
        return
    if name == "nightly":
        return
    before = world.rows()
    again = world.run(
        *(word.format(**places_of(attempt)) for word in command.words), deadline_s=DEADLINE_S
    )
    # of what is gone nothing is left to forget
    codes = [0, 1] if before == rows and name == "forget" else [0]
    attempt.complain(f"{name} again: {text}" for text in again.complaints(codes))
    if world.rows() != rows:
        attempt.complain([f"{name} again: not the rows that it ought to have"])
    if run.code == 0 and before != rows:
        attempt.complain(["exit code 0, and not the rows that it ought to have"])


def difference(found, first, _second):
    if found is None:
        return "none exists"
    for line, right in zip(found.splitlines() + [""], first.splitlines() + [""]):
        if line != right:
            return f"{line[:120]!r} for {right[:120]!r}"
    return "it is shorter" if len(found) < len(first) else "it is longer"

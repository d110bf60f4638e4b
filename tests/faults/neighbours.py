"""Commands beside each other with one record, runs that are stopped while others wait for what
they hold, and other versions of the program. Functions as those of inject.py."""

import os
import shutil
import signal
import sqlite3
import time

import commands
import world as worlds
from common import DEADLINE_S, Missed, Skipped

IMPATIENT = {"AUTOTUNE_PATIENCE": 3}
TUNE = "{space} --device host --results {results} --json"
FRESH = TUNE + " --fresh"
# what changes the record, or reads all of it: each beside each
PAIRED = {
    "tune": TUNE,
    "tune --fresh": FRESH,
    "nightly": commands.COMMANDS["nightly"].words,
    "forget": commands.COMMANDS["forget"].words,
    "import": commands.COMMANDS["import"].words,
    "header": commands.COMMANDS["header"].words,
    "report": commands.COMMANDS["report-page"].words,
    "export": commands.COMMANDS["export"].words,
    "results": commands.COMMANDS["results-json"].words,
    "history": commands.COMMANDS["history"].words,
}
PAIRS = [(a, b) for i, a in enumerate(PAIRED) for b in list(PAIRED)[i:] if i < 5]


def words_of(attempt, text):
    text = text if isinstance(text, list) else text.split()
    return [word.format(**commands.places_of(attempt)) for word in text]


def pair(attempt):
    """Two commands with one record, the second one a moment later."""
    world = attempt.make_world()
    first, second = PAIRS[attempt.number % len(PAIRS)]
    shutil.copytree(attempt.calm.nights, world.results)
    delay_s = attempt.moment(attempt.calm.warm_s)
    attempt.note = f"{first}, {second} after {delay_s:.2f} s"
    runs = [(first, world.start(*words_of(attempt, PAIRED[first])))]
    time.sleep(delay_s)
    runs.append((second, world.start(*words_of(attempt, PAIRED[second]))))
    for name, run in runs:
        run.wait(2 * DEADLINE_S)
        # of what is forgotten nothing can be read, and no winner can be measured again
        missing = "forget" in (first, second) and name not in ("tune", "tune --fresh")
        codes = [0, 4] if name == "nightly" else [0]
        attempt.complain(
            f"{name}: {text}" for text in run.complaints([*codes, 1] if missing else codes)
        )
        if run.errors.count("\n") > 2:
            attempt.complain([f"{name}: says more than a line: {run.errors[-300:]!r}"])
        if name.startswith("tune") and run.code == 0:
            attempt.judge_winner(run, f"{name}: exit code 0, and")
    if "forget" not in (first, second):
        for _, run in runs:
            attempt.judge_record(run, {})
        if not set(attempt.calm.rows) <= set(world.rows()):
            attempt.complain(["lost rows of the record"])
    attempt.tune_again()


WAYS = {"pair": pair}

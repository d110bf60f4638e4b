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
        # the second one of two nights leaves the device out
        codes += [1] if first == second == "nightly" else []
        attempt.complain(
            f"{name}: {text}" for text in run.complaints([*codes, 1] if missing else codes)
        )
        if name.startswith("tune") and run.code == 0:
            attempt.judge_winner(run, f"{name}: exit code 0, and")
    if "forget" not in (first, second):
        for _, run in runs:
            attempt.judge_record(run, {})
        if not set(attempt.calm.rows) <= set(world.rows()):
            attempt.complain(["lost rows of the record"])
    attempt.tune_again()


RIGHT = ('{"WORK": 1}', '{"WORK": 64}')


def crowned(world):
    """(winner, baseline) of the newest crown, as its rows say."""
    record = sqlite3.connect(world.results / "autotune.db", timeout=10)
    try:
        return record.execute(
            "SELECT w.configuration, b.configuration FROM crowns AS c"
            " LEFT JOIN evaluations AS w ON w.id = c.evaluation_id"
            " LEFT JOIN evaluations AS b ON b.id = c.baseline_id ORDER BY c.id DESC"
        ).fetchone()
    finally:
        record.close()


def forgotten(attempt):
    """What a run has measured is forgotten while it goes on: numbers of rows that are free
    again are taken by what it measures next."""
    world = attempt.make_world()
    wanted = 1 + attempt.number % 5
    attempt.note = f"after {wanted} evaluations"
    run = world.start(*world.tune_arguments())
    while len(run.evaluations()) < wanted and not run.is_over():
        time.sleep(0.005)
    time.sleep(attempt.moment(attempt.calm.warm_s / 4) if wanted == 5 else 0)
    words = ("forget", worlds.CALM, "--yes", "--results", world.results)
    other = world.start(*words).wait(DEADLINE_S)
    if run.is_over():
        run.wait(DEADLINE_S)
        raise Missed
    run.wait(DEADLINE_S)
    attempt.complain(f"forget: {text}" for text in other.complaints([0, 1]))
    attempt.complain(run.complaints(attempt.row.codes))
    attempt.note += f", {run.code}"
    if run.code == 0:
        attempt.judge_winner(run, "exit code 0, and")
        if crowned(world) != RIGHT:
            attempt.complain([f"crowned {crowned(world)}"])
    attempt.tune_again()
    if crowned(world) != RIGHT:
        attempt.complain([f"again: crowned {crowned(world)}"])


WAYS = {"pair": pair, "forgotten": forgotten}

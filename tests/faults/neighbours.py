"""Commands beside each other with one record, runs that are stopped while others wait for what
they hold, and other versions of the program. Functions as those of inject.py."""

import collections
import os
import random
import shlex
import shutil
import signal
import sqlite3
import struct
import time

import commands
import inject
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
    places = commands.places_of(attempt) | {"two": attempt.world.folder / "two.cfg"}
    return [word.format(**places) for word in text]


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


def winner_of(world):
    """(winner, baseline) of the newest winner, as its rows say."""
    record = sqlite3.connect(world.results / "autotune.db", timeout=10)
    try:
        return record.execute(
            "SELECT w.configuration, b.configuration FROM crowns AS c"
            " LEFT JOIN evaluations AS w ON w.id = c.evaluation_id"
            " LEFT JOIN evaluations AS b ON b.id = c.baseline_id ORDER BY c.id DESC"
        ).fetchone()
    finally:
        record.close()


def is_right(attempt, best):
    """Where others had the processors, what was judged to be noise may be selected."""
    return best == RIGHT or bool(attempt.is_noisy and best and best[1] == RIGHT[1])


# Between a run's last look at its record and its last words its winner is forgotten as after
# the run: too late, but not again and again.
LOOKED_MAX = 2
had_looked = collections.Counter()


def forgotten(attempt, whose="own"):
    """What a run has measured, or an earlier one that it knows of, is forgotten while it
    goes on: numbers of rows that are free again are taken by what it measures next. Late: its
    winner is recorded by then, and it explains that one."""
    world = attempt.make_world()
    if whose == "earlier":
        # not all, so that there is more to do
        shutil.copytree(attempt.calm.units, world.units, dirs_exist_ok=True)
        first = world.run(*world.tune_arguments(worlds.CALM, "--budget", "3"))
        attempt.complain(f"first: {text}" for text in first.complaints([0]))
    # behind the last one a winner may be recorded before it is forgotten
    wanted = 1 if whose == "earlier" else 1 + attempt.number % 5
    run = world.start(*world.tune_arguments())
    if whose == "late":
        is_due = lambda: b"explaining the gain" in run.texts[0]
        wanted = "all"
    else:
        is_due = lambda: len(run.evaluations()) >= wanted
    attempt.note = f"after {wanted} evaluations"
    while not is_due() and not run.is_over():
        time.sleep(0.002)
    time.sleep(attempt.moment(attempt.calm.warm_s / 4) if wanted == 5 else 0)
    words = ("forget", worlds.CALM, "--yes", "--results", world.results)
    # what is left of the run may take less time than a command; it may hold a lock, too
    run.process.send_signal(signal.SIGSTOP)
    other = world.start(*words)
    until = time.monotonic() + 2
    while not other.is_over() and time.monotonic() < until:
        time.sleep(0.005)
    comes_last = not other.is_over()
    run.catch_up()
    is_over = run.is_over() or bool(run.events("summary"))
    run.process.send_signal(signal.SIGCONT)
    other.wait(DEADLINE_S)
    if is_over:
        run.wait(DEADLINE_S)
        raise Missed
    run.wait(DEADLINE_S)
    attempt.complain(f"forget: {text}" for text in other.complaints([0, 1]))
    attempt.complain(run.complaints(attempt.row.codes))
    attempt.note += f", {run.code}"
    if run.code == 0:
        attempt.judge_winner(run, "exit code 0, and")
        best = winner_of(world)
        if not best and not comes_last and had_looked[attempt.folder] < LOOKED_MAX:
            had_looked[attempt.folder] += 1
            raise Missed
        # what waits for the run's lock may forget its winner as after the run
        if not is_right(attempt, best) and (best or not comes_last):
            attempt.complain([f"selected {best}"])
    attempt.tune_again()
    if not is_right(attempt, winner_of(world)):
        attempt.complain([f"again: selected {winner_of(world)}"])


WAITING = {
    "tune": TUNE + " --wait 2s",
    "tune --fresh": FRESH + " --wait 2s",
    "nightly": commands.COMMANDS["nightly"].words + ["--wait", "2s"],
    "forget": commands.COMMANDS["forget"].words,
    "results": commands.COMMANDS["results-json"].words,
    "header": commands.COMMANDS["header"].words,
}


def stopped_holder(attempt):
    """All of a run is stopped, whatever it holds at that moment; another command that does not
    wait for ever ends, and the run goes on where it was."""
    world = attempt.make_world()
    name = list(WAITING)[attempt.number % len(WAITING)]
    shutil.copytree(attempt.calm.results, world.results)
    run = world.start(*words_of(attempt, FRESH))
    time.sleep(0.1 + attempt.moment(attempt.calm.warm_s))
    if run.is_over():
        run.wait(DEADLINE_S)
        raise Missed
    stopped = [pid for pid, _ in world.processes()]
    signal_all(stopped, signal.SIGSTOP)
    other = world.start(*words_of(attempt, WAITING[name])).wait(2 * DEADLINE_S)
    attempt.note = f"{name}, {other.code}, {other.seconds:.0f} s"
    signal_all(stopped, signal.SIGCONT)
    run.wait(3 * DEADLINE_S)
    attempt.complain(f"{name}: {text}" for text in other.complaints([0, 1, 3, 4]))
    attempt.complain(f"stopped: {text}" for text in run.complaints([0]))
    if run.code == 0:
        attempt.judge_winner(run, "stopped: exit code 0, and")
    if name != "forget":
        attempt.judge_record(run, {})
    attempt.tune_again()


def signal_all(processes, number):
    for pid in processes:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass


# what the next version of the program may do to the tables
NEWER = """
BEGIN IMMEDIATE;
ALTER TABLE evaluations ADD COLUMN colour TEXT NOT NULL DEFAULT 'red';
ALTER TABLE crowns ADD COLUMN colour TEXT;
CREATE TABLE colours (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE INDEX evaluations_colour ON evaluations (colour);
PRAGMA user_version = 1000;
COMMIT;
"""
# the way back to an older one, which is still at work while this one climbs
OLDER = """
BEGIN IMMEDIATE;
DROP INDEX evaluations_best;
ALTER TABLE crowns DROP COLUMN met;
PRAGMA user_version = 7;
COMMIT;
"""
COPY = (
    "INSERT INTO evaluations ({0}) SELECT {0} FROM evaluations"
    " ORDER BY id DESC LIMIT 1"
)


def newer_version(attempt):
    """A newer version of the program brings the record to its schema while a run is at work:
    that run ends in order, and nothing is lost. The next one of this version refuses the
    record with a line that says why, and changes nothing."""
    world = attempt.make_world()
    shutil.copytree(attempt.calm.nights, world.results)
    path = world.results / "autotune.db"
    name = ("tune", "nightly", "results")[attempt.number % 3]
    words = {"tune": FRESH, "nightly": WAITING["nightly"], "results": WAITING["results"]}[name]
    run = world.start(*words_of(attempt, words))
    time.sleep(attempt.moment(attempt.calm.warm_s))
    version = climb(path, NEWER)
    over = run.is_over()
    run.wait(DEADLINE_S)
    attempt.note = f"{name}, {run.code}{', was over' if over else ''}"
    attempt.complain(run.complaints([0, 1, 4]))
    if run.code == 1 and "newer autotune" not in run.errors:
        attempt.complain([f"ended with 1: {run.errors.strip()[-200:]!r}"])
    if not set(attempt.calm.rows) <= set(world.rows()):
        attempt.complain(["lost rows of the record"])
    attempt.judge_record(run, {})
    before = sorted(world.rows())
    for words in PAIRED.values():
        again = world.run(*words_of(attempt, words), deadline_s=DEADLINE_S)
        # what imports reads another one
        attempt.complain(again.complaints([1]))
        if "newer autotune (version 1000" not in again.errors:
            attempt.complain([f"says {again.errors.strip()[-200:]!r}"])
    if sorted(world.rows()) != before or world.damage():
        attempt.complain(["changed a record of a newer version"])
    shutil.rmtree(world.results)
    attempt.tune_again()


def climb(path, text):
    record = sqlite3.connect(path, timeout=20, isolation_level=None)
    try:
        record.executescript(text)
    finally:
        record.close()


def older_version(attempt):
    """An older version of the program goes on writing, through statements that it prepared
    before, while this one brings the record to its schema."""
    world = attempt.make_world()
    shutil.copytree(attempt.calm.nights, world.results)
    path = world.results / "autotune.db"
    climb(path, OLDER)
    older = sqlite3.connect(path, timeout=20, isolation_level=None)
    columns = [row[1] for row in older.execute("PRAGMA table_info(evaluations)")]
    statement = COPY.format(", ".join(name for name in columns if name != "id"))
    added = 0
    run = world.start(*world.tune_arguments())
    until = time.monotonic() + DEADLINE_S
    while not run.is_over() and time.monotonic() < until:
        older.execute(statement)
        added += 1
        time.sleep(0.02)
    count = older.execute("SELECT count(*) FROM evaluations").fetchone()[0]
    older.close()
    run.wait(DEADLINE_S)
    attempt.note = f"{added} rows"
    attempt.judge(run)
    if count < len(attempt.calm.rows) + added:
        attempt.complain([f"{count} rows of {len(attempt.calm.rows) + added}"])
    attempt.tune_again()


FORGET = ["forget {space} --results {results} --yes"]
FORGET_ALL = ["forget --device host --results {results} --yes"]
IMPORT = ["import {calm} --results {results}"]
# what is over in a moment, and needs no device that the other one may have
COMERS = {
    "forget": FORGET,
    "forget device": FORGET_ALL,
    "import": IMPORT,
    # the numbers of what is gone are those of other rows then
    "forget, import": FORGET + IMPORT,
    "forget device, import": FORGET_ALL + IMPORT,
}
PORTFOLIO = "{two} --device host --results {results} --json --portfolio 5%"
# what lies in its folder of results, and its words
MET = {
    "tune": (None, TUNE),
    "tune-more": ("few", TUNE),
    "tune-again": ("calm", TUNE),
    "tune-fresh": ("calm", FRESH),
    "portfolio": (None, PORTFOLIO),
    "portfolio-again": ("two", PORTFOLIO),
    "nightly": ("nights", commands.COMMANDS["nightly"].words),
    "import": ("nights", commands.COMMANDS["import"].words),
    "forget": ("nights", commands.COMMANDS["forget"].words),
    "header": ("nights", commands.COMMANDS["header"].words),
    "results": ("nights", commands.COMMANDS["results"].words),
    "report": ("nights", commands.COMMANDS["report-page"].words),
    "export": ("nights", commands.COMMANDS["export"].words),
    "history": ("nights", commands.COMMANDS["history"].words),
    "compare": ("nights", commands.COMMANDS["compare"].words),
    "devices": ("nights", "devices --device host --fresh --results {results}"),
}
# what makes no sense after something was forgotten
RIDDLES = ("FOREIGN KEY", "constraint", "make no sense", "makes no sense", "another record")


def write_space(attempt, name, before, after):
    """The space with something else in it, in a file of its own."""
    kernel = worlds.SPACES.parent / "kernels" / "mishaps.cu"
    text = worlds.CALM.read_text().replace("../kernels/mishaps.cu", str(kernel))
    path = attempt.world.folder / name
    path.write_text(text.replace(before, after))
    return path


def begin_meeting(attempt, name):
    """Its words, and a world in which it has what it needs."""
    world = attempt.make_world()
    write_space(attempt, "two.cfg", "N = 256; }", 'N = 256; }, { name = "large"; N = 512; }')
    lies, words = MET[name]
    if lies == "few":
        first = world.run(*world.tune_arguments(worlds.CALM, "--budget", "3"))
        attempt.complain(f"first: {text}" for text in first.complaints([0]))
    elif lies == "two":
        first = world.run(*words_of(attempt, words))
        attempt.complain(f"first: {text}" for text in first.complaints([0]))
    elif lies:
        shutil.copytree(getattr(attempt.calm, {"calm": "results"}.get(lies, lies)), world.results)
    return words_of(attempt, words)


def count_unlocks(attempt, name):
    """How often the command gives a lock of its record up, undisturbed."""
    known = attempt.campaign.tallies
    if ("unlock", name) not in known:
        words = begin_meeting(attempt, name)
        kept = attempt.folder / "counts"
        kept.write_bytes(bytes(8 * len(inject.KINDS)))
        attempt.world.run(
            *words, LD_PRELOAD=attempt.campaign.shim, FAULTS_WHERE="coordinator", FAULTS_TALLY=kept
        )
        counts = struct.unpack(f"{len(inject.KINDS)}Q", kept.read_bytes())
        known["unlock", name] = counts[inject.KINDS.index("unlock")]
        attempt.world.end()
        shutil.rmtree(attempt.folder)
    return known["unlock", name]


def run_with(attempt, words, at, commands_of):
    """Runs the command, and others where it gives a lock up for the at-th time: the run, the
    exit code of the others, what they said, and when they had ended."""
    world = attempt.world
    token, _ = inject.make_token(attempt, "coordinator")
    ended = world.folder / "ended"
    comes = " && ".join(
        shlex.join([world.program, *words_of(attempt, text)]) for text in commands_of
    )
    run = world.start(
        *words,
        LD_PRELOAD=attempt.campaign.shim,
        FAULTS_CALL="unlock",
        FAULTS_WHERE="coordinator",
        FAULTS_AT=at,
        FAULTS_TOKEN=token,
        FAULTS_MEETS=f"{{ {comes}; }} >{world.folder}/said 2>&1; echo $? >{ended}.tmp;"
        f" mv {ended}.tmp {ended}",
    ).wait(DEADLINE_S)
    if token.exists():
        token.unlink()
        raise Missed
    until = time.monotonic() + DEADLINE_S
    while not ended.exists() and time.monotonic() < until:
        time.sleep(0.01)
    code = ended.read_text().strip() if ended.exists() else "none: it did not end"
    when = ended.stat().st_mtime if ended.exists() else time.time()
    return run, code, (world.folder / "said").read_text(), when


def meet(attempt, name):
    """Another command comes, from its beginning to its end, between two looks of a command at
    its record: between which two, is another one in each try."""
    count = count_unlocks(attempt, name)
    words = begin_meeting(attempt, name)
    world = attempt.world
    comer = list(COMERS)[attempt.number % len(COMERS)]
    # each of them once before one comes again
    order = list(range(1, count + 1))
    random.Random(f"{attempt.campaign.seed}:{name}:{comer}").shuffle(order)
    at = order[attempt.number // len(COMERS) % count]
    run, code, said, when = run_with(attempt, words, at, COMERS[comer])
    attempt.note = f"{comer} at {at} of {count} of {name}, {run.code}"
    forgets = comer.startswith("forget")
    tunes = name.startswith(("tune", "portfolio"))
    codes = [0, 4] if name == "nightly" else [0]
    # of what is gone nothing can be told, and no winner can be measured again
    attempt.complain(run.complaints([*codes, 1] if forgets and not tunes else codes))
    attempt.complain(
        f"says {word!r}: {text.strip()[-300:]!r}"
        for word in RIDDLES
        for text in (run.errors, said)
        if word in text
    )
    if code not in ("0", "1" if forgets else "0"):
        attempt.complain([f"{comer}: ended with {code}: {said[-300:]!r}"])
    if tunes and run.code == 0:
        attempt.judge_winner(run, "exit code 0, and")
        best = winner_of(world)
        attempt.note += f", selected {best}"
        # what comes behind its last words, or its last look, forgets its winner as after the run
        if not best and (run.came_at(b'"event": "summary"') or when) >= when:
            place = (name, comer, attempt.number // len(COMERS) // count)
            had_looked[place] += 1
            if not forgets or had_looked[place] > LOOKED_MAX:
                attempt.complain(["selected nothing"])
        if best and not is_right(attempt, (best[0], RIGHT[1])):
            attempt.complain([f"selected {best}"])
    if not forgets and name != "forget":
        attempt.judge_record(run, {})
        if MET[name][0] not in (None, "two") and not set(attempt.calm.rows) <= set(world.rows()):
            attempt.complain(["lost rows of the record"])
    if name.startswith("portfolio"):
        attempt.tune_again(space=world.folder / "two.cfg")
    else:
        attempt.tune_again()
    if not is_right(attempt, winner_of(world)):
        attempt.complain([f"again: selected {winner_of(world)}"])


def namesake(attempt):
    """Another space with the same kernel name comes, while a run takes that name: one of the two
    gets the message, and only one."""
    count = min(count_unlocks(attempt, "tune"), 40)
    words = begin_meeting(attempt, "tune")
    world = attempt.world
    other = write_space(attempt, "other.cfg", "[ 1, 16,", "[ 1, 24,")
    at = 1 + attempt.number % count
    tune = ["tune", other, *"--device host --json --results {results}".split()]
    run, code, said, _ = run_with(attempt, words, at, [[str(word) for word in tune]])
    attempt.note = f"at {at} of {count}, {run.code}, {code}"
    attempt.complain(run.complaints([0, 1]))
    if {str(run.code), code} != {"0", "1"}:
        attempt.complain([f"ended with {run.code}, and the other one with {code}"])
    if "have the kernel name" not in run.errors + said:
        attempt.complain([f"says {run.errors[-200:]!r}, {said[-200:]!r}"])
    shutil.rmtree(world.results)
    attempt.tune_again()


SHARES = 2


def rows_of_shares(world):
    rows = []
    for path in (world.results / "shards").glob("*/autotune.db"):
        record = sqlite3.connect(path, timeout=10)
        rows += record.execute("SELECT configuration, outcome FROM evaluations").fetchall()
        record.close()
    return rows


def shares(attempt):
    """Shares of a search are merged again and again while they are tuned: what is merged is
    sound, and in the end it is all of them."""
    world = attempt.make_world()
    merged = worlds.World(world.program, world.folder / "merged")
    merged.mark = world.mark
    runs = [
        world.start(*words_of(attempt, f"{FRESH} --shard {share}/{SHARES}"))
        for share in range(1, SHARES + 1)
    ]

    def merge():
        found = sorted((world.results / "shards").glob("*/autotune.db"))
        words = ("import", *[path.parent for path in found], "--results", merged.results)
        return merged.run(*words) if found else None

    met = 0
    while not all(run.is_over() for run in runs):
        done = merge()
        if not done:
            time.sleep(0.005)
            continue
        met += 1
        # one that is being written is refused, and says so
        attempt.complain(f"import: {text}" for text in done.complaints([0, 1]))
        if merged.rows() and (damage := merged.damage()):
            attempt.complain([damage])
    if not met:
        raise Missed
    told = set()
    for run in runs:
        run.wait(DEADLINE_S)
        attempt.complain(run.complaints([0]))
        told |= set(run.evaluations().items())
    last = merge()
    attempt.complain(f"last import: {text}" for text in last.complaints([0]))
    attempt.note = f"{met} times"
    if missing := told - set(merged.rows()):
        attempt.lost += len(missing)
        attempt.complain([f"told {sorted(missing)[0]}, and lost it"])
    # both have measured the baseline
    if sorted(merged.rows()) != sorted(rows_of_shares(world)):
        attempt.complain(["has other rows than the shares"])
    shutil.rmtree(world.results)
    shutil.copytree(merged.results, world.results)
    shutil.rmtree(merged.folder)
    attempt.tune_again()


WAYS = {
    "shares": shares,
    "meet": meet,
    "namesake": namesake,
    "pair": pair,
    "forgotten": forgotten,
    "stopped_holder": stopped_holder,
    "newer_version": newer_version,
    "older_version": older_version,
}

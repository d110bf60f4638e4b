"""The ways in which a try goes wrong. Each is a function that takes a Try and the words
behind its name in faults.txt, disturbs, and judges what only it can know."""

import errno
import json
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import time

import commands
import machines
import oddities
import world as worlds
from common import DEADLINE_S, Missed, Skipped

# as in shim_stack.h
PLACES_MAX = 65536
# of places: so many in one world, one after the other
CHAIN = 8
# what a run meets that tunes two configurations, it meets; of two that are short, in a
# quarter of the time
FEW = ("--set", "WORK=1,16")
# one of them, and another one
OTHERS = ("--set", "WORK=1,48")
# pauses before something is tried again come to a tenth then
IMPATIENT = {"AUTOTUNE_PATIENCE": 30}
SIGNALS = {"INT": signal.SIGINT, "TERM": signal.SIGTERM, "HUP": signal.SIGHUP}
# in the order of KINDS in shim.c
KINDS = (
    "malloc open write short fsync rename fork mmap pipe poll read mkdir thread lock answer stat "
    "remove close list unlock".split()
)
# what is no system call of its own
NO_CALLS = ("malloc", "short", "answer", "unlock")
PLACES = ("coordinator", "compile", "measure", "compiler")


class Try:
    """One try of a row: a world, where its random choices come from, and what it broke."""

    def __init__(self, campaign, row, number, folder):
        self.campaign = campaign
        self.calm = campaign.calm
        self.row = row
        self.number = number
        self.random = random.Random(f"{campaign.seed}:{row.name}:{number}")
        self.folder = folder
        self.complaints = []
        self.note = ""
        self.tries = 1
        self.is_noisy = False
        self.repeated = 0
        self.lost = 0
        self.blamed = 0

    def make_world(self, is_cold=False):
        self.world = worlds.World(
            self.campaign.program, self.folder, None if is_cold else self.calm.units
        )
        return self.world

    def complain(self, texts):
        self.complaints += texts

    def moment(self, seconds):
        return self.random.uniform(0, seconds)

    # ---- tuning, disturbed, and again ------------------------------------------------------

    def judge(self, run, codes=None, expected=None):
        """An evaluation that was told is in the record, and has the outcome it has to have.
        expected: {configuration: outcomes} of those that may be other than undisturbed."""
        self.complain(run.complaints(codes or self.row.codes))
        self.judge_record(run, expected or {})
        if run.code == 0 and not run.timed_out:
            self.judge_winner(run, "exit code 0, and")

    def judge_winner(self, run, when):
        """True where it is the undisturbed one, or noise has it otherwise."""
        winner = run.winner()
        if winner == self.calm.winner(run):
            return True
        if winner and self.world.is_noise(winner, self.calm.winner(run)):
            self.is_noisy = True
            return True
        self.complain([f"{when} the winner is {winner}"])
        return False

    def judge_record(self, run, expected):
        rows = self.world.rows()
        kept = dict(rows)
        for configuration, outcome in run.evaluations().items():
            if configuration not in kept:
                self.lost += 1
                self.complain([f"told {configuration} {outcome}, and lost it"])
        for configuration, outcome in rows:
            allowed = expected.get(configuration, ["ok"])
            if outcome not in allowed:
                self.blamed += 1
                self.complain([f"recorded {configuration} as {outcome}"])
        self.repeated = max(self.repeated, len(rows) - len(kept))

    def tune_again(self, *more, space=worlds.CALM, expected=None):
        """The same without any fault: everything that was recorded is there, the winner is
        the undisturbed one, and nothing is left of the run before."""
        before = dict(self.world.rows())
        run = self.world.run(
            *self.world.tune_arguments(space, *more), deadline_s=DEADLINE_S
        )
        self.complain(f"again: {text}" for text in run.complaints([0]))
        self.judge_winner(run, "again:")
        if damage := self.world.damage():
            self.complain([f"again: {damage}"])
        self.judge_record(run, expected or {})
        after = dict(self.world.rows())
        gone = [row for row in before.items() if after.get(row[0]) != row[1]]
        if gone:
            self.lost += len(gone)
            self.complain([f"again: lost {gone[0]} of the record"])
        self.complain(f"again: {text}" for text in self.world.leftovers())


# ---- kills and signals -----------------------------------------------------------------


def watch(attempt, run, where, seconds):
    """A process of this kind, at a random moment: while the run lasts."""
    time.sleep(attempt.moment(seconds))
    while not run.is_over():
        found = sorted(attempt.world.find(where, run))
        if found:
            return attempt.random.choice(found)
        time.sleep(0.001)
    raise Missed


def kill(attempt, where):
    """SIGKILL of one process of a tuning run, at a random moment."""
    is_cold = where in ("compile", "compiler")
    world = attempt.make_world(is_cold)
    world.was_killed = True
    run = world.start(*world.tune_arguments())
    seconds = attempt.calm.cold_s if is_cold else attempt.calm.warm_s
    try:
        victim = watch(attempt, run, where, seconds * 0.9)
        try:
            os.kill(victim, signal.SIGKILL)
        except ProcessLookupError:
            raise Missed from None
    finally:
        run.wait(DEADLINE_S)
    if where == "coordinator" and run.code != -signal.SIGKILL:
        raise Missed
    attempt.judge(run, [-signal.SIGKILL] if where == "coordinator" else None)
    attempt.tune_again()


def signals(attempt, name, count="1"):
    """A signal that asks the coordinator to end."""
    world = attempt.make_world(is_cold=attempt.number % 2 == 1)
    # workers are not waited for
    world.was_killed = True
    seconds = attempt.calm.cold_s if attempt.number % 2 else attempt.calm.warm_s
    run = world.start(*world.tune_arguments())
    time.sleep(0.03 + attempt.moment(seconds * 0.9))
    if run.is_over():
        run.wait(DEADLINE_S)
        raise Missed
    for _ in range(int(count)):
        os.kill(run.pid, SIGNALS[name])
        time.sleep(0.005)
    run.wait(DEADLINE_S)
    # what no run is measuring may be proved yet: 0 where it had just ended
    codes = [0, 130]
    # before it listens, it has begun nothing that it would have to end in order
    if not run.output and not run.errors and not world.rows():
        codes.append(-SIGNALS[name])
    attempt.judge(run, codes)
    attempt.tune_again()


def stop(attempt, where, *words):
    """SIGSTOP of one worker, and SIGCONT sooner or later, for the longest time its deadline
    has come; or ("for_good") never."""
    is_cold = where == "compile"
    world = attempt.make_world(is_cold)
    run = world.start(*world.tune_arguments())
    seconds = attempt.calm.cold_s if is_cold else attempt.calm.warm_s
    victim = watch(attempt, run, where, seconds * 0.9)
    pause_s = attempt.random.choice([0.2, 4])
    attempt.note = f"{pause_s} s"
    try:
        os.kill(victim, signal.SIGSTOP)
        if "for_good" not in words:
            time.sleep(pause_s)
            os.kill(victim, signal.SIGCONT)
    except ProcessLookupError:
        pass  # it was ended at its deadline
    # ten seconds, and two between two looks
    attempt.judge(run.wait(DEADLINE_S + (15 if words else 0)))
    attempt.tune_again()


# ---- the n-th call ---------------------------------------------------------------------


def command(attempt, name):
    """The arguments of a command for which the world is ready, and whether it tunes."""
    if name == "tune":
        return attempt.world.tune_arguments(), True
    commands.learn(attempt, name)
    return commands.make_ready(attempt, name), False


def surroundings(where):
    """What the shim needs in a process of this kind: in its sandbox a compiler could neither
    count nor tell that it was the one."""
    return {"AUTOTUNE_SANDBOX": "off"} if where == "compiler" else {}


def make_token(attempt, where):
    """Whoever removes it injects the fault; and where that is reported. Both lie where a process of
    this kind may write: in its sandbox a compile worker can nowhere but with the units."""
    folder = attempt.world.units if where == "compile" else attempt.folder
    token = folder / "token"
    token.touch()
    return token, folder / "places"


def variation(words):
    """What the shim gets besides the call: "error=EDQUOT", "lasts", "how=twice"."""
    more = {}
    for word in words:
        name, _, value = word.partition("=")
        more |= {
            "error": {"FAULTS_ERROR": getattr(errno, value, 0)},
            "lasts": {"FAULTS_LASTS": 1},
            "how": {"FAULTS_HOW": value},
        }[name]
    return more


def call(attempt, kind, name, *words, kills=False):
    """The n-th call of a kind fails: places are taken in turn. kind "any": one of all."""
    places = [word for word in words if word in PLACES] or ["coordinator"]
    more = variation(word for word in words if word not in PLACES)
    if kind != "any":
        places = [place for place in places if attempt.campaign.tally(name, place)[kind]]
        if not places:
            raise Missed
    where = places[attempt.number % len(places)]
    is_cold = where in ("compile", "compiler")
    world = attempt.make_world(is_cold)
    arguments, tunes = command(attempt, name)
    tally = attempt.campaign.tally(name, where)
    if kind == "any":
        kinds = [kind for kind in KINDS if tally[kind] and kind not in NO_CALLS]
        kind = attempt.random.choice(kinds)
    count = tally.get(kind, 0)
    if not count:
        raise Missed
    turn = attempt.number // len(places)
    at = turn + 1 if turn < count and count <= 100 else attempt.random.randint(1, count)
    attempt.note = f"{kind} {at} of {count} in {where} of {name}"
    token, _ = make_token(attempt, where)
    if kills:
        more["FAULTS_KILL"] = int(signal.SIGKILL)
        world.was_killed = True
    run = world.start(
        *arguments,
        LD_PRELOAD=attempt.campaign.shim,
        FAULTS_CALL=kind,
        FAULTS_WHERE=where,
        FAULTS_AT=at,
        FAULTS_TOKEN=token,
        **surroundings(where),
        **more,
    ).wait(DEADLINE_S)
    if token.exists():
        token.unlink()
        raise Missed
    codes = [-signal.SIGKILL] if kills and where == "coordinator" else attempt.row.codes
    if tunes:
        attempt.judge(run, codes)
    else:
        attempt.complain(run.complaints(codes))
        commands.judge(attempt, name, run)
    attempt.tune_again()


def place(attempt, kind, name, *processes):
    """Each place from which a kind of call is made fails once, a chain of them in one world:
    a run that was disturbed is followed by one that is disturbed elsewhere, and the last by
    one that is not. Begins anew where a run comes to its end."""
    campaign = attempt.campaign
    found = [
        (process, of, hash)
        for process in processes
        for of in kind.split(",")
        for hash in campaign.places(of, name, process)
    ]
    attempt.row.places = len(found)
    chosen = found[attempt.number * CHAIN :][:CHAIN]
    if not chosen:
        raise Skipped("each place was tried")
    attempt.tries = 0
    world = attempt.make_world()
    world.is_swept_later = any(of in ("open", "remove", "close") for _, of, _ in chosen)
    for process, of, hash in chosen:
        attempt.note = f"{of} at place {hash:x} of {process}"
        # what is recorded is not measured again: only the whole of a run meets each place
        if fail_at(attempt, of, name, process, hash) or fail_at(
            attempt, of, name, process, hash, begins=True
        ):
            attempt.tries += 1
        if attempt.complaints:
            return
    attempt.note = f"after {chosen[-1][1]} at place {chosen[-1][2]:x} of {chosen[-1][0]}"
    if name == "tune":
        attempt.tune_again(*FEW)
    else:
        # who was disturbed last may have left what the next one sweeps
        attempt.complain(
            world.run(*command(attempt, name)[0], deadline_s=DEADLINE_S).complaints(
                [0, *commands.COMMANDS[name].codes]
            )
        )
        attempt.complain(world.leftovers())


def fail_at(attempt, kind, name, process, hash, begins=False):
    """True where the run met the place, and so was disturbed."""
    world = attempt.world
    is_cold = process in ("compile", "compiler")
    if begins or is_cold:
        shutil.rmtree(world.results, ignore_errors=True)
    if is_cold:
        shutil.rmtree(world.units, ignore_errors=True)
        # most places are met by a worker that compiles one configuration
        if begins:
            world.units.mkdir()
        else:
            shutil.copytree(attempt.campaign.other_units(), world.units)
    arguments, tunes = command(attempt, name)
    token, shown = make_token(attempt, process)
    before = world.rows() if tunes else []
    run = world.run(
        *arguments,
        *(FEW if tunes else ()),
        deadline_s=DEADLINE_S,
        LD_PRELOAD=attempt.campaign.shim,
        FAULTS_CALL=kind,
        FAULTS_WHERE=process,
        FAULTS_PLACE=f"{hash:x}",
        FAULTS_DEPTH=attempt.campaign.depth,
        FAULTS_TOKEN=token,
        FAULTS_SHOW=shown,
        **surroundings(process),
        **IMPATIENT,
    )
    met = not token.exists()
    token.unlink(missing_ok=True)
    if not tunes:
        attempt.complain(run.complaints(attempt.row.codes))
        commands.judge(attempt, name, run)
        return met
    # a log that cannot be looked at is taken for another one: what was measured is kept
    # elsewhere, and the line says where
    if run.code == 1:
        follow_advice(attempt, run)
    attempt.judge(run)
    if not set(before) <= set(world.rows()):
        attempt.lost += 1
        attempt.complain(["lost rows of the record"])
    if run.code == 0:
        shutil.rmtree(world.results, ignore_errors=True)
    elif world.rows() and (damage := world.damage()):
        attempt.complain([damage])
    # files of one that had no memory to remove them are swept by the next run
    attempt.complain(text for text in world.leftovers() if text.startswith("left the process"))
    return met


def kill_command(attempt, kind, name, *places):
    """SIGKILL ahead of the n-th call."""
    call(attempt, kind, name, *places, kills=True)


# ---- kernels ---------------------------------------------------------------------------


def kernel(attempt, mishap, outcomes, *words):
    """A kernel that misbehaves, beside sound ones. "alone": it may end the run, so that the
    next one goes without it."""
    world = attempt.make_world()
    space = worlds.SPACES / "mishaps.cfg"
    chosen = ("--set", f"MISHAP=none,{mishap}")
    if "alone" not in words:
        expected = {f'{{"WORK": 64, "MISHAP": "{mishap}"}}': outcomes.split(",")}
    else:
        expected = {f'{{"WORK": 64, "MISHAP": "{mishap}"}}': [*outcomes.split(","), "crashed"]}
    run = world.run(*world.tune_arguments(space, *chosen), deadline_s=DEADLINE_S)
    attempt.judge(run, expected=expected)
    if "alone" in words:
        chosen = ("--set", "MISHAP=none")
    attempt.tune_again(*chosen, space=space, expected=expected)


# ---- disks -----------------------------------------------------------------------------


class Small:
    """A file system of its own with little room."""

    def __init__(self, attempt, place, size):
        if not attempt.campaign.can_mount:
            raise Skipped("no file system can be mounted here")
        place.mkdir(parents=True, exist_ok=True)
        self.place = place
        subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={size},mode=0700", "tmpfs", place], check=True
        )

    def fill(self):
        try:
            with open(self.place / "somebody", "wb", buffering=0) as file:
                while file.write(b"x" * 4096):
                    pass
        except OSError:
            pass

    def empty(self):
        (self.place / "somebody").unlink(missing_ok=True)

    def close(self):
        subprocess.run(["umount", "-l", self.place], check=True)


def full(attempt, what, *words):
    """A disk without room, from a random moment on: for a second, or ("for_good") as long as
    the run lasts."""
    world = attempt.make_world(is_cold=True)
    place = {"temporary": world.temporary, "results": world.results, "units": world.units}[what]
    small = Small(attempt, place, "4m" if what != "results" else "2m")
    try:
        run = world.start(*world.tune_arguments())
        time.sleep(attempt.moment(attempt.calm.cold_s * 0.9))
        if run.is_over():
            run.wait(DEADLINE_S)
            raise Missed
        small.fill()
        if "for_good" in words:
            # a run may wait for room: the user's patience ends then
            until = time.monotonic() + 8
            while not run.is_over() and time.monotonic() < until:
                time.sleep(0.05)
            if not run.is_over():
                os.kill(run.pid, signal.SIGINT)
        else:
            time.sleep(1)
            small.empty()
        run.wait(DEADLINE_S)
        small.empty()
        attempt.judge(run)
        attempt.tune_again()
    finally:
        world.end()
        small.close()


def limit(attempt, name):
    """A limit of the system on the coordinator and all that it starts."""
    world = attempt.make_world()
    kind, size = {
        "files_of": (resource.RLIMIT_FSIZE, attempt.random.randrange(0, 80_000)),
        "open_files": (resource.RLIMIT_NOFILE, attempt.random.randrange(4, 64)),
        "memory": (resource.RLIMIT_AS, attempt.random.randrange(20 << 20, 600 << 20)),
        # as where others of this user have theirs: those that come with more than a number
        "signals": (resource.RLIMIT_SIGPENDING, attempt.random.randrange(0, 3)),
        "stack": (resource.RLIMIT_STACK, attempt.random.randrange(64 << 10, 2 << 20)),
    }[name]
    attempt.note = f"{name} {size}"
    run = world.start(
        *world.tune_arguments(),
        prepare=lambda: resource.setrlimit(kind, (size, resource.getrlimit(kind)[1])),
    ).wait(DEADLINE_S)
    attempt.judge(run)
    attempt.tune_again()


# ---- surroundings ----------------------------------------------------------------------


def leave_folder(folder):
    """Into a folder that is gone."""
    gone = folder / "gone"
    gone.mkdir()
    os.chdir(gone)
    gone.rmdir()


def odd(attempt, what):
    """What whoever starts a run, or a neighbour, may have done that is no fault yet."""
    world = attempt.make_world()
    more = {"home": {"XDG_CACHE_HOME": "here", "AUTOTUNE_CACHE": "", "HOME": ""}}.get(what, {})
    if what == "quote":
        place = world.temporary / "a \"b' $(c)`d`\\ \n"
        place.mkdir()
        more = {"TMPDIR": place}
        shutil.rmtree(world.units)
        world.units.mkdir()
    elif what == "pipe":
        world.results.mkdir()
        os.mkfifo(world.results / "mishaps.h")
    if what == "variables":
        more = {f"FAULTS_{number}": "x" for number in range(60_000)}
    prepare = (lambda: leave_folder(attempt.folder)) if what == "folder" else None
    if what == "empty":
        # all but where its own folders are
        run = world.start(*world.tune_arguments(), is_bare=True)
    else:
        run = world.start(*world.tune_arguments(), prepare=prepare, **more)
    if what in ("stop", "link"):
        time.sleep(0.1 + attempt.moment(attempt.calm.warm_s * 0.9))
        if run.is_over():
            run.wait(DEADLINE_S)
            raise Missed
    if what == "stop":
        os.kill(run.pid, signal.SIGSTOP)
        time.sleep(attempt.random.choice([0.2, 4]))
        os.kill(run.pid, signal.SIGCONT)
    elif what == "link":
        elsewhere = attempt.folder / "elsewhere"
        elsewhere.mkdir()
        before = attempt.folder / "before"
        if world.results.exists():
            world.results.rename(before)
        world.results.symlink_to(elsewhere)
        if not has_open(run, "autotune.db") and not world.rows():
            # not open yet, or not any more: all is where it was moved to
            run.wait(DEADLINE_S)
            if not world.rows() and before.exists():
                world.results.unlink()
                before.rename(world.results)
        run.wait(DEADLINE_S)
        follow_advice(attempt, run)
    attempt.judge(run.wait(DEADLINE_S))
    if what == "pipe":
        (world.results / "mishaps.h").unlink()
    elif what == "quote":
        place.rmdir()
    attempt.tune_again()


def swap(attempt):
    """Each unit under the name of the next one."""
    found = sorted(attempt.world.units.rglob("*.unit"))
    attempt.random.shuffle(found)
    contents = [path.read_bytes() for path in found]
    for path, other in zip(found, contents[1:] + contents[:1]):
        path.write_bytes(other)


def has_open(run, name):
    """Whether the coordinator has a file of that name open, also one that is gone."""
    folder = f"/proc/{run.pid}/fd"
    try:
        return any(
            name in os.readlink(f"{folder}/{number}").split("/")[-1]
            for number in os.listdir(folder)
        )
    except OSError:
        return False


def remove_in_use(folder):
    """A folder that a run may write to just as it has been emptied."""
    while True:
        try:
            return shutil.rmtree(folder)
        except OSError as error:
            if error.errno != errno.ENOTEMPTY:
                raise


def live(attempt, what):
    """Files that a run uses are removed or become others while it is at work."""
    world = attempt.make_world(is_cold=what == "units_removed")
    folder = world.results
    space = worlds.CALM
    if what == "template":
        shutil.copytree(worlds.SPACES.parent / "kernels", attempt.folder / "kernels")
        space = attempt.folder / "spaces" / "calm.cfg"
        space.parent.mkdir()
        shutil.copy(worlds.CALM, space)
    elif what == "units_swapped":
        swap(attempt)
    run = world.start(*world.tune_arguments(space))
    while not run.evaluations() and not run.is_over():
        time.sleep(0.005)
    time.sleep(attempt.moment(attempt.calm.warm_s / 2))
    index = folder / "autotune.db-shm"
    if run.is_over():
        run.wait(DEADLINE_S)
        raise Missed
    try:
        if what == "log_removed":
            (folder / "autotune.db-wal").unlink()
        elif what == "index_removed":
            index.unlink()
        elif what == "index_cut":
            os.truncate(index, 0)
        elif what == "index_garbage":
            index.open("r+b").write(attempt.random.randbytes(32768))
        elif what == "record_removed":
            (folder / "autotune.db").unlink()
        elif what == "results_removed":
            remove_in_use(folder)
        elif what == "units_removed":
            remove_in_use(world.units)
        elif what == "template":
            (attempt.folder / "kernels" / "mishaps.cu").write_text("this is no kernel\n")
    except FileNotFoundError:
        run.wait(DEADLINE_S)
        raise Missed from None
    # who has closed it has nothing more to do with it
    if what in ("record_removed", "results_removed") and not has_open(run, "autotune.db"):
        run.wait(DEADLINE_S)
        raise Missed
    run.wait(DEADLINE_S)
    if what in ("record_removed", "results_removed"):
        follow_advice(attempt, run)
    attempt.judge(run)
    if what == "template":
        shutil.copy(worlds.SPACES.parent / "kernels" / "mishaps.cu", attempt.folder / "kernels")
    attempt.tune_again(space=space)


# ---- written over ----------------------------------------------------------------------

ELSEWHERE = ("--set", "WORK=32,48")


def other_database(attempt):
    path = attempt.folder / "other.db"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE addresses (name TEXT)")
    other.commit()
    other.close()
    return path.read_bytes()


def overwrite(attempt, path):
    """What another program, or a person, may do to a file that a run uses. The file stays
    the same one, unless it is moved."""
    size = path.stat().st_size
    how = attempt.random.choice(
        "removed moved emptied cut zeros garbage tail bit database older folder denied".split()
    )
    attempt.note += f" {path.name} {how}"
    start = attempt.random.randrange(size) if size else 0
    if how in ("removed", "folder"):
        path.unlink()
        if how == "folder":
            path.mkdir()
    elif how == "moved":
        path.rename(path.with_name(path.name + ".moved"))
    elif how == "denied":
        path.chmod(0)
    elif how in ("emptied", "cut"):
        os.truncate(path, 0 if how == "emptied" else start)
    elif how in ("database", "older"):
        older = attempt.calm.results / "autotune.db"
        data = older.read_bytes() if how == "older" else other_database(attempt)
        with open(path, "r+b") as file:
            file.write(data)
            file.truncate()
    else:
        start = 0 if attempt.random.random() < 0.5 else start
        with open(path, "r+b") as file:
            file.seek(start)
            if how == "bit":
                byte = file.read(1) or b"\0"
                file.seek(start)
                file.write(bytes([byte[0] ^ 1]))
            else:
                file.seek(max(0, size - 6000) if how == "tail" else start)
                count = size - file.tell()
                file.write(
                    attempt.random.randbytes(count) if how == "garbage" else bytes(count)
                )


def follow_advice(attempt, run):
    """What the line on standard error says is done; and a file that no user may read is
    let be read again."""
    world = attempt.world
    for path in [*world.results.rglob("*"), *world.locks.rglob("*")]:
        if path.is_file() and not path.stat().st_mode & 0o777:
            path.chmod(0o644)
    log = world.results / "autotune.db-wal"
    if log.is_dir():
        log.rmdir()
    damaged = True
    try:
        damaged = bool(world.damage()) or "move the record away" in run.errors
        world.rows()
    except sqlite3.DatabaseError:
        pass
    if damaged and run.code == 0:
        attempt.complain([f"exit code 0, and the record: {world.damage()}"])
    if damaged:
        for path in world.results.glob("autotune.db*"):
            path.rename(attempt.folder / path.name)
    for saved in world.rescued():
        if str(saved) not in run.errors:
            attempt.complain([f"{saved.name} is there, without a message"])
        attempt.complain(
            world.run("import", saved, "--results", world.results).complaints([0])
        )
        shutil.rmtree(saved)


def written_over(attempt, what):
    """Files that a run uses are written over, cut short, moved or denied by others while it
    is at work. What was told is there again when what the run said is done."""
    world = attempt.make_world()
    if what != "locks" and attempt.random.random() < 0.5:
        before = world.run(*world.tune_arguments(worlds.CALM, *ELSEWHERE))
        attempt.complain(before.complaints([0]))
    run = world.start(*world.tune_arguments())
    files = []
    try:
        while not run.evaluations() and not run.is_over():
            time.sleep(0.005)
        time.sleep(attempt.moment(attempt.calm.warm_s / 2))
        files = {
            "log": [world.results / "autotune.db-wal"],
            "file": [world.results / "autotune.db"],
            "index": [world.results / "autotune.db-shm"],
            "results": sorted(world.results.glob("*/*.json")) + [world.results / "mishaps.h"],
            "locks": sorted(world.locks.iterdir()),
        }[what]
        files = [path for path in files if path.exists()]
        if not files or run.is_over():
            raise Missed
        for path in files:
            overwrite(attempt, path)
    except FileNotFoundError:
        raise Missed from None
    finally:
        run.wait(DEADLINE_S)
    attempt.complain(run.complaints(attempt.row.codes))
    follow_advice(attempt, run)
    if run.code == 0:
        attempt.judge_winner(run, "exit code 0, and")
    attempt.judge_record(run, {})
    for path in files:
        if path.is_dir():
            path.rmdir()
        # a header that another program wrote is left alone for good
        elif path.suffix == ".h" and path.exists() and b"autotune" not in path.read_bytes()[:80]:
            path.unlink()
        # which winners a damaged one had is not known: the line says to remove it
        elif path.suffix == ".json" and path.exists() and not is_json(path):
            again = world.run(*world.tune_arguments(), deadline_s=DEADLINE_S)
            attempt.complain(f"damaged: {text}" for text in again.complaints([1]))
            if "mend this file, or remove it" not in again.errors:
                attempt.complain([f"damaged: {again.errors.strip()[-200:]!r}"])
            path.unlink()
    attempt.tune_again()


def is_json(path):
    try:
        json.loads(path.read_bytes())
    except ValueError:
        return False
    return True


# ---- the clock of the day --------------------------------------------------------------

HOUR_S = 3600
# summer time, a wrong time zone, a battery that is empty, a claim that expires just so
JUMPS_S = (-1, 1, -59, 61, 121, -HOUR_S, HOUR_S, -12 * HOUR_S, 12 * HOUR_S) + (
    -400 * 24 * HOUR_S,
    400 * 24 * HOUR_S,
)


def clock(attempt, name, count="1"):
    """The clock jumps again and again while a command runs, or several of it with one record;
    then it is right again."""
    world = attempt.make_world(is_cold=attempt.number % 4 == 3)
    arguments, tunes = command(attempt, name)
    kept = attempt.folder / "clock"
    kept.write_bytes(bytes(8))
    runs = [
        world.start(*arguments, LD_PRELOAD=attempt.campaign.shim, FAULTS_CLOCK=kept)
        for _ in range(int(count))
    ]
    until = time.monotonic() + DEADLINE_S
    jumps = 0
    with open(kept, "r+b", buffering=0) as file:
        while not all(run.is_over() for run in runs) and time.monotonic() < until:
            time.sleep(attempt.moment(attempt.calm.warm_s / 3))
            file.seek(0)
            file.write(attempt.random.choice(JUMPS_S).to_bytes(8, "little", signed=True))
            jumps += 1
    attempt.note = f"{jumps} jumps"
    for run in runs:
        run.wait(DEADLINE_S)
        if tunes:
            attempt.judge(run)
        else:
            attempt.complain(run.complaints(attempt.row.codes))
    attempt.tune_again()


# ---- files -----------------------------------------------------------------------------


def spoil(attempt, path, how):
    """Damages a file as `how` says."""
    data = bytearray(path.read_bytes())
    if how == "truncated":
        data = data[: attempt.random.randrange(len(data))]
    elif how == "bits":
        for _ in range(attempt.random.choice([1, 2, 8, 64])):
            data[attempt.random.randrange(len(data))] ^= 1 << attempt.random.randrange(8)
    elif how == "page":
        start = attempt.random.randrange(max(1, len(data) // 4096)) * 4096
        data[start : start + 4096] = attempt.random.randbytes(len(data[start : start + 4096]))
    elif how == "foreign":
        data = attempt.random.choice(
            [b"", b"\0" * 8192, attempt.random.randbytes(20_000), b"\x7fELF" * 1000, b"[" * 100_000]
        )
    path.write_bytes(data)


COMMANDS = (
    ("results",),
    ("results", "--json"),
    ("results", "--table"),
    ("header", worlds.CALM),
    ("history", worlds.CALM),
    ("export", worlds.CALM, "--format", "csv", "-o", "-"),
)


def use(attempt, *commands):
    for words in commands:
        # whose operands are folders of results takes no other
        place = () if words[0] == "compare" else ("--results", attempt.world.results)
        run = attempt.world.run(*words, *place, deadline_s=DEADLINE_S)
        attempt.complain(
            f"{words[0]}: {text}" for text in run.complaints(attempt.row.codes)
        )


def prepare(attempt):
    attempt.make_world()
    shutil.copytree(attempt.calm.results, attempt.world.results)


def record(attempt, how):
    """A record that is damaged, foreign, locked or of another version."""
    prepare(attempt)
    world = attempt.world
    path = world.results / "autotune.db"
    holder = None
    if how in ("locked", "version"):
        holder = sqlite3.connect(path, isolation_level=None)
    if how == "version":
        version = attempt.random.choice([-1, -2, -300, -(2**31), 0, 99, 2**31 - 1, 1, 3])
        attempt.note = f"version {version}"
        holder.execute(f"PRAGMA user_version = {version}")
        holder.close()
    elif how == "locked":
        # for a moment, as another program may
        holder.execute("BEGIN EXCLUSIVE")
    else:
        spoil(attempt, path, how)
    before = path.read_bytes()
    if how == "locked":
        run = world.start(*world.tune_arguments())
        time.sleep(attempt.moment(2))
        holder.execute("ROLLBACK")
        holder.close()
        attempt.complain(run.wait(DEADLINE_S).complaints([0]))
    use(attempt, *COMMANDS)
    run = world.run(*world.tune_arguments(), deadline_s=DEADLINE_S)
    attempt.complain(f"tune: {text}" for text in run.complaints([0, 1]))
    if how == "foreign" and run.code and path.read_bytes() != before:
        attempt.complain(["wrote to a file that is no record"])
    if how not in ("locked",):
        for file in world.results.glob("autotune.db*"):
            file.unlink()
    attempt.tune_again()


def result_file(attempt, how):
    """The result file and the header of an earlier run."""
    prepare(attempt)
    world = attempt.world
    for path in [*world.results.glob("*/mishaps.json"), world.results / "mishaps.h"]:
        spoil(attempt, path, how)
    use(
        attempt,
        ("results",),
        ("results", "--json"),
        ("compare", attempt.calm.results, world.results),
    )
    for file in world.results.glob("autotune.db*"):
        file.unlink()
    # what ships without a record
    use(attempt, ("results",), ("header", worlds.CALM))
    shutil.rmtree(world.results)
    shutil.copytree(attempt.calm.results, world.results)
    attempt.tune_again()


def space(attempt, how):
    """A space file, and its template."""
    world = attempt.make_world()
    copy = attempt.folder / "spaces" / "calm.cfg"
    shutil.copytree(worlds.SPACES.parent / "kernels", attempt.folder / "kernels")
    copy.parent.mkdir()
    shutil.copy(worlds.CALM, copy)
    template = attempt.folder / "kernels" / "mishaps.cu"
    spoil(attempt, copy if attempt.number % 3 else template, how)
    for words in (("check", copy), ("results", copy, "--results", world.results)):
        run = world.run(*words, deadline_s=DEADLINE_S)
        attempt.complain(f"{words[0]}: {text}" for text in run.complaints([0, 1, 2]))
    run = world.run(
        *world.tune_arguments(copy, "--budget", "3,6s"), deadline_s=DEADLINE_S
    )
    attempt.complain(f"tune: {text}" for text in run.complaints(attempt.row.codes))
    shutil.rmtree(world.results, ignore_errors=True)
    attempt.tune_again()


def recording(attempt, how):
    """A recording: imported, simulated, and tuned on as a device."""
    world = attempt.make_world()
    published = sorted((worlds.SPACES.parent / "data").glob("recording/*"))
    published += sorted(attempt.calm.folder.glob("calm.csv"))
    source = attempt.random.choice([path for path in published if path.is_file()])
    copy = attempt.folder / source.name
    shutil.copy(source, copy)
    spoil(attempt, copy, how)
    attempt.note = source.name
    for words in (
        ("simulate", copy, "--strategy", "random", "--repeats", "2", "--evaluations", "5"),
        ("import", copy, "--space", "mishaps", "--results", world.results),
    ):
        run = world.run(*words, deadline_s=DEADLINE_S)
        attempt.complain(f"{words[0]}: {text}" for text in run.complaints([0, 1, 2, 3]))
    shutil.rmtree(world.results, ignore_errors=True)
    attempt.tune_again()


def units(attempt, how):
    """What was compiled before: it is compiled again, and no configuration is blamed."""
    world = attempt.make_world()
    for path in sorted(world.units.rglob("*.unit")):
        if attempt.random.random() < 0.5:
            spoil(attempt, path, how)
    run = world.run(*world.tune_arguments(), deadline_s=DEADLINE_S)
    attempt.judge(run)
    attempt.tune_again()


WAYS = {
    "kill": kill,
    "signal": signals,
    "stop": stop,
    "call": call,
    "place": place,
    "kill_at": kill_command,
    "kernel": kernel,
    "full": full,
    "limit": limit,
    "odd": odd,
    "live": live,
    "written_over": written_over,
    "clock": clock,
    "record": record,
    "result_file": result_file,
    "space": space,
    "recording": recording,
    "units": units,
} | oddities.WAYS | machines.WAYS

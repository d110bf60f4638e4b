"""Signals that ask a command to end: ahead of any of its system calls, at random moments, and
while it waits for somebody else."""

import contextlib
import fcntl
import os
import shutil
import sqlite3
import time

import commands
import inject
from common import DEADLINE_S, Missed

# how soon a command that waits for somebody else has to end
SOON_S = 10


def judge(attempt, run, name, number, tunes):
    """It ended as asked, or had come to its end; by the signal itself only where there was
    nothing to end in order. Nothing is left, and nothing is half made."""
    world = attempt.world
    codes = [130, *attempt.row.codes]
    # before it is in main()
    if not run.output and not run.errors:
        codes.append(-number)
    attempt.complain(run.complaints(codes))
    attempt.complain(world.leftovers())
    if tunes:
        attempt.judge_record(run, {})
    else:
        commands.judge(attempt, name, run)
    attempt.tune_again()


def begin(attempt, name, **environment):
    world = attempt.make_world()
    # workers are not waited for
    world.was_killed = True
    world.keeps_no_temporary = True
    arguments, tunes = inject.command(attempt, name)
    return world.start(*arguments, **environment), tunes


def at_call(attempt, name, which, *words):
    """Ahead of any system call of the coordinator; "twice": and a moment later again."""
    world = attempt.make_world()
    world.was_killed = True
    world.keeps_no_temporary = True
    arguments, tunes = inject.command(attempt, name)
    tally = attempt.campaign.tally(name, "coordinator")
    kinds = [kind for kind in inject.KINDS if tally[kind] and kind not in inject.NO_CALLS]
    # places are told apart by their number: rare calls are met as often as frequent ones
    kind = attempt.random.choice(kinds)
    at = attempt.random.randint(1, tally[kind])
    attempt.note = f"{which} ahead of {kind} {at} of {tally[kind]} of {name}"
    token, _ = inject.make_token(attempt, "coordinator")
    number = inject.SIGNALS[which]
    run = world.start(
        *arguments,
        LD_PRELOAD=attempt.campaign.shim,
        FAULTS_CALL=kind,
        FAULTS_WHERE="coordinator",
        FAULTS_AT=at,
        FAULTS_TOKEN=token,
        FAULTS_KILL=int(number),
    )
    while token.exists() and not run.is_over():
        time.sleep(0.0005)
    if "twice" in words:
        time.sleep(attempt.moment(0.05))
        send(run, number)
    run.wait(DEADLINE_S)
    if token.exists():
        token.unlink()
        raise Missed
    judge(attempt, run, name, number, tunes)


def send(run, number):
    with contextlib.suppress(ProcessLookupError):
        os.kill(run.pid, number)


def at_moment(attempt, name, which, *words):
    """At a random moment; "twice": and a moment later again."""
    number = inject.SIGNALS[which]
    seconds = how_long(attempt, name)
    run, tunes = begin(attempt, name)
    moment = attempt.moment(seconds)
    attempt.note = f"{which} to {name} after {moment:.4f} of {seconds:.3f} s"
    time.sleep(moment)
    if run.is_over():
        run.wait(DEADLINE_S)
        raise Missed
    send(run, number)
    if "twice" in words:
        time.sleep(attempt.moment(0.05))
        send(run, number)
    judge(attempt, run.wait(DEADLINE_S), name, number, tunes)


def how_long(attempt, name):
    """Seconds that the command takes undisturbed: once a campaign."""
    known = attempt.campaign.products
    if ("seconds", name) not in known:
        run, _ = begin(attempt, name)
        known["seconds", name] = run.wait(DEADLINE_S).seconds
        shutil.rmtree(attempt.folder)
    return known["seconds", name]


@contextlib.contextmanager
def record_locked(world):
    """By somebody else, who writes for a long time."""
    path = world.results / "autotune.db"
    if not path.exists():
        raise Missed
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    try:
        yield
    finally:
        other.close()


@contextlib.contextmanager
def boards_locked(world):
    """Every lock that a run has made, as of a board that somebody else uses."""
    with contextlib.ExitStack() as stack:
        for path in world.locks.iterdir():
            file = stack.enter_context(open(path, "rb"))
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


WAITED_FOR = {"record": record_locked, "boards": boards_locked}


def while_waiting(attempt, what, name, which, *words):
    """While it waits for the record, or for a board, that somebody else has."""
    number = inject.SIGNALS[which]
    world = attempt.make_world()
    world.was_killed = True
    world.keeps_no_temporary = True
    # makes the locks, and the record
    world.run(*world.tune_arguments(), deadline_s=DEADLINE_S)
    arguments, tunes = inject.command(attempt, name)
    with WAITED_FOR[what](world):
        run = world.start(*arguments, *(("--fresh",) if tunes else ()))
        time.sleep(0.02 + attempt.moment(1.5))
        if run.is_over():
            run.wait(DEADLINE_S)
            raise Missed
        sent = time.monotonic()
        send(run, number)
        if "twice" in words:
            time.sleep(attempt.moment(0.05))
            send(run, number)
        run.wait(DEADLINE_S)
        if (took := time.monotonic() - sent) > SOON_S:
            attempt.complain([f"took {took:.0f} s to end"])
    judge(attempt, run, name, number, tunes)


WAYS = {
    "signal_at": at_call,
    "signal_in": at_moment,
    "signal_waiting": while_waiting,
}

#!/usr/bin/env python3
"""Shares of a tuning by a real Slurm: a cluster of three nodes on this machine, device host,
the batch scripts that come with the tool.

    run.py PROGRAM SHARE_FOLDER SCRATCH_FOLDER

A node is killed in the middle, jobs are told to end, requeued and asked again; afterwards
every configuration was evaluated by one share, once, and the merged record has a winner.
Exit status 77: there can be no Slurm here.
"""

import collections
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import time

import cluster

HERE = pathlib.Path(__file__).resolve().parent
CONFIGURATIONS = 24
PROBLEMS = ["small", "large"]
BASELINE = {"BLOCK": 64, "UNROLL": 1}


def check(condition, text):
    if not condition:
        raise AssertionError(text)


class Test:
    def __init__(self, slurm, program, scripts, folder):
        self.slurm = slurm
        self.program = program
        self.folder = folder
        self.results = folder / "results"
        self.scripts = {}
        for name in ["autotune", "autotune-merge"]:
            # as it is shipped, but no node has GPUs
            lines = (scripts / f"{name}.sbatch").read_text().splitlines(True)
            kept = [line for line in lines if not line.startswith("#SBATCH --gpus")]
            check(len(kept) == len(lines) - 1, f"{name}.sbatch asks for GPUs in one line")
            self.scripts[name] = folder / f"{name}.sbatch"
            self.scripts[name].write_text("".join(kept))
        slurm.environment.update(
            AUTOTUNE=program, AUTOTUNE_CACHE=str(folder / "units"), AUTOTUNE_LOCKS=str(folder)
        )

    def submit(self, script, *options, arguments, results=None):
        environment = f"ALL,AUTOTUNE_RESULTS={results or self.results}"
        job = self.slurm.call(
            "sbatch",
            "--parsable",
            f"--export={environment}",
            f"--chdir={self.folder}",
            "--cpus-per-task=1",
            *options,
            str(self.scripts[script]),
            *arguments,
        )
        return job.strip()

    def log(self, job, element="4294967294"):
        path = self.folder / f"autotune-{job}_{element}.log"
        return path.read_text(errors="replace") if path.exists() else ""

    def events(self, job, element, kind):
        found = []
        for line in self.log(job, element).splitlines():
            if line.startswith("{"):
                try:
                    event = json.loads(line)
                except ValueError:
                    continue  # half written
                if event["event"] == kind:
                    found.append(event)
        return found

    def wait_for_end(self, job, seconds=300):
        over = {"COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "PREEMPTED"}

        def is_over():
            states = self.slurm.jobs(job)
            return states and all(state in over for state in states.values())

        cluster.wait_for(f"job {job}", seconds, is_over, 0.2)
        return self.slurm.jobs(job)

    def restarts(self, job, element):
        out = self.slurm.call("scontrol", "show", "job", f"{job}_{element}" if element else job)
        return int(out.split("Restarts=")[1].split()[0])


def rows_of(database):
    """(problem, configuration, outcome, key) of all evaluations. What was dropped early and
    then measured in full, for the reason of a gain, is one."""
    connection = sqlite3.connect(database)
    rows = connection.execute(
        "SELECT problem, configuration, outcome, key FROM evaluations AS e WHERE NOT raced"
        " OR NOT EXISTS (SELECT 1 FROM evaluations AS n WHERE n.key = e.key AND NOT n.raced)"
    )
    found = [(row[0], json.loads(row[1]), row[2], row[3]) for row in rows]
    connection.close()
    return found


def check_shards(results, count):
    """Every configuration is of one share, and was evaluated once; nothing went wrong."""
    shards = sorted((results / "shards").iterdir())
    check(len(shards) == count, f"{len(shards)} shards instead of {count}")
    owners = collections.defaultdict(list)
    for shard in shards:
        seen = collections.Counter()
        for problem, configuration, outcome, _ in rows_of(shard / "autotune.db"):
            check(outcome == "ok", f"{shard.name}: {configuration} is {outcome}")
            key = (problem, configuration["BLOCK"], configuration["UNROLL"])
            seen[key] += 1
            if configuration != BASELINE:
                owners[key].append(shard.name)
        check(max(seen.values()) == 1, f"{shard.name}: evaluated again: {seen.most_common(1)}")
        baselines = [key for key in seen if key[1:] == (64, 1)]
        problems = {key[0] for key in seen}
        check(len(baselines) == len(problems), f"{shard.name} has no baseline")
    expected = len(PROBLEMS) * (CONFIGURATIONS - 1)
    check(len(owners) == expected, f"{len(owners)} configurations instead of {expected}")
    for key, names in owners.items():
        check(len(names) == 1, f"{key} was evaluated by {names}")


def can_import(program):
    done = subprocess.run([program, "help", "import"], capture_output=True)
    return done.returncode == 0


def all_shares_become_one_record(test):
    """One record of all shards: every configuration, and a winner that met the others."""
    job = test.submit(
        "autotune-merge",
        arguments=[str(HERE / "shares.cfg"), "--device", "host", "--budget", "64", "--json"],
    )
    states = test.wait_for_end(job)
    log = (test.folder / f"autotune-merge-{job}.log").read_text()
    check(list(states.values()) == ["COMPLETED"], f"merging ended as {states}:\n{log}")
    database = test.results / "autotune.db"
    keys = collections.defaultdict(set)
    for problem, configuration, outcome, key in rows_of(database):
        keys[problem, configuration["BLOCK"], configuration["UNROLL"]].add(key)
    check(len(keys) == len(PROBLEMS) * CONFIGURATIONS, f"{len(keys)} merged configurations")
    check(all(len(found) == 1 for found in keys.values()), "one configuration, several keys")
    events = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
    sessions = [event for event in events if event.get("event") == "session"]
    check(
        sessions[0]["evaluated"] == sessions[0]["reused"] == len(keys),
        f"the finals' run measured what was recorded: {sessions[0]}",
    )
    connection = sqlite3.connect(database)
    for problem in PROBLEMS:
        part, unproved, proof = connection.execute(
            "SELECT part, is_unproved, proof FROM crowns WHERE problem = ? ORDER BY id DESC",
            (problem,),
        ).fetchone()
        check(part == "" and not unproved and proof, f"{problem}: no winner of the whole")
    connection.close()
    headers = list(test.results.glob("**/scale.h"))
    check([h for h in headers if "shards" not in h.parts], "no header was written")
    return f"{len(keys)} evaluations, finals in {sessions[0]['seconds']:.0f} s"


def an_array_survives_the_death_of_a_node(test):
    """Three jobs of two tasks each, six shares of two problems, a job on each node."""
    job = test.submit(
        "autotune",
        "--array=10-30:10",
        "--ntasks=2",
        arguments=[str(HERE / "shares.cfg"), "--device", "host", "--jobs", "1", "--json"],
    )

    def in_the_middle():
        return len(test.events(job, "20", "evaluation")) >= 6

    cluster.wait_for("some evaluations", 120, in_the_middle)
    nodes = test.slurm.call("squeue", "-h", "-r", "-j", job, "-o", "%K %N").splitlines()
    node = dict(line.split() for line in nodes)["20"]
    test.slurm.kill_node(int(node[1:]))
    known = len(test.events(job, "20", "evaluation"))
    cluster.wait_for(
        "the job is requeued", 60, lambda: test.restarts(job, "20") == 1, 0.2
    )
    test.slurm.start_node(int(node[1:]))
    states = test.wait_for_end(job)
    check(set(states.values()) == {"COMPLETED"}, f"{states}\n{test.log(job, '20')}")
    events = test.events(job, "20", "evaluation")
    reused = [event for event in events if event["reused"]]
    # at most what was out at either task is lost
    check(len(reused) >= known - 4, f"of {known} evaluations {len(reused)} were known again")
    check_shards(test.results, 6)
    return f"{known} evaluations before the node died, {len(reused)} of them known again"


def a_task_that_is_told_to_end_keeps_all_and_goes_on(test):
    """SIGTERM to all processes of a step, as at a preemption; then the same share again."""
    results = test.folder / "told"
    arguments = [str(HERE / "shares.cfg"), "--device", "host", "--jobs", "1", "--json", "--fresh"]
    job = test.submit("autotune", "--array=0-0", arguments=arguments, results=results)
    cluster.wait_for(
        "some evaluations", 120, lambda: len(test.events(job, "0", "evaluation")) >= 4
    )
    test.slurm.call("scancel", "--signal=TERM", f"{job}_0")
    states = test.wait_for_end(job)
    check(list(states.values()) == ["FAILED"], f"{states}")
    out = test.slurm.call("scontrol", "show", "job", f"{job}_0")
    check("ExitCode=130:0" in out, out)
    session = test.events(job, "0", "session")
    check(len(session) == 1 and session[0]["interrupted"], test.log(job, "0"))
    known = len(test.events(job, "0", "evaluation"))
    [shard] = (results / "shards").iterdir()
    rows = rows_of(shard / "autotune.db")
    check(len(rows) == known, f"{known} were told and {len(rows)} recorded")
    # no process died of the signal, or that would be an outcome
    check(all(row[2] == "ok" for row in rows), f"{rows}")
    arguments.remove("--fresh")
    again = test.submit("autotune", "--array=0-0", arguments=arguments, results=results)
    states = test.wait_for_end(again)
    check(list(states.values()) == ["COMPLETED"], test.log(again, "0"))
    reused = [e for e in test.events(again, "0", "evaluation") if e["reused"]]
    check(len(reused) >= known, f"{len(reused)} of {known} were known")
    check_shards(results, 1)
    return f"{known} evaluations kept"


def a_job_whose_time_is_up_requeues_itself(test):
    """What Slurm sends to the script three minutes before the end, sent by hand."""
    results = test.folder / "late"
    arguments = [str(HERE / "shares.cfg"), "--device", "host", "--jobs", "1", "--json", "--fresh"]
    job = test.submit("autotune", "--array=0-0", arguments=arguments, results=results)

    def of_the_second_problem():
        events = test.events(job, "0", "evaluation")
        return [event for event in events if event["problem"] == "large"]

    # the first problem is finished, the second is in work
    cluster.wait_for("some of the second problem", 120, of_the_second_problem)
    test.slurm.call("scancel", "--batch", "--signal=USR1", f"{job}_0")
    cluster.wait_for("the job is requeued", 60, lambda: test.restarts(job, "0") == 1, 0.2)
    states = test.wait_for_end(job)
    check(list(states.values()) == ["COMPLETED"], test.log(job, "0"))
    sessions = test.events(job, "0", "session")
    check([s["interrupted"] for s in sessions] == [True, False], f"{sessions}")
    # what was finished was not begun again, though --fresh would measure it again
    summaries = [e["problem"] for e in test.events(job, "0", "summary")]
    check(summaries == ["small", "large", "large"], f"{summaries}")
    return f"after {len(test.events(job, '0', 'evaluation'))} evaluations"


def run_all(test, begun):
    cases = [
        an_array_survives_the_death_of_a_node,
        a_task_that_is_told_to_end_keeps_all_and_goes_on,
        a_job_whose_time_is_up_requeues_itself,
    ]
    if can_import(test.program):
        cases.append(all_shares_become_one_record)
    else:
        print("skipped 1: this program has no import")
    for case in cases:
        said = case(test)
        name = case.__name__.replace("_", " ")
        print(f"ok: {name}: {said} ({time.monotonic() - begun:.0f} s)", flush=True)


def main():
    program, scripts, folder = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
    reason = cluster.missing()
    if reason:
        print(f"skipped 4: no Slurm can be started here: {reason}")
        return 77
    shutil.rmtree(folder, ignore_errors=True)
    begun = time.monotonic()
    # sockets have short paths
    scratch = pathlib.Path(f"/tmp/autotune-slurm-{os.getpid()}")
    try:
        with cluster.Cluster(scratch, nodes=3) as slurm:
            folder.mkdir(parents=True)
            test = Test(slurm, str(program), scripts, folder)
            run_all(test, begun)
    except BaseException:
        print(f"failed: logs of Slurm are in {scratch}, of the jobs in {folder}", flush=True)
        raise
    shutil.rmtree(scratch)
    return 0


if __name__ == "__main__":
    sys.exit(main())

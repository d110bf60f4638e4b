"""A Slurm cluster on this machine, for as long as a test lasts: munge, a controller and a
slurmd for each of several nodes. Key, sockets, ports, spool and logs lie in one folder, so
that it stands beside whatever Slurm the machine may belong to. Neither systemd nor control
groups are needed; root is, as slurmd wants it.

    with Cluster(folder, nodes=3) as cluster:
        cluster.call("srun", "-N", "3", "hostname")
        cluster.kill_node(1)       # as if its power failed
        cluster.start_node(1)
"""

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

COMMANDS = ["munged", "slurmctld", "slurmd", "srun", "sbatch", "squeue", "scontrol", "sinfo"]

CONFIGURATION = """
ClusterName=scratch
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
# a job of a node that died begins again when its credential has run out: 120 s by default
AuthInfo=socket={folder}/munge/socket,cred_expire=5
CredType=cred/munge
MpiDefault=none
# nothing of the machine: neither control groups nor affinity of tasks
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
# nodes have the cores that are said below, whatever the machine has
SlurmdParameters=config_overrides
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmdPidFile={folder}/%n.pid
SlurmctldPidFile={folder}/controller.pid
SlurmdLogFile={folder}/%n.log
SlurmctldLogFile={folder}/controller.log
# a node that died is seen, and its jobs go to others, within seconds
SlurmdTimeout=3
SlurmctldTimeout=5
MessageTimeout=3
TCPTimeout=1
KillWait=2
ReturnToService=2
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0,default_queue_depth=100,requeue_delay=0
JobRequeue=1
{nodes}
PartitionName=all Nodes=ALL Default=YES State=UP MaxTime=INFINITE
"""


def missing():
    """Why there can be no cluster here; None where there can."""
    lacking = [name for name in COMMANDS if not which(name)]
    if lacking:
        return "not installed: " + ", ".join(lacking) + " (packages slurm-wlm and munge)"
    if os.geteuid() != 0:
        return "slurmd has to be started by root"
    return None


def which(name):
    # daemons are in sbin, which is in few users' PATH
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def free_ports(count):
    held = [socket.socket() for _ in range(count)]
    for one in held:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in held]
    for one in held:
        one.close()
    return ports


def wait_for(what, seconds, condition, pause=0.05):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"{what}: not within {seconds} s")
        time.sleep(pause)


class Cluster:
    def __init__(self, folder, nodes, cores=2):
        self.folder = pathlib.Path(folder)
        self.node_count = nodes
        self.cores = cores
        self.daemons = {}
        self.environment = dict(os.environ)
        for name in list(self.environment):
            # whoever runs this may be in a job of another cluster
            if name.startswith(("SLURM", "SBATCH", "SRUN")):
                del self.environment[name]
        self.environment["SLURM_CONF"] = str(self.folder / "slurm.conf")
        self.environment["PATH"] = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"

    def __enter__(self):
        try:
            self.begin()
        except BaseException:
            self.end()
            raise
        return self

    def __exit__(self, *_):
        self.end()

    def begin(self):
        self.folder.mkdir(parents=True)
        (self.folder / "state").mkdir()
        self.start_munge()
        host = socket.gethostname().split(".")[0]
        ports = free_ports(self.node_count + 1)
        nodes = "\n".join(
            f"NodeName=n{i} NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[i]}"
            f" CPUs={self.cores} RealMemory=1000 State=UNKNOWN"
            for i in range(self.node_count)
        )
        (self.folder / "slurm.conf").write_text(
            CONFIGURATION.format(
                host=host, controller_port=ports[-1], folder=self.folder, nodes=nodes
            )
        )
        self.start("controller", "slurmctld", "-D", "-i")
        wait_for("the controller", 20, lambda: self.try_call("scontrol", "ping"))
        for i in range(self.node_count):
            self.start_node(i)
        wait_for("the nodes", 30, lambda: self.idle_nodes() == self.node_count)

    def start(self, name, *command):
        output = open(self.folder / f"{name}.output", "ab")
        self.daemons[name] = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=self.environment,
            start_new_session=True,
        )
        output.close()

    def start_munge(self):
        folder = self.folder / "munge"
        folder.mkdir(mode=0o700)
        key = folder / "key"
        key.touch(mode=0o600)
        key.write_bytes(os.urandom(128))
        # whose process asks is seen by the socket; the key stays closed
        folder.chmod(0o711)
        # --force: the folders above are whoever's they are
        self.start(
            "munge",
            "munged",
            "--foreground",
            "--force",
            f"--key-file={key}",
            f"--socket={folder}/socket",
            f"--pid-file={folder}/pid",
            f"--log-file={folder}/log",
            f"--seed-file={folder}/seed",
        )
        wait_for("munge", 10, (folder / "socket").exists)

    def start_node(self, number):
        self.start(f"n{number}", "slurmd", "-D", "-N", f"n{number}")

    def call(self, *command, **options):
        """The command's standard output; an error where it fails."""
        done = subprocess.run(
            command,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            **options,
        )
        if done.returncode:
            raise RuntimeError(
                f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
            )
        return done.stdout

    def try_call(self, *command):
        return (
            subprocess.run(
                command,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=60,
            ).returncode
            == 0
        )

    def idle_nodes(self):
        return len(self.call("sinfo", "-h", "-N", "-t", "idle", "-o", "%N").split())

    def jobs(self, job):
        """State by array task ("" of a job without a task), of those that are not over."""
        lines = self.call("squeue", "-h", "-r", "-j", str(job), "-t", "all", "-o", "%K %T %r %N")
        return {line.split()[0]: line.split()[1] for line in lines.splitlines()}

    def processes(self, node):
        """Of a node's jobs: their steps, and the tasks with whatever those started."""
        steps, tasks = set(), set()
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                environment = (entry / "environ").read_bytes().split(b"\0")
                if (
                    f"SLURM_CONF={self.folder}/slurm.conf".encode() not in environment
                    or f"SLURMD_NODENAME=n{node}".encode() not in environment
                ):
                    continue
                tasks.add(int(entry.name))
                # slurmstepd has no such environment, but is the parent of its tasks
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                if b"slurmstepd" in pathlib.Path(f"/proc/{parent}/cmdline").read_bytes():
                    steps.add(parent)
            except OSError:
                continue
        return steps, tasks

    def kill_node(self, number):
        """Everything at once, with what the jobs have started, without cleaning up."""
        daemon = self.daemons.pop(f"n{number}")
        daemon.kill()
        daemon.wait()
        while True:
            steps, tasks = self.processes(number)
            if not tasks:
                return
            # a step that sees its task die would tell, which no dead node does
            for process in [*steps, *tasks]:
                try:
                    os.kill(process, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            time.sleep(0.02)

    def end(self):
        for number in range(self.node_count):
            if f"n{number}" in self.daemons:
                self.kill_node(number)
        for name in ["controller", "munge"]:
            daemon = self.daemons.pop(name, None)
            if daemon:
                daemon.terminate()
                try:
                    daemon.wait(5)
                except subprocess.TimeoutExpired:
                    daemon.kill()
                    daemon.wait()

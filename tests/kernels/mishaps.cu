/*
 * y[i] = 2 * x[i], after WORK rounds of nothing, and a way to harm the process for each
 * value of MISHAP: host code in a kernel, as the device host runs it. Without MISHAP nothing
 * goes wrong. Of tests/faults/.
 */
#pragma GCC visibility push(default)
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <fenv.h>
#include <linux/seccomp.h>
#include <locale.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <termios.h>
#include <unistd.h>
#pragma GCC visibility pop

#ifdef MISHAP
static void wait_for_ever(void)
{
	for (;;)
		pause();
}

static void *do_nothing(void *)
{
	wait_for_ever();
	return nullptr;
}

/* When the configuration that started it is long gone. */
static void *write_late(void *)
{
	usleep(300000);
	*(volatile int *)nullptr = 1;
	return nullptr;
}

/* Over code that no page lets anybody write to. */
static void overwrite_own_code(void)
{
	const unsigned char traps[4096] = { 0xcc };
	int memory = open("/proc/self/mem", O_WRONLY);

	if (memory >= 0)
		(void)!pwrite(memory, traps, sizeof(traps),
			(off_t)((uintptr_t)dlsym(RTLD_DEFAULT, "write") & ~(uintptr_t)4095));
}

static void reserve_all_memory(void)
{
	for (size_t size = (size_t)1 << 46; size >= 4096;)
		if (mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
			    -1, 0) == MAP_FAILED)
			size /= 2;
}

static int deeper(int depth, const volatile int *end)
{
	volatile char frame[1024];

	frame[depth % 1024] = (char)depth;
	return depth != *end ? deeper(depth + 1, end) + frame[*end % 1024] : 0;
}

static void write_garbage(int first, int last, int times)
{
	unsigned char bytes[4096];
	unsigned state = 1;

	for (unsigned i = 0; i < sizeof(bytes); i++) {
		state = state * 1103515245u + 12345u;
		bytes[i] = (unsigned char)(state >> 16);
	}
	for (int file = first; file <= last; file++) {
		/* a channel that is full must not hold us up */
		fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_NONBLOCK);
		for (int i = 0; i < times; i++)
			if (write(file, bytes, sizeof(bytes)) < 0)
				break;
	}
}

/* What lies in $TMPDIR and is named for us, one folder deep: as a careless kernel would. */
static void remove_temporary(void)
{
	const char *place = getenv("TMPDIR");
	DIR *folder = place ? opendir(place) : nullptr;

	while (struct dirent *entry = folder ? readdir(folder) : nullptr)
		if (!strncmp(entry->d_name, "autotune-", 9)) {
			unlinkat(dirfd(folder), entry->d_name, 0);
			unlinkat(dirfd(folder), entry->d_name, AT_REMOVEDIR);
		}
	if (folder)
		closedir(folder);
}

/* All that lies in the folder that a variable names. */
static void remove_all(const char *variable)
{
	const char *place = getenv(variable);
	DIR *folder = place ? opendir(place) : nullptr;

	while (struct dirent *entry = folder ? readdir(folder) : nullptr)
		unlinkat(dirfd(folder), entry->d_name, 0);
	if (folder)
		closedir(folder);
}

/* With 64 MiB, in a file that stays. */
static void fill_temporary(void)
{
	char bytes[65536] = { 1 };
	char path[4096];
	int file;

	snprintf(path, sizeof(path), "%s/of_a_kernel", getenv("TMPDIR"));
	file = open(path, O_WRONLY | O_CREAT, 0600);
	for (int i = 0; i < 1024 && file >= 0; i++)
		if (write(file, bytes, sizeof(bytes)) < 0)
			break;
}

static void take_terminal(void)
{
	int terminal = open("/dev/tty", O_RDWR);
	struct termios how;

	signal(SIGTTOU, SIG_IGN);
	if (terminal < 0 || tcgetattr(terminal, &how))
		return;
	how.c_lflag &= ~(tcflag_t)(ECHO | ICANON | ISIG);
	tcsetattr(terminal, TCSANOW, &how);
	setpgid(0, 0);
	tcsetpgrp(terminal, getpid());
}

static void go_wrong(float *y, int n)
{
	const volatile int never = -1;

	(void)never;
	(void)y;
	(void)n;
#if MISHAP == MISHAP_null
	*(volatile int *)nullptr = 1;
#elif MISHAP == MISHAP_wild
	*(volatile int *)0x7ffffff000ull = 1;
#elif MISHAP == MISHAP_beyond
	y[n] = 1.0f;
#elif MISHAP == MISHAP_stack
	y[0] = (float)deeper(0, &never);
#elif MISHAP == MISHAP_trap
	__builtin_trap();
#elif MISHAP == MISHAP_abort
	abort();
#elif MISHAP == MISHAP_exit
	_exit(0);
#elif MISHAP == MISHAP_exit_orderly
	exit(0);
#elif MISHAP == MISHAP_exit_handler
	atexit(wait_for_ever);
	exit(0);
#elif MISHAP == MISHAP_arithmetic
	raise(SIGFPE);
#elif MISHAP == MISHAP_endless
	while (never)
		;
#elif MISHAP == MISHAP_deadlock
	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_mutex_lock(&mutex);
	pthread_mutex_lock(&mutex);
#elif MISHAP == MISHAP_sleep
	wait_for_ever();
#elif MISHAP == MISHAP_stop
	raise(SIGSTOP);
#elif MISHAP == MISHAP_deaf
	sigset_t all;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, nullptr);
	for (int i = 1; i < 32; i++)
		signal(i, SIG_IGN);
	while (never)
		;
#elif MISHAP == MISHAP_fork
	if (fork() == 0)
		wait_for_ever();
	_exit(0);
#elif MISHAP == MISHAP_forks
	for (int i = 0; i < 5; i++)
		fork();
	wait_for_ever();
#elif MISHAP == MISHAP_daemon
	if (fork() == 0) {
		setsid();
		if (fork() == 0)
			wait_for_ever();
		_exit(0);
	}
	_exit(0);
#elif MISHAP == MISHAP_kill_group
	kill(0, SIGKILL);
#elif MISHAP == MISHAP_terminate_parent
	kill(getppid(), SIGTERM);
#elif MISHAP == MISHAP_interrupt_parent
	kill(getppid(), SIGINT);
#elif MISHAP == MISHAP_close_all
	for (int file = 0; file < 1024; file++)
		close(file);
#elif MISHAP == MISHAP_garbage
	write_garbage(0, 63, 1);
#elif MISHAP == MISHAP_garbage_channel
	write_garbage(3, 63, 64);
#elif MISHAP == MISHAP_output
	for (;;)
		if (write(1, "so much to say: \x1b[31m\n", 22) < 0 && write(2, "and here\n", 9) < 0)
			wait_for_ever();
#elif MISHAP == MISHAP_unmap
	/* the heap, and whatever else lies behind it */
	munmap((void *)((uintptr_t)sbrk(0) - (1 << 20)), 1 << 20);
	free(malloc(100000));
#elif MISHAP == MISHAP_unload
	Dl_info where;
	if (dladdr((void *)&go_wrong, &where)) {
		void *self = dlopen(where.dli_fname, RTLD_NOW | RTLD_NOLOAD);
		for (int i = 0; self && i < 4; i++)
			dlclose(self);
	}
#elif MISHAP == MISHAP_chdir
	if (chdir("/"))
		abort();
#elif MISHAP == MISHAP_rlimits
	const struct rlimit none = { 0, 0 };
	setrlimit(RLIMIT_NOFILE, &none);
	setrlimit(RLIMIT_FSIZE, &none);
#elif MISHAP == MISHAP_alarm
	const struct itimerval soon = { { 0, 1000 }, { 0, 1000 } };
	setitimer(ITIMER_REAL, &soon, nullptr);
#elif MISHAP == MISHAP_thread
	pthread_t thread;
	pthread_create(&thread, nullptr, do_nothing, nullptr);
#elif MISHAP == MISHAP_signal_handlers
	for (int i = 1; i < 32; i++)
		signal(i, SIG_DFL);
	raise(SIGSEGV);
#elif MISHAP == MISHAP_descriptors
	while (open("/dev/null", O_RDONLY) >= 0)
		;
#elif MISHAP == MISHAP_rounding
	fesetround(FE_UPWARD);
#elif MISHAP == MISHAP_unmask
	feenableexcept(FE_ALL_EXCEPT);
#elif MISHAP == MISHAP_late_thread
	pthread_t thread;
	pthread_create(&thread, nullptr, write_late, nullptr);
	pthread_detach(thread);
#elif MISHAP == MISHAP_root
	if (chroot(getenv("TMPDIR")))
		return;
#elif MISHAP == MISHAP_nobody
	if (setegid(65534) || seteuid(65534))
		return;
#elif MISHAP == MISHAP_idle
	const struct sched_param least = { 0 };
	sched_setscheduler(0, SCHED_IDLE, &least);
	setpriority(PRIO_PROCESS, 0, 19);
#elif MISHAP == MISHAP_seccomp
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
#elif MISHAP == MISHAP_longjmp
	jmp_buf nowhere = {};
	longjmp(nowhere, 1);
#elif MISHAP == MISHAP_at_exit
	atexit(wait_for_ever);
#elif MISHAP == MISHAP_stop_parent
	kill(getppid(), SIGSTOP);
#elif MISHAP == MISHAP_trace_parent
	ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr);
#elif MISHAP == MISHAP_limit_parent
	const struct rlimit none = { 0, 0 };
	prlimit(getppid(), RLIMIT_CPU, &none, nullptr);
	prlimit(getppid(), RLIMIT_NOFILE, &none, nullptr);
#elif MISHAP == MISHAP_code
	overwrite_own_code();
#elif MISHAP == MISHAP_reserve
	reserve_all_memory();
#elif MISHAP == MISHAP_environment
	clearenv();
#elif MISHAP == MISHAP_mask
	sigset_t all;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, nullptr);
#elif MISHAP == MISHAP_session
	setsid();
	prctl(PR_SET_DUMPABLE, 0);
#elif MISHAP == MISHAP_umask
	umask(0777);
#elif MISHAP == MISHAP_denormals
	/* small numbers are 0 from now on, and as inputs too */
	__builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
#elif MISHAP == MISHAP_signals
	for (int i = 64; i > 0; i--)
		raise(i);
#elif MISHAP == MISHAP_alternate
	/* no stack to hear of it on */
	const stack_t none = { nullptr, SS_DISABLE, 0 };
	sigaltstack(&none, nullptr);
	y[0] = (float)deeper(0, &never);
#elif MISHAP == MISHAP_zeros
	/* in the place of all descriptors */
	int zeros = open("/dev/zero", O_RDWR);
	for (int file = 0; file < 1024; file++)
		if (file != zeros)
			dup2(zeros, file);
#elif MISHAP == MISHAP_timers
	const struct itimerval soon = { { 0, 1000 }, { 0, 1000 } };
	setitimer(ITIMER_PROF, &soon, nullptr);
	setitimer(ITIMER_VIRTUAL, &soon, nullptr);
#elif MISHAP == MISHAP_direction
	/* copies go backwards from now on */
	__asm__ volatile("std");
#elif MISHAP == MISHAP_alignment
	/* what is not aligned is a signal from now on */
	__asm__ volatile("pushf; orl $0x40000, (%%rsp); popf" ::: "memory", "cc");
#elif MISHAP == MISHAP_single_step
	__asm__ volatile("pushf; orl $0x100, (%%rsp); popf" ::: "memory", "cc");
#elif MISHAP == MISHAP_segment
	/* what is a thread's own is nowhere */
	syscall(SYS_arch_prctl, 0x1002, 0);
#elif MISHAP == MISHAP_exec
	execl("/bin/sleep", "sleep", "1000", nullptr);
#elif MISHAP == MISHAP_orphan
	if (system("sleep 1000 &"))
		return;
#elif MISHAP == MISHAP_terminate
	std::terminate();
#elif MISHAP == MISHAP_thread_exit
	pthread_exit(nullptr);
#elif MISHAP == MISHAP_precision
	unsigned short control = 0x107f;
	__asm__ volatile("fldcw %0" ::"m"(control));
#elif MISHAP == MISHAP_locale
	setlocale(LC_ALL, "");
	setenv("LC_ALL", "tr_TR.UTF-8", 1);
#elif MISHAP == MISHAP_unblock
	for (int file = 0; file < 64; file++)
		fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_NONBLOCK);
#elif MISHAP == MISHAP_steal
	/* what the coordinator says to its worker */
	char stolen[4096];
	fcntl(3, F_SETFL, fcntl(3, F_GETFL) | O_NONBLOCK);
	while (read(3, stolen, sizeof(stolen)) > 0)
		;
#elif MISHAP == MISHAP_shutdown
	for (int file = 0; file < 64; file++)
		shutdown(file, SHUT_RDWR);
#elif MISHAP == MISHAP_no_memory
	const struct rlimit none = { 0, 0 };
	setrlimit(RLIMIT_AS, &none);
	setrlimit(RLIMIT_DATA, &none);
	setrlimit(RLIMIT_NPROC, &none);
#elif MISHAP == MISHAP_processor
	const struct rlimit second = { 1, 1 };
	setrlimit(RLIMIT_CPU, &second);
#elif MISHAP == MISHAP_name
	prctl(PR_SET_NAME, "\x1b[31m) R 1\n");
#elif MISHAP == MISHAP_death
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_CHILD_SUBREAPER, 0);
	prctl(PR_SET_TIMERSLACK, 1000000000);
#elif MISHAP == MISHAP_kill_parent
	kill(getppid(), SIGKILL);
#elif MISHAP == MISHAP_cut_itself
	/* the file that its code is mapped from */
	Dl_info mine;
	if (dladdr((void *)&go_wrong, &mine) && truncate(mine.dli_fname, 0))
		return;
#elif MISHAP == MISHAP_buffers
	setvbuf(stdout, nullptr, _IONBF, 0);
	fclose(stderr);
	fclose(stdin);
#elif MISHAP == MISHAP_forget
	/* what the heap's pages held */
	madvise((void *)(((uintptr_t)sbrk(0) - (1 << 18)) & ~(uintptr_t)4095), 1 << 18,
		MADV_DONTNEED);
#elif MISHAP == MISHAP_fragments
	/* as many pieces of memory as a process may have */
	for (int i = 0; i < 70000; i++)
		if (mmap(nullptr, 4096, i % 2 ? PROT_READ : PROT_NONE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED)
			break;
#elif MISHAP == MISHAP_input
	/* what is said to the tuner, for ever */
	char said[4096];
	for (;;)
		if (read(0, said, sizeof(said)) < 0)
			wait_for_ever();
#elif MISHAP == MISHAP_threads
	pthread_t thread;
	for (int i = 0; i < 2000 && !pthread_create(&thread, nullptr, do_nothing, nullptr); i++)
		;
#elif MISHAP == MISHAP_traced
	/* each signal stops it from now on, until whoever started it has heard of it */
	ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
	raise(SIGUSR1);
#elif MISHAP == MISHAP_time_stamp
	/* reading the processor's clock is a signal from now on, in the library too */
	prctl(PR_SET_TSC, PR_TSC_SIGSEGV);
#elif MISHAP == MISHAP_cpuid
	syscall(SYS_arch_prctl, 0x1012, 0);
#elif MISHAP == MISHAP_mmx
	/* without emms: numbers of 80 bits are no numbers from now on */
	__asm__ volatile("pcmpeqd %%mm0, %%mm0; movq %%mm0, %%mm1; movq %%mm0, %%mm2; movq %%mm0, %%mm3;"
			 "movq %%mm0, %%mm4; movq %%mm0, %%mm5; movq %%mm0, %%mm6; movq %%mm0, %%mm7" ::
				 : "memory");
#elif MISHAP == MISHAP_affinity
	cpu_set_t cores;
	CPU_ZERO(&cores);
	CPU_SET(0, &cores);
	sched_setaffinity(0, sizeof(cores), &cores);
#elif MISHAP == MISHAP_realtime
	const struct sched_param most = { 99 };
	sched_setscheduler(0, SCHED_FIFO, &most);
	while (never)
		;
#elif MISHAP == MISHAP_signal_parent
	/* those that ask for no end, but end whoever does not expect them */
	const int numbers[] = { SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGIO,
		SIGTRAP, SIGQUIT, SIGRTMIN, SIGRTMAX };
	for (int number : numbers)
		kill(getppid(), number);
#elif MISHAP == MISHAP_alone
	/* in a world without network, names and mounts of others, where it may */
	unshare(CLONE_NEWNET | CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_FS | CLONE_FILES);
#elif MISHAP == MISHAP_units
	remove_all("AUTOTUNE_CACHE");
#elif MISHAP == MISHAP_locks
	remove_all("AUTOTUNE_LOCKS");
#elif MISHAP == MISHAP_children
	/* children that are dead, without a report */
	for (int i = 0; i < 50; i++)
		if (fork() == 0)
			_exit(0);
#elif MISHAP == MISHAP_core
	const struct rlimit all = { RLIM_INFINITY, RLIM_INFINITY };
	setrlimit(RLIMIT_CORE, &all);
	abort();
#elif MISHAP == MISHAP_catch
	/* faults are not heard of any more: the next instruction faults again */
	signal(SIGSEGV, [](int) {});
	signal(SIGBUS, [](int) {});
	*(volatile int *)nullptr = 1;
#elif MISHAP == MISHAP_fill
	/* where files of processes are */
	fill_temporary();
#elif MISHAP == MISHAP_memory
	/* as much as there is, and not given back */
	for (size_t i = 0; i < 4096; i++)
		if (void *piece = malloc(1 << 20))
			memset(piece, 1, 1 << 20);
	wait_for_ever();
#elif MISHAP == MISHAP_watch
	/* of pages that fault from now on, without a handler */
	prctl(PR_SET_SYSCALL_USER_DISPATCH, 1, 0, 0, nullptr);
#elif MISHAP == MISHAP_loader
	/* symbols that the tuner has bound already, and new ones, are looked for here */
	dlopen("/lib/x86_64-linux-gnu/libm.so.6", RTLD_NOW | RTLD_GLOBAL);
	dlopen("/no/such/library", RTLD_NOW);
#elif MISHAP == MISHAP_terminal
	/* the person's own: no echo, another group in front */
	take_terminal();
#elif MISHAP == MISHAP_slack
	/* whoever waits may wait a second longer */
	prctl(PR_SET_TIMERSLACK, 1000000000ul);
#elif MISHAP == MISHAP_hidden
	/* only root may look at it in /proc */
	prctl(PR_SET_DUMPABLE, 0);
#elif MISHAP == MISHAP_subreaper
	/* what it leaves behind stays its own */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (!fork()) {
		if (!fork())
			wait_for_ever();
		_exit(0);
	}
#elif MISHAP == MISHAP_bus
	/* a file that is shorter than what of it is mapped */
	int file = (int)syscall(SYS_memfd_create, "short", 0);
	int *mapped = (int *)mmap(nullptr, 4096, PROT_READ, MAP_SHARED, file, 0);
	if (*(volatile int *)mapped)
		return;
#elif MISHAP == MISHAP_locked
	mlockall(MCL_CURRENT | MCL_FUTURE);
#elif MISHAP == MISHAP_variables
	setenv("LD_PRELOAD", "/no/such/library.so", 1);
	setenv("TMPDIR", "/no/such/folder", 1);
	setenv("PATH", "", 1);
	setenv("AUTOTUNE_LOCKS", "/dev/null", 1);
#elif MISHAP == MISHAP_narrow
	/* channels that take a few bytes at a time */
	for (int i = 0; i < 64; i++) {
		const int least = 1;
		fcntl(i, F_SETPIPE_SZ, 4096);
		setsockopt(i, SOL_SOCKET, SO_SNDBUF, &least, sizeof(least));
		setsockopt(i, SOL_SOCKET, SO_RCVBUF, &least, sizeof(least));
	}
#elif MISHAP == MISHAP_queued
	/* as many signals wait as a user may have: none is left for timers */
	sigset_t waiting;
	sigemptyset(&waiting);
	sigaddset(&waiting, SIGRTMAX);
	sigprocmask(SIG_BLOCK, &waiting, nullptr);
	while (!sigqueue(getpid(), SIGRTMAX, sigval()))
		;
#elif MISHAP == MISHAP_vfork
	/* its child has its memory, and never gives it back */
	if (!vfork())
		wait_for_ever();
#elif MISHAP == MISHAP_shared
	/* a process, no thread, that closes the descriptors of both */
	if (!syscall(SYS_clone, CLONE_FILES | SIGCHLD, nullptr, nullptr, nullptr, nullptr)) {
		for (int i = 0; i < 64; i++)
			close(i);
		_exit(0);
	}
#elif MISHAP == MISHAP_locks_held
	/* whatever it has is locked */
	for (int i = 0; i < 64; i++) {
		struct flock all = {};
		all.l_type = F_WRLCK;
		flock(i, LOCK_EX | LOCK_NB);
		fcntl(i, F_SETLK, &all);
	}
#elif MISHAP == MISHAP_remove_temporary
	remove_temporary();
#endif
}

#endif

extern "C" __global__ void mishaps(const float *x, float *y, int n)
{
	int i = blockIdx.x * 64 + threadIdx.x;

	for (volatile int k = 0; k < WORK * 100; k++)
		;
	if (i < n)
		y[i] = 2 * x[i];
#ifdef MISHAP
	if (i == 0)
		go_wrong(y, n);
#endif
}

extern "C" __global__ void mishaps_reference(const float *x, float *y, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		y[i] = 2 * x[i];
}

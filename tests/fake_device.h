/*
 * A third kind of device, "test", and a third toolchain, "test_c", for tests: no
 * compiler and no thread is started. A unit's image is its source; a kernel is a
 * function in C, looked up by its name; time is what the test says.
 *
 *   fake_device_add();                  once, also in every worker process
 *   fake = (struct fake_device){ .kernels = mine };
 *   at_device_kind_find("test", ...)->open(0, ...)
 *
 * The tuner's own kernels (measure/support.cu) are always there, written in C.
 * Fills are not those of a real device: the numbers count upwards.
 */
#ifndef AT_TESTS_FAKE_DEVICE_H
#define AT_TESTS_FAKE_DEVICE_H

#include "device/device.h"

/* One launch, as the function that is its kernel sees it. */
struct fake_launch {
	const struct at_invocation *invocation;
	const char *source; /* of the unit: what fake_macro() looks into */
};

struct fake_kernel {
	const char *name; /* NULL ends a table */
	void (*run)(const struct fake_launch *launch); /* does all threads' work */
	double (*time_ns)(const struct fake_launch *launch); /* NULL: 1000 */
};

/* Values of a launch's parameter list. */
void *fake_pointer(const struct fake_launch *launch, size_t argument);
uint64_t fake_u64(const struct fake_launch *launch, size_t argument);
uint32_t fake_u32(const struct fake_launch *launch, size_t argument);
float fake_float(const struct fake_launch *launch, size_t argument);
double fake_double(const struct fake_launch *launch, size_t argument);

/* The integer behind "#define NAME " in a source; 0 where there is none. */
int64_t fake_macro(const char *source, const char *name);

/*
 * How one board misbehaves, in whatever worker process has it: workers are told through
 * the environment, fake_boards_tell(), and count in files, so that a new process goes
 * on where one ended.
 */
struct fake_board {
	double slowness; /* times by so much; 0: 1 */
	unsigned dies_at; /* the n-th launch that is timed ends the process; 0: none */
	bool stays_dead; /* and from then on it cannot be opened */
	unsigned hangs_at; /* the n-th launch that is timed does not end */
	bool stays_asleep; /* it is there, but cannot be woken */
	bool is_shared; /* "trainer" computes on it too, and one that has no name */
};

#define FAKE_BOARDS_MAX 4

/* folder: of the files; everything that was counted is forgotten. */
void fake_boards_tell(
	const char *folder, const struct fake_board *boards, unsigned count);
/* So many launches were timed on it, in all processes. */
unsigned fake_board_timed(unsigned index);
/* The process that opened it last; 0: none. */
long fake_board_process(unsigned index);
/* From now on it cannot be opened. */
void fake_board_bury(unsigned index);
/* So many units were compiled, in all processes. */
unsigned fake_compiled(void);
/* So many processes warmed the toolchain up. */
unsigned fake_warmed(void);

/* All of a process's fake devices; zeroed is one that behaves. */
extern struct fake_device {
	const struct fake_kernel *kernels; /* the test's own; may be NULL */
	bool (*compiles)(const char *source); /* NULL: whatever there is */
	/* what it has of its own */
	double copy_ns; /* above 0: time_copy(), and what a copy takes */
	uint64_t memory_bytes; /* what it says that it has; 0: unknown */
	/* how it misbehaves */
	int live_max; /* more than that do not fit; 0: no limit */
	enum at_outcome times; /* not 0: what time() gives; CRASHED: it is lost */
	bool skips; /* what is timed does not run */
	bool stands_still; /* its clock: everything takes 0 ns */
	double copy_lacks; /* the part of a copy that is not made */
	/* what became of it */
	int live; /* memories and modules that were not given back */
	uint64_t largest_bytes; /* of an allocation */
	bool lost;
	unsigned calls_after_loss;
} fake;

/* "test": two of them, or as many as were told, on request only; fake_device_add()
   adds it. */
extern const struct at_device_kind fake_device_kind;
/* "test_c": compiles what fake.compiles() likes, and kernels that are in a table. */
extern const struct at_toolchain fake_toolchain;

/* Adds both to their registries. */
void fake_device_add(void);

#endif

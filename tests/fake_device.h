/*
 * A third kind of device, "test", and a third toolchain, "test_c", for tests. They
 * start no compiler and no thread. A unit's image is its source, a kernel is a function
 * in C that is looked up by its name, and times are those that the test gives.
 *
 *   fake_device_add();                  once, also in every worker process
 *   fake = (struct fake_device){ .kernels = mine };
 *   at_device_kind_find("test", ...)->open(0, ...)
 *
 * The tuner's own kernels (measure/support.cu) always exist, written in C. The fill
 * kernel differs from the real one: its numbers count upwards.
 */
#ifndef AT_TESTS_FAKE_DEVICE_H
#define AT_TESTS_FAKE_DEVICE_H

#include "device/device.h"

/* One launch, as the function that is its kernel sees it. */
struct fake_launch {
	const struct at_invocation *invocation;
	const char *source; /* the unit's, for fake_macro() */
};

struct fake_kernel {
	const char *name; /* NULL ends a table */
	void (*run)(const struct fake_launch *launch); /* the work of all threads */
	double (*time_ns)(const struct fake_launch *launch); /* NULL: 1000 ns */
};

/* The value of a launch's argument with this index. */
void *fake_pointer(const struct fake_launch *launch, size_t argument);
uint64_t fake_u64(const struct fake_launch *launch, size_t argument);
uint32_t fake_u32(const struct fake_launch *launch, size_t argument);
float fake_float(const struct fake_launch *launch, size_t argument);
double fake_double(const struct fake_launch *launch, size_t argument);

/* The integer behind "#define NAME " in a source; 0 if none exists. */
int64_t fake_macro(const char *source, const char *name);

/*
 * How one board misbehaves, in any worker process that opens it. fake_boards_tell()
 * passes this to workers through the environment. They count in files, so that a new
 * process goes on counting where the last one ended.
 */
struct fake_board {
	double slowness; /* a factor of all times; 0: 1 */
	unsigned dies_at; /* the n-th timed launch ends the process; 0: none */
	bool stays_dead; /* after that the board cannot be opened */
	unsigned hangs_at; /* the n-th timed launch does not end; 0: none */
	bool stays_asleep; /* the board is listed, but cannot be woken */
	bool is_shared; /* two other processes compute on it: "trainer", and one whose
			   name is unknown */
};

#define FAKE_BOARDS_MAX 4

/* Describes the boards to this process and its workers, and sets all counts to 0.
   folder: where the counts are kept. */
void fake_boards_tell(
	const char *folder, const struct fake_board *boards, unsigned count);
/* How many launches were timed on a board, by all processes. */
unsigned fake_board_timed(unsigned index);
/* What was done to a board's clocks and power limit, by all processes: lines of "set"
   or "left" (restore_clocks()), and the members of struct at_clocks; "": nothing. */
void fake_board_clocks(unsigned index, char *text, size_t size);
/* The id of the process that opened a board last; 0: none. */
long fake_board_process(unsigned index);
/* Makes a board one that cannot be opened from now on. */
void fake_board_bury(unsigned index);
/* How many units were compiled, by all processes. */
unsigned fake_compiled(void);
/* How many processes warmed the toolchain up. */
unsigned fake_warmed(void);

/* The behaviour of all fake devices of this process; zeroed: they work. */
extern struct fake_device {
	const struct fake_kernel *kernels; /* the test's own; may be NULL */
	bool (*compiles)(const char *source); /* NULL: everything compiles */
	/* The power of a launch; NULL: the device counts no energy. By the counter's
	   clock launches take a thousand times as long. */
	double (*watts)(const struct fake_launch *launch);
	/* properties */
	double copy_ns; /* above 0: the device has time_copy(), with this time */
	uint64_t memory_bytes; /* the property of the device; 0: unknown */
	/* faults */
	int live_max; /* the most allocations and modules at once; 0: no limit */
	enum at_outcome times; /* not 0: the outcome of time(); CRASHED: device lost */
	bool skips; /* timed launches do not run */
	bool stands_still; /* the clock does: everything takes 0 ns */
	double copy_lacks; /* the part of a copy that is not made, 0 to 1 */
	/* what happened */
	int live; /* allocations and modules that were not released yet */
	uint64_t largest_bytes; /* of one allocation */
	bool lost;
	unsigned calls_after_loss;
} fake;

/* The kind "test": two devices, or as many as fake_boards_tell() was given. They are
   only used on request. fake_device_add() registers the kind. */
extern const struct at_device_kind fake_device_kind;
/* The toolchain "test_c": compiles sources that fake.compiles() accepts, with kernels
   that are in a table. */
extern const struct at_toolchain fake_toolchain;

/* Adds both to their registries. */
void fake_device_add(void);

#endif

/*
 * Simulates the nights of a board whose kernels' times are known, to test the verdicts
 * of session/nights.h. The noise within finals is that of recordings (noise.h). The
 * changes from night to night are made up after what boards do: they drift, are cold
 * when the night begins, are throttled, and are sometimes used by other programs.
 * Threads: pure functions but for the random generator.
 */
#ifndef AT_TESTS_NIGHTS_NOISE_H
#define AT_TESTS_NIGHTS_NOISE_H

#include "noise.h"
#include "session/nights.h"

#include <stdbool.h>

/* All deviations are of logarithms of times. Shares, 0 to 1, are of nights. */
struct nights_noise {
	const char *name;
	struct noise finals; /* within one look */
	double board; /* deviation of a night, the same for all kernels; half of it
			 stays until the next night */
	double kernel; /* deviation of a night, a different one for each kernel */
	double season; /* amplitude of a sine of the board's times over 200 nights */
	double cold; /* share in which the first look is slower, by up to 2 % */
	double throttled; /* share in which clocks are lower, by 3 to 12 % */
	/* share of the throttled nights in which the clock that was read is the usual
	   one; mostly the board reports at least that it was throttled */
	double unseen;
	double disturbed; /* share in which another program makes everything slower, by
			     2 to 15 %, without a sign of it */
};

/* The state of a board in one night, the same for all its kernels. */
struct nights_board {
	double drift; /* the part that stays from night to night */
	double common; /* of all times of the night */
	double cold; /* of the first look only */
	double clock; /* logarithm of tonight's clock over the usual one */
	bool is_seen; /* the lower clock shows where the clock is read */
	bool is_told; /* the board reports that it was throttled */
	double disturbance; /* by another program */
};

struct nights_kernel {
	double time_ns;
	double baseline_ns; /* 0: none */
	double clock_share; /* the part of its time that depends on the clock, 0 to 1 */
	double baseline_clock_share;
	double own; /* the kernel's own deviation tonight, and the baseline's */
	double baseline_own;
};

void nights_begin(const struct nights_noise *noise, unsigned night,
	struct nights_board *board, struct at_random *random);
void nights_begin_kernel(const struct nights_noise *noise, struct nights_kernel *kernel,
	struct at_random *random);
/* The finals of a kernel in tonight's look number `look`. The shifts are factors of the
   times of kernel and baseline, above 1: slower. */
struct at_night nights_look(const struct nights_noise *noise,
	const struct nights_board *board, const struct nights_kernel *kernel,
	unsigned look, double shift, double baseline_shift, struct at_random *random);

enum { NIGHTS_TO_FIND = 3 };

/* How often the planted shift was found, and how often a change was reported without a
   shift. */
struct nights_figures {
	unsigned long kernels;
	/* kernels whose shift was found in its night, and by one or two nights later */
	unsigned long found[NIGHTS_TO_FIND];
	unsigned long kernel_nights; /* of nights without a shift */
	unsigned long false_slower;
	unsigned long false_faster;
	unsigned long unclear;
	unsigned long nights; /* of all kernels of a board */
	unsigned long false_nights; /* in which one of them was called slower */
	unsigned long looks;
};

enum nights_kind {
	NIGHTS_NO_SHIFT = 0,
	NIGHTS_KERNEL, /* the winner alone becomes slower */
	NIGHTS_DRIVER, /* winner and baseline become slower, with another driver */
	NIGHTS_SILENT, /* winner and baseline become slower, with no change known */
	NIGHTS_ALONE, /* the winner is the baseline, so nothing can be compared */
};

/*
 * Simulates a board with this many kernels for this many nights. Each kernel becomes
 * slower by `shift` (0.05: 5 %) in a night of its own after the first `settled` nights.
 * Adds to *out.
 */
void nights_simulate(const struct nights_noise *noise, enum nights_kind kind,
	double shift, unsigned kernels, unsigned nights, unsigned settled,
	uint64_t seed, struct nights_figures *out);

#endif

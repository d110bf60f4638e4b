/*
 * Nights of a machine whose kernels' times are known: what verdicts are proved with.
 * The noise within finals is that of recordings (noise.h); what changes from night to
 * night is made up after what boards do: they drift, are cold when the night begins,
 * are held back, and are not always alone. Threads: pure functions but for the
 * generator.
 */
#ifndef AT_TESTS_NIGHTS_NOISE_H
#define AT_TESTS_NIGHTS_NOISE_H

#include "noise.h"
#include "session/nights.h"

#include <stdbool.h>

/* Deviations are of logarithms; shares are of nights. */
struct nights_noise {
	const char *name;
	struct noise finals; /* within one look */
	double board; /* of a night, alike for all on the board; half stays till the
			 next */
	double kernel; /* of a night, each kernel's own */
	double season; /* of the board, up and down over 200 nights */
	double cold; /* share in which the first look is slower, by up to 2 % */
	double throttled; /* share in which clocks are lower, by 3 to 12 % */
	/* of those, in which the clock that was read is the usual one: mostly the board
	   says at least that it was held back */
	double unseen;
	double disturbed; /* share in which all is slower, by 2 to 15 %, unseen */
};

/* What all kernels of a board share in one night. */
struct nights_board {
	double drift; /* goes from night to night */
	double common;
	double cold; /* of the first look */
	double clock; /* logarithm of tonight's over the usual one */
	bool is_seen;
	bool is_told; /* that it was held back */
	double disturbance;
};

struct nights_kernel {
	double time_ns;
	double baseline_ns; /* 0: none */
	double clock_share; /* how much of its time goes with the clock, 0 to 1 */
	double baseline_clock_share;
	double own; /* tonight */
	double baseline_own;
};

void nights_begin(const struct nights_noise *noise, unsigned night,
	struct nights_board *board, struct at_random *random);
void nights_begin_kernel(const struct nights_noise *noise, struct nights_kernel *kernel,
	struct at_random *random);
/* Finals of the kernel, tonight's look-th; shifts are factors above 1: slower. */
struct at_night nights_look(const struct nights_noise *noise,
	const struct nights_board *board, const struct nights_kernel *kernel,
	unsigned look, double shift, double baseline_shift, struct at_random *random);

enum { NIGHTS_TO_FIND = 3 };

/* How often the planted shift was found, and what was told that was not there. */
struct nights_figures {
	unsigned long kernels;
	/* in the night of the shift, and by one or two nights later */
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
	NIGHTS_DRIVER, /* winner and baseline, and the driver is another one */
	NIGHTS_SILENT, /* winner and baseline, and nobody knows why */
	NIGHTS_ALONE, /* the winner is the baseline: nothing to hold it against */
};

/*
 * A board with kernels for so many nights; each becomes slower by `shift` (0.05: 5 %)
 * in some night of its own after the first `settled` ones. Adds to *out.
 */
void nights_simulate(const struct nights_noise *noise, enum nights_kind kind,
	double shift, unsigned kernels, unsigned nights, unsigned settled,
	uint64_t seed, struct nights_figures *out);

#endif

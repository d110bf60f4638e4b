/*
 * Which of several arms to pull next: a bandit that credits recent success. The pulls
 * of an arm in a sliding window that paid are summed, later ones with more weight
 * (the area under the curve of successes: Fialho, Da Costa, Schoenauer and Sebag
 * 2010, "Analyzing Bandit-based Adaptive Operator Selection Mechanisms"; as in
 * OpenTuner: Ansel and others 2014, "OpenTuner: An Extensible Framework for Program
 * Autotuning"). A rarely pulled arm gets a bonus (Auer, Cesa-Bianchi and Fischer
 * 2002, "Finite-time Analysis of the Multiarmed Bandit Problem").
 *
 *   struct at_credit credit = { .arm_count = 3, .window = 100, .exploration = 0.1 };
 *   arm = at_credit_choose(&credit, 0, &random);
 *   pull = at_credit_pull(&credit, arm);
 *   ... pull others meanwhile ...
 *   at_credit_paid(&credit, pull);
 *
 * Threads: one at a time.
 */
#ifndef AT_SEARCH_CREDIT_H
#define AT_SEARCH_CREDIT_H

#include "base/random.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AT_CREDIT_ARMS_MOST 32
#define AT_CREDIT_WINDOW_MOST 1024

/* The caller sets the first three members; the others begin as 0. */
struct at_credit {
	size_t arm_count; /* 1 to AT_CREDIT_ARMS_MOST */
	size_t window; /* pulls that count, 1 to AT_CREDIT_WINDOW_MOST */
	double exploration; /* the weight of the bonus, 0 or more */
	uint64_t pull_count; /* all pulls so far */
	/* the last `window` pulls, each at its number modulo window: its arm, and
	   whether it paid */
	uint8_t arms[AT_CREDIT_WINDOW_MOST];
	bool paid[AT_CREDIT_WINDOW_MOST];
};

/* The arm with the largest sum of credit and bonus, except the arms in the bit set
   `without` (which must leave at least one). Ties are broken at random. */
size_t at_credit_choose(
	const struct at_credit *self, uint32_t without, struct at_random *random);
/* Records a pull of the arm, which has not paid yet. Returns the number of the pull. */
uint64_t at_credit_pull(struct at_credit *self, size_t arm);
/* Records that the pull paid; ignored if the pull has left the window. */
void at_credit_paid(struct at_credit *self, uint64_t pull);

#endif

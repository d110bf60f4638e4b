/*
 * What a tuning optimises: a quantity of an evaluation, its unit, and its direction.
 * All code that compares, writes or prints results of configurations uses the
 * objective; strategies see costs, which are minimised.
 *
 *   double cost = at_objective_cost(objective, score.value);
 *   if (at_objective_better(objective, score.value, best.value))
 *
 * Every search is by time, since a measurement of energy takes seconds. The objective
 * decides among the configurations that a search finds fast enough
 * (session/phase_finals.h). A new objective is a row in base/objective.c, and a value
 * of a block there. Threads: pure.
 */
#ifndef AT_BASE_OBJECTIVE_H
#define AT_BASE_OBJECTIVE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum at_direction {
	AT_DIRECTION_NONE = 0,
	AT_DIRECTION_LOWER, /* less is better */
	AT_DIRECTION_HIGHER,
};

/* A value in the objective's unit, and its 95 % interval; NAN if unknown. */
struct at_score {
	double value;
	double low;
	double high;
};

#define AT_SCORE_UNKNOWN \
	{ \
		(double)NAN, (double)NAN, (double)NAN \
	}

struct at_objective {
	const char *name; /* in space files, the record and for people: "time" */
	const char *unit; /* of all numbers: "ns" */
	bool needs_energy; /* its values derive from the energy of launches */
	double reach; /* up to this multiple of the least time, any may be best */
	/* words for a better configuration: "faster", and twice "as fast"; for the
	   best: the "fastest" */
	const char *better, *as_good, *best;
	/* keys in JSON: "time_ns", "low_ns", "high_ns", "baseline_ns" */
	const char *key;
	const char *low_key;
	const char *high_key;
	const char *baseline_key;
	enum at_direction direction;
	/* units for people, the largest first */
	struct at_objective_unit {
		const char *name;
		double size;
	} units[4];
	/* writes a value for people: "1.23 ms" */
	void (*format)(double value, char *buffer, size_t size);
};

extern const struct at_objective at_objective_time;
extern const struct at_objective at_objective_energy; /* of one launch */
extern const struct at_objective at_objective_edp; /* energy times time of one launch */

/* The largest unit in which the value is at least 1, else the smallest. */
const struct at_objective_unit *at_objective_unit(
	const struct at_objective *self, double value);

/* Finds an objective by name, static; NULL: unknown to this version. */
const struct at_objective *at_objective_find(const char *name);

/* Whether a is better than b. A known value is better than an unknown one. */
bool at_objective_better(const struct at_objective *self, double a, double b);
/* Whether all of a's interval is better than all of b's; false if either is unknown. */
bool at_objective_clearly_better(
	const struct at_objective *self, struct at_score a, struct at_score b);
/* The cost for strategies: above 0, less is better; INFINITY if the value is unknown or
   impossible. The function is its own inverse: the cost of a cost is the value. */
double at_objective_cost(const struct at_objective *self, double value);
/* How many times better the winner is than the baseline, above 1 if it is better; NAN:
   unknown. */
double at_objective_gain(
	const struct at_objective *self, double baseline, double winner);
/* The baseline's value for the winner's gain `gain`; NAN: unknown. */
double at_objective_baseline(
	const struct at_objective *self, double gain, double winner);

#endif

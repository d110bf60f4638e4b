/* For a group whose rows can be neither counted nor listed: estimates how many there
   are, and selects some values to search. See search_space_parts.h. */
#include "space/checked.h"
#include "space/search_space_parts.h"

#include "base/random.h"

#include <math.h>
#include <stdlib.h>

/*
 * The most rows, before constraints, of the values that are kept: at most 32 MiB a word
 * of a row; and the most steps for all their constraints, half a second. All groups
 * share both.
 */
#define CARTESIAN_MAX ((uint64_t)1 << 22)
#define CARTESIAN_MIN ((uint64_t)1 << 8)
#define THIN_STEPS_MAX ((uint64_t)1 << 26)

/* The most configurations that are drawn, and steps for them. A share is then known to
   within 0.4 %. */
#define DRAWS_MAX 65536
#define DRAW_STEPS_MAX ((uint64_t)1 << 25)

/* ---- the estimate ---------------------------------------------------------------- */

static bool draw_passes(struct at_enumerator *self, const struct at_group *group,
	struct at_random *random)
{
	for (size_t i = 0; i < group->parameter_count; i++) {
		size_t parameter = group->parameters[i];

		at_enumerate_bind(self, parameter,
			at_random_below(random, self->domains[parameter].count));
	}
	for (size_t i = 0; i < group->tie_count; i++) {
		bool holds = false;

		if (at_expression_test(
			    group->ties[i]->expression, self->slots, &holds, NULL) ||
			!holds)
			return false;
	}
	return true;
}

/* The 95 % interval of the share that is in the group (Wilson 1927, "Probable
   inference"). */
static void estimate(const struct at_enumerator *self, struct at_group *group,
	uint64_t drawn, uint64_t passed)
{
	const double z = 1.96;
	double n = (double)drawn, share = (double)passed / n;
	double middle = (share + z * z / (2 * n)) / (1 + z * z / n);
	double apart = z / (1 + z * z / n) *
		       sqrt(share * (1 - share) / n + z * z / (4 * n * n));
	double all = 1;

	for (size_t i = 0; i < group->parameter_count; i++)
		all *= (double)self->domains[group->parameters[i]].count;
	group->estimate = share * all;
	group->estimate_low = fmax(middle - apart, 0) * all;
	group->estimate_high = fmin(middle + apart, 1) * all;
}

enum at_status at_group_estimate(struct at_enumerator *self, struct at_group *group)
{
	enum at_status status = AT_OK;
	uint64_t drawn = 0, passed = 0, cost = group->parameter_count;
	struct at_random random;

	at_random_init(&random, 1);
	for (size_t i = 0; i < group->tie_count; i++)
		cost += group->ties[i]->cost;
	while (!status && drawn < DRAWS_MAX &&
		(drawn < 256 || drawn * cost < DRAW_STEPS_MAX)) {
		passed += draw_passes(self, group, &random);
		drawn++;
		status = at_enumerate_spend(self, cost);
	}
	estimate(self, group, drawn, passed);
	return status;
}

/* ---- some values ----------------------------------------------------------------- */

/* The largest number of values for each parameter with which the rows still fit
   `room`. */
static uint64_t values_each(
	const struct at_enumerator *self, const struct at_group *group, uint64_t room)
{
	uint64_t least = 1, most = UINT16_MAX + 1;

	while (least < most) {
		uint64_t middle = least + (most - least + 1) / 2, all = 1;

		for (size_t i = 0; i < group->parameter_count; i++) {
			uint64_t count = self->domains[group->parameters[i]].count;

			all = at_saturated_multiply(
				all, count < middle ? count : middle);
		}
		if (all <= room)
			least = middle;
		else
			most = middle - 1;
	}
	return least;
}

/* How often 2 divides the value: of tile widths and the like, multiples of 32 matter
   most. */
static unsigned roundness(const struct at_value *value)
{
	uint64_t rest = (uint64_t)value->integer;
	unsigned twos = 0;

	if (value->type != AT_TYPE_INTEGER || !rest)
		return 0;
	for (; !(rest & 1); rest >>= 1)
		twos++;
	return twos;
}

struct picker {
	struct at_value_set *domain;
	bool *kept;
	size_t left; /* how many more to keep */
};

static void keep(struct picker *self, size_t digit)
{
	if (self->left && !self->kept[digit]) {
		self->kept[digit] = true;
		self->left--;
	}
}

static void keep_default(struct picker *self, uint16_t index)
{
	for (size_t i = 0; i < self->domain->count; i++)
		if (self->domain->indices[i] == index)
			keep(self, i);
}

/* Keeps `count` values, the roundest first. */
static void keep_round(struct picker *self, const struct at_value *values, size_t count)
{
	size_t rest = self->left - count;

	for (unsigned least = 63; least > 0; least--)
		for (size_t i = 0; i < self->domain->count && self->left > rest; i++)
			if (roundness(&values[self->domain->indices[i]]) >= least)
				keep(self, i);
}

/* Fills up at random: selection sampling (Knuth, "The Art of Computer Programming",
   volume 2, 3.4.2, algorithm S). */
static void keep_some(struct picker *self, struct at_random *random)
{
	uint64_t free_count = 0;

	for (size_t i = 0; i < self->domain->count; i++)
		free_count += !self->kept[i];
	for (size_t i = 0; i < self->domain->count && self->left; i++) {
		if (self->kept[i])
			continue;
		if (at_random_below(random, free_count) < self->left)
			keep(self, i);
		free_count--;
	}
}

static enum at_status thin_domain(
	struct at_enumerator *self, size_t parameter, uint64_t count)
{
	struct picker picker = { &self->domains[parameter], NULL, (size_t)count };
	struct at_value_set *domain = picker.domain;
	struct at_random random;
	size_t kept = 0;

	if (domain->count <= count)
		return AT_OK;
	picker.kept = calloc(domain->count, sizeof(*picker.kept));
	if (!picker.kept)
		return at_fail_memory(self->err);
	at_random_init(&random, parameter + 1);
	keep_default(&picker, self->spec->defaults[parameter]);
	keep(&picker, 0);
	keep(&picker, domain->count - 1);
	keep_round(&picker, self->spec->parameters[parameter].values, picker.left / 2);
	keep_some(&picker, &random);
	for (size_t i = 0; i < domain->count; i++)
		if (picker.kept[i])
			domain->indices[kept++] = domain->indices[i];
	domain->count = kept;
	free(picker.kept);
	return AT_OK;
}

enum at_status at_group_thin(
	struct at_enumerator *self, struct at_group *group, bool *is_thinned)
{
	uint64_t room = CARTESIAN_MAX / self->group_count, cost = 1, each;
	enum at_status status = AT_OK;

	for (size_t i = 0; i < group->tie_count; i++)
		cost += group->ties[i]->cost;
	if (room > THIN_STEPS_MAX / self->group_count / cost)
		room = THIN_STEPS_MAX / self->group_count / cost;
	if (room < CARTESIAN_MIN)
		room = CARTESIAN_MIN;
	each = values_each(self, group, room);
	/* Where not even two values of each fit, the first parameters get two while
	   there is room. */
	for (size_t i = 0; i < group->parameter_count && !status; i++) {
		size_t parameter = group->parameters[i];
		uint64_t count = each > 1 ? each : room > 1 ? 2 : 1;

		*is_thinned |= self->domains[parameter].count > count;
		status = thin_domain(self, parameter, count);
		if (each == 1 && self->domains[parameter].count > 1)
			room /= self->domains[parameter].count;
	}
	free(group->digits);
	group->digits = NULL;
	return status ? status : at_enumerate_layout(self, group);
}

/*
 * What it costs to make a configuration concrete (evaluator/plan.h); run by hand:
 *
 *   bench_plan SPACE.cfg...
 *
 * One line a file: configurations planned, the mean processor time of one, and of
 * the setup that all of them share. The first problem, on a device as sm_90 is.
 */
#include "evaluator/plan.h"
#include "space/enumerate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CONFIGURATIONS 20000

static double now_us(void)
{
	return (double)clock() * 1e6 / CLOCKS_PER_SEC;
}

/* rows are spread over the space, so that what a neighbour leaves behind is of no use
 */
static enum at_status measure(struct at_plan *plan,
	const struct at_configurations *configurations, struct at_error *err)
{
	const struct at_measure_setup *setup;
	double start_us = now_us(), setup_us;
	enum at_status status = at_plan_borrow_setup(plan, &setup, NULL, err);

	setup_us = now_us() - start_us;
	start_us = now_us();
	for (size_t i = 0; i < CONFIGURATIONS && !status; i++) {
		struct at_planned planned;
		size_t row = i * 7919 % configurations->count;

		status = at_plan_configuration(plan,
			at_configurations_row(configurations, row), &planned, err);
		at_planned_release(&planned);
	}
	if (!status)
		printf("%-30s configurations %d each %.2f us setup %.2f us\n",
			plan->spec->path, CONFIGURATIONS,
			(now_us() - start_us) / CONFIGURATIONS, setup_us);
	return status;
}

static enum at_status measure_space(const char *path, struct at_error *err)
{
	struct at_device_info device = { .kind = "cuda", .architecture = "sm_90" };
	struct at_enumerate_options options = { .count_only = false };
	struct at_configurations configurations = { 0 };
	struct at_enumeration statistics = { 0 };
	struct at_template template = { 0 };
	struct at_plan plan = { 0 };
	struct at_spec *spec = NULL;
	enum at_status status;

	at_properties_of_architecture(device.architecture, &device.properties);
	status = at_spec_load(path, &spec, err);
	if (!status)
		status = at_template_load(spec->template_path, &template, err);
	if (!status)
		status = at_plan_init(&plan, spec, &template, &spec->problems[0], NULL,
			&device, "NVRTC", 1, err);
	if (!status)
		status = at_enumerate(
			spec, plan.slots, &options, &configurations, &statistics, err);
	if (!status && configurations.count)
		status = measure(&plan, &configurations, err);
	at_configurations_release(&configurations);
	at_enumeration_release(&statistics);
	at_plan_release(&plan);
	at_template_release(&template);
	at_spec_free(spec);
	return status;
}

int main(int argc, char **argv)
{
	int failures = 0;

	for (int i = 1; i < argc; i++) {
		struct at_error err = { 0 };
		char text[1400];

		if (measure_space(argv[i], &err)) {
			fprintf(stderr, "%s\n",
				at_error_format(&err, text, sizeof(text)));
			failures++;
		}
	}
	return failures > 0;
}

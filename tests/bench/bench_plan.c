/*
 * What it costs to make a configuration concrete (evaluator/plan.h); run by hand:
 *
 *   bench_plan SPACE.cfg...
 *
 * One line a file: configurations planned, the mean processor time of one, and of
 * the setup that all of them share. The first problem, on a device as sm_90 is.
 */
#include "evaluator/plan.h"
#include "space/search_space.h"

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
static enum at_status measure(
	struct at_plan *plan, const struct at_search_space *space, struct at_error *err)
{
	const struct at_measure_setup *setup;
	double start_us = now_us(), setup_us;
	uint16_t *configuration =
		calloc(plan->spec->parameter_count, sizeof(*configuration));
	enum at_status status = configuration
					? at_plan_borrow_setup(plan, &setup, NULL, err)
					: at_fail_memory(err);

	setup_us = now_us() - start_us;
	start_us = now_us();
	for (size_t i = 0; i < CONFIGURATIONS && !status; i++) {
		struct at_compiled_plan compiled_plan;
		at_search_space_get(
			space, i * 7919 % at_search_space_count(space), configuration);
		status =
			at_plan_configuration(plan, configuration, &compiled_plan, err);
		at_compiled_plan_release(&compiled_plan);
	}
	if (!status)
		printf("%-30s configurations %d each %.2f us setup %.2f us\n",
			plan->spec->path, CONFIGURATIONS,
			(now_us() - start_us) / CONFIGURATIONS, setup_us);
	free(configuration);
	return status;
}

static enum at_status measure_space(const char *path, struct at_error *err)
{
	struct at_device_info device = { .kind = "cuda", .architecture = "sm_90" };
	struct at_search_space *space = NULL;
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
		status = at_search_space_new(spec, plan.slots, &space, NULL, err);
	if (!status && at_search_space_count(space))
		status = measure(&plan, space, err);
	at_search_space_free(space);
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

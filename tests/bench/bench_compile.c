/*
 * What compiling costs: processor time of one unit, tuned as it is and with what is
 * left out of it, over configurations drawn from each space given; and with each option
 * of the compiler that is given.
 *
 *   bench_compile ARCHITECTURE [OPTION...] SPACE.cfg...
 *   bench_compile sm_90 --Ofast-compile=max spaces/matmul.cfg     host: the C++
 * compiler
 *
 * NVRTC's own cache on disk is off.
 */
#include "kernel/compile.h"
#include "kernel/source.h"
#include "kernel/toolchain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define CONFIGURATIONS 12

static double processor_ms(void)
{
	struct rusage own, children;

	getrusage(RUSAGE_SELF, &own);
	getrusage(RUSAGE_CHILDREN, &children);
	return 1e3 * (double)(own.ru_utime.tv_sec + own.ru_stime.tv_sec +
			      children.ru_utime.tv_sec + children.ru_stime.tv_sec) +
	       1e-3 * (double)(own.ru_utime.tv_usec + own.ru_stime.tv_usec +
			       children.ru_utime.tv_usec + children.ru_stime.tv_usec);
}

static void check(int failed, const struct at_error *err)
{
	char text[1400];

	if (!failed)
		return;
	fprintf(stderr, "%s\n", at_error_format(err, text, sizeof(text)));
	exit(1);
}

static double compile(const struct at_compile_request *request, size_t *failed)
{
	struct at_compile_result result;
	struct at_error err = { 0 };
	double start_ms = processor_ms();

	check(at_compile(request, &result, &err), &err);
	*failed += result.outcome != AT_OUTCOME_OK;
	at_compile_result_release(&result);
	return processor_ms() - start_ms;
}

static void measure(const char *architecture, const char *path, char *const *options,
	size_t option_count)
{
	struct at_properties properties = { 0 };
	struct at_spec *spec;
	struct at_template template;
	struct at_error err = { 0 };
	struct at_value *slots;
	uint16_t *configuration;
	double whole_ms = 0, less_ms = 0,
	       *with_ms = calloc(option_count + 1, sizeof(*with_ms));
	size_t failed = 0, count = 0;
	unsigned state = 1;

	check(at_spec_load(path, &spec, &err), &err);
	check(at_template_load(spec->template_path, &template, &err), &err);
	/* the limits are only there to draw configurations that make sense */
	at_properties_of_architecture(
		strcmp(architecture, "host") ? architecture : "sm_90", &properties);
	slots = calloc(spec->slot_count, sizeof(*slots));
	configuration = calloc(spec->parameter_count, sizeof(*configuration));
	if (!slots || !configuration || !with_ms)
		exit(1);
	at_spec_bind(spec, &spec->problems[0], NULL, &properties, slots);
	memcpy(configuration, spec->defaults,
		spec->parameter_count * sizeof(*configuration));
	for (size_t tried = 0; tried < 100000 && count < CONFIGURATIONS; tried++) {
		struct at_strbuf source = { 0 }, omit = { 0 };
		char *kernels[] = { spec->kernel };
		struct at_compile_request request = {
			.toolchain = strcmp(architecture, "host") ? (char *)"nvrtc"
								  : (char *)"c++",
			.architecture = (char *)architecture,
			.name = "template.cu",
			.directory = template.directory,
			.kernels = kernels,
			.kernel_count = 1,
		};
		bool admitted = true;

		for (size_t i = 0; tried && i < spec->parameter_count; i++) {
			state = state * 1664525u + 1013904223u;
			configuration[i] = (uint16_t)((state >> 8) %
						      spec->parameters[i].value_count);
		}
		at_spec_bind_configuration(spec, configuration, slots);
		for (size_t i = 0; i < spec->constraint_count && admitted; i++)
			if (at_expression_test(spec->constraints[i].expression, slots,
				    &admitted, NULL) != AT_EVALUATION_OK)
				admitted = false;
		if (!admitted)
			continue;
		at_source_render(&(struct at_source_context){ .spec = spec,
					 .template = &template },
			configuration, AT_UNIT_TUNED, &source);
		at_source_render_omit(spec, &template, spec->defaults, &omit);
		check(at_source_options(spec, slots, &request.options,
			      &request.option_count, &err),
			&err);
		request.source = source.data;
		if (!count) /* the first pays for loading the library */
			compile(&request, &failed);
		whole_ms += compile(&request, &failed);
		request.omit = omit.data;
		less_ms += compile(&request, &failed);
		for (size_t i = 0; i < option_count; i++) {
			struct at_compile_request with = request;
			char **all = calloc(request.option_count + 1, sizeof(*all));

			if (!all)
				exit(1);
			memcpy(all, request.options,
				request.option_count * sizeof(*all));
			all[with.option_count++] = options[i];
			with.options = all;
			with_ms[i] += compile(&with, &failed);
			free(all);
		}
		at_source_free_options(request.options, request.option_count);
		at_strbuf_release(&source);
		at_strbuf_release(&omit);
		count++;
	}
	printf("%-28s %2zu units %8.1f ms each, %8.1f with less (%+.0f %%)%s\n",
		spec->name, count, whole_ms / (double)count, less_ms / (double)count,
		100 * (less_ms / whole_ms - 1), failed ? "; some failed" : "");
	for (size_t i = 0; i < option_count; i++)
		printf("    %-24s          %8.1f ms each (%+.0f %%)\n", options[i],
			with_ms[i] / (double)count, 100 * (with_ms[i] / less_ms - 1));
	free(with_ms);
	free(configuration);
	free(slots);
	at_template_release(&template);
	at_spec_free(spec);
}

int main(int argc, char **argv)
{
	int spaces = 2;

	while (spaces < argc && argv[spaces][0] == '-')
		spaces++;
	if (spaces >= argc) {
		fprintf(stderr,
			"usage: bench_compile ARCHITECTURE [OPTION...] SPACE.cfg...\n");
		return 2;
	}
	setenv("CUDA_CACHE_DISABLE", "1", 1);
	for (int i = spaces; i < argc; i++)
		measure(argv[1], argv[i], argv + 2, (size_t)spaces - 2);
	return 0;
}

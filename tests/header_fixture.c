/* Makes results with winners of made-up devices, for tests of headers. */
#include "header_fixture.h"

#include "base/memory.h"
#include "base/text.h"
#include "space/properties.h"

#include <stdlib.h>
#include <string.h>

const struct made_device made_h200 = { "cuda", "NVIDIA H200", "sm_90", 90, 132,
	232448 };
const struct made_device made_a100 = { "cuda", "NVIDIA A100-SXM4-80GB", "sm_80", 80,
	108, 166912 };
const struct made_device made_t4 = { "cuda", "Tesla T4", "sm_75", 75, 40, 65536 };
const struct made_device made_host = { "host", "Some(R) CPU @ 2.00GHz", "x86_64", 0, 8,
	1048576 };

static void make_device(const struct made_device *from, struct at_record_device *out)
{
	const struct {
		enum at_property property;
		int64_t value;
	} properties[] = {
		{ AT_PROPERTY_COMPUTE_CAPABILITY, from->capability },
		{ AT_PROPERTY_MULTIPROCESSOR_COUNT, from->multiprocessors },
		{ AT_PROPERTY_WARP_SIZE, 32 },
		{ AT_PROPERTY_MAX_THREADS_PER_BLOCK, 1024 },
		{ AT_PROPERTY_MAX_SHARED_BYTES_PER_BLOCK, 49152 },
		{ AT_PROPERTY_MAX_DYNAMIC_SHARED_BYTES_PER_BLOCK,
			from->dynamic_shared_bytes },
		/* these are another on every board */
		{ AT_PROPERTY_CLOCK_HZ, 1980000000 },
	};
	size_t count = sizeof(properties) / sizeof(*properties);

	out->kind = at_strdup(from->kind);
	out->model = at_strdup(from->model);
	out->slug = at_text_slug(from->model);
	out->architecture = at_strdup(from->architecture);
	out->driver = at_strdup("580.1");
	out->uuid = at_strdup("");
	for (size_t i = 0; i < count; i++)
		if (properties[i].value)
			at_properties_set(&out->properties, properties[i].property,
				properties[i].value);
}

static void make_evaluation(
	const struct made *from, const char *configuration, struct at_evaluation *out)
{
	out->space = at_strdup(from->space);
	out->problem = at_strdup(from->problem);
	out->problem_json = at_strdup(from->sizes);
	out->configuration = at_strdup(configuration);
	out->outcome = AT_OUTCOME_OK;
	out->detail = at_strdup("");
	out->time_ns = 2000;
	out->low_ns = 1900;
	out->high_ns = 2100;
	out->facts = (struct at_facts)AT_FACTS_UNKNOWN;
	if (from->shared_bytes)
		out->facts.shared_bytes = from->shared_bytes;
	if (from->registers)
		out->facts.registers = from->registers;
}

static void make_winner(const struct made *from, struct at_winner *out)
{
	out->space = at_strdup(from->space);
	out->problem = at_strdup(from->problem);
	out->evaluation_count = 10;
	out->ok_count = 9;
	out->objective = &at_objective_time;
	out->score = (struct at_score){ 1000, 990, 1010 };
	out->speedup = 2;
	out->speedup_low = 1.9;
	out->speedup_high = 2.1;
	out->baseline_low = out->baseline_high = 2000;
	out->measurement = at_strdup("");
	out->toolchain = at_strdup("NVRTC 13.0");
	out->driver = at_strdup("580.1");
	out->source_hash = at_strdup("00112233445566778899aabbccddeeff");
	out->metrics = at_strdup("{}");
	out->launch = at_strdup(from->launch ? from->launch : "");
	out->options = at_strdup(from->options ? from->options : "[]");
	out->gains = at_strdup("");
	out->verification = at_strdup(from->is_unverified ? "" : "{\"problems\": 3}");
	out->is_unverified = from->is_unverified;
	out->created_seconds = 1763715900;
}

void make_results(const struct made *from, size_t count, struct at_results *out)
{
	memset(out, 0, sizeof(*out));
	out->items = calloc(count, sizeof(*out->items));
	if (!out->items)
		abort();
	for (size_t i = 0; i < count; i++) {
		struct at_result *result = &out->items[out->count++];

		make_device(from[i].device, &result->device);
		make_winner(&from[i], &result->best);
		make_evaluation(&from[i], from[i].configuration, &result->winner);
		result->has_baseline = from[i].baseline;
		if (from[i].baseline)
			make_evaluation(&from[i], from[i].baseline, &result->baseline);
	}
}

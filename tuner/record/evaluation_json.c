#include "record/evaluation_json.h"

static struct at_json *line_or_null(const char *line)
{
	return *line ? at_json_string(line) : at_json_null();
}

#define JSON_KNOWN at_json_known
#define JSON_REAL at_json_real
#define JSON_LINE line_or_null
#define SET(name, kind) at_json_set(out, #name, JSON_##kind(facts->name));

void at_json_set_facts(struct at_json *out, const struct at_facts *facts)
{
	static const struct at_facts unknown = AT_FACTS_UNKNOWN;

	if (!facts)
		facts = &unknown;
	AT_FACTS(SET)
}

struct at_json *at_json_resources(const struct at_facts *facts)
{
	struct at_json *out = at_json_object();
	struct at_json *occupancy = at_json_null();

	AT_RESOURCE_FACTS(SET)
	/* a kernel of which nothing is resident was not launched: no winner */
	if (facts->resident_blocks > 0 && facts->occupancy > 0) {
		occupancy = at_json_object();
		at_json_set(occupancy, "resident_blocks",
			at_json_known(facts->resident_blocks));
		at_json_set(occupancy, "fraction", at_json_real(facts->occupancy));
		at_json_set(occupancy, "limiting_factor",
			line_or_null(facts->limiting_factor));
	}
	at_json_set(out, "occupancy", occupancy);
	return out;
}

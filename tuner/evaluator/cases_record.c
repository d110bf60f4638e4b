/* Cases as the record keeps them, and back (evaluator/cases.h). */
#include "evaluator/cases_parts.h"

#include "base/json.h"
#include "base/memory.h"
#include "evaluator/plan.h"
#include "space/domain.h"

#include <stdlib.h>
#include <string.h>

char *at_case_instance(const struct at_spec *spec, const struct at_problem *one,
	const struct at_problem *tuned, const struct at_case_data *data)
{
	struct at_json *object = at_json_object(), *sizes = at_json_object();
	struct at_json *names = at_json_array();
	struct at_strbuf out = { 0 };

	for (size_t i = 0; i < tuned->size_count; i++) {
		const struct at_size *size = &tuned->sizes[i];
		const struct at_size *own = at_problem_find_size(one, size->name);

		at_json_set(sizes, size->name,
			at_value_to_json(own ? own->value : size->value));
	}
	for (size_t i = 0; i < one->size_count; i++)
		if (!at_problem_find_size(tuned, one->sizes[i].name))
			at_json_set(sizes, one->sizes[i].name,
				at_value_to_json(one->sizes[i].value));
	for (size_t i = 0; i < CASES_CONTENTS_MOST; i++)
		if (data->contents >> i & 1)
			at_json_append(names, at_json_string(spec->arguments[i].name));
	at_json_set(object, "sizes", sizes);
	at_json_set(object, "contents", names);
	at_json_set(object, "is_scaled", at_json_boolean(data->is_scaled));
	if (data->seed)
		at_json_set(object, "seed", at_json_integer((int64_t)data->seed));
	at_json_write(object, 0, &out);
	at_json_free(object);
	return at_strbuf_detach(&out);
}

static struct at_value value_of(const struct at_json *node)
{
	if (at_json_is_whole(node))
		return (struct at_value){ .type = AT_TYPE_INTEGER,
			.integer = at_json_whole(node, 0) };
	if (at_json_kind_of(node) == AT_JSON_NUMBER)
		return (struct at_value){ .type = AT_TYPE_REAL,
			.real = at_json_number(node, 0) };
	return (struct at_value){ .type = AT_TYPE_BOOLEAN,
		.integer = at_json_is_true(node) };
}

/* Whether one of the numbers that cases are about has this name, or a size that the
   space computes from others. */
static bool has_number(
	const struct at_spec *view, const struct at_problem *tuned, const char *name)
{
	for (size_t i = 0; i < view->domain.number_count; i++)
		if (!strcmp(view->domain.numbers[i].name, name))
			return true;
	return at_problem_find_size(tuned, name) != NULL;
}

/* Reads the sizes into *out, whose names are borrowed. False: the space has a name no
   more. */
static bool read_sizes(const struct at_json *sizes, const struct at_spec *view,
	const struct at_problem *tuned, struct at_problem *out)
{
	const char *name;

	for (size_t i = 0; (name = at_json_key_at(sizes, i)); i++) {
		if (!has_number(view, tuned, name))
			return false;
		out->sizes[out->size_count++] = (struct at_size){ .name = (char *)name,
			.value = value_of(at_json_get(sizes, name)) };
	}
	return true;
}

static bool read_contents(
	const struct at_json *names, const struct at_spec *spec, uint64_t *out)
{
	*out = 0;
	for (size_t k = 0; k < at_json_count(names); k++) {
		const char *name = at_json_text(at_json_at(names, k));
		size_t i = 0;

		while (i < spec->argument_count && i < CASES_CONTENTS_MOST &&
			(!name || strcmp(spec->arguments[i].name, name) != 0))
			i++;
		if (i == spec->argument_count || i == CASES_CONTENTS_MOST)
			return false;
		*out |= UINT64_C(1) << i;
	}
	return true;
}

/* Makes the case of `from`, which has its sizes, as the space has it now. */
static void make(const struct at_spec *view, const struct at_problem *tuned,
	const struct at_device_info *device, const struct at_problem *from,
	struct at_case *out)
{
	struct cases self;
	struct at_value *values =
		at_calloc(view->domain.number_count + 1, sizeof(*values));
	struct at_error reason = { 0 };
	enum at_status status = cases_begin(&self, view, tuned, device, &reason);

	if (!status)
		status = at_domain_values(view, from, tuned, values, &reason);
	if (!status && view->domain.line)
		status = at_domain_check(view, tuned, values, &reason);
	if (!status)
		(void)cases_make(&self, values, &out->problem, &reason);
	cases_release(&self);
	free(values);
	/* else the space does not have the case any more */
}

void at_case_recall(const struct at_spec *spec, const struct at_problem *tuned,
	const struct at_device_info *device, const struct at_counterexample *from,
	struct at_case *out)
{
	struct at_json *object = NULL;
	const struct at_json *sizes, *names;
	struct at_domain numbers = { 0 };
	struct at_spec view = *spec;
	struct at_problem given = { .name = (char *)"recorded" };
	uint64_t contents, allowed = 0;
	size_t count = 0;

	memset(out, 0, sizeof(*out));
	/* as a stranger may write it */
	if (at_json_parse(from->instance, strlen(from->instance), NULL, &object, NULL))
		return;
	sizes = at_json_get(object, "sizes");
	names = at_json_get(object, "contents");
	if (!spec->domain.line) {
		at_cases_numbers(spec, tuned, &numbers);
		view.domain = numbers;
	}
	while (at_json_key_at(sizes, count))
		count++;
	given.sizes = at_calloc(count + 1, sizeof(*given.sizes));
	if (spec->verify.derives_problems)
		at_plan_other_contents(spec, tuned, &allowed);
	if (read_sizes(sizes, &view, tuned, &given) &&
		read_contents(names, spec, &contents) && !(contents & ~allowed)) {
		make(&view, tuned, device, &given, out);
		if (out->problem.name && contents)
			cases_set_contents(spec, out, contents);
		out->seed = (uint64_t)at_json_whole(at_json_get(object, "seed"), 1);
		out->is_default = contents || !spec->domain.line;
		out->is_scaled = at_json_is_true(at_json_get(object, "is_scaled"));
		if (!out->promise)
			out->promise = at_strdup("a \"domain\" without it");
	}
	/* nothing is left but the tuned problem, which each run has */
	if ((!out->problem.size_count && !out->contents)) {
		at_case_release(&out->problem);
		free(out->promise);
		memset(out, 0, sizeof(*out));
	}
	at_cases_release_numbers(&numbers);
	free(given.sizes);
	at_json_free(object);
}

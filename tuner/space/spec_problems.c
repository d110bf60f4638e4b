/* The sections "problems" and "verify": problems with their sizes, and the data sets of
   verifications. */
#include "space/domain.h"
#include "base/memory.h"
#include "space/spec_load.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The longest problem name in a record. */
#define NAME_BYTES_MAX 200

enum {
	PROBLEMS_MAX =
		1000, /* names are compared in pairs, and a run tunes one by one */
	CASES = 16, /* of a verification, drawn from the domain */
	CASES_MAX = 1000,
	DATA_SETS_MAX =
		100, /* each is a verification of every winner on every problem */
};

/* Sizes are constants once the file is loaded, so that they are the same for all
   configurations and devices, and buffers can be planned from them. */
void at_spec_evaluate_sizes(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what,
	const struct at_problem *problem, struct at_expression **expression,
	struct at_value *out)
{
	struct at_spec_names names = {
		.hint = expression
				? "; a size may be made of those before it in its problem"
				: "; ends of ranges and defaults are made of sizes"
	};
	struct at_names view;
	struct at_value *slots = at_calloc(problem->size_count + 1, sizeof(*slots));
	struct at_expression *own;
	enum at_evaluated evaluation = AT_EVALUATION_OK;

	for (size_t i = 0; i < problem->size_count; i++) {
		slots[i] = problem->sizes[i].value;
		at_spec_names_add(&names, problem->sizes[i].name, slots[i].type);
	}
	view = at_spec_names_view(&names);
	if (!at_expression_compile(
		    node->text, loader->file, node->line, &view, &own, loader->err)) {
		at_spec_own_expression(loader->spec, own);
		evaluation = at_expression_evaluate(own, slots, out, NULL);
		if (expression)
			*expression = own;
	}
	at_spec_names_release(&names);
	free(slots);
	if (loader->err->status)
		at_spec_give_up(loader);
	if (evaluation)
		at_spec_fail(loader, node->line, "%s: \"%.200s\" %s", what, node->text,
			at_evaluation_text(evaluation));
	if (out->type == AT_TYPE_WORD)
		at_spec_fail(loader, node->line,
			"%s: expected a number, found the word \"%.80s\"", what,
			out->word);
}

static void load_size(struct at_spec_loader *loader, const struct at_config_node *node,
	struct at_problem *problem)
{
	const struct at_spec *spec = loader->spec;
	struct at_size *size = &problem->sizes[problem->size_count];
	char what[128];
	size_t lane;

	/* of the problems of verify, which come after the arguments */
	if (!strchr(node->name, '.') || !at_domain_find_scalar(spec, node->name, &lane))
		at_spec_check_name(loader, node->line, "a size's name", node->name);
	at_spec_check_no_section(loader, node, "a problem");
	/* Both would be macros of the template, and names in the same expressions. */
	for (size_t i = 0; i < spec->parameter_count; i++)
		if (!strcmp(spec->parameters[i].name, node->name))
			at_spec_fail(loader, node->line,
				"\"%.80s\" is a size here and a parameter in line %d: rename one",
				node->name, spec->parameters[i].line);
	size->value = at_spec_scalar(node);
	snprintf(what, sizeof(what), "size \"%.80s\"", node->name);
	if (size->value.type == AT_TYPE_NONE)
		at_spec_fail_type(loader, node, what, "a number or an expression");
	if (size->value.type == AT_TYPE_WORD)
		at_spec_evaluate_sizes(
			loader, node, what, problem, &size->expression, &size->value);
	problem->size_count++;
	size->name = at_spec_copy_text(loader, node->name);
}

/* problem is zeroed. kind, "problem" or "verify", and index make the default name. */
static void load_problem(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *kind, size_t index,
	struct at_problem *problem)
{
	char what[64];

	snprintf(what, sizeof(what), "%s_%zu", kind, index + 1);
	if (node->kind != AT_CONFIG_GROUP)
		at_spec_fail_type(loader, node, "\"problems\"",
			"a list of groups ( { N = ...; }, ... )");
	problem->line = node->line;
	/* at_cli_load_space() checks that the kind of device exists. */
	at_spec_read(loader, node, what, AT_GROUP_PROBLEM, problem);
	if (problem->name &&
		(strlen(problem->name) > NAME_BYTES_MAX || strchr(problem->name, '\t')))
		at_spec_fail(loader, at_config_find(node, "name")->line,
			"\"name\" of %s has a tab in it, or more than %d bytes: records and headers are made with it",
			what, NAME_BYTES_MAX);
	if (!problem->name)
		problem->name = at_spec_copy_text(loader, what);
	if (problem->on && strchr(problem->on, ':'))
		at_spec_fail(loader, at_config_find(node, "on")->line,
			"\"on\" of %s is \"%.80s\": expected a kind of device, as in \"%.*s\", which means all devices of this kind",
			what, problem->on, (int)strcspn(problem->on, ":"), problem->on);
	problem->sizes =
		at_spec_allocate(loader, node->count + 1, sizeof(*problem->sizes));
	/* All other keys are sizes; the file chooses their names. */
	for (size_t i = 0; i < node->count; i++)
		if (strcmp(node->children[i].name, "name") &&
			strcmp(node->children[i].name, "on"))
			load_size(loader, &node->children[i], problem);
}

/* more: a list whose problems follow those of the node, or NULL. */
static void load_list(struct at_spec_loader *loader, const struct at_config_node *node,
	const struct at_config_node *more, const char *kind, struct at_problem **out,
	size_t *count)
{
	at_spec_check_list(
		loader, node, "\"problems\"", "a list of groups ( { N = ...; }, ... )");
	*count = node->count + (more ? more->count : 0);
	if (!node->count || *count > PROBLEMS_MAX)
		at_spec_fail(loader, node->line,
			"\"problems\" has %zu problems: expected 1 to %d", *count,
			PROBLEMS_MAX);
	*out = at_spec_allocate(loader, *count, sizeof(**out));
	for (size_t i = 0; i < *count; i++) {
		const bool is_more = i >= node->count;
		const struct at_problem *one = &(*out)[i];

		loader->file = is_more ? loader->more_file : loader->spec->path;
		load_problem(loader,
			is_more ? &more->children[i - node->count] : &node->children[i],
			kind, i, &(*out)[i]);
		/* Records are stored under the problem's name, and --problem selects by
		   name. Every problem has a name by now; the analyzer does not know
		   that. */
		for (size_t k = 0; k < i; k++)
			if (one->name && (*out)[k].name &&
				!strcmp(one->name, (*out)[k].name))
				at_spec_fail(loader, one->line,
					"problem \"%.80s\" is given twice, first in line %d",
					one->name, (*out)[k].line);
	}
	loader->file = loader->spec->path;
}

void at_spec_load_problems(struct at_spec_loader *loader)
{
	const struct at_config_node *node = at_config_find(loader->root, "problems");
	struct at_spec *spec = loader->spec;

	if (node) {
		load_list(loader, node, at_config_find(loader->more, "problems"),
			"problem", &spec->problems, &spec->problem_count);
		return;
	}
	spec->problems = at_spec_allocate(loader, 1, sizeof(*spec->problems));
	/* a kernel without sizes also has one problem */
	spec->problem_count = 1;
	spec->problems[0].name = at_spec_copy_text(loader, "default");
}

/* A size that no tuned problem has is a typo, since no expression uses it. The
   exception is a scalar argument, which a case may set. */
static void check_verify_size(struct at_spec_loader *loader,
	const struct at_problem *problem, const char *name)
{
	const struct at_spec *spec = loader->spec;
	char suggestion[256];
	size_t lane;

	for (size_t i = 0; i < spec->size_count; i++)
		if (!strcmp(spec->size_names[i], name))
			return;
	if (at_domain_find_scalar(spec, name, &lane))
		return;
	at_spec_fail(loader, problem->line,
		"unknown size \"%.80s\" in the problem \"%.80s\" of verify%s", name,
		problem->name,
		at_spec_suggestion(name, (const char *const *)spec->size_names,
			spec->size_count, suggestion, sizeof(suggestion)));
}

/* Data sets. The keys of a set are `name` and names of arguments. */

/* Reads the fill of an argument from node, a setting of the set's group. */
static void load_set_fill(struct at_spec_loader *loader,
	const struct at_config_node *group, const struct at_config_node *node,
	const char *what, struct at_data_set *set)
{
	const struct at_spec *spec = loader->spec;
	/* at_spec_find_argument() reads a node's text; here the name is the key. */
	const struct at_config_node key = {
		.kind = AT_CONFIG_STRING, .line = node->line, .text = node->name
	};
	const struct at_argument *argument;
	char where[256];
	size_t index = 0;

	at_spec_find_argument(loader, &key, what, &index);
	argument = &spec->arguments[index];
	if (argument->has_fields && node->kind == AT_CONFIG_GROUP) {
		at_spec_load_field_fills(loader, group, what, index, set->fills);
		return;
	}
	if (!argument->fill.kind)
		at_spec_fail(loader, node->line,
			"%s fills \"%.80s\": only buffers of access \"in\" and \"inout\" are filled",
			what, argument->name);
	/* The variable is set once, when its module is loaded. */
	if (argument->symbol)
		at_spec_fail(loader, node->line,
			"%s fills \"%.80s\": the contents of an argument with a \"symbol\" are the same in all cases",
			what, argument->name);
	snprintf(where, sizeof(where), "the fill of \"%.80s\" in %s", argument->name,
		what);
	if (argument->has_fields &&
		(node->kind != AT_CONFIG_STRING || strncmp(node->text, "file", 4) != 0))
		at_spec_fail_type(loader, node, where,
			"\"file('path')\", as the structure has in \"arguments\"");
	at_spec_load_fill(loader, node, where, argument, &set->fills[index]);
	/* An inout buffer is refilled before each launch, by a kernel on the device. */
	if (set->fills[index].kind == AT_FILL_FILE &&
		argument->access == AT_ACCESS_INOUT)
		at_spec_fail(loader, node->line,
			"%s: inout cannot be filled from a file; copy it from an input in a prepare kernel",
			where);
}

static void load_data_set(struct at_spec_loader *loader,
	const struct at_config_node *node, size_t index, struct at_data_set *set)
{
	size_t fill_count = 0;
	char what[128];

	snprintf(what, sizeof(what), "data_%zu of verify", index + 1);
	if (node->kind != AT_CONFIG_GROUP)
		at_spec_fail_type(loader, node, "\"data\" of verify",
			"a list of groups ( { name = \"...\"; ARGUMENT = \"FILL\"; }, ... )");
	set->line = node->line;
	at_spec_read(loader, node, what, AT_GROUP_DATA, set);
	if (set->name) {
		snprintf(what, sizeof(what), "the data \"%.80s\" of verify", set->name);
	} else {
		/* The name is "data_1", without " of verify". */
		set->name =
			at_spec_own(loader->spec, at_strndup(what, strcspn(what, " ")));
	}
	set->fills = at_spec_allocate(
		loader, loader->spec->argument_count + 1, sizeof(*set->fills));
	for (size_t i = 0; i < node->count; i++)
		if (strcmp(node->children[i].name, "name")) {
			load_set_fill(loader, node, &node->children[i], what, set);
			fill_count++;
		}
	if (!fill_count)
		at_spec_fail(loader, node->line,
			"%s fills nothing: add ARGUMENT = \"uniform(-1, 1)\"; or the like",
			what);
}

static void load_data_sets(
	struct at_spec_loader *loader, const struct at_config_node *node)
{
	struct at_verify *verify = &loader->spec->verify;

	at_spec_check_list(loader, node, "\"data\" of verify",
		"a list of groups ( { name = \"...\"; ARGUMENT = \"FILL\"; }, ... )");
	if (!node->count || node->count > DATA_SETS_MAX)
		at_spec_fail(loader, node->line,
			"\"data\" of verify has %zu data sets: expected 1 to %d",
			node->count, DATA_SETS_MAX);
	verify->data_sets =
		at_spec_allocate(loader, node->count, sizeof(*verify->data_sets));
	verify->data_set_count = node->count;
	for (size_t i = 0; i < node->count; i++)
		load_data_set(loader, &node->children[i], i, &verify->data_sets[i]);
	/* Names must differ, since a failed verification names its data set. */
	for (size_t i = 1; i < node->count; i++)
		for (size_t k = 0; k < i; k++)
			/* Every data set has a name by now; the analyzer does not know
			   that. */
			if (verify->data_sets[i].name && verify->data_sets[k].name &&
				!strcmp(verify->data_sets[i].name,
					verify->data_sets[k].name))
				at_spec_fail(loader, verify->data_sets[i].line,
					"data \"%.80s\" is given twice, first in line %d",
					verify->data_sets[i].name,
					verify->data_sets[k].line);
}

void at_spec_load_verify(struct at_spec_loader *loader)
{
	const struct at_config_node *node = at_config_find(loader->root, "verify");
	const struct at_config_node *problems = at_config_find(node, "problems");
	const struct at_config_node *data = at_config_find(node, "data");
	const struct at_config_node *cases = at_config_find(node, "cases");
	struct at_verify *verify = &loader->spec->verify;

	/* NAN: measure/ chooses tolerances that cover rounding. */
	verify->rtol = verify->atol = NAN;
	verify->derives_problems = true;
	verify->case_count = CASES;
	if (!node)
		return;
	at_spec_read(loader, node, "verify", AT_GROUP_VERIFY, verify);
	if (cases) {
		if (cases->kind != AT_CONFIG_INTEGER || cases->integer < 0 ||
			cases->integer > CASES_MAX)
			at_spec_fail(loader, cases->line,
				"\"cases\" of verify: expected a number from 0 to %d, of cases drawn from the domain",
				CASES_MAX);
		if (!loader->spec->domain.line)
			at_spec_fail(loader, cases->line,
				"\"cases\" of verify are drawn from the domain, which this file does not declare: add domain: { N = \"1 .. 4096\"; };");
		verify->case_count = (size_t)cases->integer;
	}
	if (problems)
		load_list(loader, problems, NULL, "verify", &verify->problems,
			&verify->problem_count);
	for (size_t p = 0; p < verify->problem_count; p++)
		for (size_t s = 0; s < verify->problems[p].size_count; s++)
			check_verify_size(loader, &verify->problems[p],
				verify->problems[p].sizes[s].name);
	if (data)
		load_data_sets(loader, data);
}

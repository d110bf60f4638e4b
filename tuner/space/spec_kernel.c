/* The section "kernel" with its reference, and "launch", "launches", "prepare" and
   "finish": the calls of kernels and functions with their arguments. */
#include "space/spec_load.h"

#include "base/file.h"
#include "base/memory.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rejects attributes that are invalid for every value of a parameter. */
static void check_attributes(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *name,
	const struct at_launch *launch)
{
	const struct at_window *window = &launch->window;

	if (launch->preferred_rank && !launch->cluster_rank)
		at_spec_fail(loader, node->line,
			"\"preferred_cluster\" of %s: it needs a \"cluster\", which is used where the preferred one finds no room",
			name);
	if (window->percent &&
		loader->spec->arguments[window->argument].access == AT_ACCESS_NONE)
		at_spec_fail(loader, at_config_find(node, "l2_window")->line,
			"\"l2_window\" of %s: \"%.80s\" is a scalar: expected a buffer",
			name, loader->spec->arguments[window->argument].name);
}

void at_spec_load_launch(struct at_spec_loader *loader)
{
	const struct at_config_node *node = at_config_find(loader->root, "launch");

	if (!node)
		return;
	loader->launch.line = node->line;
	at_spec_read(loader, node, "launch", AT_GROUP_LAUNCH, &loader->launch);
	check_attributes(loader, node, "launch", &loader->launch);
}

/* Without kernel.arguments, a kernel takes all arguments in order. */
static void take_all_arguments(struct at_spec_loader *loader)
{
	size_t count = loader->spec->given_count;

	loader->arguments =
		at_spec_allocate(loader, count + 1, sizeof(*loader->arguments));
	loader->argument_count = count;
	for (size_t i = 0; i < count; i++)
		loader->arguments[i] = i;
}

/* Without "function", the name is also the function's. Files are then named after the
   bare name: "scale" of "tools::scale<BLOCK>". */
static void take_function(struct at_spec_loader *loader, int line)
{
	struct at_spec *spec = loader->spec;
	const char *bare;
	size_t length;

	/* Files and macros have one name for all configurations. */
	if (strstr(spec->name, "${"))
		at_spec_fail(loader, line,
			"\"name\" of kernel is \"%.80s\": a function with parameters in its name stands in \"function\"",
			spec->name);
	spec->kernel = spec->name;
	bare = at_kernel_bare_name(spec->kernel, &length);
	spec->name = at_spec_own(spec, at_strndup(bare, length));
	at_spec_check_kernel(loader, line,
		at_kernel_arguments(spec->kernel)
			? "\"name\" of kernel"
			: "\"name\" of kernel, which names the function too while no \"function\" is given",
		spec->kernel);
}

void at_spec_load_kernel(struct at_spec_loader *loader)
{
	const struct at_config_node *node = at_config_find(loader->root, "kernel");
	const struct at_config_node *launches =
		at_config_find(loader->root, "launches");
	const struct at_config_node *arguments;
	struct at_spec *spec = loader->spec;
	bool is_plain;
	int line;

	if (!node) {
		/* "spaces/gemm.cfg" -> "gemm" */
		const char *file = at_path_name(loader->file);
		size_t length = strlen(file);

		if (length > 4 && !strcmp(file + length - 4, ".cfg"))
			length -= 4;
		spec->name = at_spec_own(spec, at_strndup(file, length));
		take_all_arguments(loader);
		return;
	}
	spec->kernel_line = node->line;
	at_spec_read(loader, node, "kernel", AT_GROUP_KERNEL, spec);
	line = at_config_find(node, "name")->line;
	if (spec->kernel && launches)
		at_spec_fail(loader, at_config_find(node, "function")->line,
			"\"function\" of kernel: each of \"launches\" names its own kernel: leave it out");
	is_plain = spec->kernel || launches ||
		   !(at_kernel_varies(spec->name) || strstr(spec->name, "::"));
	for (const char *c = spec->name; is_plain && *c; c++)
		if (!isalnum((unsigned char)*c) && *c != '_' && *c != '-')
			at_spec_fail(loader, line,
				"\"name\" of kernel is \"%.80s\": expected letters, digits, \"_\" and \"-\", since files and macros are named for it",
				spec->name);
	/* A name that is not also the function's may have dashes. */
	if (!spec->kernel && !launches)
		take_function(loader, line);
	arguments = at_config_find(node, "arguments");
	if (arguments)
		at_spec_read_argument_names(loader, arguments,
			"\"arguments\" of kernel", &loader->arguments,
			&loader->argument_count);
	else
		take_all_arguments(loader);
}

/* A texture in the launch that writes its buffer may return old values: CUDA leaves
   that undefined. */
static void check_textures(struct at_spec_loader *loader, const struct at_call *call)
{
	const struct at_spec *spec = loader->spec;

	for (size_t i = 0; i < call->argument_count; i++) {
		const struct at_argument *texture =
			&spec->arguments[call->arguments[i]];
		const struct at_argument *buffer;
		bool is_taken;

		if (texture->texture.kind != AT_TEXTURE_READ)
			continue;
		buffer = &spec->arguments[texture->of - 1];
		is_taken = at_call_takes_itself(spec, call, texture->of - 1);
		for (size_t k = 0; k < call->argument_count; k++)
			is_taken |=
				spec->arguments[call->arguments[k]].of == texture->of &&
				spec->arguments[call->arguments[k]].texture.kind ==
					AT_TEXTURE_SURFACE;
		if (buffer->access != AT_ACCESS_IN && is_taken)
			at_spec_fail(loader, texture->line,
				"%s takes the texture \"%.80s\" of \"%.80s\" and what may write \"%.80s\": a texture does not see writes of its own launch",
				call->name, texture->name, buffer->name, buffer->name);
	}
}

/* A call without arguments takes those of "kernel", and the reference takes them
   without the tensor maps: a map differs between configurations. */
static void take_arguments(struct at_spec_loader *loader, struct at_call *call)
{
	for (size_t i = 0; i < call->argument_count; i++) {
		const struct at_argument *argument =
			&loader->spec->arguments[call->arguments[i]];

		if (call == &loader->spec->reference.call &&
			at_argument_is_map(argument))
			at_spec_fail(loader, call->line,
				"\"arguments\" of reference: \"%.80s\" is a tensor map: give the reference its buffer, \"%.80s\"",
				argument->name,
				loader->spec->arguments[argument->of - 1].name);
	}
	if (call->arguments) {
		check_textures(loader, call);
		return;
	}
	call->arguments = at_spec_allocate(
		loader, loader->argument_count + 1, sizeof(*call->arguments));
	for (size_t i = 0; i < loader->argument_count; i++) {
		size_t argument = loader->arguments[i];

		if (call != &loader->spec->reference.call ||
			!at_argument_is_map(&loader->spec->arguments[argument]))
			call->arguments[call->argument_count++] = argument;
	}
	check_textures(loader, call);
}

/* Whether two expressions, which may be NULL, have the same text. */
static bool are_alike(
	const struct at_expression *one, const struct at_expression *other)
{
	return one && other
		       ? !strcmp(at_expression_text(one), at_expression_text(other))
		       : one == other;
}

/* Swapped buffers hold each other's contents, so both must be the same kind of buffer.
   Their counts are compared for each configuration. */
static void check_swaps(struct at_spec_loader *loader,
	const struct at_config_node *node, const struct at_call *call)
{
	const struct at_argument *arguments = loader->spec->arguments;

	if (call->swap_count % 2)
		at_spec_fail(loader, node->line,
			"\"swap\" of %s names %zu arguments: expected pairs, as in ( \"from\", \"to\" )",
			call->name, call->swap_count);
	for (size_t i = 0; i < call->swap_count; i++) {
		const struct at_argument *one = &arguments[call->swaps[i]];
		const struct at_argument *other = &arguments[call->swaps[i ^ 1]];

		if (one->access == AT_ACCESS_NONE || one->access == AT_ACCESS_IN)
			at_spec_fail(loader, node->line,
				"\"swap\" of %s: \"%.80s\" is %s: only buffers that kernels write change places, as \"inout\", \"out\" or \"scratch\"",
				call->name, one->name,
				one->access == AT_ACCESS_IN ? "an input" : "a scalar");
		if (one->element != other->element || one->lanes != other->lanes ||
			one->type_parameter != other->type_parameter ||
			one->has_fields != other->has_fields)
			at_spec_fail(loader, node->line,
				"\"swap\" of %s: \"%.80s\" and \"%.80s\" have different types",
				call->name, one->name, other->name);
		if (!are_alike(one->texture.pitch, other->texture.pitch) ||
			!are_alike(one->texture.width, other->texture.width))
			at_spec_fail(loader, node->line,
				"\"swap\" of %s: the rows of \"%.80s\" and \"%.80s\" differ: give both the same \"width\" and \"pitch\"",
				call->name, one->name, other->name);
	}
}

/* Adds a call: of `launches`, `prepare` or `finish`. The spec owns the name. *out may
   be NULL. */
static void load_call(struct at_spec_loader *loader, const struct at_config_node *node,
	char *name, enum at_spec_group group, struct at_call **out)
{
	struct at_spec *spec = loader->spec;
	struct at_call *call = &spec->calls[spec->call_count++];
	const struct at_config_node *swap = at_config_find(node, "swap");

	call->name = name;
	call->line = call->launch.line = node->line;
	if (out)
		*out = call;
	at_spec_read(loader, node, name, group, call);
	check_attributes(loader, node, name, &call->launch);
	call->launch.has_step = at_spec_counts_steps(spec, call->launch.shared_bytes);
	for (size_t i = 0; i < 3; i++)
		call->launch.has_step |=
			at_spec_counts_steps(spec, call->launch.block[i]) ||
			at_spec_counts_steps(spec, call->launch.grid[i]);
	take_arguments(loader, call);
	if (swap)
		check_swaps(loader, swap, call);
}

/* The launches that an item of "launches" repeats together; NULL: it is a single
   launch. */
static const struct at_config_node *launches_of(const struct at_config_node *item)
{
	return item->kind == AT_CONFIG_GROUP ? at_config_find(item, "launches") : NULL;
}

static size_t count_launches(const struct at_config_node *list)
{
	size_t count = 0;

	for (size_t i = 0; list && i < list->count; i++) {
		const struct at_config_node *group = launches_of(&list->children[i]);

		count += group ? group->count : 1;
	}
	return count;
}

/* Loads launches[first], ... `what` names the list in messages; group NULL: the whole
   sequence. */
static void load_list(struct at_spec_loader *loader, const struct at_config_node *list,
	const char *what, const char *first, const struct at_call *group)
{
	struct at_spec *spec = loader->spec;
	size_t count = count_launches(list);

	at_spec_check_list(loader, list, what,
		"a list of groups ( { kernel = ...; block = ...; grid = ...; }, ... )");
	if (count < 1 || count > AT_SPEC_LAUNCHES_MAX)
		at_spec_fail(loader, list->line,
			"%s: expected 1 to %d launches, found %zu", what,
			AT_SPEC_LAUNCHES_MAX, count);
	for (size_t i = 0; i < list->count; i++) {
		const struct at_config_node *item = &list->children[i];
		struct at_call together = { .group = i + 1 };
		struct at_strbuf text = { 0 };
		char where[64], *name;

		at_strbuf_addf(&text, "%s[%zu]", first, i);
		name = at_spec_own(spec, at_strbuf_detach(&text));
		snprintf(where, sizeof(where), "\"launches\" of %s", name);
		if (!launches_of(item) || group) {
			load_call(loader, item, name, AT_GROUP_LAUNCHES, NULL);
			spec->calls[spec->call_count - 1].group =
				group ? group->group : 0;
			spec->calls[spec->call_count - 1].rounds =
				group ? group->rounds : NULL;
			continue;
		}
		at_spec_read(loader, item, name, AT_GROUP_ROUNDS, &together);
		load_list(loader, launches_of(item), where, name, &together);
	}
}

static void load_launches(
	struct at_spec_loader *loader, const struct at_config_node *node)
{
	struct at_spec *spec = loader->spec;

	if (loader->launch.line)
		at_spec_fail(loader, node->line,
			"\"launches\" and \"launch\" (line %d) exclude each other: a launch that is alone is \"launch\"",
			loader->launch.line);
	load_list(loader, node, "\"launches\"", "launches", NULL);
	if (spec->calls[0].launch.dependent && !spec->calls[0].repeat &&
		!spec->calls[0].rounds)
		at_spec_fail(loader,
			at_config_find(&node->children[0], "dependent")->line,
			"\"dependent\" of launches[0]: no launch of the sequence precedes the first one: leave it out");
	if (at_config_find(loader->root, "kernel"))
		spec->kernel = spec->calls[0].kernel;
}

/* Rejects values that use the repeat count in a launch without repeats. */
static void check_steps(struct at_spec_loader *loader, const struct at_call *call)
{
	const struct at_spec *spec = loader->spec;

	for (size_t i = 0; call && i < spec->argument_count; i++) {
		const struct at_argument *argument = &spec->arguments[i];

		if (argument->has_step &&
			at_call_takes(
				spec, call, argument->owner ? argument->owner - 1 : i))
			at_spec_fail(loader, call->line,
				"%s takes \"%.100s\", whose value has \"step\": only \"launches\" have steps; give %s a list of \"arguments\" without it",
				call->name, argument->name, call->name);
	}
}

void at_spec_load_calls(struct at_spec_loader *loader)
{
	const struct at_config_node *launches =
		at_config_find(loader->root, "launches");
	const struct at_config_node *prepare = at_config_find(loader->root, "prepare");
	const struct at_config_node *finish = at_config_find(loader->root, "finish");
	struct at_spec *spec = loader->spec;

	spec->calls = at_spec_allocate(
		loader, count_launches(launches) + 3, sizeof(*spec->calls));
	if (launches) {
		load_launches(loader, launches);
	} else {
		spec->calls[0].name = at_spec_copy_text(loader, "launch");
		spec->calls[0].kernel = spec->kernel;
		spec->calls[0].line = spec->kernel_line;
		spec->calls[0].launch = loader->launch;
		spec->call_count = 1;
		take_arguments(loader, &spec->calls[0]);
	}
	spec->launch_count = spec->call_count;
	if (prepare)
		load_call(loader, prepare, at_spec_copy_text(loader, "prepare"),
			AT_GROUP_CALL, &spec->prepare);
	if (finish)
		load_call(loader, finish, at_spec_copy_text(loader, "finish"),
			AT_GROUP_CALL, &spec->finish);
	check_steps(loader, spec->prepare);
	check_steps(loader, spec->finish);
	at_spec_add_conversions(loader);
}

/* The reference: the expected outputs of a configuration. */

/* { argument; path } */
static void load_reference_file(
	struct at_spec_loader *loader, const struct at_config_node *node)
{
	static const char what[] = "\"files\" of reference";
	const struct at_spec *spec = loader->spec;
	struct at_reference *reference = &loader->spec->reference;
	struct at_reference_file *out = &reference->files[reference->file_count++];
	const char *name;

	at_spec_read(loader, node, what, AT_GROUP_REFERENCE_FILE, out);
	at_spec_check_path(loader, out->path, node->line);
	name = spec->arguments[out->argument].name;
	if (!at_spec_is_compared(&spec->arguments[out->argument]))
		at_spec_fail(loader, node->line,
			"%s: argument \"%.80s\" is never compared: expected one of access \"out\" or \"inout\"",
			what, name);
	for (const struct at_reference_file *file = reference->files; file < out;
		file++)
		if (file->argument == out->argument)
			at_spec_fail(loader, node->line,
				"%s: argument \"%.80s\" is given twice", what, name);
}

/* reference: { files = ( { argument; path }, ... ) } */
static void load_reference_files(
	struct at_spec_loader *loader, const struct at_config_node *files)
{
	const struct at_spec *spec = loader->spec;
	struct at_reference *reference = &loader->spec->reference;

	at_spec_check_list(loader, files, "\"files\" of reference",
		"a list of groups ( { argument = ...; path = ...; }, ... )");
	reference->files =
		at_spec_allocate(loader, files->count + 1, sizeof(*reference->files));
	for (size_t i = 0; i < files->count; i++)
		load_reference_file(loader, &files->children[i]);
	/* Without a file, the output would not be compared. */
	for (size_t a = 0; a < spec->argument_count; a++) {
		size_t i = 0;

		while (i < reference->file_count && reference->files[i].argument != a)
			i++;
		if (at_spec_is_compared(&spec->arguments[a]) &&
			i == reference->file_count)
			at_spec_fail(loader, reference->line,
				"\"files\" of reference has none for argument \"%.80s\": add { argument = \"%.80s\"; path = \"...\"; }",
				spec->arguments[a].name, spec->arguments[a].name);
	}
}

/* A space without outputs needs no reference. With outputs and no reference, every
   wrong kernel would pass. A reference needs an output to compare. */
static void check_outputs(
	struct at_spec_loader *loader, const struct at_config_node *reference)
{
	const struct at_spec *spec = loader->spec;
	const struct at_config_node *arguments =
		at_config_find(loader->root, "arguments");
	size_t i = 0;

	while (i < spec->argument_count && !at_spec_is_compared(&spec->arguments[i]))
		i++;
	if (i < spec->argument_count && !reference && spec->kernel)
		at_spec_fail(loader, spec->kernel_line,
			"kernel has no \"reference\" that argument \"%.80s\" could be compared with: add reference = \"KERNEL\"; or make its access \"scratch\"",
			spec->arguments[i].name);
	if (i == spec->argument_count && i && reference)
		at_spec_fail(loader, arguments ? arguments->line : reference->line,
			"no argument is an output that the reference could be compared in: give one the access \"out\" or \"inout\"");
}

/* The kind of reference; a group is identified by its key. */
static enum at_reference_kind kind_of(const struct at_config_node *node)
{
	return node->kind == AT_CONFIG_STRING || at_config_find(node, "kernel")
		       ? AT_REFERENCE_KERNEL
	       : at_config_find(node, "library") ? AT_REFERENCE_LIBRARY
	       : at_config_find(node, "files")   ? AT_REFERENCE_FILE
						 : AT_REFERENCE_NONE;
}

/* A library gets copies of buffers on the CPU, which the space's pointers do not
   address. */
static void check_library(
	struct at_spec_loader *loader, const struct at_config_node *node)
{
	const struct at_spec *spec = loader->spec;

	for (size_t i = 0; i < spec->argument_count; i++) {
		const struct at_argument *argument = &spec->arguments[i];
		size_t taken = argument->owner ? argument->owner - 1 : i;
		bool is_taken = false;

		for (size_t k = 0; k < spec->reference.call.argument_count; k++)
			is_taken |= spec->reference.call.arguments[k] == taken;
		if ((argument->points_to || argument->of) && is_taken)
			at_spec_fail(loader, node->line,
				"the library of reference takes \"%.100s\", %s: give it the buffer, in \"arguments\" of reference",
				argument->name,
				argument->of ? at_argument_described(argument)
					     : "a pointer to a buffer");
	}
}

void at_spec_load_reference(struct at_spec_loader *loader)
{
	const struct at_config_node *node =
		at_config_find(at_config_find(loader->root, "kernel"), "reference");
	struct at_reference *reference = &loader->spec->reference;
	struct at_launch *launch = &reference->call.launch;
	static const char what[] = "reference";

	check_outputs(loader, node);
	if (!node)
		return;
	reference->line = reference->call.line = node->line;
	reference->call.name = at_spec_copy_text(loader, what);
	reference->kind = kind_of(node);
	if (node->kind == AT_CONFIG_STRING) {
		reference->call.kernel = at_spec_copy_text(loader, node->text);
		at_spec_check_kernel(
			loader, node->line, "the reference's kernel", node->text);
	} else if (node->kind != AT_CONFIG_GROUP) {
		at_spec_fail_type(loader, node, "\"reference\" of kernel",
			"a kernel's name or a group");
	} else {
		at_spec_read(loader, node, what, AT_GROUP_REFERENCE, reference);
		if (!reference->kind)
			at_spec_fail(loader, node->line,
				"reference has none of \"kernel\", \"library\" and \"files\": expected one");
		at_spec_check_kind(
			loader, node, what, AT_GROUP_REFERENCE, reference->kind, NULL);
	}
	if (reference->kind == AT_REFERENCE_FILE) {
		load_reference_files(loader, at_config_find(node, "files"));
		return;
	}
	/* A reference may omit its launch; it then gets a default one (struct
	   at_reference). */
	if (launch->block_rank || launch->grid_rank || launch->shared_bytes) {
		launch->line = node->line;
		at_spec_require(loader, node, what, "block", "block = ( ... );");
		at_spec_require(loader, node, what, "grid", "grid = ( ... );");
	}
	take_arguments(loader, &reference->call);
	check_steps(loader, &reference->call);
	if (reference->kind == AT_REFERENCE_LIBRARY)
		check_library(loader, node);
}

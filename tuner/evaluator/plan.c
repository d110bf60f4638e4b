#include "evaluator/plan.h"
#include "space/enumerate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* raise it when proving or measuring changes so that old times mean something else,
   and when what a key is made of changes */
#define MEASUREMENT_VERSION 4

/* a reader's buffer: large enough that the disk and not the loop sets the pace */
#define CHUNK_BYTES ((size_t)64 << 10)

enum at_status at_plan_init(struct at_plan *self, const struct at_spec *spec,
	const struct at_template *template, const struct at_problem *problem,
	const struct at_problem *base, const struct at_device_info *device,
	const char *toolchain_version, uint64_t seed, struct at_error *err)
{
	*self = (struct at_plan){
		.spec = spec,
		.template = template,
		.problem = problem,
		.base = base,
		.device = device,
		.toolchain_version = toolchain_version,
		.seed = seed,
		.slots = calloc(spec->slot_count + 1, sizeof(*self->slots)),
	};
	if (!self->slots)
		return at_fail_memory(err);
	at_spec_bind(spec, problem, base, &device->properties, self->slots);
	return AT_OK;
}

void at_plan_release(struct at_plan *self)
{
	free(self->slots);
	at_measure_setup_release(&self->setup);
	memset(self, 0, sizeof(*self));
}

bool at_plan_applies(const struct at_problem *problem, const char *device_kind)
{
	return !problem->on || !strcmp(problem->on, device_kind);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static enum at_status set_kernels(struct at_compile_request *out,
	const char *const *names, size_t count, struct at_error *err)
{
	out->kernels = calloc(count + 1, sizeof(*out->kernels));
	if (!out->kernels)
		return at_fail_memory(err);
	for (size_t i = 0; i < count; i++) {
		if (!names[i])
			continue;
		out->kernels[out->kernel_count] = at_strdup(names[i]);
		if (!out->kernels[out->kernel_count++])
			return at_fail_memory(err);
	}
	return AT_OK;
}

static enum at_status set_texts(const struct at_device_info *device, const char *name,
	const char *directory, struct at_compile_request *out, struct at_error *err)
{
	out->toolchain = at_strdup(device->toolchain);
	out->architecture = at_strdup(device->architecture);
	out->name = at_strdup(name);
	out->directory = at_strdup(directory);
	if (!out->toolchain || !out->architecture || !out->name || !out->directory)
		return at_fail_memory(err);
	return AT_OK;
}

/* the configuration's slots are bound */
static enum at_status make_unit(struct at_plan *self, const uint16_t *configuration,
	enum at_unit unit, struct at_compile_request *out, struct at_error *err)
{
	const struct at_spec *spec = self->spec;
	const char *tuned[] = { spec->kernel, spec->prepare.kernel,
		spec->finish.kernel };
	const char *reference[] = { spec->reference.call.kernel };
	struct at_strbuf source = { 0 }, omit = { 0 };
	enum at_status status;

	memset(out, 0, sizeof(*out));
	status = set_texts(self->device, base_name(self->template->path),
		self->template->directory, out, err);
	if (status)
		goto release;
	at_source_render(spec, self->template, configuration, unit, &source);
	if (unit == AT_UNIT_TUNED)
		at_source_render_omit(spec, self->template, &omit);
	out->source = at_strbuf_detach(&source);
	out->omit = at_strbuf_detach(&omit);
	if (!out->source || !out->omit) {
		status = at_fail_memory(err);
		goto release;
	}
	status = at_source_options(
		spec, self->slots, &out->options, &out->option_count, err);
	if (status)
		goto release;
	status = unit == AT_UNIT_TUNED ? set_kernels(out, tuned, 3, err)
				       : set_kernels(out, reference, 1, err);
release:
	if (status)
		at_compile_request_release(out);
	return status;
}

enum at_status at_plan_compile(struct at_plan *self, const uint16_t *configuration,
	enum at_unit unit, struct at_compile_request *out, struct at_error *err)
{
	at_spec_bind_configuration(self->spec, configuration, self->slots);
	return make_unit(self, configuration, unit, out, err);
}

enum at_status at_plan_compile_own(const struct at_device_info *device,
	const struct at_own_unit *unit, struct at_compile_request *out,
	struct at_error *err)
{
	enum at_status status;

	memset(out, 0, sizeof(*out));
	status = set_texts(device, unit->name, "", out, err);
	if (status)
		goto release;
	out->source = at_strndup((const char *)unit->source, unit->source_bytes);
	out->options = calloc(unit->option_count + 1, sizeof(*out->options));
	if (!out->source || !out->options) {
		status = at_fail_memory(err);
		goto release;
	}
	for (size_t i = 0; i < unit->option_count && !status; i++) {
		out->options[i] = at_strdup(unit->options[i]);
		if (!out->options[i])
			status = at_fail_memory(err);
		else
			out->option_count++;
	}
	if (!status)
		status = set_kernels(out, unit->kernels, unit->kernel_count, err);
release:
	if (status)
		at_compile_request_release(out);
	return status;
}

enum at_status at_plan_compile_support(const struct at_plan *self,
	struct at_compile_request *out, struct at_error *err)
{
	const struct at_own_unit unit = {
		.name = "support.cu",
		.source = at_embedded_support,
		.source_bytes = at_embedded_support_size,
		.options = at_measure_support_options,
		.option_count = at_measure_support_option_count,
		.kernels = at_measure_support_kernels,
		.kernel_count = at_measure_support_kernel_count,
	};

	return at_plan_compile_own(self->device, &unit, out, err);
}

static enum at_status evaluate_dimensions(struct at_plan *self,
	struct at_expression *const *expressions, size_t rank, const char *what,
	int line, uint32_t *out, struct at_error *err)
{
	enum at_status status = AT_OK;

	for (size_t i = 0; i < 3; i++) {
		char name[64];
		int64_t value;

		out[i] = 1;
		if (i >= rank)
			continue;
		snprintf(name, sizeof(name), "%s[%zu]", what, i);
		status = at_spec_integer(self->spec, expressions[i], self->slots, name,
			line, 1, INT32_MAX, &value, err);
		if (status)
			return status;
		out[i] = (uint32_t)value;
	}
	return AT_OK;
}

static enum at_status evaluate_launch(struct at_plan *self,
	const struct at_launch *launch, struct at_geometry *out, struct at_error *err)
{
	int64_t shared_bytes = 0;
	enum at_status status;

	status = evaluate_dimensions(self, launch->block, launch->block_rank, "block",
		launch->line, out->block, err);
	if (!status)
		status = evaluate_dimensions(self, launch->grid, launch->grid_rank,
			"grid", launch->line, out->grid, err);
	if (!status && launch->shared_bytes)
		status = at_spec_integer(self->spec, launch->shared_bytes, self->slots,
			"shared_bytes", launch->line, 0, INT32_MAX, &shared_bytes, err);
	out->shared_bytes = (uint32_t)shared_bytes;
	return status;
}

static enum at_status set_arguments(struct at_measure_call *out,
	const size_t *arguments, size_t count, struct at_error *err)
{
	out->arguments = calloc(count + 1, sizeof(*out->arguments));
	if (!out->arguments)
		return at_fail_memory(err);
	out->argument_count = (uint32_t)count;
	for (size_t i = 0; i < count; i++)
		out->arguments[i] = (uint32_t)arguments[i];
	return AT_OK;
}

static enum at_status plan_call(struct at_plan *self, const struct at_call *call,
	struct at_measure_call *out, struct at_error *err)
{
	enum at_status status;

	if (!call->kernel)
		return set_arguments(out, NULL, 0, err);
	status = evaluate_launch(self, &call->launch, &out->geometry, err);
	if (status)
		return status;
	return set_arguments(out, call->arguments, call->argument_count, err);
}

static void store_scalar(
	enum at_element element, int64_t whole, double real, unsigned char *out)
{
	float single = (float)real;

	switch (at_element_kind(element)) {
	case AT_ELEMENT_KIND_REAL:
		if (at_element_bytes(element) == 4)
			memcpy(out, &single, sizeof(single));
		else
			memcpy(out, &real, sizeof(real));
		break;
	case AT_ELEMENT_KIND_INTEGER:
	case AT_ELEMENT_KIND_UNSIGNED:
	case AT_ELEMENT_KIND_NONE:
		/* little-endian: the low bytes come first */
		memcpy(out, &whole, at_element_bytes(element));
		break;
	}
}

/* the range of an integer type, as far as int64 reaches */
static void integer_range(enum at_element element, int64_t *low, int64_t *high)
{
	size_t bits = 8 * at_element_bytes(element);
	bool is_signed = at_element_kind(element) == AT_ELEMENT_KIND_INTEGER;

	*high = bits == 64
			? INT64_MAX
			: (int64_t)((UINT64_C(1) << (is_signed ? bits - 1 : bits)) - 1);
	*low = is_signed ? -*high - 1 : 0;
}

static enum at_status plan_binding(struct at_plan *self,
	const struct at_argument *argument, struct at_measure_binding *out,
	struct at_error *err)
{
	char what[96];
	int64_t whole = 0, low, high;
	double real = 0;
	enum at_status status;

	memset(out, 0, sizeof(*out));
	snprintf(what, sizeof(what), "argument \"%.64s\"", argument->name);
	if (argument->access != AT_ACCESS_NONE) {
		status = at_spec_integer(self->spec, argument->count, self->slots, what,
			argument->line, 1, INT64_C(1) << 40, &whole, err);
		out->count = (uint64_t)whole;
		return status;
	}
	if (at_element_kind(argument->element) == AT_ELEMENT_KIND_REAL) {
		status = at_spec_real(self->spec, argument->value, self->slots, what,
			argument->line, &real, err);
	} else {
		integer_range(argument->element, &low, &high);
		status = at_spec_integer(self->spec, argument->value, self->slots, what,
			argument->line, low, high, &whole, err);
	}
	if (!status)
		store_scalar(argument->element, whole, real, out->value);
	return status;
}

static enum at_status plan_bindings(
	struct at_plan *self, struct at_measure_binding **out, struct at_error *err)
{
	const struct at_spec *spec = self->spec;
	enum at_status status = AT_OK;

	*out = calloc(spec->argument_count + 1, sizeof(**out));
	if (!*out)
		return at_fail_memory(err);
	for (size_t i = 0; i < spec->argument_count && !status; i++)
		status = plan_binding(self, &spec->arguments[i], &(*out)[i], err);
	return status;
}

static enum at_status plan_fill(struct at_plan *self,
	const struct at_argument *argument, struct at_measure_argument *out,
	struct at_error *err)
{
	const struct at_fill *fill = &argument->fill;
	enum at_status status = AT_OK;

	out->fill = fill->kind;
	out->file = at_strdup(fill->file ? fill->file : "");
	if (!out->file)
		return at_fail_memory(err);
	if (fill->a)
		status = at_spec_real(self->spec, fill->a, self->slots, "fill",
			argument->line, &out->fill_a, err);
	if (!status && fill->b)
		status = at_spec_real(self->spec, fill->b, self->slots, "fill",
			argument->line, &out->fill_b, err);
	return status;
}

static enum at_status plan_argument(struct at_plan *self,
	const struct at_argument *argument, struct at_measure_argument *out,
	struct at_error *err)
{
	bool is_real = at_element_kind(argument->element) == AT_ELEMENT_KIND_REAL;

	out->name = at_strdup(argument->name);
	out->symbol = at_strdup(argument->symbol ? argument->symbol : "");
	if (!out->name || !out->symbol)
		return at_fail_memory(err);
	out->element = argument->element;
	out->lanes = (uint32_t)argument->lanes;
	out->access = argument->access;
	/* a count that is off by one is wrong, however large: integers are exact
	   unless the argument itself says otherwise */
	out->rtol = is_real ? self->spec->verify.rtol : 0;
	out->atol = is_real ? self->spec->verify.atol : 0;
	if (!isnan(argument->rtol))
		out->rtol = argument->rtol;
	if (!isnan(argument->atol))
		out->atol = argument->atol;
	return plan_fill(self, argument, out, err);
}

/* grid-strided: one thread an element of the largest output */
static void default_reference_geometry(
	const struct at_measure_setup *setup, struct at_geometry *out)
{
	uint64_t most = 1, blocks;

	for (uint32_t i = 0; i < setup->argument_count; i++)
		if ((setup->arguments[i].access == AT_ACCESS_OUT ||
			    setup->arguments[i].access == AT_ACCESS_INOUT) &&
			setup->bindings[i].count > most)
			most = setup->bindings[i].count;
	blocks = (most + 255) / 256;
	for (int i = 0; i < 3; i++)
		out->grid[i] = out->block[i] = 1;
	out->block[0] = 256;
	out->grid[0] = (uint32_t)(blocks > 65535 ? 65535 : blocks);
}

static enum at_status plan_reference(
	struct at_plan *self, struct at_measure_setup *out, struct at_error *err)
{
	const struct at_reference *reference = &self->spec->reference;
	const struct at_launch *launch = &reference->call.launch;
	enum at_status status = AT_OK;

	out->reference = reference->kind;
	out->library = at_strdup(reference->library ? reference->library : "");
	out->function = at_strdup(reference->function ? reference->function : "");
	out->files = calloc(reference->file_count + 1, sizeof(*out->files));
	if (!out->library || !out->function || !out->files)
		return at_fail_memory(err);
	for (size_t i = 0; i < reference->file_count; i++) {
		out->files[i].argument = (uint32_t)reference->files[i].argument;
		out->files[i].path = at_strdup(reference->files[i].path);
		if (!out->files[i].path)
			return at_fail_memory(err);
		out->file_count++;
	}
	if (launch->block_rank || launch->grid_rank)
		status = evaluate_launch(
			self, launch, &out->reference_call.geometry, err);
	else
		default_reference_geometry(out, &out->reference_call.geometry);
	if (status)
		return status;
	return set_arguments(&out->reference_call, reference->call.arguments,
		reference->call.argument_count, err);
}

enum at_status at_plan_setup(
	struct at_plan *self, struct at_measure_setup *out, struct at_error *err)
{
	const struct at_spec *spec = self->spec;
	enum at_status status;

	memset(out, 0, sizeof(*out));
	at_spec_bind_configuration(spec, spec->defaults, self->slots);
	out->seed = self->seed;
	out->cache = spec->search.cache;
	out->arguments = calloc(spec->argument_count + 1, sizeof(*out->arguments));
	status = out->arguments ? AT_OK : at_fail_memory(err);
	for (size_t i = 0; i < spec->argument_count && !status; i++) {
		out->argument_count = (uint32_t)i + 1;
		status = plan_argument(
			self, &spec->arguments[i], &out->arguments[i], err);
	}
	if (!status)
		status = plan_bindings(self, &out->bindings, err);
	if (!status)
		status = plan_reference(self, out, err);
	if (status)
		at_measure_setup_release(out);
	return status;
}

/* the configuration's slots are bound */
static enum at_status make_request(
	struct at_plan *self, struct at_measure_request *out, struct at_error *err)
{
	const struct at_spec *spec = self->spec;
	enum at_status status;

	memset(out, 0, sizeof(*out));
	out->binding_count = (uint32_t)spec->argument_count;
	status = plan_bindings(self, &out->bindings, err);
	if (!status)
		status = evaluate_launch(
			self, &spec->launch, &out->kernel.geometry, err);
	if (!status)
		status = set_arguments(&out->kernel, spec->kernel_arguments,
			spec->kernel_argument_count, err);
	if (!status)
		status = plan_call(self, &spec->prepare, &out->prepare, err);
	if (!status)
		status = plan_call(self, &spec->finish, &out->finish, err);
	if (status)
		at_measure_request_release(out);
	return status;
}

enum at_status at_plan_request(struct at_plan *self, const uint16_t *configuration,
	struct at_measure_request *out, struct at_error *err)
{
	at_spec_bind_configuration(self->spec, configuration, self->slots);
	return make_request(self, out, err);
}

/* ---- identity ----------------------------------------------------------------
 *
 * A key must be another one when anything that decides a time or its proof is
 * another, and the same otherwise: so what identifies is listed here, and contents
 * count where the plan holds paths.
 */

/* paths and the name in messages do not count; the digest stands for what the source
   includes */
static void add_unit(struct at_hasher *hasher, const struct at_plan *self,
	const struct at_compile_request *unit)
{
	at_hasher_add_text(hasher, unit->toolchain);
	at_hasher_add_text(hasher, self->toolchain_version);
	at_hasher_add_text(hasher, unit->architecture);
	at_hasher_add(hasher, &self->template->digest, sizeof(self->template->digest));
	at_hasher_add_text(hasher, unit->source);
	at_hasher_add_integer(hasher, (int64_t)unit->option_count);
	for (size_t i = 0; i < unit->option_count; i++)
		at_hasher_add_text(hasher, unit->options[i]);
	at_hasher_add_integer(hasher, (int64_t)unit->kernel_count);
	for (size_t i = 0; i < unit->kernel_count; i++)
		at_hasher_add_text(hasher, unit->kernels[i]);
}

/*
 * A file that cannot be opened counts as one that is not there. That is no error
 * here: measuring will need the file and say what is wrong with it, and nothing
 * is recorded under this key before that works.
 */
static enum at_status add_contents(
	struct at_hasher *hasher, const char *path, struct at_error *err)
{
	FILE *file = fopen(path, "rb");
	char *chunk = malloc(CHUNK_BYTES);
	enum at_status status = chunk ? AT_OK : at_fail_memory(err);
	size_t length;

	at_hasher_add_integer(hasher, file != NULL);
	while (!status && file && (length = fread(chunk, 1, CHUNK_BYTES, file)) > 0)
		at_hasher_add(hasher, chunk, length);
	/* what opens and cannot be read, as a folder, is the measurer's to tell too */
	at_hasher_add_integer(hasher, file && ferror(file));
	free(chunk);
	if (file)
		fclose(file);
	return status;
}

static void add_call(struct at_hasher *hasher, const struct at_measure_call *call)
{
	at_hasher_add(hasher, call->geometry.grid, sizeof(call->geometry.grid));
	at_hasher_add(hasher, call->geometry.block, sizeof(call->geometry.block));
	at_hasher_add_integer(hasher, call->geometry.shared_bytes);
	at_hasher_add(hasher, call->arguments,
		call->argument_count * sizeof(*call->arguments));
}

static void add_bindings(struct at_hasher *hasher,
	const struct at_measure_binding *bindings, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		at_hasher_add_integer(hasher, (int64_t)bindings[i].count);
		at_hasher_add(hasher, bindings[i].value, sizeof(bindings[i].value));
	}
}

/*
 * Of a reference that is a kernel only its name counts beside its launch: what it
 * computes is in the template. The macros that it is compiled with are those of the
 * defaults, and --set moves these: it must not make all that is recorded unknown.
 */
static enum at_status add_setup(struct at_hasher *hasher, const struct at_plan *self,
	const struct at_measure_setup *setup, struct at_error *err)
{
	const char *kernel = self->spec->reference.call.kernel;
	enum at_status status = AT_OK;

	at_hasher_add_integer(hasher, setup->argument_count);
	for (size_t i = 0; i < setup->argument_count && !status; i++) {
		const struct at_measure_argument *argument = &setup->arguments[i];

		at_hasher_add_integer(hasher, argument->element);
		at_hasher_add_integer(hasher, argument->lanes);
		at_hasher_add_integer(hasher, argument->access);
		at_hasher_add_integer(hasher, argument->fill);
		at_hasher_add_real(hasher, argument->fill_a);
		at_hasher_add_real(hasher, argument->fill_b);
		at_hasher_add_text(hasher, argument->symbol);
		at_hasher_add_real(hasher, argument->rtol);
		at_hasher_add_real(hasher, argument->atol);
		if (argument->file[0])
			status = add_contents(hasher, argument->file, err);
	}
	add_bindings(hasher, setup->bindings, setup->argument_count);
	at_hasher_add_integer(hasher, setup->reference);
	at_hasher_add_text(hasher, kernel ? kernel : "");
	add_call(hasher, &setup->reference_call);
	at_hasher_add_text(hasher, setup->function);
	if (setup->library[0] && !status)
		status = add_contents(hasher, setup->library, err);
	at_hasher_add_integer(hasher, setup->file_count);
	for (size_t i = 0; i < setup->file_count && !status; i++) {
		at_hasher_add_integer(hasher, setup->files[i].argument);
		status = add_contents(hasher, setup->files[i].path, err);
	}
	at_hasher_add_integer(hasher, (int64_t)setup->seed);
	at_hasher_add_integer(hasher, setup->cache);
	return status;
}

/* how often and how long is sampled does not count: it decides how sure a time is */
static void add_request(
	struct at_hasher *hasher, const struct at_measure_request *request)
{
	add_bindings(hasher, request->bindings, request->binding_count);
	add_call(hasher, &request->kernel);
	add_call(hasher, &request->prepare);
	add_call(hasher, &request->finish);
}

static void add_sizes(struct at_hasher *hasher, const struct at_plan *self)
{
	for (size_t i = 0; i < self->spec->size_count; i++) {
		struct at_value value = self->slots[self->spec->parameter_count + i];

		at_hasher_add_text(hasher, self->spec->size_names[i]);
		at_hasher_add_integer(hasher, value.type);
		if (value.type == AT_TYPE_REAL)
			at_hasher_add_real(hasher, value.real);
		else
			at_hasher_add_integer(hasher, value.integer);
	}
}

static enum at_status identify(
	const struct at_plan *self, struct at_planned *out, struct at_error *err)
{
	struct at_hasher *unit = NULL, *key = NULL;
	enum at_status status = at_hasher_new(&unit, err);

	if (!status)
		status = at_hasher_new(&key, err);
	if (status)
		goto release;
	add_unit(unit, self, &out->compile);
	out->unit = at_hasher_result(unit);
	at_hasher_add_integer(key, MEASUREMENT_VERSION);
	at_hasher_add(key, &out->unit, sizeof(out->unit));
	add_sizes(key, self);
	at_hasher_add(key, &self->setup_identity, sizeof(self->setup_identity));
	/* a launch that makes no sense is told by why */
	at_hasher_add_text(key, out->detail);
	add_request(key, &out->request);
	at_hasher_add_text(key, self->toolchain_version);
	at_hasher_add_text(key, self->device->kind);
	at_hasher_add_text(key, self->device->model);
	at_hasher_add_text(key, self->device->driver);
	out->key = at_hasher_result(key);
release:
	at_hasher_free(unit);
	at_hasher_free(key);
	return status;
}

/* ---- once a plan, and once a configuration ------------------------------------- */

enum at_status at_plan_borrow_setup(struct at_plan *self,
	const struct at_measure_setup **out, struct at_hash *identity,
	struct at_error *err)
{
	struct at_hasher *hasher = NULL;
	enum at_status status = AT_OK;

	if (!self->has_setup) {
		status = at_hasher_new(&hasher, err);
		if (!status)
			status = at_plan_setup(self, &self->setup, err);
		if (!status)
			status = add_setup(hasher, self, &self->setup, err);
		if (!status)
			self->setup_identity = at_hasher_result(hasher);
		else
			at_measure_setup_release(&self->setup);
		self->has_setup = !status;
		at_hasher_free(hasher);
	}
	*out = status ? NULL : &self->setup;
	if (identity && !status)
		*identity = self->setup_identity;
	return status;
}

/* a rate that cannot be evaluated is not known; it decides nothing */
static double evaluate_metric(const struct at_plan *self,
	const struct at_expression *metric, const char *what)
{
	double value;

	if (!metric ||
		at_spec_real(self->spec, metric, self->slots, what, 0, &value, NULL))
		return NAN;
	return value > 0 ? value : NAN;
}

enum at_status at_plan_configuration(struct at_plan *self,
	const uint16_t *configuration, struct at_planned *out, struct at_error *err)
{
	const struct at_spec *spec = self->spec;
	const struct at_measure_setup *setup;
	struct at_error reason = { 0 };
	enum at_status status;

	memset(out, 0, sizeof(*out));
	/* before the configuration is bound: the setup is that of the defaults */
	status = at_plan_borrow_setup(self, &setup, NULL, err);
	if (status)
		return status;
	at_spec_bind_configuration(spec, configuration, self->slots);
	status = make_unit(self, configuration, AT_UNIT_TUNED, &out->compile, err);
	if (status)
		goto release;
	out->outcome = AT_OUTCOME_OK;
	status = make_request(self, &out->request, &reason);
	/* the one thing that can be wrong with a configuration before it is compiled;
	   memory that ran out says nothing of it */
	if (status == AT_EINVAL) {
		out->outcome = AT_OUTCOME_NOT_APPLICABLE;
		snprintf(out->detail, sizeof(out->detail), "%.*s",
			(int)sizeof(out->detail) - 1, reason.text);
	} else if (status) {
		at_fail(err, status, reason.file, reason.line, "%s", reason.text);
		goto release;
	}
	out->flops = evaluate_metric(self, spec->flops, "metrics.flops");
	out->bytes = evaluate_metric(self, spec->bytes, "metrics.bytes");
	out->is_double = at_plan_is_double(self);
	status = identify(self, out, err);
release:
	if (status)
		at_planned_release(out);
	return status;
}

void at_planned_release(struct at_planned *self)
{
	if (!self)
		return;
	at_compile_request_release(&self->compile);
	at_measure_request_release(&self->request);
	memset(self, 0, sizeof(*self));
}

enum at_status at_plan_key(struct at_plan *self, const uint16_t *configuration,
	struct at_hash *out, struct at_error *err)
{
	struct at_planned planned;
	enum at_status status =
		at_plan_configuration(self, configuration, &planned, err);

	*out = planned.key;
	at_planned_release(&planned);
	return status;
}

bool at_plan_admits(struct at_plan *self, const uint16_t *configuration)
{
	const struct at_spec *spec = self->spec;

	at_spec_bind_configuration(spec, configuration, self->slots);
	for (size_t i = 0; i < spec->constraint_count; i++) {
		bool holds = false;

		if (at_expression_test(spec->constraints[i].expression, self->slots,
			    &holds, NULL) != AT_EVALUATION_OK ||
			!holds)
			return false;
	}
	return true;
}

/* Writes the header of cubins (record/cubins.h). */
#include "record/cubins.h"

#include "base/memory.h"
#include "base/escape.h"
#include "base/text.h"
#include "record/header_stamp.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 88

struct writer {
	const struct at_header_plan *plan;
	const struct at_cubins *cubins;
	char *kernel; /* MATMUL */
	char *prefix; /* matmul */
	const char *include;
	uint64_t contents; /* of the ordinary header */
	struct at_strbuf *out;
};

/* ---- plain data ---- */

void at_cubins_release(struct at_cubins *self)
{
	for (size_t i = 0; i < self->count; i++) {
		free(self->items[i].bytes);
		for (size_t k = 0; k < self->items[i].kernel_count; k++)
			free(self->items[i].kernels[k]);
		free(self->items[i].kernels);
	}
	for (size_t i = 0; i < self->note_count; i++)
		free(self->notes[i]);
	free(self->items);
	free(self->notes);
	memset(self, 0, sizeof(*self));
}

void at_cubins_add_note(struct at_cubins *self, const char *format, ...)
{
	struct at_strbuf text = { 0 };
	va_list arguments;

	va_start(arguments, format);
	at_strbuf_addv(&text, format, arguments);
	va_end(arguments);
	AT_GROW(self->notes, self->note_capacity, self->note_count + 1);
	self->notes[self->note_count++] = at_strbuf_detach(&text);
}

bool at_capability_read(const char *architecture, struct at_capability *out)
{
	const char *digits = architecture + 3;
	size_t count;
	unsigned number = 0;

	if (strncmp(architecture, "sm_", 3) != 0)
		return false;
	count = strspn(digits, "0123456789");
	if (count < 2 || count > 4 || digits[count])
		return false;
	for (size_t i = 0; i < count; i++)
		number = 10 * number + (unsigned)(digits[i] - '0');
	*out = (struct at_capability){ number / 10, number % 10 };
	return true;
}

uint64_t at_cubin_checksum(const unsigned char *bytes, size_t size)
{
	uint64_t hash = UINT64_C(14695981039346656037);

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
	return hash;
}

/* ---- the header ---- */

/* Reads the hash of the ordinary header's contents, written by record/header.c. */
static bool read_contents(struct writer *self, const char *ordinary)
{
	struct at_strbuf key = { 0 };
	const char *at = NULL;
	char *end;

	at_strbuf_addf(&key, "#define AUTOTUNE_%s_CONTENTS 0x", self->kernel);
	at = strstr(ordinary, key.data);
	if (at) {
		self->contents = strtoull(at + key.length, &end, 16);
		if (strncmp(end, "ULL\n", 4) != 0)
			at = NULL;
	}
	at_strbuf_release(&key);
	return at != NULL;
}

static void add_comment(struct writer *self)
{
	const struct at_header_plan *plan = self->plan;
	struct at_strbuf *out = self->out;

	at_strbuf_add(out,
		"/*\n * Cubins of its configurations, for the driver API.\n *\n"
		" *   compiler       ");
	at_escape_c_comment(out, self->cubins->compiler);
	at_strbuf_add_char(out, '\n');
	/* the compilers of the winners, each once */
	for (size_t i = 0; i < plan->winner_count; i++) {
		const char *toolchain = plan->entries[i].result->best.toolchain;
		bool is_first = toolchain && *toolchain;

		for (size_t k = 0; k < i && is_first; k++)
			is_first = !plan->entries[k].result->best.toolchain ||
				   strcmp(plan->entries[k].result->best.toolchain,
					   toolchain) != 0;
		if (!is_first)
			continue;
		at_strbuf_add(out, " *   measured with  ");
		at_escape_c_comment(out, toolchain);
		at_strbuf_add_char(out, '\n');
	}
	for (size_t i = 0; i < self->cubins->note_count; i++) {
		at_strbuf_add(out, " *   note           ");
		at_escape_c_comment(out, self->cubins->notes[i]);
		at_strbuf_add_char(out, '\n');
	}
	at_strbuf_addf(out,
		" *\n"
		" * %s_choose(device, sizes...) of the ordinary header returns a configuration;\n"
		" * %s_cubin(configuration, major, minor) returns its cubin for a device of that\n"
		" * compute capability: one of the same major version, whose minor version is not\n"
		" * higher than the device's. %s_run_cubin(), if it exists, does all this, loads\n"
		" * the cubin and launches its kernels.\n"
		" */\n\n",
		self->prefix, self->prefix, self->prefix);
}

/* The first cubin with the same bytes, which are written only once. */
static const struct at_cubin *first_equal(
	const struct at_cubins *cubins, const struct at_cubin *it)
{
	const struct at_cubin *other = cubins->items;

	while (other->size != it->size ||
		memcmp(other->bytes, it->bytes, it->size) != 0)
		other++;
	return other;
}

static void add_array(struct writer *self, const struct at_cubin *it)
{
	struct at_strbuf *out = self->out;
	size_t column = 0;

	at_strbuf_addf(out, "static const unsigned char %s_cubin_%zu_sm_%u%u[%zu] = {",
		self->prefix, it->configuration, it->capability.major,
		it->capability.minor, it->size);
	for (size_t i = 0; i < it->size; i++) {
		const unsigned byte = it->bytes[i];
		/* of the number with its comma */
		const size_t width = byte >= 100 ? 4 : byte >= 10 ? 3 : 2;

		if (i == 0 || column + width > COLUMNS) {
			at_strbuf_add_char(out, '\n');
			column = 0;
		}
		column += width;
		at_strbuf_add_integer(out, byte);
		at_strbuf_add_char(out, ',');
	}
	at_strbuf_add(out, "\n};\n\n");
}

static void add_name(struct at_strbuf *out, const char *separator, const char *name)
{
	at_strbuf_add(out, separator);
	if (name)
		at_escape_c_string(out, name);
	else
		at_strbuf_add(out, "AUTOTUNE_NULL");
}

/* NULL: the space has no such call. */
static const char *name_of(const struct at_cubin *cubin, const struct at_spec *spec,
	const struct at_call *call)
{
	return call ? cubin->kernels[call - spec->calls] : NULL;
}

static void add_lookup(struct writer *self)
{
	const struct at_spec *spec = self->plan->spec;
	const struct at_cubins *cubins = self->cubins;
	struct at_strbuf *out = self->out;

	at_strbuf_addf(out, "#define AUTOTUNE_%s_CUBIN_COUNT %zu\n\n", self->kernel,
		cubins->count);
	at_strbuf_addf(out,
		"/* all AUTOTUNE_%s_CUBIN_COUNT cubins, by configuration and compute capability */\n"
		"static inline const struct autotune_cubin *%s_cubins(void)\n{\n"
		"	static const char *const kernels[][%zu] = {\n",
		self->kernel, self->prefix, cubins->items[0].kernel_count);
	for (size_t i = 0; i < cubins->count; i++) {
		const struct at_cubin *it = &cubins->items[i];

		at_strbuf_add(out, "\t\t{");
		for (size_t k = 0; k < it->kernel_count; k++)
			add_name(out, k ? ", " : " ", it->kernels[k]);
		at_strbuf_add(out, " },\n");
	}
	at_strbuf_add(out, "	};\n"
			   "	static const struct autotune_cubin all[] = {\n");
	for (size_t i = 0; i < cubins->count; i++) {
		const struct at_cubin *it = &cubins->items[i];
		const struct at_cubin *twin = first_equal(cubins, it);

		at_strbuf_addf(out,
			"\t\t{ %zu, %u, %u, %s_cubin_%zu_sm_%u%u, %zuULL, 0x%016" PRIx64
			"ULL",
			it->configuration, it->capability.major, it->capability.minor,
			self->prefix, twin->configuration, twin->capability.major,
			twin->capability.minor, it->size,
			at_cubin_checksum(it->bytes, it->size));
		add_name(out, ", ", it->kernels[0]);
		add_name(out, ", ", name_of(it, spec, spec->prepare));
		add_name(out, ", ", name_of(it, spec, spec->finish));
		at_strbuf_addf(out, ", kernels[%zu] },\n", i);
	}
	at_strbuf_addf(out,
		"	};\n\n	return all;\n}\n\n"
		"/* The cubin that runs on a device of this compute capability; 0: none exists. */\n"
		"static inline const struct autotune_cubin *%s_cubin(\n"
		"	int configuration, int major, int minor)\n{\n"
		"	return autotune_cubin_find(%s_cubins(), AUTOTUNE_%s_CUBIN_COUNT,\n"
		"		configuration, major, minor);\n}\n\n#endif\n\n",
		self->prefix, self->prefix, self->kernel);
	at_strbuf_addf(out,
		"#if defined(AUTOTUNE_RUN_CUBIN) && defined(%s_RUN_PARAMETERS) && \\\n"
		"	!defined(AUTOTUNE_%s_RUN_CUBIN)\n"
		"#define AUTOTUNE_%s_RUN_CUBIN\n"
		"/*\n"
		" * As %s_run() of the ordinary header, with cubins: it needs cuda.h before this\n"
		" * header. modules: all 0 at first; it loads the modules that it needs into the\n"
		" * current context. Only one thread at a time may use them.\n"
		" */\n"
		"static inline CUresult %s_run_cubin(CUmodule modules[%s_CONFIGURATION_COUNT],\n"
		"	const struct autotune_device *device, CUstream stream %s_RUN_PARAMETERS)\n"
		"{\n"
		"	struct autotune_cubins cubins = { %s_cubins(),\n"
		"		AUTOTUNE_%s_CUBIN_COUNT, modules, AUTOTUNE_NULL };\n"
		"	struct autotune_runner runner = autotune_driver_runner(&cubins, stream);\n"
		"\n"
		"	return AUTOTUNE_CAST(\n"
		"		CUresult, %s_run_by(&runner, device %s_RUN_ARGUMENTS));\n"
		"}\n"
		"#endif\n",
		self->kernel, self->kernel, self->kernel, self->prefix, self->prefix,
		self->kernel, self->kernel, self->prefix, self->kernel, self->prefix,
		self->kernel);
}

enum at_status at_cubins_write(const struct at_header_plan *plan,
	const struct at_cubins *cubins, const char *ordinary, const char *include,
	struct at_strbuf *out, struct at_error *err)
{
	const struct at_spec *spec = plan->spec;
	struct at_header_stamp stamp;
	struct at_strbuf body = { 0 };
	struct writer self = {
		.plan = plan,
		.cubins = cubins,
		.kernel = at_text_macro(spec->name),
		.prefix = at_header_prefix(spec),
		.include = include,
		.out = &body,
	};
	enum at_status status = AT_OK;

	if (!cubins->count)
		status = at_fail(err, AT_ENOENT, spec->path, 0,
			"there is no cubin to write a header of");
	else if (!at_header_stamp_read(ordinary, &stamp) ||
		 !read_contents(&self, ordinary))
		status = at_fail(err, AT_EINVAL, include, 0,
			"it is not the header of \"%s\", which its cubins go with",
			spec->name);
	if (!status) {
		add_comment(&self);
		at_strbuf_addf(&body,
			"#ifndef AUTOTUNE_%s_CUBINS_H\n#define AUTOTUNE_%s_CUBINS_H\n\n"
			"#ifndef AUTOTUNE_%s_H\n#include ",
			self.kernel, self.kernel, self.kernel);
		at_escape_c_string(&body, self.include);
		at_strbuf_addf(&body,
			"\n#endif\n"
			"#ifndef AUTOTUNE_%s_CONTENTS\n"
			"#error \"the header of this kernel is of an older autotune than its cubins: write both again\"\n"
			"#elif AUTOTUNE_%s_CONTENTS != 0x%016" PRIx64 "ULL\n"
			"#error \"these cubins belong to another header of this kernel: write both again\"\n"
			"#endif\n\n",
			self.kernel, self.kernel, self.contents);
		for (size_t i = 0; i < cubins->count; i++) {
			const struct at_cubin *it = &cubins->items[i];

			if (first_equal(cubins, it) == it)
				add_array(&self, it);
		}
		add_lookup(&self);
		at_header_stamp_write(&stamp, spec, at_strbuf_text(&body), out);
	}
	at_strbuf_release(&body);
	free(self.kernel);
	free(self.prefix);
	return status;
}

/* Facts read from cubins and PTX: kernels, parameters, variables; also from damaged
   cubins. */
#include "kernel/cubin.h"
#include "base/file.h"
#include "kernel/ptx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

static unsigned char *load(const char *name, size_t *size)
{
	char path[512], *data;

	snprintf(path, sizeof(path), AT_TEST_DIR "/data/cubin/%s", name);
	assert_int_equal(at_file_read(path, 0, &data, size, NULL), AT_OK);
	return (unsigned char *)data;
}

/* What ptxas -v said of data/cubin/facts.cu when each was made. */
static const struct {
	const char *file;
	const char *kernel;
	int64_t registers;
	int64_t local_bytes;
	int64_t shared_bytes;
	int64_t max_threads;
	int64_t barriers;
} rows[] = {
	{ "cuda12_sm_80.cubin", "facts", 16, 64, 400, 128, 1 },
	{ "cuda12_sm_80.cubin", "plain", 8, 0, 0, 0, 0 },
	{ "cuda12_sm_90.cubin", "facts", 18, 64, 400, 128, 1 },
	{ "cuda12_sm_90.cubin", "plain", 10, 0, 0, 0, 0 },
	{ "cuda13_sm_80.cubin", "facts", 16, 64, 400, 128, 1 },
	{ "cuda13_sm_80.cubin", "plain", 8, 0, 0, 0, 0 },
	{ "cuda13_sm_90.cubin", "facts", 18, 64, 400, 128, 1 },
	{ "cuda13_sm_90.cubin", "plain", 10, 0, 0, 0, 0 },
	{ "cuda13_sm_120.cubin", "facts", 15, 64, 400, 128, 1 },
	{ "cuda13_sm_120.cubin", "plain", 10, 0, 0, 0, 0 },
};

TEST(reads_what_ptxas_said_of_each_kernel)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct at_kernel_facts facts = { .symbol = (char *)rows[i].kernel };
		struct at_error err = { 0 };
		size_t size;
		unsigned char *image = load(rows[i].file, &size);

		print_message("%s: %s\n", rows[i].file, rows[i].kernel);
		assert_int_equal(at_cubin_read(image, size, &facts, &err), AT_OK);
		assert_int_equal(facts.registers, rows[i].registers);
		assert_int_equal(facts.local_bytes, rows[i].local_bytes);
		assert_int_equal(facts.shared_bytes, rows[i].shared_bytes);
		assert_int_equal(facts.max_threads, rows[i].max_threads);
		assert_int_equal(facts.barriers, rows[i].barriers);
		assert_int_equal(facts.constant_bytes, 40);
		free(facts.parameters);
		free(image);
	}
}

/* ---- parameters --------------------------------------------------------- */

static void release_parameters(struct at_kernel_facts *facts)
{
	free(facts->parameters);
	facts->parameters = NULL;
	facts->parameter_count = 0;
	facts->has_parameters = false;
}

/* What parameters.cu and facts.cu declare: sizes, "" for what a cubin does not tell. */
static const struct {
	const char *file;
	const char *kernel;
	const char *sizes;
} sizes_of[] = {
	{ "cuda12_sm_80.cubin", "facts", "8 4" },
	{ "cuda12_sm_90.cubin", "facts", "8 4" },
	{ "cuda12_sm_90.cubin", "plain", "8" },
	{ "cuda13_sm_80.cubin", "facts", "8 4" },
	{ "cuda13_sm_120.cubin", "facts", "8 4" },
	{ "cuda13_sm_80_parameters.cubin", "all", "8 8 4 4 4 8 8 1 2 8 16 5" },
	{ "cuda13_sm_90_parameters.cubin", "all", "8 8 4 4 4 8 8 1 2 8 16 5" },
	{ "cuda13_sm_120_parameters.cubin", "all", "8 8 4 4 4 8 8 1 2 8 16 5" },
	{ "cuda13_sm_80_parameters.cubin", "big", "5000 8" },
	{ "cuda13_sm_90_parameters.cubin", "big", "5000 8" },
	{ "cuda13_sm_120_parameters.cubin", "_Z4madeIdLi3EEvPT_S0_", "8 8" },
	/* none is not told from silence */
	{ "cuda13_sm_90_parameters.cubin", "none", "" },
};

static void write_sizes(const struct at_kernel_facts *facts, char *out, size_t size)
{
	size_t length = 0;

	out[0] = '\0';
	for (size_t i = 0; i < facts->parameter_count; i++)
		length += (size_t)snprintf(out + length, size - length, "%s%u",
			i ? " " : "", (unsigned)facts->parameters[i].bytes);
	assert_true(length < size);
}

TEST(reads_how_many_parameters_there_are_and_how_large)
{
	char text[256];

	for (size_t i = 0; i < sizeof(sizes_of) / sizeof(sizes_of[0]); i++) {
		struct at_kernel_facts facts = { .symbol = (char *)sizes_of[i].kernel };
		struct at_error err = { 0 };
		size_t size;
		unsigned char *image = load(sizes_of[i].file, &size);

		print_message("%s: %s\n", sizes_of[i].file, sizes_of[i].kernel);
		assert_int_equal(at_cubin_read(image, size, &facts, &err), AT_OK);
		write_sizes(&facts, text, sizeof(text));
		assert_string_equal(text, sizes_of[i].sizes);
		assert_int_equal(facts.has_parameters, sizes_of[i].sizes[0] != '\0');
		release_parameters(&facts);
		free(image);
	}
}

/* The attribute of one parameter of the kernel "plain" or "facts". */
static unsigned char *find_parameter(
	unsigned char *image, size_t size, unsigned ordinal, unsigned offset)
{
	const unsigned char wanted[] = { 4, 0x17, 12, 0, 0, 0, 0, 0,
		(unsigned char)ordinal, 0, (unsigned char)offset, 0 };

	for (size_t i = 0; i + sizeof(wanted) < size; i++)
		if (!memcmp(image + i, wanted, sizeof(wanted)))
			return image + i;
	fail_msg("no such parameter");
	return NULL;
}

/* A kernel would be refused for it: what does not add up is not told. */
TEST(does_not_tell_parameters_that_do_not_add_up)
{
	static const struct {
		size_t at; /* in the attribute of the second parameter */
		unsigned char value;
	} damages[] = {
		{ 8, 2 }, /* a gap in the ordinals */
		{ 8, 0 }, /* one twice */
		{ 10, 4 }, /* inside the first */
		{ 14, 0x21 }, /* longer than all are */
		{ 14, 0x01 }, /* empty */
		{ 1, 0x18 }, /* another attribute: the first is alone */
	};
	size_t size;
	unsigned char *image = load("cuda13_sm_90.cubin", &size);
	unsigned char *second = find_parameter(image, size, 1, 8);

	for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
		struct at_kernel_facts facts = { .symbol = (char *)"facts" };
		unsigned char kept = second[damages[i].at];

		second[damages[i].at] = damages[i].value;
		assert_int_equal(at_cubin_read(image, size, &facts, NULL), AT_OK);
		assert_false(facts.has_parameters);
		assert_null(facts.parameters);
		second[damages[i].at] = kept;
	}
	free(image);
}

/* p pointer, i integer, r real, w pointer or integer, o struct, - not known */
static char letter(enum at_parameter_kind kind)
{
	static const char letters[AT_PARAMETER_KIND_COUNT + 1] = "-pirwoc";

	return letters[kind];
}

/* "p8 r4" */
static void write_parameters(
	const struct at_kernel_facts *facts, char *out, size_t size)
{
	size_t length = 0;

	snprintf(out, size, "%s", facts->has_parameters ? "" : "unknown");
	for (size_t i = 0; i < facts->parameter_count; i++)
		length += (size_t)snprintf(out + length, size - length, "%s%c%u",
			i ? " " : "", letter(facts->parameters[i].kind),
			(unsigned)facts->parameters[i].bytes);
	assert_true(length < size);
}

TEST(ptx_says_what_the_cubin_does_not)
{
	static const struct {
		const char *architecture;
		const char *kernel;
		const char *parameters;
	} kernels[] = {
		/* what is used as an address is one, and l may be anything */
		{ "sm_90", "all", "p8 p8 i4 i4 r4 r8 w8 i1 i2 o8 o16 o5" },
		/* here pointers are marked */
		{ "sm_120", "all", "p8 p8 i4 i4 r4 r8 i8 i1 i2 o8 o16 o5" },
		{ "sm_90", "none", "" },
		{ "sm_120", "none", "" },
		{ "sm_90", "big", "o5000 p8" },
		{ "sm_90", "_Z4madeIdLi3EEvPT_S0_", "p8 r8" },
	};
	char name[64], text[256];

	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++) {
		struct at_kernel_facts facts = { .symbol = (char *)kernels[i].kernel };
		unsigned char *ptx, *image;
		size_t size;

		print_message("%s: %s\n", kernels[i].architecture, kernels[i].kernel);
		snprintf(name, sizeof(name), "cuda13_%s_parameters.cubin",
			kernels[i].architecture);
		image = load(name, &size);
		assert_int_equal(at_cubin_read(image, size, &facts, NULL), AT_OK);
		snprintf(name, sizeof(name), "parameters_%s.ptx",
			kernels[i].architecture);
		ptx = load(name, &size);
		at_ptx_read_parameters((const char *)ptx, &facts);
		write_parameters(&facts, text, sizeof(text));
		assert_string_equal(text, kernels[i].parameters);
		release_parameters(&facts);
		free(ptx);
		free(image);
	}
}

TEST(reads_only_declarations_that_it_understands)
{
	static const struct {
		const char *ptx;
		const char *parameters;
	} texts[] = {
		{ "", "unknown" },
		{ ".entry k", "unknown" },
		{ ".entry k(", "unknown" },
		{ ".entry k()", "" },
		{ "// .entry k of old\n.entry k ( )", "" },
		{ "// .entry k()\n.entry k(.param .f32 a)", "r4" },
		{ ".entry kk(.param .f32 a)\n.entry k(.param .s16 a)", "i2" },
		{ ".entry k(.param .b32 a)", "-4" },
		{ ".entry k(.param .f16 a, .param .b64 b)", "-2 -8" },
		{ ".entry k(.param .u64 .ptr .global .align 16 a, .param .u64 b)",
			"p8 i8" },
		{ ".entry k(.param .align 8 .b8 a[24])", "o24" },
		{ ".entry k(.param .align 8 .b8 a[])", "unknown" },
		{ ".entry k(.param .align 8 .b8 a[-4])", "unknown" },
		{ ".entry k(.param .b8 a[99999999999999999999])", "unknown" },
		{ ".entry k(.param .f32 a", "unknown" },
		{ ".entry k(.param .f32 a,", "unknown" },
		{ ".entry k(.param .f32)", "unknown" },
		{ ".entry k(.param .v4 a)", "unknown" },
		{ ".entry k(.reg .f32 a)", "unknown" },
		{ ".entry k(.param .u64 a, .param .u64 b) { ld.param.u64 %rd1, [a];\n"
		  "cvta.to.global.u64 %rd2, %rd1; }",
			"p8 w8" },
		/* nvcc's declaration ahead of the body; and one without any */
		{ ".entry k\n(.param .u64 a)\n;\n.entry k(.param .u64 a) { ld.param.u64 %rd1, [a];\n"
		  "cvta.to.global.u64 %rd2, %rd1; }",
			"p8" },
		{ ".entry k(.param .u64 a);", "unknown" },
		/* a register of another function */
		{ ".entry k(.param .u64 a) { ld.param.u64 %rd1, [a]; }\n"
		  ".entry l(.param .u64 a) { cvta.to.global.u64 %rd2, %rd1; }",
			"w8" },
	};
	char text[256];

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct at_kernel_facts facts = { .symbol = (char *)"k" };

		print_message("%s\n", texts[i].ptx);
		at_ptx_read_parameters(texts[i].ptx, &facts);
		write_parameters(&facts, text, sizeof(text));
		assert_string_equal(text, texts[i].parameters);
		release_parameters(&facts);
	}
}

TEST(the_cubin_has_the_last_word)
{
	static const char *const others[] = { ".entry k(.param .f32 a)",
		".entry k(.param .u64 a, .param .f64 b)",
		".entry k(.param .u64 a, .param .f32 b, .param .f32 c)" };
	struct at_kernel_parameter parameters[] = { { .bytes = 8 }, { .bytes = 4 } };
	struct at_kernel_facts facts = { .symbol = (char *)"k",
		.has_parameters = true,
		.parameter_count = 2,
		.parameters = parameters };

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		at_ptx_read_parameters(others[i], &facts);
		assert_int_equal(facts.parameter_count, 2);
		assert_int_equal(parameters[0].kind, AT_PARAMETER_NONE);
		assert_int_equal(parameters[1].kind, AT_PARAMETER_NONE);
	}
}

TEST(names_a_kernel_that_is_not_there)
{
	struct at_kernel_facts facts = { .symbol = (char *)"fact" };
	struct at_error err = { 0 };
	size_t size;
	unsigned char *image = load("cuda13_sm_90.cubin", &size);

	(void)state;
	assert_int_equal(at_cubin_read(image, size, &facts, &err), AT_ENOENT);
	assert_string_equal(err.text, "no kernel \"fact\" in this cubin");
	free(image);
}

/* Each length in a block of exactly that size: the sanitizer sees one byte more. */
TEST(refuses_a_cubin_cut_at_any_length)
{
	size_t size;
	unsigned char *image = load("cuda12_sm_80.cubin", &size);

	(void)state;
	for (size_t length = 0; length < size; length++) {
		struct at_kernel_facts facts = { .symbol = (char *)"facts" };
		struct at_error err = { 0 };
		unsigned char *part = malloc(length ? length : 1);

		assert_non_null(part);
		memcpy(part, image, length);
		assert_int_equal(at_cubin_read(part, length, &facts, &err), AT_EINVAL);
		assert_memory_equal(err.text, "this is no cubin: ", 18);
		assert_null(facts.parameters);
		free(part);
	}
	free(image);
}

/* Whatever a damaged byte says, nothing outside is read and nothing hangs. */
TEST(survives_any_damaged_byte)
{
	static const unsigned char values[] = { 0x00, 0x7f, 0xff };
	size_t size;
	unsigned char *image = load("cuda13_sm_90.cubin", &size);

	(void)state;
	for (size_t i = 0; i < size; i++) {
		unsigned char kept = image[i];

		for (size_t j = 0; j < sizeof(values); j++) {
			struct at_kernel_facts facts = { .symbol = (char *)"facts" };

			image[i] = values[j];
			at_cubin_read(image, size, &facts, NULL);
			release_parameters(&facts);
		}
		image[i] = kept;
	}
	free(image);
}

TEST(refuses_what_is_no_cubin)
{
	static const char text[128] =
		"\177ELF\002\001\001 a program for some other machine";
	struct at_kernel_facts facts = { .symbol = (char *)"facts" };
	struct at_error err = { 0 };

	(void)state;
	assert_int_equal(
		at_cubin_read((const unsigned char *)text, sizeof(text), &facts, &err),
		AT_EINVAL);
	assert_string_equal(
		err.text, "this is no cubin: not a 64-bit ELF file for CUDA");
}

/* What data/cubin/variables.cu declares, in the order of the symbols. */
static const struct {
	const char *name;
	uint64_t bytes;
} declared[] = {
	{ "table", 40 },
	{ "initialised", 4 },
	{ "first", 12 },
	{ "counters", 16 },
	{ "hidden", 32 },
	{ "_Z11of_templateILi5EE", 20 },
	{ "_ZZ9variablesE5calls", 4 },
	{ "_ZZ9variablesE10more_calls", 4 },
	{ "_ZN34_INTERNAL_00000000_4_v_cu_94629ea136_GLOBAL__N__00000000_4_v_cu_94629ea17unnamedE",
		8 },
};

TEST(lists_every_variable_that_a_kernel_can_write)
{
	static const char *const files[] = { "cuda13_sm_80_variables.cubin",
		"cuda13_sm_90_variables.cubin" };

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct at_cubin_variable *variables;
		struct at_error err = { 0 };
		size_t size, count;
		unsigned char *image = load(files[i], &size);

		assert_int_equal(
			at_cubin_variables(image, size, &variables, &count, &err),
			AT_OK);
		assert_int_equal(count, 9);
		for (size_t j = 0; j < 9; j++) {
			assert_string_equal(variables[j].name, declared[j].name);
			assert_int_equal(variables[j].bytes, declared[j].bytes);
		}
		free(variables);
		free(image);
	}
}

/* The constants that a compiler makes are no variables, named ones are. */
TEST(lists_constants_that_have_a_name)
{
	OWNED(free) struct at_cubin_variable *variables;
	size_t size, count;
	unsigned char *image = load("cuda13_sm_90.cubin", &size);

	(void)state;
	assert_int_equal(
		at_cubin_variables(image, size, &variables, &count, NULL), AT_OK);
	assert_int_equal(count, 1);
	assert_string_equal(variables[0].name, "table");
	free(image);
}

/* Offsets in cuda13_sm_90_variables.cubin come from its own headers. */
static uint64_t number_at(const unsigned char *image, size_t offset, unsigned width)
{
	uint64_t value = 0;

	while (width-- > 0)
		value = value << 8 | image[offset + width];
	return value;
}

/* The header of the symbol table. */
static size_t symbols_header(const unsigned char *image)
{
	size_t header = (size_t)number_at(image, 40, 8);

	while (number_at(image, header + 4, 4) != 2)
		header += 64;
	return header;
}

/* Of the symbol that is a variable of section .nv.global and has so many bytes. */
static size_t symbol_of_bytes(const unsigned char *image, uint64_t bytes)
{
	size_t header = symbols_header(image);
	size_t at = (size_t)number_at(image, header + 24, 8);

	while (number_at(image, at + 16, 8) != bytes)
		at += 24;
	return at;
}

TEST(refuses_a_variable_that_leaves_its_section)
{
	static const struct {
		size_t field;
		unsigned char value[8];
	} damages[] = {
		{ 8, { 53 } }, /* 32 bytes at 53 of 84 */
		{ 8, { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff } },
		{ 16, { 33 } },
		{ 16, { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff } },
		{ 0, { 0xff, 0xff, 0xff, 0x7f, 1, 0, 18, 0 } }, /* its name */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
		struct at_cubin_variable *variables;
		struct at_error err = { 0 };
		size_t size, count;
		unsigned char *image = load("cuda13_sm_90_variables.cubin", &size);
		size_t hidden = symbol_of_bytes(image, 32);

		memcpy(image + hidden + damages[i].field, damages[i].value, 8);
		assert_int_equal(
			at_cubin_variables(image, size, &variables, &count, &err),
			AT_EINVAL);
		assert_string_equal(err.text,
			"this is no cubin: a variable is not where its section is");
		free(image);
	}
}

/* as a section of nothing but unnamed parts would be: it must not be forgotten */
TEST(tells_of_a_section_in_which_nothing_has_a_name)
{
	OWNED(free) struct at_cubin_variable *variables;
	struct at_error err = { 0 };
	size_t size, count;
	unsigned char *image = load("cuda13_sm_90_variables.cubin", &size);

	(void)state;
	/* no table of symbols any more */
	image[symbols_header(image) + 4] = 1;
	assert_int_equal(
		at_cubin_variables(image, size, &variables, &count, &err), AT_OK);
	assert_int_equal(count, 2);
	for (size_t i = 0; i < count; i++) {
		assert_string_equal(variables[i].name, "");
		assert_int_equal(variables[i].bytes, i == 0 ? 16 : 84);
	}
	free(image);
}

TEST(survives_any_damage_to_the_variables)
{
	static const unsigned char values[] = { 0x00, 0x7f, 0xff };
	size_t size;
	unsigned char *image = load("cuda13_sm_80_variables.cubin", &size);

	(void)state;
	for (size_t length = 0; length < size; length += 7) {
		struct at_cubin_variable *variables = NULL;
		unsigned char *part = malloc(length ? length : 1);
		size_t count;

		assert_non_null(part);
		memcpy(part, image, length);
		assert_int_equal(
			at_cubin_variables(part, length, &variables, &count, NULL),
			AT_EINVAL);
		free(part);
	}
	for (size_t i = 0; i < size; i++) {
		unsigned char kept = image[i];

		for (size_t j = 0; j < sizeof(values); j++) {
			struct at_cubin_variable *variables = NULL;
			size_t count;

			image[i] = values[j];
			if (!at_cubin_variables(image, size, &variables, &count, NULL))
				free(variables);
		}
		image[i] = kept;
	}
	free(image);
}

static const char spill_log[] =
	"ptxas info    : 0 bytes gmem\n"
	"ptxas info    : Compiling entry function 'ab' for 'sm_90'\n"
	"ptxas info    : Function properties for ab\n"
	"ptxas         .     8 bytes stack frame, 1 bytes spill stores, 2 bytes spill loads\n"
	"ptxas info    : Used 40 registers, used 0 barriers\n"
	"ptxas info    : Function properties for a\n"
	"    200 bytes stack frame, 392 bytes spill stores, 308 bytes spill loads\n"
	"ptxas info    : Used 255 registers, used 1 barriers, 400 bytes smem\n";

TEST(reads_the_spills_of_the_kernel_that_was_asked_for)
{
	struct at_kernel_facts facts = {
		.symbol = (char *)"a", .spill_store_bytes = -1, .spill_load_bytes = -1
	};

	(void)state;
	at_ptxas_read_spills(spill_log, &facts);
	assert_int_equal(facts.spill_store_bytes, 392);
	assert_int_equal(facts.spill_load_bytes, 308);
	facts.symbol = (char *)"ab";
	at_ptxas_read_spills(spill_log, &facts);
	assert_int_equal(facts.spill_store_bytes, 1);
	assert_int_equal(facts.spill_load_bytes, 2);
}

static const char other_kernel[] =
	"Function properties for bc\n"
	"    8 bytes stack frame, 1 bytes spill stores, 2 bytes spill loads\n";

TEST(leaves_spills_alone_that_the_log_does_not_tell)
{
	static const char *const logs[] = { "", "Function properties for b",
		"Function properties for b\n",
		"Function properties for b\n12 bytes of\n", other_kernel };

	(void)state;
	for (size_t i = 0; i < sizeof(logs) / sizeof(logs[0]); i++) {
		struct at_kernel_facts facts = { .symbol = (char *)"b",
			.spill_store_bytes = -1,
			.spill_load_bytes = -1 };

		at_ptxas_read_spills(logs[i], &facts);
		assert_int_equal(facts.spill_store_bytes, -1);
		assert_int_equal(facts.spill_load_bytes, -1);
	}
}

TEST(strips_what_only_informs_from_a_log)
{
	static const char *const rows_of_text[][2] = {
		{ "", "" },
		{ spill_log, "" },
		{ "\n\n", "" },
		{ "k.cu(3): warning: unused\n  int i;\n      ^\nptxas info    : x\n",
			"k.cu(3): warning: unused\n  int i;\n      ^\n" },
		{ "ptxas warning : too much\nptxas info    : x",
			"ptxas warning : too much\n" },
		{ "ptxas fatal   : no\n", "ptxas fatal   : no\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows_of_text) / sizeof(rows_of_text[0]); i++) {
		char *kept = at_ptxas_strip_log(rows_of_text[i][0], false);

		assert_string_equal(kept, rows_of_text[i][1]);
		free(kept);
	}
}

RUN_SUITE(NULL, NULL)

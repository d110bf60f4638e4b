/* "autotune capture": spaces of recorded launches, and whole runs with a stand-in for
   the driver (fake_cuda.c). */
#define _GNU_SOURCE
#include "base/hash.h"
#include "capture/captured.h"
#include "capture/source.h"
#include "space/spec.h"

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "suite.h"

#include "executable.h"
#include "folder.h"

/* ---- a recorded launch ----------------------------------------------------------- */

#define HEAD \
	"{ \"kernel\": \"_ZN5tools5scaleE4view\", \"name\": \"scale\", \"number\": 3, \"device\": \"Board\"," \
	" \"grid\": [4, 2, 1], \"block\": [64, 2, 1], \"shared_bytes\": 32, \"other_cubins\": 1, "
#define PARAMETERS \
	"\"parameters\": [ { \"bytes\": 4, \"data\": \"e8030000\" }, { \"bytes\": 8, \"data\": \"0000000000000000\" }," \
	" { \"bytes\": 16, \"data\": \"00000000000000000700000008000000\" }, { \"bytes\": 12, \"data\": \"010000000200000003000000\" }," \
	" { \"bytes\": 1, \"data\": \"ff\" } ], "
#define BLOCKS \
	"\"blocks\": [ { \"variable\": \"\", \"bytes\": 8, \"cut_bytes\": 0, \"before\": \"before-0\", \"after\": \"after-0\" }," \
	" { \"variable\": \"\", \"bytes\": 6, \"cut_bytes\": 5, \"before\": \"before-1\", \"after\": \"\" }," \
	" { \"variable\": \"$str$6\", \"bytes\": 8, \"cut_bytes\": 0, \"before\": \"before-2\", \"after\": \"\" }," \
	" { \"variable\": \"_ZN4blur7weightsE\", \"bytes\": 8, \"cut_bytes\": 0, \"before\": \"before-3\", \"after\": \"\" } ], "
#define POINTERS \
	"\"pointers\": [ { \"parameter\": 1, \"offset\": 0, \"block\": 0, \"at\": 4 }, { \"parameter\": 2, \"offset\": 0, \"block\": 1, \"at\": 0 } ] }"
#define RECORDED HEAD "\"cubin\": \"kernel.cubin\", " PARAMETERS BLOCKS POINTERS

/* Makes a folder with a recorded launch; returns its path, which is static. */
static const char *record(const char *json)
{
	static const struct {
		const char *name, *text;
		size_t bytes;
	} files[] = { { "before-0", "\0\0\0\0\0\0\0\0", 8 },
		{ "after-0", "\1\2\3\4\0\0\0\0", 8 }, { "before-1", "abcdef", 6 },
		{ "before-2", "\1\2\3\4\5\6\7\10", 8 },
		{ "before-3", "\1\2\3\4\5\6\7\10", 8 },
		{ "kernel.cubin", "\177ELF", 4 } };
	static char folder[64];

	snprintf(folder, sizeof(folder), "recorded_XXXXXX");
	assert_non_null(folder_make(folder));
	for (size_t i = 0; i < AT_COUNT_OF(files); i++) {
		OWNED(free) char *path = at_path_join(folder, files[i].name);

		assert_ok(
			at_file_replace(path, files[i].text, files[i].bytes, &failure));
	}
	OWNED(free) char *path = at_path_join(folder, "launch.json");
	file_write(path, json);
	return folder;
}

TEST(a_recorded_launch_becomes_a_space)
{
	const char *folder = record(RECORDED);
	RELEASED(at_captured_release) struct at_captured captured = { 0 };
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
	OWNED(free) char *expected = file_text(AT_TEST_DIR "/data/captured.cfg");
	struct at_spec *spec = NULL;

	assert_ok(at_captured_read(folder, &captured, &failure));
	assert_null(at_captured_refusal(&captured));
	assert_ok(at_captured_store(&captured, folder, "run", &failure));
	at_captured_write_replay(&captured, "scale-captured", &text);
	assert_string_equal(text.data, expected);
	assert_ok(at_spec_parse(text.data, text.length, "replay.cfg", &spec, &failure));
	assert_ok(at_spec_require_kernel(spec, &failure));
	assert_int_equal(spec->remark_count, 0);
	assert_int_equal(spec->arguments[0].access, AT_ACCESS_INOUT);
	at_spec_free(spec);
	captured.blocks[0].is_output = true;
	at_strbuf_clear(&text);
	at_captured_write_replay(&captured, "scale-captured", &text);
	assert_ok(at_spec_parse(text.data, text.length, "replay.cfg", &spec, &failure));
	assert_int_equal(spec->remark_count, 0);
	assert_int_equal(spec->arguments[0].access, AT_ACCESS_OUT);
	at_spec_free(spec);
	/* equal contents are one file, zeros are none */
	OWNED(free) char *data = at_path_join(folder, "data");
	struct dirent **entries;
	int count = scandir(data, &entries, NULL, NULL);

	assert_int_equal(count, 2 + 4);
	for (int i = 0; i < count; i++)
		free(entries[i]);
	free(entries);
}

#define NONE_4 "00000000"
#define NONE_52 \
	NONE_4 NONE_4 NONE_4 NONE_4 NONE_4 NONE_4 NONE_4 NONE_4 NONE_4 NONE_4 NONE_4 \
		NONE_4 NONE_4

TEST(spaces_have_the_attributes_that_decide_a_result)
{
	static const struct {
		const char *said, *launch;
	} rows[] = {
		{ "\"is_cooperative\": true", " cooperative = true; };" },
		{ "\"attributes\": [ { \"id\": 8, \"value\": \"\" }, { \"id\": 2, \"value\": \"01000000" NONE_52
				NONE_4 NONE_4 "\" } ]",
			" cooperative = true; };" },
		{ "\"attributes\": [ { \"id\": 4, \"value\": \"020000000100000001000000" NONE_52
		  "\" } ]",
			" cluster = ( 2, 1, 1 ); };" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		RELEASED(at_captured_release) struct at_captured captured = { 0 };
		RELEASED(at_strbuf_release) struct at_strbuf json = { 0 }, text = { 0 };

		at_strbuf_addf(&json,
			HEAD
			"%s, \"cubin\": \"kernel.cubin\", " PARAMETERS BLOCKS POINTERS,
			rows[i].said);
		assert_ok(at_captured_read(record(json.data), &captured, &failure));
		assert_null(at_captured_refusal(&captured));
		at_captured_write_replay(&captured, "scale-captured", &text);
		assert_non_null(strstr(text.data, rows[i].launch));
	}
}

TEST(refuses_launches_that_cannot_be_replayed)
{
	static const struct {
		const char *said, *reason;
	} rows[] = {
		{ "\"is_in_graph\": true", "a CUDA graph launches it" },
		{ "\"lacks_memory\": true", "its memory could not be copied" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		RELEASED(at_captured_release) struct at_captured captured = { 0 };
		RELEASED(at_strbuf_release) struct at_strbuf json = { 0 };

		at_strbuf_addf(&json,
			HEAD
			"%s, \"cubin\": \"kernel.cubin\", " PARAMETERS BLOCKS POINTERS,
			rows[i].said);
		assert_ok(at_captured_read(record(json.data), &captured, &failure));
		assert_non_null(at_captured_refusal(&captured));
		assert_memory_equal(at_captured_refusal(&captured), rows[i].reason,
			strlen(rows[i].reason));
	}
}

TEST(refuses_a_pointer_past_the_recorded_part)
{
	RELEASED(at_captured_release) struct at_captured captured = { 0 };

	assert_ok(at_captured_read(
		record(HEAD
			"\"cubin\": \"kernel.cubin\", " PARAMETERS BLOCKS
			"\"pointers\": [ { \"parameter\": 2, \"offset\": 0, \"block\": 1, \"at\": 6 } ] }"),
		&captured, &failure));
	assert_string_equal(at_captured_refusal(&captured),
		"a pointer leads past the recorded part of an allocation: record with --all-memory");
}

TEST(refuses_names_that_no_space_can_have)
{
	static const char *const names[] = { "a$b", "a\\\"; b" };

	for (size_t i = 0; i < AT_COUNT_OF(names); i++) {
		RELEASED(at_captured_release) struct at_captured captured = { 0 };
		RELEASED(at_strbuf_release) struct at_strbuf json = { 0 };

		at_strbuf_addf(&json,
			"{ \"kernel\": \"%s\", \"name\": \"a\", \"number\": 3, \"grid\": [1, 1, 1], \"block\": [1, 1, 1], \"shared_bytes\": 0, \"other_cubins\": 0 }",
			names[i]);
		assert_ok(at_captured_read(record(json.data), &captured, &failure));
		assert_string_equal(at_captured_refusal(&captured),
			"its name has characters that a space cannot have");
	}
}

TEST(a_copy_that_fails_leaves_no_file)
{
	const char *folder = record(RECORDED);
	RELEASED(at_captured_release) struct at_captured captured = { 0 };
	OWNED(free) char *data = at_path_join(folder, "data");
	struct rlimit old, small;
	void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
	enum at_status status;

	assert_ok(at_captured_read(folder, &captured, &failure));
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	small = old;
	/* the cubin has 4 bytes, the arrays more */
	small.rlim_cur = 4;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	status = at_captured_store(&captured, folder, "run", &failure);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	signal(SIGXFSZ, handler);
	assert_int_equal(status, AT_EIO);
	assert_string_equal(failure.text, "cannot be written: File too large");
	at_error_clear(&failure);
	DIR *list = opendir(data);
	size_t count = 0;

	assert_non_null(list);
	for (struct dirent *entry; (entry = readdir(list));)
		count += entry->d_name[0] != '.';
	closedir(list);
	assert_int_equal(count, 1);
}

TEST(refuses_launches_without_code_or_outputs)
{
	RELEASED(at_captured_release) struct at_captured captured = { 0 };

	assert_ok(at_captured_read(
		record(HEAD "\"cubin\": \"\", " PARAMETERS BLOCKS POINTERS), &captured,
		&failure));
	assert_string_equal(
		at_captured_refusal(&captured), "its machine code was not seen");
	at_captured_release(&captured);
	assert_ok(
		at_captured_read(record(HEAD "\"cubin\": \"kernel.cubin\", " PARAMETERS
					     "\"blocks\": [], \"pointers\": [] }"),
			&captured, &failure));
	assert_string_equal(at_captured_refusal(&captured),
		"it changes no memory that its parameters point to, so nothing can be compared");
}

TEST(refuses_files_that_are_no_recording)
{
	static const char *const rows[] = {
		"{}",
		HEAD
		"\"cubin\": \"\", \"parameters\": [ { \"bytes\": 4, \"data\": \"e803\" } ] }",
		HEAD
		"\"cubin\": \"\", \"parameters\": [ { \"bytes\": 1, \"data\": \"xy\" } ] }",
		HEAD
		"\"cubin\": \"\", \"parameters\": [ { \"bytes\": 0, \"data\": \"\" } ] }",
		HEAD
		"\"cubin\": \"\", " PARAMETERS
		"\"pointers\": [ { \"parameter\": 1, \"offset\": 0, \"block\": 0, \"at\": 0 } ] }",
		HEAD
		"\"cubin\": \"\", " PARAMETERS BLOCKS
		"\"pointers\": [ { \"parameter\": 1, \"offset\": 8, \"block\": 0, \"at\": 0 } ] }",
		HEAD
		"\"cubin\": \"\", " PARAMETERS BLOCKS
		"\"pointers\": [ { \"parameter\": 5, \"offset\": 0, \"block\": 0, \"at\": 0 } ] }",
		"{ \"kernel\": \"a\", \"name\": \"a\", \"number\": 3, \"grid\": [1, 0, 1], \"block\": [1, 1, 1], \"shared_bytes\": 0, \"other_cubins\": 0 }",
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		RELEASED(at_captured_release) struct at_captured captured = { 0 };

		at_error_clear(&failure);
		assert_int_equal(at_captured_read(record(rows[i]), &captured, &failure),
			AT_EINVAL);
		assert_string_equal(
			failure.text, "is no launch that the capture library wrote");
	}
	at_error_clear(&failure);
}

/* ---- several sizes --------------------------------------------------------------- */

/* A launch of run(int, int, float, int *m0 + at), whose memory changes. */
struct sized {
	unsigned grid[3];
	int n, m;
	unsigned bits; /* of the float */
	unsigned bytes, at, shared_bytes;
};

static struct at_captured *read_sized(
	const struct sized *sized, const char *kernel, const char *block)
{
	struct at_captured *captured = at_calloc(1, sizeof(*captured));
	RELEASED(at_strbuf_release) struct at_strbuf json = { 0 };
	const unsigned words[] = { (unsigned)sized->n, (unsigned)sized->m,
		sized->bits };

	at_strbuf_addf(&json,
		"{ \"kernel\": \"%s\", \"name\": \"run\", \"number\": 1, \"device\": \"Board\","
		" \"grid\": [%u, %u, %u], \"block\": [%s], \"shared_bytes\": %u, \"other_cubins\": 0,"
		" \"cubin\": \"kernel.cubin\", \"parameters\": [",
		kernel, sized->grid[0], sized->grid[1], sized->grid[2], block,
		sized->shared_bytes);
	for (size_t i = 0; i < AT_COUNT_OF(words); i++)
		at_strbuf_addf(&json,
			" { \"bytes\": 4, \"data\": \"%02x%02x%02x%02x\" },",
			words[i] & 255, words[i] >> 8 & 255, words[i] >> 16 & 255,
			words[i] >> 24);
	at_strbuf_addf(&json,
		" { \"bytes\": 8, \"data\": \"0000000000000000\" } ],"
		" \"blocks\": [ { \"variable\": \"\", \"bytes\": %u, \"cut_bytes\": 0, \"before\": \"before-0\", \"after\": \"after-0\" } ],"
		" \"pointers\": [ { \"parameter\": 3, \"offset\": 0, \"block\": 0, \"at\": %u } ] }",
		sized->bytes, sized->at);
	assert_ok(at_captured_read(record(json.data), captured, &failure));
	assert_null(at_captured_refusal(captured));
	return captured;
}

/* The space says for the problem of each launch what was recorded. */
static void says_what_was_recorded(
	const struct at_spec *spec, const struct sized *launches, size_t count)
{
	OWNED(free)
	struct at_value *slots = at_calloc(spec->slot_count + 1, sizeof(*slots));
	int64_t found;

	assert_int_equal(spec->problem_count, count);
	assert_int_equal(spec->remark_count, 0);
	for (size_t i = 0; i < count; i++) {
		const struct {
			const struct at_expression *expression;
			int64_t expected;
		} numbers[] = {
			{ spec->calls[0].launch.grid[0], launches[i].grid[0] },
			{ spec->calls[0].launch.grid[1], launches[i].grid[1] },
			{ spec->calls[0].launch.grid[2], launches[i].grid[2] },
			{ spec->arguments[0].count, launches[i].bytes },
			{ spec->arguments[1].value, launches[i].n },
			{ spec->arguments[2].value, launches[i].m },
			{ spec->arguments[3].value, launches[i].bits },
			{ spec->arguments[4].value, launches[i].at },
		};

		at_spec_bind(spec, &spec->problems[i], NULL, NULL, slots);
		at_spec_bind_configuration(spec, spec->defaults, slots);
		for (size_t k = 0; k < AT_COUNT_OF(numbers); k++) {
			assert_ok(at_spec_integer(spec, numbers[k].expression, slots,
				"", 0, 0, INT64_MAX, &found, &failure));
			assert_int_equal(found, numbers[k].expected);
		}
	}
}

#define FLAT "256, 1, 1"
#define SQUARE "16, 16, 1"

TEST(numbers_that_differ_become_expressions)
{
	static const struct {
		const char *block;
		struct sized launches[3]; /* grid[0] is 0 behind the last */
		const char *expected[4]; /* parts of the space */
	} rows[] = {
		{ FLAT,
			{ { { 4, 1, 1 }, 1000, 5, 0, 4000, 0, 0 },
				{ { 8, 1, 1 }, 2000, 5, 0, 8000, 0, 0 } },
			{ "\"ceil_div(N0, BLOCK_X)\", 1, 1 ); }; // 4, 8\n",
				"count = \"4 * N0\"; access = \"inout\"; fixed = true; // 4000, 8000\n",
				"{ name = \"p0\"; type = \"unsigned int\"; fixed = true; value = \"N0\"; },\n",
				"  { name = \"size_1000\"; on = \"cuda\"; N0 = 1000; },\n  { name = \"size_2000\"; on = \"cuda\"; N0 = 2000; }\n" } },
		{ FLAT,
			{ { { 1, 1, 1 }, 1000, 5, 0, 4004, 0, 0 },
				{ { 2, 1, 1 }, 2000, 5, 0, 8004, 0, 0 },
				{ { 3, 1, 1 }, 3000, 5, 0, 12004, 0, 0 } },
			{ "\"ceil_div(N0, 4 * BLOCK_X)\"",
				"count = \"4 * (N0 + 1)\"" } },
		/* the same blocks, however many elements */
		{ FLAT,
			{ { { 4, 1, 1 }, 1000, 5, 0, 4000, 0, 0 },
				{ { 4, 1, 1 }, 1001, 5, 0, 4004, 0, 0 } },
			{ "\"ceil_div(N0, BLOCK_X)\", 1, 1 ); }; // 4, 4\n" } },
		{ SQUARE,
			{ { { 7, 13, 2 }, 100, 200, 0, 80000, 0, 64 },
				{ { 32, 2, 2 }, 500, 30, 0, 60000, 0, 64 } },
			{ "( \"ceil_div(N0, 16)\", \"ceil_div(N1, 16)\", 2 ); shared_bytes = 64; }; // 7, 32; 13, 2\n",
				"count = \"4 * N0 * N1\"",
				"name = \"size_100\"; on = \"cuda\"; N0 = 100; N1 = 200; }" } },
		{ SQUARE,
			{ { { 7, 7, 1 }, 100, 1, 0, 40000, 0, 512 },
				{ { 32, 32, 1 }, 500, 1, 0, 1000000, 0, 1024 } },
			{ "count = \"4 * N0 * N0\"", "shared_bytes = \"SHARED_BYTES\"",
				"N0 = 500; SHARED_BYTES = 1024; }" } },
		/* tiles, and elements of a matrix */
		{ FLAT,
			{ { { 6, 520, 1 }, 200, 130, 0, 8, 0, 0 },
				{ { 32, 3000, 1 }, 900, 200, 0, 8, 0, 0 } },
			{ "( \"ceil_div(N0, 128) * ceil_div(N1, 64)\", \"ceil_div(N0, 64) * N1\"",
				"BLOCK_X = [ 256 ]" } },
		{ FLAT,
			{ { { 30, 2, 1 }, 100, 300, 0, 8, 0, 0 },
				{ { 98, 2, 1 }, 500, 200, 0, 8, 0, 0 } },
			{ "\"ceil_div(N0 * N1, 4 * BLOCK_X)\"",
				"BLOCK_X = [ 32, 64, 128, 256, 512, 1024 ]" } },
		{ FLAT,
			{ { { 12, 1, 1 }, 1000, 3, 0, 8, 0, 0 },
				{ { 24, 1, 1 }, 2000, 3, 0, 8, 0, 0 } },
			{ "\"3 * ceil_div(N0, BLOCK_X)\"" } },
		/* multiples share a size, and are offsets, too */
		{ FLAT,
			{ { { 4, 1, 1 }, 1000, 3000, 0, 8000, 2000, 0 },
				{ { 8, 1, 1 }, 2000, 6000, 0, 16000, 4000, 0 } },
			{ "value = \"3 * N0\"; }, // 3000, 6000\n",
				"value = \"m0 + 2 * N0\"; } // 2000, 4000\n" } },
		{ FLAT,
			{ { { 4, 1, 1 }, 900, 300, 0, 8001, 0, 0 },
				{ { 8, 1, 1 }, 1800, 600, 0, 16000, 7, 0 } },
			{ "value = \"N0 / 3\"; }, // 300, 600\n", "value = \"m0 + N1\"",
				"N0 = 1800; M0_BYTES = 16000; N1 = 7; }" } },
		/* what fits nothing: blocks, memory, a float */
		{ SQUARE,
			{ { { 1, 9, 1 }, 100, 1, 0x3f800000, 4001, 0, 0 },
				{ { 1, 2, 1 }, 500, 1, 0x40000000, 13, 0, 0 },
				{ { 1, 5, 1 }, 700, 1, 0x3f000000, 7, 0, 0 } },
			{ "grid = ( 1, \"GRID_Y\", 1 ); };\n",
				"N0 = 500; N1 = 1073741824; GRID_Y = 2; M0_BYTES = 13; }",
				"value = \"N1\"" } },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		RELEASED(at_captured_release) struct at_captured first = { 0 };
		RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
		struct at_spec *spec = NULL;
		size_t count = 0;

		for (; count < 3 && rows[i].launches[count].grid[0]; count++) {
			struct at_captured *captured = read_sized(
				&rows[i].launches[count], "run", rows[i].block);

			if (count) {
				assert_true(at_captured_join(&first, captured));
				continue;
			}
			first = *captured;
			free(captured);
		}
		assert_ok(at_captured_store(&first, first.folder, "run", &failure));
		at_captured_write_replay(&first, "first", &text);
		for (size_t k = 0; k < 4 && rows[i].expected[k]; k++)
			if (!strstr(text.data, rows[i].expected[k]))
				fail_msg("row %zu lacks %s:\n%s", i,
					rows[i].expected[k], text.data);
		assert_ok(at_spec_parse(
			text.data, text.length, "run.cfg", &spec, &failure));
		says_what_was_recorded(spec, rows[i].launches, count);
		at_spec_free(spec);
	}
}

/* two integers of a structure are one word of 8 bytes, as long as they are equal */
TEST(integers_of_structures_are_sizes)
{
	RELEASED(at_strbuf_release) struct at_strbuf json = { 0 }, text = { 0 };
	RELEASED(at_captured_release) struct at_captured captured = { 0 };
	struct at_captured *other = at_calloc(1, sizeof(*other));
	OWNED(at_spec_free) struct at_spec *spec = NULL;
	char *at;

	at_strbuf_add(&json, RECORDED);
	at = strstr(json.data, "0700000008000000");
	assert_non_null(at);
	at[1] = '9';
	assert_ok(at_captured_read(record(RECORDED), &captured, &failure));
	assert_ok(at_captured_read(record(json.data), other, &failure));
	assert_true(at_captured_join(&captured, other));
	assert_ok(at_captured_store(&captured, captured.folder, "run", &failure));
	at_captured_write_replay(&captured, "scale-captured", &text);
	assert_non_null(strstr(text.data,
		"P2 = ( \"unsigned char *w0\", \"unsigned int w8\", \"unsigned int w12\" );"));
	assert_non_null(strstr(
		text.data, "value = { w0 = \"m1\"; w8 = \"N0\"; w12 = \"8\"; }; },"));
	assert_non_null(strstr(text.data, "N0 = 9; }"));
	assert_ok(at_spec_parse(text.data, text.length, "run.cfg", &spec, &failure));
	assert_int_equal(spec->remark_count, 0);
}

TEST(launches_that_differ_in_more_have_spaces_of_their_own)
{
	static const struct sized first = { { 4, 1, 1 }, 1000, 5, 0, 4000, 0, 0 };
	static const struct {
		struct sized launch;
		const char *kernel, *block;
		bool joins;
	} rows[] = {
		{ { { 8, 1, 1 }, 2000, 5, 0, 8000, 0, 0 }, "run", FLAT, true },
		{ { { 8, 1, 1 }, 2000, 5, 0, 8000, 0, 0 }, "_Z3runv", FLAT, false },
		{ { { 8, 1, 1 }, 2000, 5, 0, 8000, 0, 0 }, "run", "128, 1, 1", false },
		{ { { 4, 1, 1 }, 1000, 5, 0, 4000, 0, 0 }, "run", FLAT, false },
		/* no size tells them apart */
		{ { { 4, 1, 1 }, 1000, 5, 0x3f800000, 4000, 0, 0 }, "run", FLAT,
			false },
		{ { { 4, 1, 1 }, 1000, 5, 0, 6000, 0, 0 }, "run", FLAT, false },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct at_captured *one = read_sized(&first, "run", FLAT);
		struct at_captured *other =
			read_sized(&rows[i].launch, rows[i].kernel, rows[i].block);
		bool joins;

		one->parameters[2].is_real = true;
		joins = at_captured_join(one, other);

		assert_int_equal(joins, rows[i].joins);
		assert_int_equal(one->next != NULL, joins);
		if (!joins)
			at_captured_release(other);
		if (!joins)
			free(other);
		at_captured_release(one);
		free(one);
	}
}

/* ---- sources --------------------------------------------------------------------- */

/* A launch with a number, a pointer to 8 bytes that changed, and a null pointer. */
#define LAUNCH(kernel, name) LAUNCH_OF(kernel, name, "4", "00002040")
#define LAUNCH_OF(kernel, name, bytes, value) \
	"{ \"kernel\": \"" kernel "\", \"name\": \"" name \
	"\", \"number\": 1, \"device\": \"Board\"," \
	" \"grid\": [4, 1, 1], \"block\": [64, 1, 1], \"shared_bytes\": 0, \"other_cubins\": 0, \"cubin\": \"kernel.cubin\"," \
	" \"parameters\": [ { \"bytes\": " bytes ", \"data\": \"" value \
	"\" }, { \"bytes\": 8, \"data\": \"0000000000000000\" }," \
	" { \"bytes\": 8, \"data\": \"0000000000000000\" } ], " \
	"\"blocks\": [ { \"variable\": \"\", \"bytes\": 8, \"cut_bytes\": 0, \"before\": \"before-0\", \"after\": \"after-0\" } ], " \
	"\"pointers\": [ { \"parameter\": 1, \"offset\": 0, \"block\": 0, \"at\": 0 } ] }"

#define NO_VALUE \
	"parameter \"a\": spaces cannot give a parameter its value: infinity, NaN, or 2^63 and above"

TEST(takes_types_from_the_name_or_the_source)
{
	static const char plain[] = LAUNCH("run", "run");
	/* run<double, 4>(float, double*, void const*) and so on */
	static const char instance[] = LAUNCH("_Z3runIdLi4EEvfPT_PKi", "run");
	static const struct {
		const char *launch, *source;
		const char *expected; /* a part of the space; or why it has no space */
		bool is_refused;
	} rows[] = {
		{ plain,
			"extern \"C\" __global__ void run(float a, float *__restrict__ y, const int *mask) {}",
			"{ name = \"a\"; type = \"float\"; value = \"2.5\"; },\n  { name = \"y\"; type = \"float\"; count = 2; access = \"inout\";\n    fill = \"constant(0)\"; },\n  { name = \"mask\"; type = \"int\"; value = \"null\"; }\n",
			false },
		{ plain,
			"extern \"C\" __global__ void run(unsigned int n, unsigned long *y, const int *mask) {}",
			"{ name = \"n\"; type = \"unsigned int\"; value = \"1075838976\"; },\n  { name = \"y\"; type = \"unsigned long long\"; count = 1;",
			false },
		{ instance,
			"template <typename T, int N> __global__ void run(float, T *y, const int *mask) {}",
			"{ name = \"p0\"; type = \"float\"; value = \"2.5\"; },\n  { name = \"y\"; type = \"double\"; count = 1;",
			false },
		{ instance,
			"template <typename T, int N> __global__ void run(float, T *y, const int *mask) {}",
			"function = \"run<double, 4>\"", false },
		{ plain,
			"#define TILE 16\n__global__ void run(float a, float *y, int *m) {}",
			"//   TILE = [ 8, 16, 32 ];\n", false },
		{ plain, "__global__ void run(float a, struct view *y, int *m) {}",
			"parameter \"y\": its type is no type of spaces", true },
		{ plain, "__global__ void run(double a, float *y, int *m) {}",
			"parameter \"a\": it is a vector, or has another size in the launch",
			true },
		{ LAUNCH_OF("run", "run", "4", "000080ff"),
			"__global__ void run(float a, float *y, int *m) {}", NO_VALUE,
			true },
		{ LAUNCH_OF("run", "run", "8", "000000000000f87f"),
			"__global__ void run(double a, float *y, int *m) {}", NO_VALUE,
			true },
		{ LAUNCH_OF("run", "run", "8", "0000000000000080"),
			"__global__ void run(unsigned long a, float *y, int *m) {}",
			NO_VALUE, true },
		{ LAUNCH_OF("run", "run", "8", "ffffffffffffffff"),
			"__global__ void run(long a, float *y, int *m) {}",
			"value = \"-1\"; }", false },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		RELEASED(at_captured_release) struct at_captured captured = { 0 };
		RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
		RELEASED(at_captured_source_release)
		struct at_captured_source source = { 0 };
		const char *folder = record(rows[i].launch);
		OWNED(free) char *path = at_path_join(folder, "run.cu");
		struct at_spec *spec = NULL;
		char why[200] = "";

		file_write(path, rows[i].source);
		assert_ok(at_captured_read(folder, &captured, &failure));
		assert_ok(at_captured_store(&captured, folder, "run", &failure));
		assert_true(at_captured_find_source(&captured, folder, &source));
		if (rows[i].is_refused) {
			assert_false(at_captured_write_source(
				&captured, &source, "run", &text, why, sizeof(why)));
			assert_string_equal(why, rows[i].expected);
			continue;
		}
		assert_true(at_captured_write_source(
			&captured, &source, "run", &text, why, sizeof(why)));
		assert_non_null(strstr(text.data, rows[i].expected));
		assert_ok(at_spec_parse(
			text.data, text.length, "run.cfg", &spec, &failure));
		at_spec_free(spec);
	}
}

/* Outputs stand unless block `inout` is among them. */
struct outputs {
	const struct at_captured *captured;
	size_t inout, asked;
};

static bool outputs_stand(void *context)
{
	struct outputs *self = context;

	self->asked++;
	return self->inout == SIZE_MAX ||
	       !self->captured->blocks[self->inout].is_output;
}

TEST(finds_blocks_that_are_only_written)
{
	static const struct {
		size_t inout, asked;
		const char *access[2];
	} rows[] = {
		{ SIZE_MAX, 1, { "out", "out" } },
		{ 0, 3, { "inout", "out" } },
		{ 1, 3, { "out", "inout" } },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct at_captured_block blocks[] = {
			{ .variable = "", .is_changed = true },
			{ .variable = "", .is_changed = true },
			{ .variable = "" },
			{ .variable = "v", .is_changed = true },
		};
		struct at_captured captured = { .blocks = blocks,
			.block_count = AT_COUNT_OF(blocks) };
		struct outputs outputs = { &captured, rows[i].inout, 0 };

		at_captured_find_outputs(&captured, outputs_stand, &outputs);
		assert_int_equal(outputs.asked, rows[i].asked);
		for (size_t k = 0; k < 2; k++)
			assert_string_equal(
				at_captured_access(&blocks[k]), rows[i].access[k]);
		assert_string_equal(at_captured_access(&blocks[2]), "in");
		assert_string_equal(at_captured_access(&blocks[3]), "in");
	}
}

TEST(refuses_a_path_that_a_space_cannot_name)
{
	static const char *const names[] = { "a\"b.cu", "a\\b.cu" };

	for (size_t i = 0; i < AT_COUNT_OF(names); i++) {
		RELEASED(at_captured_release) struct at_captured captured = { 0 };
		RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
		RELEASED(at_captured_source_release)
		struct at_captured_source source = { 0 };
		const char *folder = record(LAUNCH("run", "run"));
		OWNED(free) char *path = at_path_join(folder, names[i]);
		char why[200];

		file_write(path, "__global__ void run(float a, float *y, int *m) {}");
		assert_ok(at_captured_read(folder, &captured, &failure));
		assert_true(at_captured_find_source(&captured, folder, &source));
		assert_false(at_captured_write_source(
			&captured, &source, "run", &text, why, sizeof(why)));
		assert_string_equal(why,
			"the path of the source has a quote, a backslash or a line break");
	}
}

TEST(finds_a_definition_with_as_many_parameters)
{
	RELEASED(at_captured_release) struct at_captured captured = { 0 };
	RELEASED(at_captured_source_release) struct at_captured_source source = { 0 };
	const char *folder = record(LAUNCH("run", "run"));
	static const char *const files[][2] = {
		{ "b.cu", "__global__ void run(float a, float *b, int *c) {}" },
		{ "a.h", "__global__ void run(float a, float *b) {}" },
		{ "c.cuh", "__global__ void run(float a, float *b, int *c) {}" },
		{ "d.cu", "void run(float a, float *b, int *c) {}" },
		{ "a.txt", "__global__ void run(float a, float *b, int *c) {}" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(files); i++) {
		OWNED(free) char *path = at_path_join(folder, files[i][0]);

		file_write(path, files[i][1]);
	}
	assert_ok(at_captured_read(folder, &captured, &failure));
	assert_true(at_captured_find_source(&captured, folder, &source));
	assert_string_equal(strrchr(source.path, '/'), "/b.cu");
	assert_int_equal(source.other_count, 1);
}

/* ---- whole runs ------------------------------------------------------------------ */

static void capture(const char *words, int code, const char *out, const char *err)
{
	RELEASED(at_strbuf_release) struct at_strbuf line = { 0 };
	RELEASED(executable_drop) struct executable_outcome outcome;

	at_strbuf_addf(&line, "capture %s", words);
	outcome = executable_run(line.data);
	assert_string_equal(outcome.err, err);
	assert_string_equal(outcome.out, out);
	assert_int_equal(outcome.code, code);
}

/* The folder is $TMPDIR too: what a capture leaves there shows. */
static void leaves_nothing(const char *output)
{
	OWNED(free) char *place = executable_path("");
	DIR *folder = opendir(place);

	assert_non_null(folder);
	for (struct dirent *entry; (entry = readdir(folder));) {
		assert_null(strstr(entry->d_name, "autotune-"));
		assert_null(strstr(entry->d_name, ".part-"));
		if (output)
			assert_string_not_equal(entry->d_name, output);
	}
	closedir(folder);
}

static struct at_spec *load(const char *name)
{
	OWNED(free) char *path = executable_path(name);
	struct at_spec *spec = NULL;

	assert_ok(at_spec_load(path, &spec, &failure));
	return spec;
}

#define SAXPY \
	"saxpy, launch 1: grid 4 x 1 x 1, block 256 x 1 x 1, 11.7 KiB of memory\n  out/saxpy-captured.cfg\n  no space of the source: no file below this folder defines the kernel\n"
#define SCALE \
	"scale, launch 1: grid 4 x 1 x 1, block 256 x 1 x 1, 3.9 KiB of memory\n  out/scale-captured.cfg\n  no space of the source: no file below this folder defines the kernel\n"

TEST(records_contents_before_and_after)
{
	struct at_spec *spec;
	OWNED(free) char *path = NULL, *text = NULL;
	float y[4];

	capture("-o out -- " AT_LAUNCHING_PROGRAM, 0, "5\n" SAXPY SCALE, "");
	leaves_nothing(NULL);
	spec = load("out/saxpy-captured.cfg");
	/* y += 2.5 x, with x[i] = i and y[i] = i % 7 */
	assert_int_equal(spec->reference.file_count, 1);
	path = at_path_join(spec->directory, spec->reference.files[0].path);
	text = file_text(path);
	memcpy(y, text, sizeof(y));
	assert_true(y[0] == 0 && y[1] == 3.5f && y[3] == 10.5f);
	assert_true(at_file_exists(spec->template_path));
	at_spec_free(spec);
	spec = load("out/scale-captured.cfg");
	/* the structure's pointer, and one to the last number of the same memory */
	assert_string_equal(spec->arguments[0].name, "m0");
	assert_int_equal(spec->arguments[0].access, AT_ACCESS_INOUT);
	assert_string_equal(spec->arguments[1].symbol, "weights");
	assert_string_equal(spec->arguments[4].name, "p2");
	assert_int_equal(spec->arguments[4].points_to, 1);
	at_spec_free(spec);
	capture("-o out -- " AT_LAUNCHING_PROGRAM, 1, "",
		"autotune: out: exists already: name a new folder with -o\n");
}

TEST(chooses_launches_by_name_and_number)
{
	capture("--kernel sax* --skip 1 --limit 2 -o chosen -- " AT_LAUNCHING_PROGRAM,
		0,
		"5\nsaxpy, launch 2: grid 4 x 1 x 1, block 256 x 1 x 1, 11.7 KiB of memory\n  chosen/saxpy-captured.cfg\n  no space of the source: no file below this folder defines the kernel\n",
		"");
	capture("--kernel gemm -o other -- " AT_LAUNCHING_PROGRAM, 1, "5\n",
		"autotune: capture: no launch matches; the program launched saxpy, scale\n");
	leaves_nothing("other");
}

static void write_kernels(void)
{
	executable_write("kernels.cu",
		"#include <cstdio>\n"
		"#define BLOCK 256\n"
		"__constant__ float weights[4];\n"
		"__global__ void sax(int n) { weights[n % 4]; }\n"
		"__global__ void saxpy(const int n, float a, const float *__restrict__ x, float *y = nullptr)\n"
		"{\n"
		"	int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
		"	if (i < n)\n"
		"		y[i] += a * x[i];\n"
		"}\n"
		"int main() { saxpy<<<4, BLOCK>>>(1, 2, 0, 0); }\n");
}

/* The program runs its kernels on the CPU, as the device "host" does. */
TEST(a_source_that_is_found_becomes_a_space_too)
{
	struct at_spec *spec;

	write_kernels();
	capture("--kernel saxpy -o found -- " AT_LAUNCHING_PROGRAM, 0,
		"5\nsaxpy, launch 1: grid 4 x 1 x 1, block 256 x 1 x 1, 11.7 KiB of memory\n  found/saxpy-captured.cfg\n  found/saxpy.cfg\n",
		"");
	spec = load("found/saxpy.cfg");
	assert_int_equal(spec->argument_count, 4);
	assert_string_equal(spec->arguments[1].name, "a");
	assert_int_equal(spec->arguments[2].element, AT_ELEMENT_F32);
	assert_int_equal(spec->arguments[2].access, AT_ACCESS_IN);
	assert_int_equal(spec->arguments[3].access, AT_ACCESS_INOUT);
	assert_int_equal(spec->parameters[0].value_count, 6);
	at_spec_free(spec);
	OWNED(free) char *path = executable_path("kernels.cu");

	remove(path);
}

#define SIZED(number, grid, memory) \
	"saxpy, launch " number ": grid " grid " x 1 x 1, block 256 x 1 x 1, " memory \
	" of memory\n"

/* The program runs its kernels on the CPU, as the device "host" does. */
TEST(launches_of_several_sizes_are_problems_of_one_space)
{
	OWNED(free) char *source = executable_path("kernels.cu"), *text = NULL;
	OWNED(free) char *path = executable_path("sizes/saxpy.cfg");
	RELEASED(at_strbuf_release) struct at_strbuf warm = { 0 };
	struct executable_outcome outcome;
	struct at_spec *spec;
	size_t count = 0;

	write_kernels();
	capture("--kernel saxpy --limit 4 -o sizes -- " AT_LAUNCHING_PROGRAM " sizes",
		0,
		"5\n" SIZED("1", "4", "11.7 KiB") SIZED("3", "3", "4.7 KiB") SIZED("4",
			"3",
			"5.5 KiB") "  sizes/saxpy-captured.cfg\n  sizes/saxpy.cfg\n" SIZED("2",
			"4",
			"11.7 KiB") "  sizes/saxpy-captured-2.cfg\n  sizes/saxpy-2.cfg\n",
		"");
	text = file_text(path);
	assert_non_null(strstr(text,
		"problems = (\n  { name = \"size_1000\"; N = 1000; Y_COUNT = 2000; },\n"));
	assert_non_null(strstr(text, "\"ceil_div(N, BLOCK_X)\""));
	assert_non_null(strstr(
		text, "fill = \"file('data/saxpy-captured-before-0-${N}.bin')\""));
	/* the record holds both spaces of the kernel */
	spec = load("sizes/saxpy-2.cfg");
	assert_string_equal(spec->name, "saxpy-2");
	at_spec_free(spec);
	/* emptying the cache of a server takes longer than all else here */
	at_strbuf_addf(&warm, "%ssearch: { cache = \"warm\"; };\n", text);
	file_write(path, warm.data);
	outcome = executable_run("check --replay --device host sizes/saxpy.cfg");
	for (const char *at = outcome.out; (at = strstr(at, " on host: as expected"));
		at++)
		count++;
	assert_int_equal(count, 3);
	assert_int_equal(outcome.code, 0);
	executable_drop(&outcome);
	outcome = executable_run("check --device host sizes/saxpy-captured.cfg");
	assert_int_equal(outcome.code, 0);
	executable_drop(&outcome);
	remove(source);
}

/* the file lies outside of the folder, as those of another checkout do */
TEST(a_source_may_be_one_that_a_build_compiles)
{
	RELEASED(at_captured_release) struct at_captured captured = { 0 };
	RELEASED(at_captured_source_release) struct at_captured_source source = { 0 };
	OWNED(free) char *path = NULL, *commands = NULL;
	const char *folder = record(RECORDED);
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
	OWNED(free) char *empty = at_path_join(folder, "empty");

	path = at_path_join(folder, "scale.cu");
	assert_int_equal(mkdir(empty, 0700), 0);
	file_write(path,
		"__global__ void scale(int a, void *b, int c, int d, char e) {}\n");
	assert_ok(at_captured_read(folder, &captured, &failure));
	assert_false(at_captured_find_source(&captured, empty, &source));
	at_strbuf_addf(&text,
		"[ { \"directory\": \"%s\", \"file\": \"../scale.cu\", \"command\": \"nvcc\" } ]",
		empty);
	commands = at_path_join(empty, "compile_commands.json");
	file_write(commands, text.data);
	assert_true(at_captured_find_source(&captured, empty, &source));
	assert_non_null(strstr(source.path, "scale.cu"));
}

TEST(prints_one_object_a_launch)
{
	capture("--kernel scale --json -o json -- " AT_LAUNCHING_PROGRAM, 0,
		"{\"event\": \"capture\", \"kernel\": \"_ZN5tools5scaleE4viewfPS_\", \"launch\": 1, \"space\": \"scale-captured.cfg\", \"bytes\": 4016, \"reason\": null, \"source\": null, \"source_reason\": \"no file below this folder defines the kernel\"}\n",
		"5\n");
}

TEST(says_why_it_recorded_nothing)
{
	capture("-o none -- /bin/true", 1, "",
		"autotune: capture: the CUDA driver did not load the library: the program used no CUDA, clears its environment, or has another user's rights\n");
	capture("-o none -- ./absent", 1, "",
		"autotune: no program \"./absent\": give its path, or a name on PATH\n");
	leaves_nothing("none");
}

TEST(records_a_kernel_that_waits_for_another_thread)
{
	capture("--kernel a* -o threads -- " AT_LAUNCHING_PROGRAM " threads", 0,
		"5\nawait, launch 1: grid 4 x 1 x 1, block 256 x 1 x 1, 7.8 KiB of memory\n  threads/await-captured.cfg\n  no space of the source: no file below this folder defines the kernel\n",
		"autotune: capture: launches of a thread were not recorded while a launch of another thread was\n");
	leaves_nothing(NULL);
}

#define SCALE_INTO(folder) \
	"scale, launch 1: grid 4 x 1 x 1, block 256 x 1 x 1, 3.9 KiB of memory\n  " folder \
	"/scale-captured.cfg\n  no space of the source: no file below this folder defines the kernel\n"

TEST(a_launch_without_a_space_leaves_the_others)
{
	struct executable_outcome outcome;
	char kept[4096], *at;

	capture("--kernel [so][cd]* -o odd -- " AT_LAUNCHING_PROGRAM " odd", 0,
		"5\n" SCALE_INTO(
			"odd") "odd$name, launch 1: grid 4 x 1 x 1, block 256 x 1 x 1, 7.8 KiB of memory\n  no space: its name has characters that a space cannot have\n",
		"");
	/* a failure keeps the recordings */
	outcome = executable_run(
		"capture --kernel scale -o broken -- " AT_LAUNCHING_PROGRAM " broken");
	assert_int_equal(outcome.code, 1);
	assert_non_null(strstr(outcome.out, "5\na launch\n  no space: "));
	assert_non_null(strstr(outcome.out, SCALE_INTO("broken")));
	at = strstr(outcome.err, "autotune: capture: the recordings are in ");
	assert_non_null(at);
	assert_int_equal(
		sscanf(at, "autotune: capture: the recordings are in %4095s", kept), 1);
	executable_drop(&outcome);
	assert_int_equal(folder_remove(kept), 0);
	leaves_nothing(NULL);
}

TEST(checks_the_folder_before_the_program_runs)
{
	OWNED(free) char *link = executable_path("link");
	struct executable_outcome outcome;

	capture("--kernel scale -o slash// -- " AT_LAUNCHING_PROGRAM, 0,
		"5\n" SCALE_INTO("slash"), "");
	executable_write("file", "");
	outcome = executable_run("capture -o file/x -- " AT_LAUNCHING_PROGRAM);
	assert_int_equal(outcome.code, 1);
	assert_string_equal(outcome.out, "");
	assert_non_null(
		strstr(outcome.err, ": cannot make this directory: file is a file\n"));
	executable_drop(&outcome);
	assert_int_equal(symlink("nowhere", link), 0);
	capture("-o link -- " AT_LAUNCHING_PROGRAM, 1, "",
		"autotune: link: exists already: name a new folder with -o\n");
	capture("-o deep/er/none -- /bin/true", 1, "",
		"autotune: capture: the CUDA driver did not load the library: the program used no CUDA, clears its environment, or has another user's rights\n");
	leaves_nothing("deep");
}

TEST(says_what_a_graph_hides)
{
	capture("--kernel sax* --skip 2 -o graph -- " AT_LAUNCHING_PROGRAM " graph", 1,
		"5\nsaxpy, launch 3: grid 4 x 1 x 1, block 256 x 1 x 1, 11.7 KiB of memory\n  no space: a CUDA graph launches it, and the memory at that time is not known: run the program without graphs\n",
		"");
	leaves_nothing("graph");
}

TEST(keeps_what_is_complete_when_the_program_is_killed)
{
	capture("--kernel scale -o killed -- " AT_LAUNCHING_PROGRAM " kill", 0,
		"scale, launch 1: grid 4 x 1 x 1, block 256 x 1 x 1, 3.9 KiB of memory\n  killed/scale-captured.cfg\n  no space of the source: no file below this folder defines the kernel\n",
		"autotune: capture: the program ended with status 137\n");
	leaves_nothing(NULL);
	/* it dies in the launch that is recorded */
	capture("--kernel end -o part -- " AT_LAUNCHING_PROGRAM " kill", 1, "",
		"autotune: capture: the program ended with status 137\n"
		"autotune: capture: no launch matches; the program launched saxpy, scale, end\n");
	leaves_nothing("part");
}

TEST(an_interrupted_capture_keeps_what_is_complete)
{
	OWNED(free) char *ready = executable_path("wait.ready");
	OWNED(free) char *folder = executable_path("stopped");
	OWNED(free) char *space = executable_path("stopped/saxpy-captured.cfg");
	const struct timespec moment = { .tv_nsec = 1000000 };
	pid_t child = fork();

	if (!child) {
		freopen("/dev/null", "w", stdout);
		freopen("/dev/null", "w", stderr);
		execl(AT_PROGRAM, AT_PROGRAM, "capture", "-o", folder, "--",
			AT_LAUNCHING_PROGRAM, "wait", ready, (char *)NULL);
		_exit(126);
	}
	while (!at_file_exists(ready) && !waitpid(child, NULL, WNOHANG))
		nanosleep(&moment, NULL);
	kill(child, SIGTERM);
	assert_int_equal(exit_of(child), 130);
	assert_true(at_file_exists(space));
	leaves_nothing(NULL);
}

/* ---- replays --------------------------------------------------------------------- */

TEST(a_replay_says_whether_the_baseline_is_right)
{
	static const struct {
		const char *set, *line;
		int code;
	} rows[] = {
		{ "MISTAKE=none", "\"outcome\": \"ok\", \"detail\": \"\"", 0 },
		{ "MISTAKE=first_row", "\"outcome\": \"wrong_result\", \"detail\": \"",
			3 },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		RELEASED(at_strbuf_release) struct at_strbuf line = { 0 };
		struct executable_outcome outcome;

		at_strbuf_addf(&line,
			"check --replay --json --device host --set %s " AT_TEST_DIR
			"/spaces/mutant_pointed.cfg",
			rows[i].set);
		outcome = executable_run(line.data);
		assert_non_null(strstr(outcome.out, "\"event\": \"replay\""));
		assert_non_null(strstr(outcome.out, rows[i].line));
		assert_int_equal(outcome.code, rows[i].code);
		executable_drop(&outcome);
		leaves_nothing(NULL);
	}
}

static int begin(void **state)
{
	setenv("AUTOTUNE_CUPTI", AT_FAKE_CUDA, 1);
	if (executable_begin(state))
		return -1;
	return setenv("TMPDIR", executable_place, 1);
}

RUN_SUITE(begin, executable_end)

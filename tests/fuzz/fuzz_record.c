/*
 * Any bytes in a column of a record that somebody else wrote: the first byte chooses
 * which, the second what they are taken for, and what is left is put there. Whoever
 * reads records refuses it in a line, or makes of it results, a header and exports that
 * hold nothing but what belongs into them.
 */
#include "base/json.h"
#include "base/memory.h"
#include "record/evaluation_json.h"
#include "record/export.h"
#include "record/history.h"
#include "record/result.h"
#include "record/store_internal.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char space[] =
	"kernel: { name = \"fuzzed\"; template = \"fuzz.cu\"; reference = \"told\"; };\n"
	"problems = ( { name = \"small\"; N = 64; } );\n"
	"parameters: { BLOCK = [ 16, 32 ]; CACHE = [ \"ca\", \"cg\" ]; };\n"
	"defaults: { BLOCK = 16; CACHE = \"ca\"; };\n"
	"options = ( \"-DDEEP=${BLOCK}\" );\n"
	"launch: { block = ( \"BLOCK\" ); grid = ( \"ceil_div(N, BLOCK)\" ); };\n"
	"arguments = ( { name = \"y\"; type = \"float\"; count = \"N\"; access = \"out\"; } );\n";

static const char rows[] =
	"INSERT INTO devices (id, kind, slug, model, architecture, driver, uuid, properties)"
	" VALUES (1, 'cuda', 'nvidia-h200', 'NVIDIA H200', 'sm_90', '580.1', 'GPU-1',"
	" '{\"compute_capability\": 90, \"multiprocessor_count\": 132, \"warp_size\": 32,"
	" \"max_threads_per_block\": 1024, \"max_shared_bytes_per_block\": 49152}');"
	"INSERT INTO runs (id, device_id, space, strategy, seed, version, started_seconds,"
	" ended_seconds, ending, origin, token)"
	" VALUES (1, 1, 'fuzzed', 'auto', 7, '0.1.0', 1763715000, 1763715900, 'done', '', 'aa');"
	"INSERT INTO evaluations (id, key, run_id, device_id, space, problem, problem_json,"
	" configuration, outcome, detail, time_ns, low_ns, high_ns, launches_per_sample, raced,"
	" registers, occupancy, limiting_factor, flops, bytes, is_double, throttled,"
	" created_seconds, board, image, samples_ns, log) VALUES"
	" (1, x'00112233445566778899aabbccddeeff', 1, 1, 'fuzzed', 'small', '{\"N\": 64}',"
	" '{\"BLOCK\": 16, \"CACHE\": \"ca\"}', 'ok', '', 2000.0, 1900.0, 2100.0, 1, 0, 32, 0.5,"
	" 'registers', 1e6, 1e6, 0, 0, 1763715100, 'GPU-1', NULL, x'0000000000409f40', ''),"
	" (2, x'10112233445566778899aabbccddeeff', 1, 1, 'fuzzed', 'small', '{\"N\": 64}',"
	" '{\"BLOCK\": 32, \"CACHE\": \"cg\"}', 'ok', '', 1000.0, 990.0, 1010.0, 1, 0, 32, 0.5,"
	" 'registers', 1e6, 1e6, 0, 0, 1763715200, 'GPU-1', NULL, NULL, ''),"
	" (3, x'20112233445566778899aabbccddeeff', 1, 1, 'fuzzed', 'small', '{\"N\": 64}',"
	" '{\"BLOCK\": 32, \"CACHE\": \"ca\"}', 'crashed', 'the process was ended', NULL, NULL,"
	" NULL, NULL, 0, NULL, NULL, '', NULL, NULL, 0, 0, 1763715300, '', NULL, NULL, 'told');"
	"INSERT INTO crowns (id, device_id, space, problem, evaluation_id, baseline_id,"
	" evaluation_count, ok_count, value, low, high, speedup, speedup_low, speedup_high,"
	" baseline_low, baseline_high, toolchain, driver, source_hash, metrics, launch, options,"
	" gains, proof, measurement, created_seconds) VALUES"
	" (1, 1, 'fuzzed', 'small', 2, 1, 3, 2, 1000.0, 990.0, 1010.0, 2.0, 1.9, 2.1, 1900.0,"
	" 2100.0, 'NVRTC 13.0', '580.1', '00ff', '{\"flops\": 1.0}',"
	" '{\"block\": [32, 1, 1], \"grid\": [2, 1, 1], \"shared_bytes\": 0}', '[\"-DDEEP=32\"]',"
	" '[{\"to\": {\"BLOCK\": 32}, \"from\": {\"BLOCK\": 16}, \"time_ns\": 1000.0, \"share\": 1.0}]',"
	" '{\"problems\": 2, \"data_sets\": 2}', '{\"blocks\": 6, \"samples\": 30}', 1763715800);"
	"INSERT INTO revisits (id, device_id, board, run_id, space, problem, configuration,"
	" source_hash, outcome, detail, verdict, objective, value, low, high, look_count,"
	" measurement, conditions, created_seconds) VALUES"
	" (1, 1, 'GPU-1', 1, 'fuzzed', 'small', '{\"BLOCK\": 32}', '00ff', 'ok', '', 'same',"
	" 'time', 1000.0, 990.0, 1010.0, 1, '', '{\"driver\": \"580.1\", \"ecc\": true}', 1763715850);";

#define EACH(table, column) "UPDATE " #table " SET " #column " = ?"

static const char *const updates[] = {
	EACH(devices, kind),
	EACH(devices, slug),
	EACH(devices, model),
	EACH(devices, architecture),
	EACH(devices, driver),
	EACH(devices, uuid),
	EACH(devices, properties),
	EACH(evaluations, key),
	EACH(evaluations, space),
	EACH(evaluations, problem),
	EACH(evaluations, problem_json),
	EACH(evaluations, configuration),
	EACH(evaluations, outcome),
	EACH(evaluations, detail),
	EACH(evaluations, time_ns),
	EACH(evaluations, registers),
	EACH(evaluations, limiting_factor),
	EACH(evaluations, board),
	EACH(evaluations, image),
	EACH(evaluations, samples_ns),
	EACH(evaluations, log),
	EACH(evaluations, created_seconds),
	EACH(winners, space),
	EACH(winners, problem),
	EACH(winners, evaluation_id),
	EACH(winners, value),
	EACH(winners, speedup),
	EACH(winners, toolchain),
	EACH(winners, driver),
	EACH(winners, source_hash),
	EACH(winners, metrics),
	EACH(winners, launch),
	EACH(winners, options),
	EACH(winners, gains),
	EACH(winners, verification),
	EACH(winners, measurement),
	EACH(winners, objective),
	EACH(winners, part),
	EACH(revisits, verdict),
	EACH(revisits, conditions),
	EACH(revisits, measurement),
	EACH(revisits, detail),
};

/* 0: a text; else a number or bytes. False: the tables themselves refuse it, so it
   cannot have been written. */
static bool put(struct at_store *store, const char *update, uint8_t kind,
	const uint8_t *data, size_t size)
{
	struct at_statement *statement = at_sqlite_cached(store->database, update);
	char *text = at_strndup((const char *)data, size);
	bool is_there;
	union {
		int64_t whole;
		double real;
	} number = { 0 };

	memcpy(&number, data, size < sizeof(number) ? size : sizeof(number));
	switch (kind % 4) {
	case 0:
		at_statement_bind_text(statement, 1, text);
		break;
	case 1:
		at_statement_bind_integer(statement, 1, number.whole);
		break;
	case 2:
		at_statement_bind_real(statement, 1, number.real);
		break;
	default:
		at_statement_bind_bytes(statement, 1, data, size);
	}
	is_there = !at_statement_run(statement, NULL);
	free(text);
	return is_there;
}

static void check_error(const struct at_error *err)
{
	if (!err->text[0] || strchr(err->text, '\n'))
		abort();
}

/* What stands in a file that goes into git and into builds. */
static void check_characters(const struct at_strbuf *text)
{
	for (size_t i = 0; i < text->length; i++) {
		unsigned char c = (unsigned char)text->data[i];

		if (c < 32 && c != '\n' && c != '\t')
			abort();
	}
}

/* Whether it is the text that was checked last: most columns change no result file. */
static bool is_checked(struct at_strbuf *json)
{
	static struct at_strbuf last;
	bool is_same = last.data && last.length == json->length &&
		       !memcmp(last.data, json->data, json->length);

	if (!is_same) {
		at_strbuf_release(&last);
		at_strbuf_add_bytes(&last, json->data, json->length);
	}
	return is_same;
}

static void tell_results(const struct at_spec *spec, struct at_store *store)
{
	const struct at_header_plan_options options = { .with_unverified = true };
	struct at_results results = { 0 };
	struct at_strbuf header = { 0 };
	struct at_error err = { 0 };

	if (at_results_read(store, NULL, spec->name, &results, &err))
		check_error(&err);
	for (size_t i = 0; !err.status && i < results.count; i++) {
		const struct at_result *item = &results.items[i];
		struct at_strbuf json = { 0 };
		struct at_json *tree = NULL;
		struct at_error why = { 0 };

		if (at_result_json(spec, &item->device, &item, 1,
			    &results.counterexamples, &json, &why))
			check_error(&why);
		else if (!is_checked(&json)) {
			if (at_json_parse(json.data, json.length, "json", &tree, NULL))
				abort();
			check_characters(&json);
		}
		at_json_free(tree);
		at_strbuf_release(&json);
	}
	if (!err.status && at_result_header(spec, results.items, results.count,
				   &options, &header, &err))
		check_error(&err);
	check_characters(&header);
	at_strbuf_release(&header);
	at_results_release(&results);
}

static enum at_status look(void *context, const struct at_evaluation *evaluation)
{
	struct at_json *out = at_json_object();
	struct at_strbuf *text = context;

	at_json_set_evaluation(out, evaluation);
	at_json_write(out, 0, text);
	at_json_free(out);
	return AT_OK;
}

static void tell_evaluations(struct at_store *store, enum at_export_format format)
{
	struct at_export_groups groups = { 0 };
	struct at_strbuf text = { 0 };
	struct at_error err = { 0 };

	if (at_store_list(store, NULL, NULL, NULL, 0, look, &text, &err))
		check_error(&err);
	check_characters(&text);
	err = (struct at_error){ 0 };
	if (at_export_list(store, NULL, NULL, &groups, &err))
		check_error(&err);
	for (size_t i = 0; !err.status && i < groups.count; i++) {
		struct at_error why = { 0 };

		at_strbuf_release(&text);
		if (at_export_write(store, &groups.items[i], format, &text, &why))
			check_error(&why);
	}
	at_export_release(&groups);
	at_strbuf_release(&text);
}

static void tell_nights(struct at_store *store)
{
	const struct at_revisit_query query = { 0 };
	struct at_revisits revisits = { 0 };
	struct at_error err = { 0 };

	if (at_store_revisits(store, &query, &revisits, &err))
		check_error(&err);
	for (size_t i = 0; i < revisits.count; i++)
		at_conditions_compare(
			"{\"driver\": \"570\"}", revisits.items[i].conditions, NULL);
	at_revisits_release(&revisits);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct at_spec *spec;
	static struct at_store *store;
	struct at_error err = { 0 };

	if (!store && (at_spec_parse(space, strlen(space), "fuzz.cfg", &spec, &err) ||
			      at_store_open_memory("fuzz.db", &store, &err) ||
			      at_sqlite_execute(store->database, rows, &err)))
		abort();
	if (size < 2 || data[0] >= sizeof(updates) / sizeof(*updates))
		return 0;
	if (at_sqlite_begin(store->database, NULL))
		abort();
	/* Nights are read for themselves, winners or evaluations by turns, and one
	   format of three at a time: each is most of the work. */
	if (!put(store, updates[data[0]], data[1], data + 2, size - 2)) {
		at_sqlite_rollback(store->database);
		return 0;
	}
	if (strstr(updates[data[0]], "revisits")) {
		tell_nights(store);
	} else if (size % 2 || strstr(updates[data[0]], "crowns")) {
		/* lists of evaluations and exports do not read winners */
		tell_results(spec, store);
	} else {
		tell_evaluations(store,
			(enum at_export_format)(
				AT_EXPORT_T4 + size / 2 % AT_EXPORT_KERNEL_TUNER));
	}
	at_sqlite_rollback(store->database);
	return 0;
}

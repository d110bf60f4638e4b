/* Domains: what is counted and drawn. What a space file may not say is in
   tests/spaces/invalid/domain.txt. */
#include "space/domain.h"

#include "suite.h"

#define SPACE \
	"kernel: { name = \"k\"; template = \"k.cu\"; reference = \"r\"; };" \
	"problems = ( { name = \"p\"; N = 64; M = 8; } ); parameters: { BLOCK = [ 32 ]; };" \
	"launch: { block = ( \"BLOCK\" ); grid = ( \"N\" ); };" \
	"arguments = ( { name = \"x\"; type = \"float\"; count = \"N * M\"; access = \"in\"; }," \
	"{ name = \"y\"; type = \"float\"; count = \"N * M\"; access = \"out\"; }," \
	"{ name = \"mode\"; type = \"int\"; value = \"1\"; }," \
	"{ name = \"scale\"; type = \"float\"; value = \"0.5\"; }," \
	"{ name = \"n\"; type = \"int\"; value = \"N\"; }," \
	"{ name = \"origin\"; type = \"int2\"; value = ( \"1\", \"M\" ); }," \
	"{ name = \"view\"; type = \"View\"; value = { n = \"N\"; limit = \"5\"; tint = ( \"0.5\", \"1\" ); }; } );" \
	"types: { View = ( \"int n\", \"long long limit\", \"float2 tint\" ); };"

static struct at_spec *parse(const char *more)
{
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
	struct at_spec *spec = NULL;
	struct at_error err = { 0 };

	at_strbuf_add(&text, SPACE);
	at_strbuf_add(&text, more);
	at_spec_parse(at_strbuf_text(&text), text.length, "k.cfg", &spec, &err);
	assert_string_equal(err.text, "");
	return spec;
}

TEST(instances_are_counted_with_their_constraints)
{
	static const struct {
		const char *domain;
		uint64_t count;
		bool is_exact;
	} rows[] = {
		{ "N = \"1 .. 100\";", 100, true },
		{ "N = \"1 .. 100\"; mode = [ 0, 1, 1, 4 ];", 300, true },
		{ "N = [ 64 ]; M = 8;", 1, true },
		{ "N = \"1 .. 100\"; constraints = ( \"N % 4 == 0\" );", 25, true },
		{ "N = \"1 .. 100\"; M = \"1 .. 100\"; constraints = ( \"N >= M\" );",
			5050, true },
		/* M is a size, whose value is the problem's */
		{ "N = \"1 .. 100\"; constraints = ( \"N >= M\" );", 93, true },
		{ "N = \"1 .. 1 << 40\";", UINT64_C(1) << 40, true },
		{ "N = \"1 .. 1 << 40\"; constraints = ( \"N > 1\" );",
			UINT64_C(1) << 40, false },
		{ "scale = \"0 .. 1\";", UINT64_MAX, false },
		/* components and fields */
		{ "origin.x = \"0 .. 9\"; view.n = \"1 .. 100\"; constraints = ( \"origin.x < view.n\" );",
			9 * 10 / 2 + 91 * 10, true },
		{ "origin.y = [ 7, 8 ]; view.tint.y = [ 0, 1 ];", 4, true },
		{ "view.limit = \"1 .. 1 << 50\";", UINT64_C(1) << 50, true },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
		OWNED(at_spec_free) struct at_spec *spec;
		uint64_t count;
		bool is_exact;

		at_strbuf_addf(&text, "domain: { %s };", rows[i].domain);
		spec = parse(at_strbuf_text(&text));
		assert_ok(at_domain_count(
			spec, &spec->problems[0], &count, &is_exact, &failure));
		if (count != rows[i].count || is_exact != rows[i].is_exact)
			fail_msg("%s: %llu, %d", rows[i].domain,
				(unsigned long long)count, is_exact);
	}
}

/* What is drawn, as "N=1 M=2; ...", to be released. */
static char *draw(const struct at_spec *spec, uint64_t seed, size_t most, size_t *count)
{
	const struct at_domain_draw options = { .seed = seed, .count = most };
	const size_t width = spec->domain.number_count;
	struct at_strbuf text = { 0 };
	OWNED(free) struct at_value *rows;

	assert_ok(at_domain_draw(
		spec, &spec->problems[0], &options, &rows, count, &failure));
	for (size_t i = 0; i < *count; i++) {
		assert_ok(at_domain_check(
			spec, &spec->problems[0], &rows[i * width], &failure));
		at_strbuf_add(&text, i ? ";" : "");
		for (size_t k = 0; k < width; k++) {
			at_strbuf_addf(&text, " %s=", spec->domain.numbers[k].name);
			at_value_format(rows[i * width + k], &text);
		}
	}
	return at_strbuf_detach(&text);
}

TEST(the_first_are_next_to_the_tuned_sizes)
{
	OWNED(at_spec_free)
	struct at_spec *spec =
		parse("domain: { N = \"1 .. 4096\"; M = \"1 .. 4096\"; };");
	OWNED(at_spec_free)
	struct at_spec *fours = parse(
		"domain: { N = \"1 .. 4096\"; mode = [ 0, 1 ]; constraints = ( \"N % 4 == 0\" ); };");
	size_t count;
	OWNED(free)
	char *text = draw(spec, 1, 2, &count), *of_fours = draw(fours, 1, 2, &count);

	assert_string_equal(text, " N=63 M=7; N=65 M=9");
	assert_string_equal(of_fours, " N=60 mode=1; N=68 mode=1");
	/* those above are odd */
	spec->problems[0].sizes[1].value.integer = 9;
	free(text);
	text = draw(spec, 1, 2, &count);
	assert_string_equal(text, " N=63 M=8; N=65 M=11");
}

TEST(fields_and_components_are_drawn)
{
	OWNED(at_spec_free)
	struct at_spec *spec = parse(
		"domain: { N = \"1 .. 4096\"; origin.y = \"0 .. 100\"; view.limit = \"-1 << 62 .. 1 << 62\"; view.tint.x = [ 0.5, 4.0 ]; constraints = ( \"origin.y < N\" ); };");
	size_t count;
	OWNED(free) char *text = draw(spec, 1, 16, &count);

	assert_int_equal(count, 16);
	/* those next to the tuned sizes have the arguments that the space gives */
	assert_memory_equal(text, " N=63 origin.y=8 view.limit=5 view.tint.x=0.5;", 46);
	assert_non_null(strstr(text, " view.limit=-4611686018427387904 "));
	assert_non_null(strstr(text, " view.limit=4611686018427387904 "));
	assert_non_null(strstr(text, " view.tint.x=4.0"));
	assert_non_null(strstr(text, " origin.y=0 "));
}

TEST(the_same_is_drawn_for_the_same_seed)
{
	OWNED(at_spec_free)
	struct at_spec *spec = parse(
		"domain: { N = \"1 .. 4096\"; M = \"1 .. 4096\"; scale = \"0.01 .. 4\"; };");
	size_t counts[3];
	OWNED(free)
	char *first = draw(spec, 1, 16, &counts[0]),
	     *again = draw(spec, 1, 16, &counts[1]),
	     *other = draw(spec, 2, 16, &counts[2]);

	assert_int_equal(counts[0], 16);
	assert_int_equal(counts[2], 16);
	assert_string_equal(first, again);
	assert_string_not_equal(first, other);
	/* the ends are among them, and so is what lies between */
	assert_non_null(strstr(first, " N=1 "));
	assert_non_null(strstr(first, " N=4096 "));
	assert_non_null(strstr(first, " scale=0.01;"));
	assert_non_null(strstr(first, " scale=4.0;"));
}

TEST(all_of_a_small_domain_are_drawn_once)
{
	OWNED(at_spec_free)
	struct at_spec *spec = parse("domain: { N = [ 60, 64 ]; mode = [ 0, 1 ]; };");
	size_t count;
	OWNED(free) char *text = draw(spec, 1, 16, &count);

	/* but for the tuned problem */
	assert_int_equal(count, 3);
	assert_non_null(strstr(text, " N=60 mode=0"));
	assert_non_null(strstr(text, " N=60 mode=1"));
	assert_non_null(strstr(text, " N=64 mode=0"));
}

/* Five flags: each two of them meet in all four ways, and each three in all eight. */
TEST(numbers_meet_in_pairs_and_triples)
{
	OWNED(at_spec_free)
	struct at_spec *spec = parse(
		"domain: { N = [ 1, 64 ]; M = [ 8, 9 ]; mode = [ 0, 1 ]; scale = [ 0.5, 1.0 ]; n = [ 64, 65 ]; };");
	const struct at_domain_draw options = { .seed = 1, .count = 14 };
	OWNED(free) struct at_value *rows;
	size_t count;

	assert_ok(at_domain_draw(
		spec, &spec->problems[0], &options, &rows, &count, &failure));
	assert_int_equal(count, 14);
	for (size_t a = 0; a < 5; a++)
		for (size_t b = 0; b < a; b++)
			for (size_t c = 0; c < b; c++) {
				unsigned met = 0, ways = 0;

				for (size_t i = 0; i < count; i++) {
					const struct at_value *row = &rows[i * 5];
					const struct at_domain_number *numbers =
						spec->domain.numbers;
					const unsigned way =
						4 * !at_value_equal(
							    row[a], numbers[a].low) +
						2 * !at_value_equal(
							    row[b], numbers[b].low) +
						!at_value_equal(row[c], numbers[c].low);

					met |= 1u << way;
				}
				/* all eight, or all but the tuned problem's */
				for (; met; met &= met - 1)
					ways++;
				assert_true(ways >= 7);
			}
}

RUN_SUITE(NULL, NULL)

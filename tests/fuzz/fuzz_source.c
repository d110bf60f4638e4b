/*
 * Any bytes as a template in CUDA C++: its lexemes lie in it one behind the other, and
 * whoever looks through it for names, files and parameters comes to an end. Files that
 * it includes are not there: nothing outside is read.
 */
#include "base/memory.h"
#include "kernel/reach.h"
#include "kernel/lint.h"
#include "kernel/scan.h"
#include "kernel/source.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char space[] =
	"kernel: { name = \"fuzzed\"; template = \"fuzz.cu\"; reference = \"told\"; };\n"
	"problems = ( { name = \"small\"; N = 64; } );\n"
	"parameters: { BLOCK = [ 16, 32 ]; CACHE = [ \"ca\", \"cg\" ]; WIDE = [ false, true ]; };\n"
	"defaults: { BLOCK = 16; CACHE = \"ca\"; WIDE = false; };\n"
	"options = ( \"-DDEEP=${BLOCK}\" );\n"
	"launch: { block = ( \"BLOCK\" ); grid = ( \"ceil_div(N, BLOCK)\" ); };\n"
	"arguments = ( { name = \"y\"; type = \"float\"; count = \"N\"; access = \"out\"; } );\n";

static void scan(const char *text)
{
	const char *at = text, *end = text + strlen(text), *before = text;
	struct at_lexeme lexeme;

	while (at_scan(&at, &lexeme)) {
		if (lexeme.text < before || !lexeme.length ||
			lexeme.text + lexeme.length != at || at > end)
			abort();
		at_lexeme_is_identifier(lexeme);
		before = at;
	}
	if (at > end)
		abort();
}

static void hear(void *context, const struct at_error *warning)
{
	size_t *count = context;

	if (!warning->text[0] || strchr(warning->text, '\n'))
		abort();
	++*count;
}

/* a path in a directive would lead to files of this machine */
static bool names_paths(const char *text)
{
	return strstr(text, "include") && strchr(text, '/');
}

static void render(const struct at_spec *spec, const struct at_template *template)
{
	const struct at_source_context context = { .spec = spec, .template = template };
	struct at_strbuf out = { 0 };

	at_source_render(&context, spec->defaults, AT_UNIT_TUNED, &out);
	at_source_render(&context, spec->defaults, AT_UNIT_REFERENCE_FLOAT64, &out);
	at_source_render_omit(spec, template, spec->defaults, &out);
	at_strbuf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct at_spec *spec;
	char path[] = "fuzz.cu", folder[] = "/nonexistent";
	char *text = at_strndup((const char *)data, size);
	struct at_template template = { .path = path,
		.directory = folder,
		.text = text,
		.size = text ? strlen(text) : 0 };
	struct at_reach reach;
	struct at_error err = { 0 };
	size_t count = 0;

	if (!text ||
		(!spec && at_spec_parse(space, strlen(space), "fuzz.cfg", &spec, &err)))
		abort();
	scan(text);
	at_template_mentions(&template, "fuzzed");
	at_template_check_symbols(&template, spec, NULL);
	if (!names_paths(text)) {
		if (!at_reach_find(text, folder, NULL, 0, NULL, NULL, &reach, NULL)) {
			at_reach_mentions(&reach, "BLOCK");
			at_reach_release(&reach);
		}
		at_lint_check(spec, &template, hear, &count, NULL);
	}
	render(spec, &template);
	/* the text is ours */
	template.path = template.directory = template.text = NULL;
	at_template_release(&template);
	free(text);
	return 0;
}

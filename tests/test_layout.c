/* Structures of a space whose layout in the template is another one: the compiler
   reports it. */
#define _GNU_SOURCE
#include "folder.h"
#include "kernel/source.h"

#include "wish.h"

static char folder[] = "/tmp/autotune-layout-XXXXXX";

#define IN_TEMPLATE "struct P { float mass; int kind; double x; };\n"
#define NESTED \
	"struct V { float x; short y; };\nstruct P { int n; V v[2]; double x; };\n"
#define AS_WRITTEN "\"float mass\", \"int kind\", \"double x\""
#define WORDS(what, bytes, more) \
	what " has " bytes " bytes " more "in the space, and others in the template: "

static const struct {
	const char *template, *types;
	const char *told; /* NULL: nothing, it compiles */
} rows[] = {
	{ IN_TEMPLATE, AS_WRITTEN, NULL },
	{ IN_TEMPLATE, "\"float mass\", \"double x\", \"int kind\"",
		WORDS("kind of P", "4", "from byte 16 on ") },
	{ IN_TEMPLATE, "\"float mass\", \"short kind\", \"double x\"",
		WORDS("kind of P", "2", "from byte 4 on ") },
	{ IN_TEMPLATE, AS_WRITTEN ", \"double y\"", WORDS("P", "24", "") },
	{ "extern \"C\" {\nstruct __align__(32) P { float mass; int kind; double x; };\n}\n",
		AS_WRITTEN, WORDS("P", "16", "") },
	/* structures in structures */
	{ NESTED, "\"int n\", \"V v[2]\", \"double x\"", NULL },
	{ NESTED, "\"int n\", \"V v[3]\", \"double x\"",
		WORDS("x of P", "8", "from byte 32 on ") },
	{ "struct V { float x; int y; };\nstruct P { int n; V v[2]; double x; };\n",
		"\"int n\", \"V v[2]\", \"double x\"",
		WORDS("v[0].y of P", "2", "from byte 8 on ") },
	{ "struct V { float x; };\nstruct P { int n; V v[2]; double x; };\n",
		"\"int n\", \"V v[2]\", \"double x\"",
		WORDS("v[1].x of P", "4", "from byte 12 on ") },
	/* by other names, in the same places */
	{ "struct P { float m; int k; double y; };\n", AS_WRITTEN, NULL },
	/* what cannot be seen is not blamed */
	{ "struct Q { char a; };\ntypedef Q P;\n", AS_WRITTEN, NULL },
	{ "namespace a { struct P { char a; }; }\n", AS_WRITTEN, NULL },
	{ "template <class T> struct P { T a; };\n", AS_WRITTEN, NULL },
	{ "#if 0\nstruct P { char a; };\n#endif\n", AS_WRITTEN, NULL },
	{ "struct Q { struct P { char a; } p; };\n", AS_WRITTEN, NULL },
};

static int make_folder(void **state)
{
	return folder_make(folder) ? 0 : -1;
}

static char *render(const char *head, const char *types)
{
	static const uint16_t configuration[1];
	struct at_template template;
	OWNED(at_spec_free) struct at_spec *spec = NULL;
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
	struct at_strbuf out = { 0 };
	struct at_error err = { 0 };
	char path[256];

	snprintf(path, sizeof(path), "%s/k.cu", folder);
	at_strbuf_addf(
		&text, "%sextern \"C\" __global__ void k(int *x) { *x = B; }\n", head);
	assert_ok(at_file_replace(path, text.data, text.length, NULL));
	at_strbuf_clear(&text);
	at_strbuf_addf(&text,
		"kernel: { name = \"k\"; template = \"k.cu\"; };\n"
		"problems = ( { name = \"p\"; N = 8; } );\n"
		"parameters: { B = [ 1, 2 ]; };\n"
		"types: { V = ( \"float x\", \"short y\" ); P = ( %s ); };\n"
		"arguments = (\n"
		"  { name = \"p\"; type = \"P\"; count = \"N\"; access = \"in\"; },\n"
		"  { name = \"q\"; type = \"P\"; count = \"N\"; access = \"in\"; }\n"
		");\n",
		types);
	if (at_spec_parse(text.data, text.length, "some/space.cfg", &spec, &err))
		fail_msg("%d: %s", err.line, err.text);
	assert_ok(at_template_load(path, &template, NULL));
	at_source_render(
		&(struct at_source_context){ .spec = spec, .template = &template },
		configuration, AT_UNIT_TUNED, &out);
	at_template_release(&template);
	return at_strbuf_detach(&out);
}

static void try_rows(const char *toolchain)
{
	char line[512];

	need_toolchain(toolchain);
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		OWNED(free) char *source = render(rows[i].template, rows[i].types);
		RELEASED(at_compile_result_release)
		struct at_compile_result result = COMPILE(.toolchain = toolchain,
			.name = "k.cu", .directory = folder, .source = source,
			.kernels = { "k" });

		at_compile_first_error(result.log, line, sizeof(line));
		if ((result.outcome == AT_OUTCOME_OK) != !rows[i].told)
			fail_msg("row %zu: %s", i, result.log);
		if (rows[i].told && (!strstr(line, rows[i].told) ||
					    strncmp(line, "space.cfg", 9) != 0))
			fail_msg("row %zu: %s", i, line);
	}
}

TEST(host_holds_structures_against_the_template)
{
	try_rows("c++");
}

TEST(nvrtc_holds_structures_against_the_template)
{
	try_rows("nvrtc");
}

RUN_SUITE(make_folder, NULL)

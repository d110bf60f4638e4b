/* The toolchain of device `host`: writes a unit's source and headers into its own
   folder, compiles and links it, and reads the shared object. */
#include "kernel/cxx.h"

#include "base/file.h"
#include "base/hash.h"
#include "kernel/clash.h"
#include "kernel/coverage.h"
#include "kernel/cxx_object.h"
#include "kernel/cxx_prelude.h"
#include "kernel/device_code.h"
#include "kernel/host_dialect.h"
#include "kernel/host_headers.h"
#include "kernel/job.h"
#include "kernel/native.h"
#include "kernel/reach.h"
#include "kernel/scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Treat code as nvcc does: pointers may be reinterpreted, products and sums are
   contracted, and mathematical functions do not set errno. */
static const char *const common_flags[] = {
	"-std=gnu++17",
	"-O3",
#if defined(__aarch64__)
	"-mcpu=native",
#else
	"-march=native",
#endif
	"-fPIC",
	"-w",
	"-ffp-contract=fast",
	"-fno-math-errno",
	"-fno-trapping-math",
	"-fno-strict-aliasing",
	"-fno-exceptions",
	"-fno-rtti",
	"-fno-asynchronous-unwind-tables",
	"-fno-threadsafe-statics",
	"-fno-stack-protector",
	"-fno-semantic-interposition",
	"-fvisibility=hidden",
	/* so that each __shared__ variable can be moved, see cxx_object.h */
	"-fdata-sections",
	"-fdiagnostics-color=never",
#if defined(__x86_64__)
	"-fcf-protection=none",
#endif
};

/* The kernel exists only inside the loop that runs it, and accesses to dynamic shared
   memory need no check for constructors. */
static const char *const gcc_flags[] = { "-fwhole-program", "-fno-extern-tls-init",
	"-fno-gnu-unique" };

/* GCC 12.2 loads a whole AVX-512 vector even if a mask excludes a part (`at >= 0 ?
   x[at] : 0` in a loop), so a kernel that pads with 0 reads before its buffer. Masks of
   AVX2 are sound. A template that uses AVX-512 explicitly knows what it loads. */
#if defined(__x86_64__)
static const char *const mask_flag = "-mno-avx512f";
#else
static const char *const mask_flag = NULL;
#endif

static const char *const link_flags[] = {
	"-shared",
	"-Wl,--as-needed",
	"-Wl,-z,defs",
	/* no image may use another image's symbol, and the loader must not write among
	   a kernel's variables, neither at loading nor later */
	"-Wl,-Bsymbolic",
	"-Wl,-z,relro",
	"-Wl,-z,now",
};

/* For coverage: without optimisation each line and branch of the source has its own
   code, so that counts match the text. Blocks run on several threads and gcov derives
   some counts from others, so a lost increment would corrupt these. */
static const char *const covered_flags[] = {
	"-O0",
	"-fprofile-arcs",
	"-ftest-coverage",
	"-fprofile-update=atomic",
	"-fsanitize-coverage=trace-cmp",
};

/* The callbacks are compiled here, where no flag instruments them. */
static const char *const covered_link_flags[] = { "-fPIC", "-O1", "-w",
	"-fno-exceptions", "-fvisibility=hidden" };

/* names of files in the folder of a unit */
#define UNIT "unit.cc"
#define SHARED "shared.s"
#define IMAGE "unit.so"
#define COMPARED "compared.cc"

struct work {
	struct at_job job;
	bool is_covered; /* the image counts branches */
	/* The object file, without ".o"; gcov's files are named after it. */
	char object[AT_COVERAGE_NAME_SIZE];
};

/* ---- the source --------------------------------------------------------- */

/* Appends the table of kernels that launches use, and the constants that
   at_cxx_object_read_signature() reads. Each constant has its own section, since
   compilers reorder variables within a section. */
static void add_table(struct at_strbuf *out, const struct at_compile_request *request)
{
	/* an error reported here is a brace that the source left open */
	at_strbuf_add_char(out, '\n');
	at_job_add_line(out, 1, "<end of ", request->name, ">");
	for (size_t i = 0; i < request->kernel_count; i++) {
		at_job_add_kernel_line(out, request, i);
		at_strbuf_addf(out,
			"__attribute__((used, section(\"" AT_HOST_SIGNATURE_SECTION
			"%zu\")))\n"
			"static constexpr auto at_host_signature_%zu = at_host_launch<(&%s)>::at_signature;\n",
			i, i, request->kernels[i]);
	}
	at_strbuf_add(out, "static const at_host_kernel at_host_kernels[] = {\n");
	for (size_t i = 0; i < request->kernel_count; i++) {
		const char *kernel = request->kernels[i];

		at_job_add_kernel_line(out, request, i);
		at_strbuf_add(out, "{ \"");
		at_job_add_escaped(out, kernel);
		at_strbuf_addf(out,
			"\", at_host_launch<(&%s)>::at_run, at_host_launch<(&%s)>::at_parameters },\n",
			kernel, kernel);
	}
	/* the last row keeps the table from being empty */
	at_strbuf_addf(out,
		"{ nullptr, nullptr, 0 } };\n"
		"extern \"C\" __attribute__((used, visibility(\"default\")))\n"
		"const at_host_image at_host_image = { %d, %zu, at_host_kernels };\n",
		AT_HOST_ABI_VERSION, request->kernel_count);
}

/* After __shared__ nvcc accepts an alignas(), which C++ does not: moves the alignas()
   before __shared__ and any "extern" or "static". */
static void add_source(struct at_strbuf *out, const char *source)
{
	const char *at = source, *start = NULL;
	struct at_lexeme word;

	while (at_scan(&at, &word)) {
		const bool is_shared = at_lexeme_is(word, "__shared__");
		const char *behind = at, *alignment;
		int depth = 0;

		if (!is_shared && !at_lexeme_is(word, "extern") &&
			!at_lexeme_is(word, "static")) {
			start = NULL;
			continue;
		}
		if (!start)
			start = word.text;
		if (!is_shared || !at_scan(&behind, &word) ||
			!at_lexeme_is(word, "alignas"))
			continue;
		alignment = word.text;
		while (at_scan(&behind, &word)) {
			depth += at_lexeme_is(word, "(") - at_lexeme_is(word, ")");
			if (!depth)
				break;
		}
		at_strbuf_add_bytes(out, source, (size_t)(start - source));
		at_strbuf_add_bytes(out, alignment, (size_t)(behind - alignment));
		at_strbuf_add_char(out, ' ');
		at_strbuf_add_bytes(out, start, (size_t)(alignment - start));
		source = at = behind;
		start = NULL;
	}
	at_strbuf_add(out, source);
}

/* Writes a unit's source. prelude: the precompiled dialect to include; NULL: the
   dialect is written as text. Macros that are not for headers become source lines. */
static void write_unit(struct at_strbuf *out, const struct at_compile_request *request,
	const char *prelude)
{
	struct at_words ignored = { 0 };

	/* After the first declaration gcc ignores precompiled headers. It must not load
	   any other than the tuner's: these are images of a compiler's memory, and one
	   might lie next to a header that -I finds. */
	if (prelude)
		/* a precompiled header does not preserve the effect of a pragma */
		at_strbuf_addf(out,
			"#include \"%s\"\n#pragma GCC visibility push(hidden)\n",
			prelude);
	at_strbuf_add(out, "struct at_host_no_precompiled;\n");
	if (!prelude) {
		at_strbuf_add(out, "#line 1 \"host_dialect.h\"\n");
		at_strbuf_add_bytes(out, (const char *)at_embedded_host_dialect,
			at_embedded_host_dialect_size);
		at_strbuf_add_char(out, '\n');
	}
	at_strbuf_add(out, "#line 1 \"" AT_CLASH_OPTIONS "\"\n");
	at_job_take_options(request, at_job_is_for_headers, out, &ignored);
	at_words_release(&ignored);
	/* after its macros the source has a #line of its own */
	at_job_add_line(out, 1, "",
		at_clash_has_macros(request->source) ? AT_CLASH_MACROS : request->name,
		"");
	add_source(out, request->source);
	add_table(out, request);
}

/* ---- arguments ---------------------------------------------------------- */

/* Adds the folder so that it cannot be taken for an option or a response file. */
static void add_folder(struct at_words *words, const char *option, const char *folder)
{
	at_words_add(words, "%s", option);
	at_words_add(words, "%s%s", strchr("@-", folder[0]) ? "./" : "", folder);
}

/* Adds the request's options that mean something to this compiler: they are written for
   NVRTC. All other macros, and files that options include, are part of the source. */
static void add_options(
	struct at_words *words, const struct at_compile_request *request)
{
	struct at_strbuf ignored = { 0 };
	const char *value;

	at_job_take_options(request, at_job_is_for_headers, &ignored, words);
	at_strbuf_release(&ignored);
	for (size_t i = 0; i < request->option_count; i++) {
		enum at_option_kind kind = at_option_read(
			request->options, request->option_count, &i, &value);
		const char *option = request->options[i];

		if (kind == AT_OPTION_FOLDER)
			at_words_add(words, "-I%s", value);
		else if (kind != AT_OPTION_OTHER)
			continue;
		else if (!strncmp(option, "-fmad=", 6) ||
			 !strncmp(option, "--fmad=", 7))
			at_words_add(words, "-ffp-contract=%s",
				strstr(option, "=false") ? "off" : "fast");
		else if (!strncmp(option, "-f", 2) && strncmp(option, "-ftz=", 5) != 0)
			at_words_add(words, "%s", option);
	}
}

/* The flags that do not come from the space; also for the precompiled dialect. */
static void add_flags(struct at_words *words, const struct at_job *job)
{
	const char *source = job->request->source;

	at_words_add_all(words, common_flags, AT_COUNT_OF(common_flags));
	if (job->tool.clang)
		return;
	at_words_add_all(words, gcc_flags, AT_COUNT_OF(gcc_flags));
	if (mask_flag && !strstr(source, "_mm512") && !strstr(source, "__AVX512"))
		at_words_add(words, "%s", mask_flag);
}

/* ---- the compilation ---------------------------------------------------- */

static enum at_status look_for_headers(
	void *context, const char *path, const char *text, struct at_error *err)
{
	(void)path;
	(void)err;
	at_host_headers_need_named(context, text);
	return AT_OK;
}

/* Writes the headers that the source, its options and its included files name; all of
   them if the files cannot be read. */
static enum at_status write_headers(const struct at_job *job, struct at_error *err)
{
	const struct at_compile_request *request = job->request;
	struct at_host_needs needs = { { false } };
	const struct at_reach_visitor visitor = { look_for_headers, &needs };
	struct at_reach reach;

	at_host_headers_need_named(&needs, request->source);
	/* -DHEADER=<cuda_fp16.h> */
	for (size_t i = 0; i < request->option_count; i++)
		at_host_headers_need_named(&needs, request->options[i]);
	if (at_reach_find(request->source, request->directory, request->options,
		    request->option_count, at_cxx_tool_header_folders, &visitor, &reach,
		    NULL))
		at_host_headers_need_all(&needs);
	else
		at_reach_release(&reach);
	return at_host_headers_write(job->scratch.path, &needs, err);
}

/* The precompiled dialect for a unit with these options; NULL: compile the dialect as
   text. Each choice of -ffp-contract has its own, since every unit of a wide reference
   sets it. Macros need none: gcc notices whether they matter to the header. */
static const char *find_prelude(
	const struct at_job *job, const struct at_words *options)
{
	struct at_words flags = { 0 };
	const char *header = NULL;
	bool fits = true;

	add_flags(&flags, job);
	for (size_t i = 0; i < options->count; i++) {
		const char *option = options->items[i];

		if (!strncmp(option, "-ffp-contract=", 14))
			at_words_add(&flags, "%s", option);
		else if (strncmp(option, "-D", 2) != 0 && strncmp(option, "-U", 2) != 0)
			fits = false;
	}
	if (fits)
		header = at_cxx_prelude_find(&job->tool, &flags);
	at_words_release(&flags);
	return header;
}

static enum at_status compile_source(struct work *work, const struct at_words *options,
	const char *prelude, struct at_error *err)
{
	struct at_job *job = &work->job;
	const char *folder = job->scratch.path, *directory = job->request->directory;
	struct at_words words = { 0 };
	struct at_strbuf unit = { 0 };
	enum at_status status;

	write_unit(&unit, job->request, prelude);
	status = at_job_write_text(job, UNIT, &unit, err);
	at_strbuf_release(&unit);
	add_flags(&words, job);
	/* the tuner's headers come before any toolkit folder in the options, whose
	   headers are not for a CPU */
	add_folder(&words, "-I", folder);
	at_words_add_all(&words, (const char *const *)options->items, options->count);
	if (directory && directory[0]) {
		add_folder(&words, "-iquote", directory);
		/* NVRTC finds files there by angle brackets too. Here the folder comes
		   last: a math.h of the template must not replace the system's. */
		add_folder(&words, "-idirafter", directory);
	}
	/* NVRTC also searches the working folder: a source in memory has no folder */
	add_folder(&words, "-iquote", ".");
	if (work->is_covered)
		at_words_add_all(&words, covered_flags, AT_COUNT_OF(covered_flags));
	at_words_add(&words, "-c");
	at_words_add(&words, "%s/" UNIT, folder);
	at_words_add(&words, "-o");
	at_words_add(&words, "%s/%s.o", folder, work->object);
	if (!status)
		status = at_job_run(job, &words, err);
	at_words_release(&words);
	if (!status && job->succeeded) {
		/* The C++ compiler accepts any function as a kernel. A GPU compiler
		   rejects functions that are not __global__, so they are rejected here
		   too. */
		const struct at_compile_request *request = job->request;

		for (size_t i = 0; i < request->kernel_count; i++)
			if (at_scan_is_no_kernel(
				    request->source, request->kernels[i])) {
				at_strbuf_addf(&job->log,
					"kernel \"%s\" is no __global__ function in %s\n",
					request->kernels[i], request->name);
				job->succeeded = false;
			}
	}
	return status;
}

static enum at_status compile_unit(struct work *work, struct at_error *err)
{
	struct at_job *job = &work->job;
	struct at_words options = { 0 };
	const char *prelude = NULL;
	enum at_status status = write_headers(job, err);

	add_options(&options, job->request);
	/* the dialect would have to be precompiled with the flags of coverage */
	if (!status && !work->is_covered)
		prelude = find_prelude(job, &options);
	if (!status)
		status = compile_source(work, &options, prelude, err);
	if (!status && !job->succeeded && prelude &&
		at_cxx_prelude_is_to_blame(at_strbuf_text(&job->log))) {
		at_strbuf_clear(&job->log);
		status = compile_source(work, &options, NULL, err);
	}
	at_words_release(&options);
	return status;
}

/* Creates the facts of the kernels; the object file has their parameters. */
static void fill_facts(const struct at_compile_request *request,
	const unsigned char *object, size_t size, struct at_compile_result *result)
{
	if (!request->kernel_count)
		return;
	result->kernels = at_calloc(request->kernel_count, sizeof(*result->kernels));
	result->kernel_count = request->kernel_count;
	for (size_t i = 0; i < request->kernel_count; i++) {
		struct at_kernel_facts *facts = &result->kernels[i];

		at_kernel_facts_init(facts, request->kernels[i], request->kernels[i]);
		at_cxx_object_read_signature(object, size, i, facts);
	}
}

/* Reads an object file or image from the compiler, as at_job_read(). */
static enum at_status read_object(struct at_job *job, const char *name,
	const char *what, char **bytes, size_t *size, struct at_error *err)
{
	enum at_status status = at_job_read(job, name, what, bytes, size, err);

	if (status || !*bytes ||
		at_cxx_object_is_whole((const unsigned char *)*bytes, *size))
		return status;
	at_job_miss(job, what, " that is whole and for 64 bits (ELF)");
	free(*bytes);
	*bytes = NULL;
	return AT_OK;
}

/* The first attempt links without the C++ libraries, whose symbols cost the linker a
   third of its time; the project's own kernels never need them. An image that needs
   none is the same either way; otherwise linking fails and is repeated with them. */
static const char *const lean_flags[] = { "-nodefaultlibs", "-lm", "-lc" };

static enum at_status run_linker(
	struct work *work, bool has_shared, bool is_lean, struct at_error *err)
{
	const char *folder = work->job.scratch.path;
	struct at_words words = { 0 };
	enum at_status status;

	at_words_add_all(&words, link_flags, AT_COUNT_OF(link_flags));
	/* If the source put link-time optimisation sections into the object, the linker
	   would compile them. Not in link_flags, which are part of the version: it
	   changes no image. */
	at_words_add(&words, "-fno-lto");
	at_words_add(&words, "%s/%s.o", folder, work->object);
	if (has_shared)
		at_words_add(&words, "%s/" SHARED, folder);
	if (is_lean)
		at_words_add_all(&words, lean_flags, AT_COUNT_OF(lean_flags));
	if (work->is_covered) {
		at_words_add_all(
			&words, covered_link_flags, AT_COUNT_OF(covered_link_flags));
		at_words_add(&words, "%s/" COMPARED, folder);
		at_words_add(&words, "-lgcov");
	}
	at_words_add(&words, "-o");
	at_words_add(&words, "%s/" IMAGE, folder);
	status = at_job_run(&work->job, &words, err);
	at_words_release(&words);
	return status;
}

static enum at_status link_objects(
	struct work *work, bool has_shared, struct at_error *err)
{
	struct at_job *job = &work->job;
	/* keep the compiler's own output */
	struct at_strbuf log = job->log;
	enum at_status status;

	memset(&job->log, 0, sizeof(job->log));
	status = run_linker(work, has_shared, !work->is_covered, err);
	if (!status && !job->succeeded && !work->is_covered) {
		at_strbuf_clear(&job->log);
		status = run_linker(work, has_shared, false, err);
	}
	at_strbuf_add(&log, at_strbuf_text(&job->log));
	at_strbuf_release(&job->log);
	job->log = log;
	return status;
}

static enum at_status link_image(
	struct work *work, struct at_compile_result *result, struct at_error *err)
{
	struct at_job *job = &work->job;
	char name[sizeof(work->object) + 2], *object, *path, *image = NULL;
	struct at_strbuf shared = { 0 };
	struct at_error reason = { 0 };
	unsigned char *bytes;
	size_t size;
	enum at_status status;

	snprintf(name, sizeof(name), "%s.o", work->object);
	status = read_object(job, name, "object file", &object, &size, err);
	if (status || !object)
		return status;
	bytes = (unsigned char *)object;
	if (at_cxx_object_write_shared(bytes, size, &shared, &reason) ||
		at_cxx_object_spread_shared(bytes, size, &reason)) {
		at_strbuf_addf(&job->log, "error: %s\n", reason.text);
		job->succeeded = false;
		goto release;
	}
	path = at_path_join(job->scratch.path, name);
	status = at_job_write(path, object, size, err);
	free(path);
	if (!status && shared.length)
		status = at_job_write_text(job, SHARED, &shared, err);
	if (!status)
		status = link_objects(work, shared.length > 0, err);
	if (!status && job->succeeded)
		fill_facts(job->request, bytes, size, result);
	if (!status && job->succeeded)
		status = read_object(
			job, IMAGE, "shared object", &image, &result->image_bytes, err);
	result->image = status ? NULL : (unsigned char *)image;
release:
	at_strbuf_release(&shared);
	free(object);
	return status;
}

/* The callbacks of coverage, and the macros that they need. */
static enum at_status write_compared(const struct work *work, struct at_error *err)
{
	const char *name = work->object;
	struct at_strbuf text = { 0 };
	enum at_status status;

	at_strbuf_addf(&text,
		"#define AT_UNIT \"%s\"\n#define AT_UNIT_NUMBER 0x%.8s\n"
		"#define AT_NOTES \"%s/%s.gcno\"\n",
		name, name, work->job.scratch.path, name);
	at_strbuf_add_bytes(
		&text, (const char *)at_embedded_compared, at_embedded_compared_size);
	status = at_job_write_text(&work->job, COMPARED, &text, err);
	at_strbuf_release(&text);
	return status;
}

/* ---- the log ------------------------------------------------------------ */

static void explain_missing(struct at_compile_result *result)
{
	const char *name;
	size_t length = at_log_missing_header(result->log, &name);
	struct at_strbuf log = { 0 };

	if (!length || !at_host_headers_lacks(&name, &length))
		return;
	at_strbuf_addf(&log,
		"<%.*s> is not there on \"host\": include it where AUTOTUNE_HOST is not defined, or give the problems on = \"cuda\"; there are %s\n",
		(int)length, name, at_host_headers_known);
	at_log_put_ahead(result, &log);
}

/* name: the object file's, for coverage; NULL: no coverage. */
static enum at_status compile(const struct at_compile_request *request,
	const void *name, struct at_compile_result *result, struct at_error *err)
{
	const bool is_covered = name != NULL;
	struct work work = { .is_covered = is_covered, .object = "unit" };
	struct at_job *job = &work.job;
	enum at_status status = at_cxx_tool_find(&job->tool, err);

	memset(result, 0, sizeof(*result));
	if (!status)
		status = at_job_begin(job, request, "the C++ compiler", err);
	if (is_covered)
		snprintf(work.object, sizeof(work.object), "%s", (const char *)name);
	if (!status && is_covered)
		status = write_compared(&work, err);
	if (!status)
		status = compile_unit(&work, err);
	if (!status && job->succeeded)
		status = link_image(&work, result, err);
	if (!status)
		at_job_finish(job, result);
	if (!status)
		explain_missing(result);
	at_job_release(job);
	if (status)
		at_compile_result_release(result);
	return status;
}

enum at_status at_cxx_compile(const struct at_compile_request *request,
	struct at_compile_result *result, struct at_error *err)
{
	return compile(request, NULL, result, err);
}

enum at_status at_cxx_compile_covered(const struct at_compile_request *request,
	struct at_compile_result *result, struct at_error *err)
{
	char name[AT_COVERAGE_NAME_SIZE];

	memset(result, 0, sizeof(*result));
	/* gcov's files are named after the whole source */
	at_coverage_name(request, name);
	return at_device_code_compile(
		request, &at_toolchain_cxx, compile, name, result, err);
}

/* ---- the version -------------------------------------------------------- */

static void digest_flags(
	struct at_hasher *hasher, const char *const *flags, size_t count)
{
	for (size_t i = 0; i < count; i++)
		at_hasher_add_text(hasher, flags[i]);
}

enum at_status at_cxx_version(char *buffer, size_t size, struct at_error *err)
{
	struct at_cxx_tool tool;
	struct at_hasher *hasher;
	char digest[AT_HASH_HEX_SIZE];
	enum at_status status = at_cxx_tool_find(&tool, err);

	if (status)
		return status;
	hasher = at_hasher_new();
	at_hasher_add(hasher, at_embedded_host_dialect, at_embedded_host_dialect_size);
	at_host_headers_digest(hasher);
	digest_flags(hasher, common_flags, AT_COUNT_OF(common_flags));
	digest_flags(hasher, gcc_flags, AT_COUNT_OF(gcc_flags));
	digest_flags(hasher, &mask_flag, mask_flag ? 1 : 0);
	digest_flags(hasher, link_flags, AT_COUNT_OF(link_flags));
	status = at_cxx_tool_hash(&tool, hasher, err);
	at_hash_hex(at_hasher_result(hasher), digest);
	snprintf(buffer, size, "%s, dialect %.8s", tool.version, digest);
	at_hasher_free(hasher);
	at_cxx_tool_release(&tool);
	return status;
}

enum at_status at_cxx_covered_version(char *buffer, size_t size, struct at_error *err)
{
	struct at_hasher *hasher;
	char digest[AT_HASH_HEX_SIZE];
	size_t length;
	enum at_status status = at_cxx_version(buffer, size, err);

	if (status)
		return status;
	hasher = at_hasher_new();
	at_hasher_add(hasher, at_embedded_compared, at_embedded_compared_size);
	digest_flags(hasher, covered_flags, AT_COUNT_OF(covered_flags));
	digest_flags(hasher, covered_link_flags, AT_COUNT_OF(covered_link_flags));
	at_hash_hex(at_hasher_result(hasher), digest);
	at_hasher_free(hasher);
	length = strlen(buffer);
	snprintf(buffer + length, size - length, ", coverage %.8s", digest);
	return AT_OK;
}

const struct at_toolchain at_toolchain_cxx = {
	.name = AT_TOOLCHAIN_CXX,
	.has_files = true,
	.folders = at_cxx_tool_header_folders,
	.whole =
		"give the problems on = \"cuda\", or put #ifndef AUTOTUNE around the rest",
	.compile = at_cxx_compile,
	.version = at_cxx_version,
	/* compiled with -march=native */
	.machine = at_native_identity,
};

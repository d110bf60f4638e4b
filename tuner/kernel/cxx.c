#include "kernel/cxx.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "kernel/clash.h"
#include "kernel/cxx_object.h"
#include "kernel/cxx_prelude.h"
#include "kernel/cxx_tool.h"
#include "kernel/host_dialect.h"
#include "kernel/host_headers.h"
#include "kernel/native.h"
#include "kernel/reach.h"
#include "kernel/scan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Code as nvcc would mean it: pointers may be reinterpreted, products and sums
 * contract, and mathematical functions set no errno.
 */
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
	/* each __shared__ variable can be moved, see cxx_object.h */
	"-fdata-sections",
	"-fdiagnostics-color=never",
#if defined(__x86_64__)
	"-fcf-protection=none",
#endif
};

/* The unit is the whole program: kernels are compiled into their loop alone.
   Dynamic shared memory has no constructors to ask for. */
static const char *const gcc_flags[] = { "-fwhole-program", "-fno-extern-tls-init",
	"-fno-gnu-unique" };

static const char *const link_flags[] = {
	"-shared",
	"-Wl,--as-needed",
	"-Wl,-z,defs",
	/* nothing of an image may be taken from another one, and the loader writes
	 * nothing among a kernel's variables, neither now nor later
	 */
	"-Wl,-Bsymbolic",
	"-Wl,-z,relro",
	"-Wl,-z,now",
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- the unit ----------------------------------------------------------- */

static void add_quoted(struct at_strbuf *out, const char *text)
{
	at_strbuf_add_char(out, '"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			at_strbuf_add_char(out, '\\');
		at_strbuf_add_char(out, *text == '\n' ? ' ' : *text);
	}
	at_strbuf_add_char(out, '"');
}

/* What messages about the table of kernels call the file; the line is 1 + index. */
static void add_table_name(struct at_strbuf *out, const char *name)
{
	at_strbuf_addf(out, "<kernels of %s>", name);
}

/* For at_cxx_object_read_signature(): each in a section of its own, since compilers put
   variables of one into an order of theirs. */
static void add_signatures(struct at_strbuf *out,
	const struct at_compile_request *request, const char *name)
{
	for (size_t i = 0; i < request->kernel_count; i++) {
		at_strbuf_addf(out, "#line %zu ", i + 1);
		add_quoted(out, name);
		at_strbuf_addf(out,
			"\n__attribute__((used, section(\"" AT_HOST_SIGNATURE_SECTION
			"%zu\")))\n"
			"static constexpr auto at_host_signature_%zu = at_host_launch<(&%s)>::at_signature;\n",
			i, i, request->kernels[i]);
	}
}

static void add_table(struct at_strbuf *out, const struct at_compile_request *request)
{
	struct at_strbuf name = { 0 };

	/* here a brace that the source left open shows */
	at_strbuf_addf(&name, "<end of %s>", request->name);
	at_strbuf_add(out, "\n#line 1 ");
	add_quoted(out, at_strbuf_text(&name));
	at_strbuf_add_char(out, '\n');
	at_strbuf_clear(&name);
	add_table_name(&name, request->name);
	add_signatures(out, request, at_strbuf_text(&name));
	at_strbuf_add(out, "static const at_host_kernel at_host_kernels[] = {\n");
	for (size_t i = 0; i < request->kernel_count; i++) {
		const char *kernel = request->kernels[i];

		at_strbuf_addf(out, "#line %zu ", i + 1);
		add_quoted(out, at_strbuf_text(&name));
		at_strbuf_add(out, "\n{ ");
		add_quoted(out, kernel);
		at_strbuf_addf(out,
			", at_host_launch<(&%s)>::at_run, at_host_launch<(&%s)>::at_parameters },\n",
			kernel, kernel);
	}
	/* the last row keeps the table from being empty */
	at_strbuf_addf(out,
		"{ nullptr, nullptr, 0 } };\n"
		"extern \"C\" __attribute__((used, visibility(\"default\")))\n"
		"const at_host_image at_host_image = { %d, %zu, at_host_kernels };\n",
		AT_HOST_ABI_VERSION, request->kernel_count);
	if (name.failed)
		out->failed = true;
	at_strbuf_release(&name);
}

/* prelude: the header that is the dialect, or NULL for its text. */
static void write_unit(struct at_strbuf *out, const struct at_compile_request *request,
	const char *prelude)
{
	const char *value;
	bool is_folder;

	/* Once there was code gcc looks for no precompiled headers but ours, which are
	   the memory of a compiler: one could lie beside a header that -I finds. */
	if (prelude)
		/* a pragma's effect ends with what gcc reads back */
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
	/* not by the compiler's own -include, which would come before the dialect */
	for (size_t i = 0; i < request->option_count; i++)
		if (at_reach_option(request->options, request->option_count, i,
			    &is_folder, &value) &&
			!is_folder)
			at_strbuf_addf(out, "#include \"%s\"\n", value);
	/* where the source names itself, behind its macros, its lines begin anew */
	at_strbuf_add(out, "#line 1 ");
	add_quoted(out,
		at_clash_macros(request->source) ? AT_CLASH_MACROS : request->name);
	at_strbuf_add_char(out, '\n');
	at_strbuf_add(out, request->source);
	add_table(out, request);
}

/* ---- the log ------------------------------------------------------------ */

static bool line_has(const char *line, size_t length, const char *text)
{
	const char *found = strstr(line, text);

	return found && (size_t)(found - line) + strlen(text) <= length;
}

static bool says_unknown(const char *line, size_t length)
{
	return line_has(line, length, "declared") || /* "not", "undeclared" */
	       line_has(line, length, "not a member") ||
	       line_has(line, length, "no member named") ||
	       line_has(line, length, "not a template");
}

/* The compiler's own words about the table of kernels, said plainly above them. */
static void explain_kernels(struct at_strbuf *out, const char *log,
	const struct at_compile_request *request)
{
	struct at_strbuf place = { 0 };

	for (size_t i = 0; i < request->kernel_count; i++) {
		at_strbuf_clear(&place);
		add_table_name(&place, request->name);
		at_strbuf_addf(&place, ":%zu:", i + 1);
		for (const char *line = log; line && !place.failed;) {
			size_t length = strcspn(line, "\n");

			if (!strncmp(line, place.data, place.length) &&
				line_has(line, length, "error:")) {
				at_strbuf_addf(out, "kernel \"%s\" %s %s\n",
					request->kernels[i],
					says_unknown(line, length)
						? "not found in"
						: "cannot be launched as it stands in",
					request->name);
				break;
			}
			line = line[length] ? line + length + 1 : NULL;
		}
	}
	at_strbuf_release(&place);
}

/*
 * What a compiler says of an include that it does not find, which is the last thing
 * that it says; the name's length, or 0.
 */
static size_t find_missing(const char *log, const char **name)
{
	/* gcc's, and clang's */
	static const struct {
		const char *begin, *end;
	} words[] = { { "fatal error: ", ": No such file or directory" },
		{ "fatal error: '", "' file not found" } };

	for (size_t i = 0; i < COUNT(words); i++)
		for (const char *at = log; (at = strstr(at, words[i].begin));) {
			size_t length;

			*name = at += strlen(words[i].begin);
			at = strstr(at, words[i].end);
			length = at ? (size_t)(at - *name) : 0;
			if (length && !memchr(*name, '\n', length))
				return length;
			at = *name;
		}
	return 0;
}

static void explain_missing(struct at_strbuf *out, const char *log)
{
	const char *name;
	size_t length = find_missing(log, &name);

	if (length && at_host_headers_lacks(&name, &length))
		at_strbuf_addf(out,
			"<%.*s> is not there on \"host\": include it where AUTOTUNE_HOST is not defined, or give the problems on = \"cuda\"; there are %s\n",
			(int)length, name, at_host_headers_known);
}

/* The log without the private folder's name; heap. */
static char *finish_log(const struct at_strbuf *raw, const char *folder,
	const struct at_compile_request *request)
{
	struct at_strbuf log = { 0 };
	const char *text = at_strbuf_text(raw), *found;
	size_t length = strlen(folder);

	if (raw->failed)
		return NULL;
	explain_missing(&log, text);
	explain_kernels(&log, text, request);
	while ((found = strstr(text, folder)) != NULL) {
		at_strbuf_add_bytes(&log, text, (size_t)(found - text));
		text = found + length;
		if (*text == '/')
			text++;
	}
	at_strbuf_add(&log, text);
	return at_strbuf_detach(&log);
}

/* ---- the compilation ---------------------------------------------------- */

struct job {
	const struct at_compile_request *request;
	struct at_cxx_tool tool;
	char folder[512];
	/* in the folder */
	char *unit, *object, *shared, *image;
	struct at_host_needs needs; /* headers below the folder */
	struct at_strbuf log;
	bool succeeded;
};

static enum at_status make_folder(struct job *job, struct at_error *err)
{
	const char *place = getenv("TMPDIR");
	int length;

	if (!place || !place[0])
		place = "/tmp";
	length =
		snprintf(job->folder, sizeof(job->folder), "%s/autotune-XXXXXX", place);
	if (length < 0 || (size_t)length >= sizeof(job->folder)) {
		job->folder[0] = '\0';
		return at_fail(err, AT_EINVAL, NULL, 0,
			"$TMPDIR is longer than %zu bytes; set a shorter one",
			sizeof(job->folder) - 20);
	}
	if (!mkdtemp(job->folder)) {
		job->folder[0] = '\0';
		return at_fail(err, AT_EIO, place, 0,
			"cannot make a folder here for the C++ compiler: %s; set TMPDIR",
			strerror(errno));
	}
	job->unit = at_path_join(job->folder, "unit.cc");
	job->object = at_path_join(job->folder, "unit.o");
	job->shared = at_path_join(job->folder, "shared.s");
	job->image = at_path_join(job->folder, "unit.so");
	if (!job->unit || !job->object || !job->shared || !job->image)
		return at_fail_memory(err);
	return AT_OK;
}

static void remove_folder(struct job *job)
{
	char *const files[] = { job->unit, job->object, job->shared, job->image };

	for (size_t i = 0; i < COUNT(files); i++) {
		if (files[i])
			unlink(files[i]);
		free(files[i]);
	}
	if (job->folder[0]) {
		at_host_headers_remove(job->folder, &job->needs);
		rmdir(job->folder);
	}
}

static enum at_status write_bytes(
	const char *path, const void *bytes, size_t size, struct at_error *err)
{
	FILE *file = fopen(path, "w");
	bool written;

	if (!file)
		return at_fail(err, AT_EIO, path, 0, "cannot write it: %s; set TMPDIR",
			strerror(errno));
	written = fwrite(bytes, 1, size, file) == size;
	if (fclose(file) || !written)
		return at_fail(err, AT_EIO, path, 0,
			"cannot write it: the disk is full or failing; set TMPDIR");
	return AT_OK;
}

static enum at_status write_file(
	const char *path, const struct at_strbuf *text, struct at_error *err)
{
	if (text->failed)
		return at_fail_memory(err);
	return write_bytes(path, at_strbuf_text(text), text->length, err);
}

struct arguments {
	const char **items;
	size_t count;
	size_t capacity;
	char **made; /* those of the items that are ours to free */
	size_t made_count;
	size_t made_capacity;
	bool failed;
};

static void release_arguments(struct arguments *self)
{
	for (size_t i = 0; i < self->made_count; i++)
		free(self->made[i]);
	free(self->made);
	free(self->items);
}

static void add_argument(struct arguments *self, const char *text)
{
	if (self->failed ||
		AT_RESERVE(self->items, self->capacity, self->count + 1, NULL))
		self->failed = true;
	else
		self->items[self->count++] = text;
}

static void add_arguments(
	struct arguments *self, const char *const *texts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		add_argument(self, texts[i]);
}

/*
 * Option and value in one word: by itself a value that begins with '@' would be a file
 * of options, and one that begins with '-' an option.
 */
static void add_joined(struct arguments *self, const char *option, const char *value)
{
	struct at_strbuf text = { 0 };
	char *word;

	at_strbuf_addf(&text, "%s%s", option, value);
	word = at_strbuf_detach(&text);
	if (!word || AT_RESERVE(self->made, self->made_capacity, self->made_count + 1,
			     NULL)) {
		free(word);
		self->failed = true;
		return;
	}
	self->made[self->made_count++] = word;
	add_argument(self, word);
}

/* The same of a folder that goes with an option in a word of its own. */
static void add_folder(struct arguments *self, const char *option, const char *folder)
{
	add_argument(self, option);
	if (folder[0] == '@' || folder[0] == '-')
		add_joined(self, "./", folder);
	else
		add_argument(self, folder);
}

/* What NVRTC's options that take a value are called here. */
static const struct {
	const char *nvrtc;
	const char *here;
	bool may_touch; /* -DNAME, beside -D NAME and -D=NAME */
} valued_options[] = {
	{ "-D", "-D", true },
	{ "--define-macro", "-D", false },
	{ "-U", "-U", true },
	{ "--undefine-macro", "-U", false },
	{ "-I", "-I", true },
	{ "--include-path", "-I", false },
};

/*
 * Options are written for NVRTC; what means something here comes through. Files that
 * options include are part of the unit: see write_unit().
 */
static void add_options(
	struct arguments *self, const struct at_compile_request *request)
{
	char *const *options = request->options;
	size_t count = request->option_count;

	for (size_t i = 0; i < count; i++) {
		const char *option = options[i], *here = NULL, *value = NULL;

		for (size_t j = 0; j < COUNT(valued_options) && !value; j++) {
			value = at_option_value(options, count, i,
				valued_options[j].nvrtc, valued_options[j].may_touch);
			here = valued_options[j].here;
		}
		if (value) {
			add_joined(self, here, value);
			i += i + 1 < count && value == options[i + 1];
		} else if (!strncmp(option, "-fmad=", 6) ||
			   !strncmp(option, "--fmad=", 7)) {
			add_argument(self, strstr(option, "=false")
						   ? "-ffp-contract=off"
						   : "-ffp-contract=fast");
		} else if (!strncmp(option, "-f", 2) && strncmp(option, "-ftz=", 5)) {
			add_argument(self, option);
		}
	}
}

static enum at_status run_tool(
	struct job *job, struct arguments *arguments, struct at_error *err)
{
	enum at_status status;

	if (arguments->failed)
		status = at_fail_memory(err);
	else
		status = at_cxx_tool_run(&job->tool, job->folder, arguments->items,
			arguments->count, &job->log, &job->succeeded, err);
	release_arguments(arguments);
	return status;
}

static enum at_status look_for_headers(
	void *context, const char *path, const char *text, struct at_error *err)
{
	(void)path;
	(void)err;
	at_host_headers_look(context, text);
	return AT_OK;
}

/* Of what the source and its own files include; all where that cannot be seen. */
static enum at_status write_headers(struct job *job, struct at_error *err)
{
	const struct at_compile_request *request = job->request;
	const struct at_reach_visitor visitor = { look_for_headers, &job->needs };
	const char *directory = request->directory;
	struct at_reach reach;

	at_host_headers_look(&job->needs, request->source);
	/* -DHEADER=<cuda_fp16.h> */
	for (size_t i = 0; i < request->option_count; i++)
		at_host_headers_look(&job->needs, request->options[i]);
	if (at_reach_find(request->source, directory && directory[0] ? directory : ".",
		    request->options, request->option_count, &visitor, &reach, NULL))
		at_host_headers_need_all(&job->needs);
	else
		at_reach_release(&reach);
	return at_host_headers_write(job->folder, &job->needs, err);
}

/* To the C++ compiler every function is one: a GPU's would refuse it. */
static void refuse_other_functions(struct job *job)
{
	const struct at_compile_request *request = job->request;

	for (size_t i = 0; i < request->kernel_count; i++)
		if (at_scan_is_no_kernel(request->source, request->kernels[i])) {
			at_strbuf_addf(&job->log,
				"kernel \"%s\" is no __global__ function in %s\n",
				request->kernels[i], request->name);
			job->succeeded = false;
		}
}

/* What the dialect's own text is compiled with, whatever the source is. */
static void add_flags(struct arguments *self, const struct job *job)
{
	add_arguments(self, common_flags, COUNT(common_flags));
	if (!job->tool.clang)
		add_arguments(self, gcc_flags, COUNT(gcc_flags));
}

/*
 * The parsed dialect that fits a unit with these options; NULL: its text has to do. It
 * is made with those options that say how products and sums are rounded, which all
 * units of a wide reference have. Of macros gcc sees by itself whether they concern it.
 */
static const char *find_prelude(struct job *job, const struct arguments *options)
{
	struct arguments flags = { 0 };
	const char *header = NULL;
	bool fits = true;

	add_flags(&flags, job);
	for (size_t i = 0; i < options->count; i++) {
		const char *option = options->items[i];

		if (!strncmp(option, "-ffp-contract=", 14))
			add_argument(&flags, option);
		else if (strncmp(option, "-D", 2) != 0 && strncmp(option, "-U", 2) != 0)
			fits = false;
	}
	if (fits && !flags.failed)
		header = at_cxx_prelude_find(&job->tool, flags.items, flags.count);
	release_arguments(&flags);
	return header;
}

static enum at_status compile_source(struct job *job, const struct arguments *options,
	const char *prelude, struct at_error *err)
{
	struct arguments arguments = { 0 };
	struct at_strbuf unit = { 0 };
	enum at_status status;

	write_unit(&unit, job->request, prelude);
	status = write_file(job->unit, &unit, err);
	at_strbuf_release(&unit);
	if (status)
		return status;
	add_flags(&arguments, job);
	/* ahead of a toolkit's folder that options name: that one's are not for a CPU
	 */
	add_folder(&arguments, "-I", job->folder);
	add_arguments(&arguments, options->items, options->count);
	if (job->request->directory && job->request->directory[0]) {
		add_folder(&arguments, "-iquote", job->request->directory);
		/* NVRTC finds it in angle brackets too. Here it comes last: a math.h of
		   the template's must not take the place of the system's. */
		add_folder(&arguments, "-idirafter", job->request->directory);
	}
	/* where NVRTC looks as well, since a source in memory lies nowhere else */
	add_argument(&arguments, "-iquote");
	add_argument(&arguments, ".");
	add_argument(&arguments, "-c");
	add_argument(&arguments, job->unit);
	add_argument(&arguments, "-o");
	add_argument(&arguments, job->object);
	status = run_tool(job, &arguments, err);
	if (!status && job->succeeded)
		refuse_other_functions(job);
	return status;
}

static enum at_status compile_unit(struct job *job, struct at_error *err)
{
	struct arguments options = { 0 };
	const char *prelude = NULL;
	enum at_status status = write_headers(job, err);

	if (!status) {
		add_options(&options, job->request);
		if (options.failed)
			status = at_fail_memory(err);
	}
	if (!status) {
		prelude = find_prelude(job, &options);
		status = compile_source(job, &options, prelude, err);
	}
	if (!status && !job->succeeded && prelude &&
		at_cxx_prelude_is_to_blame(at_strbuf_text(&job->log))) {
		at_strbuf_clear(&job->log);
		status = compile_source(job, &options, NULL, err);
	}
	release_arguments(&options);
	return status;
}

/* What the object file tells of the kernels: what they take. */
static enum at_status fill_facts(const struct at_compile_request *request,
	const unsigned char *object, size_t size, struct at_compile_result *result,
	struct at_error *err)
{
	if (!request->kernel_count)
		return AT_OK;
	result->kernels = calloc(request->kernel_count, sizeof(*result->kernels));
	if (!result->kernels)
		return at_fail_memory(err);
	result->kernel_count = request->kernel_count;
	for (size_t i = 0; i < request->kernel_count; i++) {
		struct at_kernel_facts *facts = &result->kernels[i];
		enum at_status status;

		*facts = (struct at_kernel_facts){
			.name = at_strdup(request->kernels[i]),
			.symbol = at_strdup(request->kernels[i]),
			.registers = -1,
			.local_bytes = -1,
			.spill_store_bytes = -1,
			.spill_load_bytes = -1,
			.shared_bytes = -1,
			.constant_bytes = -1,
			.barriers = -1,
		};
		if (!facts->name || !facts->symbol)
			return at_fail_memory(err);
		status = at_cxx_object_read_signature(object, size, i, facts, err);
		if (status)
			return status;
	}
	return AT_OK;
}

/*
 * What the compiler has written; NULL where it has ended well and there is nothing, or
 * half of it, which the log says then: a full disk, or a wrapper that lost it.
 */
static enum at_status read_written(struct job *job, const char *path, const char *what,
	char **bytes, size_t *size, struct at_error *err)
{
	struct at_error reason = { 0 };
	enum at_status status = at_file_read(path, 0, bytes, size, &reason);

	if (status && status != AT_ENOENT)
		return at_fail(err, status, reason.file, 0, "%s", reason.text);
	if (!status && at_cxx_object_is_whole((const unsigned char *)*bytes, *size))
		return AT_OK;
	at_strbuf_addf(&job->log,
		"error: the C++ compiler ended well, but wrote no %s%s\n", what,
		status  ? ""
		: *size ? " that is whole and for 64 bits (ELF)"
			: ": the file is empty");
	if (!status)
		free(*bytes);
	*bytes = NULL;
	job->succeeded = false;
	return AT_OK;
}

/*
 * Without the libraries of C++, whose names the linker would read for a third of its
 * time; no kernel of this project has one. An image is the same with them where it
 * needs none, and where it does linking fails, and is done again.
 */
static const char *const lean_flags[] = { "-nodefaultlibs", "-lm", "-lc" };

static enum at_status run_linker(
	struct job *job, bool has_shared, bool is_lean, struct at_error *err)
{
	struct arguments arguments = { 0 };

	add_arguments(&arguments, link_flags, COUNT(link_flags));
	/* the source may have put sections into the object that the linker would have
	   compiled; not among the flags that a key is made of, since it changes no
	   image */
	add_argument(&arguments, "-fno-lto");
	add_argument(&arguments, job->object);
	if (has_shared)
		add_argument(&arguments, job->shared);
	if (is_lean)
		add_arguments(&arguments, lean_flags, COUNT(lean_flags));
	add_argument(&arguments, "-o");
	add_argument(&arguments, job->image);
	return run_tool(job, &arguments, err);
}

static enum at_status link_objects(
	struct job *job, bool has_shared, struct at_error *err)
{
	/* the compiler's own words stay */
	struct at_strbuf log = job->log;
	enum at_status status;

	memset(&job->log, 0, sizeof(job->log));
	status = run_linker(job, has_shared, true, err);
	if (!status && !job->succeeded) {
		at_strbuf_clear(&job->log);
		status = run_linker(job, has_shared, false, err);
	}
	at_strbuf_add(&log, at_strbuf_text(&job->log));
	log.failed = log.failed || job->log.failed;
	at_strbuf_release(&job->log);
	job->log = log;
	return status;
}

static enum at_status link_image(
	struct job *job, struct at_compile_result *result, struct at_error *err)
{
	struct at_strbuf shared = { 0 };
	struct at_error reason = { 0 };
	char *object;
	size_t size;
	enum at_status status =
		read_written(job, job->object, "object file", &object, &size, err);

	if (status || !object)
		return status;
	status = at_cxx_object_write_shared(
		(const unsigned char *)object, size, &shared, &reason);
	if (!status)
		status = at_cxx_object_spread_shared(
			(unsigned char *)object, size, &reason);
	if (status == AT_EINVAL) {
		at_strbuf_addf(&job->log, "error: %s\n", reason.text);
		job->succeeded = false;
		free(object);
		at_strbuf_release(&shared);
		return AT_OK;
	}
	if (status)
		at_fail(err, status, reason.file, 0, "%s", reason.text);
	else
		status = write_bytes(job->object, object, size, err);
	if (!status && shared.length)
		status = write_file(job->shared, &shared, err);
	if (!status)
		status = link_objects(job, shared.length > 0, err);
	at_strbuf_release(&shared);
	if (!status && job->succeeded)
		status = fill_facts(
			job->request, (const unsigned char *)object, size, result, err);
	free(object);
	return status;
}

static enum at_status read_image(
	struct job *job, struct at_compile_result *result, struct at_error *err)
{
	char *bytes;
	enum at_status status = read_written(
		job, job->image, "shared object", &bytes, &result->image_bytes, err);

	if (status || !bytes)
		return status;
	result->image = (unsigned char *)bytes;
	return AT_OK;
}

/* Of what failed late nothing is told but the log. */
static void drop_image(struct at_compile_result *result)
{
	at_compile_result_release(result);
	memset(result, 0, sizeof(*result));
}

enum at_status at_cxx_compile(const struct at_compile_request *request,
	struct at_compile_result *result, struct at_error *err)
{
	struct job job = { .request = request };
	uint64_t started_ns = at_clock_now_ns();
	enum at_status status;

	memset(result, 0, sizeof(*result));
	status = at_cxx_tool_find(&job.tool, err);
	if (status)
		return status;
	status = make_folder(&job, err);
	if (!status)
		status = compile_unit(&job, err);
	if (!status && job.succeeded)
		status = link_image(&job, result, err);
	if (!status && job.succeeded)
		status = read_image(&job, result, err);
	if (!status && !job.succeeded)
		drop_image(result);
	if (!status) {
		result->outcome =
			job.succeeded ? AT_OUTCOME_OK : AT_OUTCOME_COMPILE_FAILED;
		result->log = finish_log(&job.log, job.folder, request);
		result->compile_ns = at_clock_now_ns() - started_ns;
		if (!result->log)
			status = at_fail_memory(err);
		else
			result->is_verdict = at_compile_log_is_verdict(result->log);
	}
	remove_folder(&job);
	at_strbuf_release(&job.log);
	at_cxx_tool_release(&job.tool);
	if (status)
		at_compile_result_release(result);
	return status;
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
	status = at_hasher_new(&hasher, err);
	if (!status) {
		at_hasher_add(hasher, at_embedded_host_dialect,
			at_embedded_host_dialect_size);
		at_host_headers_digest(hasher);
		digest_flags(hasher, common_flags, COUNT(common_flags));
		digest_flags(hasher, gcc_flags, COUNT(gcc_flags));
		digest_flags(hasher, link_flags, COUNT(link_flags));
		at_hash_hex(at_hasher_result(hasher), digest);
		snprintf(buffer, size, "%s, dialect %.8s", tool.version, digest);
		at_hasher_free(hasher);
	}
	at_cxx_tool_release(&tool);
	return status;
}

const struct at_toolchain at_toolchain_cxx = {
	.name = AT_TOOLCHAIN_CXX,
	.has_files = true,
	.compile = at_cxx_compile,
	.version = at_cxx_version,
	/* -march=native */
	.machine = at_native_identity,
};

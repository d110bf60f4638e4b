/* The toolchain nvcc: finds the program, compiles source to PTX and PTX to cubin, and
   reads the facts of both. */
#include "kernel/nvcc.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/program_path.h"
#include "base/text.h"
#include "kernel/cubin.h"
#include "kernel/nvrtc_library.h"
#include "kernel/ptx.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ARCHITECTURE_LIMIT 64 /* more than any nvcc lists */

/* names of files in the folder of a unit */
#define UNIT "unit.cu"
#define WRITTEN_PTX "written.ptx"
#define PTX "unit.ptx"
#define CUBIN "unit.cubin"

/* ---- finding it --------------------------------------------------------- */

/* ROOT/bin/nvcc if it is a program, heap; else NULL. root may be NULL. */
static char *find_in_root(const char *root)
{
	char *path = root ? at_path_join(root, "bin/nvcc") : NULL;

	if (path && at_is_program(path))
		return path;
	free(path);
	return NULL;
}

/* The first nvcc in any of these places; otherwise lists the places. */
static char *look_everywhere(struct at_strbuf *tried)
{
	struct at_nvrtc_places places;
	char *found = find_in_root(at_environment("CUDA_HOME"));

	if (!found)
		found = find_in_root(at_environment("CUDA_PATH"));
	if (!found)
		at_program_find("nvcc", &found);
	if (found)
		return found;
	at_strbuf_add(tried, "PATH");
	/* CUDA_HOME and CUDA_PATH are the first of these places */
	at_nvrtc_places_find(&places);
	for (size_t i = 0; i < places.roots.count && !found; i++) {
		found = find_in_root(places.roots.items[i]);
		at_strbuf_addf(tried, ", %s/bin", places.roots.items[i]);
	}
	at_nvrtc_places_release(&places);
	return found;
}

enum at_status at_nvcc_find(struct at_cxx_tool *out, struct at_error *err)
{
	const char *chosen = at_environment("AUTOTUNE_NVCC");
	struct at_strbuf tried = { 0 };
	enum at_status status = AT_OK;
	char *path = NULL;

	memset(out, 0, sizeof(*out));
	if (chosen)
		at_program_find(chosen, &path);
	else
		path = look_everywhere(&tried);
	if (path)
		at_words_add(&out->words, "%s", path);
	else if (chosen)
		status = at_fail(err, AT_EUNAVAILABLE, NULL, 0,
			"AUTOTUNE_NVCC names no program (\"%s\"): correct or unset it",
			chosen);
	else
		status = at_fail(err, AT_EUNAVAILABLE, NULL, 0,
			"no nvcc, which the space asks for (toolchain = \"nvcc\"): install the CUDA toolkit, or set CUDA_HOME to its folder or AUTOTUNE_NVCC to the program; looked in %s",
			at_strbuf_text(&tried));
	at_strbuf_release(&tried);
	free(path);
	return status;
}

/* ---- version and architectures ------------------------------------------ */

/* Appends a digest of the flags and folders that the user makes nvcc add to every call,
   and that its version does not show. */
static void add_flags(struct at_strbuf *out)
{
	static const char *const variables[] = { "NVCC_PREPEND_FLAGS",
		"NVCC_APPEND_FLAGS" };
	struct at_strbuf flags = { 0 };
	char digest[AT_HASH_HEX_SIZE];
	bool some = false;

	for (size_t i = 0; i < AT_COUNT_OF(variables); i++) {
		const char *value = at_environment(variables[i]);

		at_strbuf_addf(&flags, "%s\n", value ? value : "");
		some = some || value;
	}
	/* of the compiler that nvcc starts */
	for (size_t i = 0; at_cxx_tool_folders[i]; i++) {
		const char *value = at_environment(at_cxx_tool_folders[i]);

		if (!value)
			continue;
		at_strbuf_addf(&flags, "%s=%s\n", at_cxx_tool_folders[i], value);
		some = true;
	}
	if (some) {
		at_hash_hex(at_hash_bytes(flags.data, flags.length), digest);
		at_strbuf_addf(out, ", flags %.8s", digest);
	}
	at_strbuf_release(&flags);
}

/* Reads 'autotune_version 13 0 88 "12.2.0"'; the last part may be clang's full name. */
static bool read_versions(const char *text, struct at_strbuf *out)
{
	static const char mark[] = "autotune_version ";
	const char *line = NULL;
	int major, minor, build;
	char host[100];

	/* the last match: lines of headers come before it */
	for (const char *at = text; (at = strstr(at, mark)) != NULL; at++)
		line = at;
	if (!line || sscanf(line + strlen(mark), "%d %d %d \"%99[^\"\n]", &major,
			     &minor, &build, host) != 4)
		return false;
	at_text_flatten(host);
	at_strbuf_addf(out, "nvcc %d.%d.%d, %s%s", major, minor, build,
		host[0] >= '0' && host[0] <= '9' ? "gcc " : "", host);
	return true;
}

/* Finds nvcc and begins a job without a request: queries too write temporary files. */
static enum at_status begin_question(struct at_job *job, struct at_error *err)
{
	enum at_status status = at_nvcc_find(&job->tool, err);

	return status ? status : at_job_begin(job, NULL, "nvcc", err);
}

enum at_status at_nvcc_version(char *buffer, size_t size, struct at_error *err)
{
	static const char source[] =
		"autotune_version __CUDACC_VER_MAJOR__ __CUDACC_VER_MINOR__ "
		"__CUDACC_VER_BUILD__ __VERSION__\n";
	struct at_strbuf unit = { 0 }, version = { 0 };
	struct at_job job = { 0 };
	struct at_words words = { 0 };
	char *text = NULL, line[400];
	size_t read_bytes;
	enum at_status status = begin_question(&job, err);

	at_strbuf_add(&unit, source);
	at_words_add(&words, "-E");
	at_words_add(&words, "-o");
	at_words_add(&words, "%s/version.ii", job.scratch.path);
	at_words_add(&words, "%s/" UNIT, job.scratch.path);
	if (!status)
		status = at_job_write_text(&job, UNIT, &unit, err);
	if (!status)
		status = at_job_run(&job, &words, err);
	at_compile_first_error(at_strbuf_text(&job.log), line, sizeof(line));
	if (!status && job.succeeded)
		status = at_job_read(&job, "version.ii", "", &text, &read_bytes, err);
	if (!status && (!text || !read_versions(text, &version)))
		status = at_fail(err, AT_EUNAVAILABLE, NULL, 0,
			"%s cannot preprocess a line, so it is no working nvcc%s%s; it needs a host compiler that it knows (g++, or what NVCC_CCBIN names), or set AUTOTUNE_NVCC",
			job.tool.words.items[0], line[0] ? ": " : "", line);
	add_flags(&version);
	if (!status)
		snprintf(buffer, size, "%s", version.data);
	free(text);
	at_strbuf_release(&unit);
	at_strbuf_release(&version);
	at_words_release(&words);
	at_job_release(&job);
	return status;
}

static int ascending(const void *a, const void *b)
{
	int left = *(const int *)a, right = *(const int *)b;

	return (left > right) - (left < right);
}

static enum at_status list_architectures(
	char *buffer, size_t size, struct at_error *err)
{
	int numbers[ARCHITECTURE_LIMIT];
	struct at_job job = { 0 };
	struct at_words words = { 0 };
	size_t count = 0;
	enum at_status status = begin_question(&job, err);

	at_words_add(&words, "--list-gpu-code");
	if (!status)
		status = at_job_run(&job, &words, err);
	for (const char *at = at_strbuf_text(&job.log);
		!status && job.succeeded && count < ARCHITECTURE_LIMIT &&
		(at = strstr(at, "sm_")) != NULL;
		at++) {
		char *end;
		long number = strtol(at + 3, &end, 10);

		/* sm_90a is a variant of sm_90 */
		if (number > 0 && number < 10000 && *end != 'a' && *end != 'f')
			numbers[count++] = (int)number;
	}
	if (!status && !count)
		status = at_fail(err, AT_EUNAVAILABLE, NULL, 0,
			"%s --list-gpu-code names no architecture; set AUTOTUNE_NVCC to an nvcc of CUDA 11 or later",
			job.tool.words.items[0]);
	if (!status)
		qsort(numbers, count, sizeof(*numbers), ascending);
	if (!status)
		status = at_toolchain_list("nvcc", numbers, count, buffer, size, err);
	at_words_release(&words);
	at_job_release(&job);
	return status;
}

/* ---- arguments and source ----------------------------------------------- */

/* Whether the text is safe from a shell and from nvcc, which splits its lists: it has
   only letters, digits and "/._-+". */
static bool is_plain(const char *text)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+";

	return !text[strspn(text, plain)];
}

/* Adds a search folder: by its own name if that is plain, else by a link to it. */
static enum at_status add_folder(struct at_nvcc_unit *self, const char *option,
	const char *place, const char *folder, struct at_error *err)
{
	struct at_strbuf link = { 0 };
	char *real;
	enum at_status status = AT_OK;

	if (is_plain(place) && place[0] != '-') {
		at_words_add(&self->words, "%s%s", option, place);
		return AT_OK;
	}
	real = realpath(place, NULL);
	/* a folder that does not exist has no headers */
	if (!real && errno == ENOMEM)
		at_memory_out();
	if (!real)
		return AT_OK;
	at_strbuf_addf(&link, "%s/place%zu", folder, self->words.count);
	if (symlink(real, link.data))
		status = at_fail(err, AT_EIO, link.data, 0,
			"cannot make a link for nvcc: %s; set TMPDIR", strerror(errno));
	else
		at_words_add(&self->words, "%s%s", option, link.data);
	at_strbuf_release(&link);
	free(real);
	return status;
}

/* NVRTC options that nvcc implies or does not know. */
static const char *const idle[] = {
	"-device-int128",
	"--device-int128",
	"-minimal",
	"--minimal",
	"-no-cache",
	"--no-cache",
};

static bool is_idle(const char *option)
{
	for (size_t i = 0; i < AT_COUNT_OF(idle); i++)
		if (!strcmp(option, idle[i]))
			return true;
	return false;
}

/* Whether the macro is safe from a shell and from nvcc, which splits at commas. */
static bool is_plain_macro(const char *text)
{
	const char *equals = strchr(text, '=');

	return equals ? !strchr(equals + 1, '=') && is_plain(equals + 1) &&
				strcspn(text, "-+./") >= (size_t)(equals - text)
		      : is_plain(text);
}

static bool goes_on_command_line(const char *macro)
{
	return at_job_is_for_headers(macro) && is_plain_macro(macro);
}

/* Adds the options for every step: those that nothing else interprets. */
static void add_common_options(
	struct at_nvcc_unit *self, const struct at_compile_request *request)
{
	const char *value;

	/* only ptxas's log reports spills */
	at_words_add(&self->words, "-Xptxas=-v");
	for (size_t i = 0; i < request->option_count; i++) {
		const char *option = request->options[i];
		enum at_option_kind kind = at_option_read(
			request->options, request->option_count, &i, &value);

		if (kind == AT_OPTION_ARCHITECTURE)
			self->names_architecture = true;
		if ((kind == AT_OPTION_OTHER && !is_idle(option)) ||
			kind == AT_OPTION_ARCHITECTURE)
			at_words_add(&self->words, "%s", option);
		if (kind == AT_OPTION_ARCHITECTURE && value == request->options[i])
			at_words_add(&self->words, "%s", value);
	}
}

/* Appends a function for each kernel that contains its address. That instantiates a
   template's code, and the PTX then has the kernel's symbol. "used": nothing calls
   these functions, and none gets into the image. */
static void add_markers(struct at_strbuf *out, const struct at_compile_request *request)
{
	at_strbuf_add_char(out, '\n');
	at_job_add_line(out, 1, "<end of ", request->name, ">");
	/* Not allowed within a function, so a brace that the source left open is
	   reported here. */
	at_strbuf_add(out, "extern \"C\" {}\n");
	for (size_t i = 0; i < request->kernel_count; i++) {
		at_job_add_kernel_line(out, request, i);
		at_strbuf_addf(out,
			"extern \"C\" __device__ __attribute__((used)) const void *" AT_PTX_MARKER
			"%zu() { return (const void *)(%s); }\n",
			i, request->kernels[i]);
	}
}

static enum at_status add_folders(struct at_nvcc_unit *self,
	const struct at_compile_request *request, const char *folder,
	struct at_error *err)
{
	/* As for the host's compiler. Files in quotes: the template's folder, then the
	   working folder. Files in angle brackets: the template's folder, but last,
	   since a math.h of the template must not replace the system's. */
	static const char *const options[] = { "-iquote", "-idirafter" };
	const char *directory = request->directory, *place;
	enum at_status status = AT_OK;

	for (size_t i = 0;
		i < AT_COUNT_OF(options) && directory && directory[0] && !status; i++) {
		at_words_add(&self->words, "-Xcompiler");
		status = add_folder(self, options[i], directory, folder, err);
	}
	at_words_add(&self->words, "-Xcompiler");
	at_words_add(&self->words, "-iquote.");
	for (size_t i = 0; i < request->option_count && !status; i++)
		if (at_option_read(request->options, request->option_count, &i,
			    &place) == AT_OPTION_FOLDER)
			status = add_folder(self, "-I", place, folder, err);
	return status;
}

enum at_status at_nvcc_unit_make(struct at_nvcc_unit *self,
	const struct at_compile_request *request, const char *folder,
	struct at_error *err)
{
	enum at_status status;

	memset(self, 0, sizeof(*self));
	add_common_options(self, request);
	if (!self->names_architecture)
		at_words_add(&self->words, "-arch=%s", request->architecture);
	self->common_count = self->words.count;
	status = add_folders(self, request, folder, err);
	at_job_take_options(request, goes_on_command_line, &self->source, &self->words);
	at_job_add_line(&self->source, 1, "", request->name, "");
	at_strbuf_add(&self->source, request->source);
	add_markers(&self->source, request);
	return status;
}

void at_nvcc_unit_release(struct at_nvcc_unit *self)
{
	at_words_release(&self->words);
	at_strbuf_release(&self->source);
	memset(self, 0, sizeof(*self));
}

/* ---- steps -------------------------------------------------------------- */

struct work {
	struct at_job job;
	struct at_nvcc_unit unit;
	struct at_strbuf ptx;
	char **symbols; /* of the kernels, in order; NULL: unknown */
};

static enum at_status run_nvcc(struct work *work, bool is_for_source, const char *what,
	const char *from, const char *to, struct at_error *err)
{
	const struct at_words *all = &work->unit.words;
	const char *folder = work->job.scratch.path;
	struct at_words words = { 0 };
	enum at_status status;

	at_words_add(&words, "%s", what);
	at_words_add_all(&words, (const char *const *)all->items,
		is_for_source ? all->count : work->unit.common_count);
	at_words_add(&words, "-o");
	at_words_add(&words, "%s/%s", folder, to);
	at_words_add(&words, "%s/%s", folder, from);
	status = at_job_run(&work->job, &words, err);
	at_words_release(&words);
	return status;
}

static enum at_status make_ptx(struct work *work, struct at_error *err)
{
	struct at_job *job = &work->job;
	char *text, *said;
	size_t size;
	enum at_status status = at_job_write_text(job, UNIT, &work->unit.source, err);

	if (!status)
		status = run_nvcc(work, true, "-ptx", UNIT, WRITTEN_PTX, err);
	if (status || !job->succeeded)
		return status;
	/* Before PTX is made, nvcc also passes options to ptxas, which does not know
	   the architecture yet and may print something wrong. */
	said = at_ptxas_strip_log(at_strbuf_text(&job->log), true);
	at_strbuf_clear(&job->log);
	at_strbuf_add(&job->log, said);
	free(said);
	status = at_job_read(job, WRITTEN_PTX, "PTX", &text, &size, err);
	if (status || !text)
		return status;
	if (strlen(text) != size || !strstr(text, ".version") ||
		!strstr(text, ".target"))
		at_job_miss(job, "PTX", ": it is another text");
	else
		at_ptx_take_markers(text, job->scratch.path, work->symbols,
			job->request->kernel_count, &work->ptx);
	free(text);
	return job->succeeded ? at_job_write_text(job, PTX, &work->ptx, err) : AT_OK;
}

static enum at_status make_cubin(
	struct work *work, struct at_compile_result *result, struct at_error *err)
{
	char *bytes = NULL;
	enum at_status status = run_nvcc(work, false, "-cubin", PTX, CUBIN, err);

	if (!status && work->job.succeeded)
		status = at_job_read(
			&work->job, CUBIN, "cubin", &bytes, &result->image_bytes, err);
	result->image = status ? NULL : (unsigned char *)bytes;
	return status;
}

/* ---- kernels ------------------------------------------------------------ */

static enum at_status read_kernels(
	struct work *work, struct at_compile_result *result, struct at_error *err)
{
	struct at_job *job = &work->job;
	struct at_error reason = { 0 };
	struct at_strbuf why = { 0 };
	enum at_status status = at_cubin_read_kernels(job->request,
		(const char *const *)work->symbols, at_strbuf_text(&job->log),
		at_strbuf_text(&work->ptx), result, &reason);

	if (status == AT_EINVAL) {
		at_strbuf_addf(&why, ": %s", reason.text);
		at_job_miss(job, "cubin", why.data);
		at_strbuf_release(&why);
	} else if (status == AT_ENOENT) {
		at_strbuf_addf(&job->log,
			"kernel \"%s\" is no __global__ function in %s\n",
			job->request->kernels[result->kernel_count - 1],
			job->request->name);
		job->succeeded = false;
	} else if (status) {
		return at_fail(err, status, NULL, 0, "%s", reason.text);
	}
	return AT_OK;
}

/* ---- the compilation ---------------------------------------------------- */

static enum at_status fail_architecture(const struct at_job *job, struct at_error *err)
{
	char list[AT_TOOLCHAIN_TEXT_SIZE];
	enum at_status status = list_architectures(list, sizeof(list), err);

	return status ? status
		      : at_fail(err, AT_EUNAVAILABLE, NULL, 0,
				"%s does not compile for \"%s\", only for %s; install a CUDA toolkit that does",
				job->tool.words.items[0], job->request->architecture,
				list);
}

static enum at_status begin(struct work *work, const struct at_compile_request *request,
	struct at_error *err)
{
	struct at_job *job = &work->job;
	enum at_status status = at_nvcc_find(&job->tool, err);

	if (!status)
		status = at_job_begin(job, request, "nvcc", err);
	if (status)
		return status;
	/* a shell reads names on the command line */
	if (!is_plain(job->scratch.path))
		return at_fail(err, AT_EINVAL, at_scratch_place(), 0,
			"nvcc hands this name on to a shell: set TMPDIR to a folder whose name has only letters, digits and \"/._-+\"");
	work->symbols = at_calloc(request->kernel_count + 1, sizeof(*work->symbols));
	return at_nvcc_unit_make(&work->unit, request, job->scratch.path, err);
}

static enum at_status compile(const struct at_compile_request *request,
	struct at_compile_result *result, struct at_error *err)
{
	struct work work = { 0 };
	struct at_job *job = &work.job;
	enum at_status status = begin(&work, request, err);

	if (!status)
		status = make_ptx(&work, err);
	if (!status && job->succeeded)
		status = make_cubin(&work, result, err);
	if (!status && job->succeeded)
		status = read_kernels(&work, result, err);
	if (!status && !job->succeeded && !work.unit.names_architecture &&
		strstr(at_strbuf_text(&job->log), "Unsupported gpu architecture"))
		status = fail_architecture(job, err);
	if (!status)
		at_job_finish(job, result);
	for (size_t i = 0; work.symbols && i < request->kernel_count; i++)
		free(work.symbols[i]);
	free(work.symbols);
	at_nvcc_unit_release(&work.unit);
	at_strbuf_release(&work.ptx);
	at_job_release(job);
	return status;
}

const struct at_toolchain at_toolchain_nvcc = {
	.name = AT_TOOLCHAIN_NVCC,
	.makes = AT_MAKES_CUBIN,
	.has_files = true,
	.folders = at_cxx_tool_header_folders,
	.whole = "-IFOLDER in options names the folder of a header",
	.compile = compile,
	.version = at_nvcc_version,
	.architectures = list_architectures,
};

/*
 * The toolchain NVRTC: compiles a unit in this process, to a cubin for one exact
 * architecture, and reads the facts of its kernels.
 */
#include "kernel/toolchain.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/scratch.h"
#include "kernel/cubin.h"
#include "kernel/job.h"
#include "kernel/nvrtc_headers.h"
#include "kernel/nvrtc_library.h"
#include "kernel/ptx.h"
#include "kernel/scan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#define ARCHITECTURE_LIMIT 64

/* One compilation while it is made. */
struct work {
	const struct at_nvrtc_functions *nvrtc;
	const struct at_words *includes;
	const struct at_compile_request *request;
	bool minimal; /* with --minimal */
	const char *headers; /* precompiled ahead of the source; "": none */
	struct _nvrtcProgram *program;
	char *log; /* NVRTC's own, whole */
	char *ptx; /* "" where NVRTC keeps none */
};

static enum at_status fail_call(struct at_error *err,
	const struct at_nvrtc_functions *nvrtc, const char *call, unsigned code)
{
	if (code == AT_NVRTC_OUT_OF_MEMORY)
		return at_fail_memory(err);
	return at_fail(err, AT_EUNAVAILABLE, NULL, 0, "NVRTC refused %s: %s", call,
		nvrtc->get_error_string(code));
}

/* ---- versions and architectures ----------------------------------------- */

/* Writes the version, as "NVRTC 13.0". */
static enum at_status read_version(char *buffer, size_t size, struct at_error *err)
{
	const struct at_nvrtc_functions *nvrtc;
	const struct at_words *includes;
	enum at_status status = at_nvrtc_open(&nvrtc, &includes, err);
	unsigned code;
	int major, minor;

	if (status)
		return status;
	code = nvrtc->version(&major, &minor);
	if (code)
		return fail_call(err, nvrtc, "nvrtcVersion", code);
	snprintf(buffer, size, "NVRTC %d.%d", major, minor);
	return AT_OK;
}

/*
 * The architectures that it compiles for, as numbers (90 for sm_90), ascending. *count
 * is how many there are; at most `capacity` of them are stored in out.
 */
static enum at_status read_architectures(
	int *out, size_t capacity, size_t *count, struct at_error *err)
{
	const struct at_nvrtc_functions *nvrtc;
	const struct at_words *includes;
	enum at_status status = at_nvrtc_open(&nvrtc, &includes, err);
	unsigned code;
	int *all, total = 0;

	*count = 0;
	if (status)
		return status;
	code = nvrtc->get_num_supported_archs(&total);
	if (code)
		return fail_call(err, nvrtc, "nvrtcGetNumSupportedArchs", code);
	if (total <= 0)
		return at_fail(err, AT_EUNAVAILABLE, NULL, 0,
			"NVRTC knows no architecture: install another CUDA toolkit");
	all = at_calloc((size_t)total, sizeof(*all));
	code = nvrtc->get_supported_archs(all);
	if (code) {
		status = fail_call(err, nvrtc, "nvrtcGetSupportedArchs", code);
	} else {
		*count = (size_t)total;
		for (size_t i = 0; i < *count && i < capacity; i++)
			out[i] = all[i];
	}
	free(all);
	return status;
}

/* Writes the architectures: "sm_80 sm_90". */
static enum at_status list_architectures(
	char *buffer, size_t size, struct at_error *err)
{
	int numbers[ARCHITECTURE_LIMIT];
	size_t count;
	enum at_status status =
		read_architectures(numbers, ARCHITECTURE_LIMIT, &count, err);

	if (count > ARCHITECTURE_LIMIT)
		count = ARCHITECTURE_LIMIT;
	return status ? status
		      : at_toolchain_list("NVRTC", numbers, count, buffer, size, err);
}

/* The number of an architecture: 90 for "sm_90" and "sm_90a"; 0 for anything else. */
static int architecture_number(const char *architecture)
{
	char suffix = '\0', excess = '\0';
	int number = 0;

	if (sscanf(architecture, "sm_%d%c%c", &number, &suffix, &excess) > 2)
		return 0;
	return !suffix || suffix == 'a' || suffix == 'f' ? number : 0;
}

static enum at_status check_architecture(const char *architecture, struct at_error *err)
{
	int known[ARCHITECTURE_LIMIT];
	int number = architecture_number(architecture);
	char list[AT_TOOLCHAIN_TEXT_SIZE], version[64];
	size_t count;
	enum at_status status =
		read_architectures(known, ARCHITECTURE_LIMIT, &count, err);

	for (size_t i = 0; i < count && i < ARCHITECTURE_LIMIT && !status; i++)
		if (known[i] == number)
			return AT_OK;
	if (!status)
		status = list_architectures(list, sizeof(list), err);
	if (!status)
		status = read_version(version, sizeof(version), err);
	return status ? status
		      : at_fail(err, AT_EUNAVAILABLE, NULL, 0,
				"%s does not compile for \"%s\", only for %s; install a CUDA toolkit that does",
				version, architecture, list);
}

/* ---- precompiled headers ------------------------------------------------ */

/*
 * CUB, cooperative groups and libcu++ take NVRTC 1 to 2 s, in each of hundreds of
 * units. It can keep the headers with which a source begins, if no macro is ahead of
 * them; then the same unit takes a sixth of the time. So the toolkit's headers with
 * which a template begins are included once more, ahead of the macros. In their own
 * place their guards skip them.
 *
 * There the macros of a space cannot break a header, but they could in a program that
 * includes the template. So a process compiles a template first as it is.
 */
static struct {
	struct at_hash key; /* of headers and architecture */
	bool is_proven; /* a unit compiled without precompiled headers */
	size_t made; /* headers differ by some options, such as -D */
	struct at_scratch folder;
} precompiled;

/* A precompiled header takes up to 180 MB. */
#define PRECOMPILED_MOST 4
#define ROOM_LEAST ((uint64_t)4 << 30)

static bool is_in(const char *folder, const char *name)
{
	char *path = at_path_join(folder, name);
	const bool found = at_file_exists(path);

	free(path);
	return found;
}

/* Whether <name> is the same text for all macros of a space: it is one of our headers,
   or the toolkit's. A header of the user may read the macros. */
static bool is_toolkits(const struct at_compile_request *request,
	const struct at_words *includes, const char *name)
{
	const struct at_nvrtc_headers ours = at_nvrtc_headers();
	bool found = false;

	if (request->directory && request->directory[0] &&
		is_in(request->directory, name))
		return false;
	for (int i = 0; i < ours.count && !found; i++)
		found = !strcmp(ours.names[i], name);
	for (size_t i = 0; i < includes->count && !found; i++)
		found = is_in(includes->items[i], name);
	return found;
}

/* Appends #include for the toolkit's headers with which a rendered template begins. */
static void list_headers(const struct at_compile_request *request,
	const struct at_words *includes, struct at_strbuf *out)
{
	struct at_strbuf begin = { 0 };
	struct at_lexeme lexeme;
	const char *at;

	/* what autotune adds ahead of the template has lines of its own */
	at_job_add_line(&begin, 1, "", request->name, "");
	at = strstr(request->source, begin.data);
	at = at ? at + begin.length : request->source;
	at_strbuf_release(&begin);
	while (at_scan(&at, &lexeme) && at_lexeme_is(lexeme, "#")) {
		const char *end = at_scan_directive_end(lexeme.text);

		if (!at_scan(&at, &lexeme))
			return;
		if (at_lexeme_is(lexeme, "include")) {
			char name[256];

			if (!at_scan(&at, &lexeme) ||
				sscanf(lexeme.text, "<%255[^>\n]>", name) != 1 ||
				lexeme.text[1 + strlen(name)] != '>' ||
				!is_toolkits(request, includes, name))
				return;
			at_strbuf_addf(out, "#include <%s>\n", name);
		} else if (!at_lexeme_is(lexeme, "pragma")) {
			return;
		}
		at = end;
	}
}

static void remove_precompiled(void)
{
	at_scratch_remove(&precompiled.folder);
}

/* Makes a folder for precompiled headers of another key, if there is room. */
static void begin_precompiled(
	const struct at_nvrtc_functions *nvrtc, struct at_hash key)
{
	static bool is_watched;
	struct statvfs disk;

	remove_precompiled();
	precompiled.key = key;
	precompiled.is_proven = false;
	precompiled.made = 0;
	if (!nvrtc->get_pch_create_status || statvfs(at_scratch_place(), &disk) ||
		(uint64_t)disk.f_bavail * disk.f_frsize < ROOM_LEAST ||
		at_scratch_make(&precompiled.folder, "autotune-headers", NULL))
		return;
	if (!is_watched)
		atexit(remove_precompiled);
	is_watched = true;
}

/* ---- options ------------------------------------------------------------ */

static bool request_names_architecture(const struct at_compile_request *request)
{
	const char *value;

	for (size_t i = 0; i < request->option_count; i++)
		if (at_option_read(request->options, request->option_count, &i,
			    &value) == AT_OPTION_ARCHITECTURE)
			return true;
	return false;
}

/*
 * Whether NVRTC knows --minimal, as it does since 12.4. Without textures and the
 * runtime's functions and types an empty source takes 24 ms instead of 29 (CUDA 13.0).
 */
static bool knows_minimal(const struct at_nvrtc_functions *nvrtc)
{
	int major = 0, minor = 0;

	return !nvrtc->version(&major, &minor) &&
	       (major > 12 || (major == 12 && minor >= 4));
}

/* Words of GNU C++ that nvcc knows by way of gcc, and NVRTC does not. */
static const char *const gnu_words[] = { "-D__extension__=", "-D__asm__=asm" };

/*
 * Builds the options. Ours come first, so that the request's can add to them: every
 * --ptxas-options is passed on to ptxas, none replaces another. NVRTC may have a cache
 * on disk, which is left as the user has it: the results are the same.
 */
static void build_options(
	const struct work *work, struct at_strbuf *text, char ***out, size_t *out_count)
{
	const struct at_compile_request *request = work->request;
	/* of our own: the architecture, -v, --minimal, five for precompiled headers and
	   the folder at most, and the one that read_errors() appends */
	size_t count = 0, limit = 10 + AT_COUNT_OF(gnu_words) + work->includes->count +
				  request->option_count;
	size_t offset = 0;
	char **options = at_calloc(limit, sizeof(*options));

	/* One buffer with a zero after each option; pointers into it are set when it is
	   complete, since it moves while it grows. */
	if (!request_names_architecture(request)) {
		at_strbuf_addf(
			text, "--gpu-architecture=%s%c", request->architecture, 0);
		count++;
	}
	at_strbuf_addf(text, "--ptxas-options=-v%c", 0);
	count++;
	for (size_t i = 0; i < AT_COUNT_OF(gnu_words); i++, count++)
		at_strbuf_addf(text, "%s%c", gnu_words[i], 0);
	if (work->minimal && knows_minimal(work->nvrtc)) {
		at_strbuf_addf(text, "--minimal%c", 0);
		count++;
	}
	if (work->headers[0]) {
		/* number 20283: no header is precompiled behind a #line */
		at_strbuf_addf(text,
			"--pch%c--pch-dir=%s%c--pch-messages=false%c--pch-verbose=false%c"
			"--diag-suppress=20283%c",
			0, precompiled.folder.path, 0, 0, 0, 0);
		count += 5;
	}
	if (request->directory && request->directory[0]) {
		at_strbuf_addf(text, "-I%s%c", request->directory, 0);
		count++;
	}
	for (size_t i = 0; i < work->includes->count; i++, count++)
		at_strbuf_addf(text, "-I%s%c", work->includes->items[i], 0);
	for (size_t i = 0; i < request->option_count; i++, count++)
		at_strbuf_addf(text, "%s%c", request->options[i], 0);
	for (size_t i = 0; i < count; i++) {
		options[i] = text->data + offset;
		offset += strlen(options[i]) + 1;
	}
	*out = options;
	*out_count = count;
}

/* ---- its log ------------------------------------------------------------ */

/*
 * for __shared__ variables on every architecture; only dynamic shared memory may be
 * larger
 */
#define STATIC_SHARED_LIMIT_BYTES 49152

/*
 * The line in which NVRTC says that it cannot resolve the kernel's name expression;
 * NULL: none exists. NVRTC quotes the name with other blanks: "z < 4 >".
 */
static const char *find_complaint(const char *log, const char *kernel)
{
	static const char phrase[] = "name expression was: \"";
	const char *at = log;

	while ((at = strstr(at, phrase)) != NULL) {
		const char *start = at, *left = at += strlen(phrase), *right = kernel;

		for (;; left++, right++) {
			left += strspn(left, " ");
			right += strspn(right, " ");
			if (!*right || *left != *right)
				break;
		}
		if (*left != '"' || *right)
			continue;
		/* the line begins with what is wrong */
		while (start > log && start[-1] != '\n')
			start--;
		return start;
	}
	return NULL;
}

/*
 * Whether the first error is about a name expression. If not, kernels are missing
 * because the source broke before.
 */
static bool starts_with_a_missing_name(const char *log)
{
	const char *error = strstr(log, "error:");
	const char *line = error;

	while (line && line > log && line[-1] != '\n')
		line--;
	return line && !strncmp(line, "__nv_name_map", 13);
}

/*
 * The largest amount of shared memory that ptxas reports for a function, as in "ptxas
 * info : Used 10 registers, used 1 barriers, 80000 bytes smem"; 0 where it reports
 * none.
 */
static int64_t read_most_shared_bytes(const char *log)
{
	int64_t most = 0;

	for (const char *at = log; (at = strstr(at, " bytes smem")) != NULL; at++) {
		const char *digits = at;

		while (digits > log && digits[-1] >= '0' && digits[-1] <= '9')
			digits--;
		most = strtoll(digits, NULL, 10) > most ? strtoll(digits, NULL, 10)
							: most;
	}
	return most;
}

/* Whether NVRTC found the kernel's name, and more than one function of it. */
static bool is_overloaded(const char *log, const char *kernel)
{
	static const char words[] = "instance of overloaded function \"";
	size_t length = strlen(kernel);

	for (const char *at = log; (at = strstr(at, words)) != NULL;) {
		at += strlen(words);
		if (!strncmp(at, kernel, length) && at[length] == '"')
			return true;
	}
	return false;
}

/*
 * Sets outcome, log and is_verdict of a compilation that made no image. Missing kernels
 * are named in the words of the space file, and a reason is added where ptxas gives
 * none. log: NVRTC's own. reason: text to stand in front of it, or NULL. is_verdict:
 * false where it is known that the source was not refused; true leaves the decision to
 * the log.
 */
static void report(const struct at_compile_request *request, const char *log,
	const char *reason, bool is_verdict, struct at_compile_result *result)
{
	static const char function_phrase[] =
		": error: Name expression cannot form address of a non-__global__";
	int64_t shared_bytes = read_most_shared_bytes(log);
	struct at_strbuf text = { 0 };
	const char *header;
	size_t header_length;
	char *said = at_ptxas_strip_log(log, false);

	/* NVRTC says where a header is included that it does not find; this says what
	   to do */
	header_length = at_log_missing_header(said, &header);
	if (header_length)
		at_strbuf_addf(&text,
			"<%.*s> is not there for NVRTC: toolchain = \"nvcc\" in the space has the host compiler's headers, --include-path=FOLDER in its options those of a folder\n",
			(int)header_length, header);
	for (size_t i = 0; i < request->kernel_count; i++) {
		const char *kernel = request->kernels[i];
		const char *line = starts_with_a_missing_name(log)
					   ? find_complaint(log, kernel)
					   : NULL;

		if (line && !strncmp(line + strcspn(line, ":"), function_phrase,
				    strlen(function_phrase)))
			at_strbuf_addf(&text,
				"kernel \"%s\" is no __global__ function in %s\n",
				kernel, request->name);
		else if (line && is_overloaded(log, kernel))
			at_strbuf_addf(&text,
				"kernel \"%s\" in %s shares its name with another function, perhaps CUDA's: give it a name of its own\n",
				kernel, request->name);
		else if (line)
			at_strbuf_addf(&text, "kernel \"%s\" not found in %s\n", kernel,
				request->name);
	}
	if (reason)
		at_strbuf_addf(&text, "%s: %s\n", request->name, reason);
	/* ptxas of CUDA 13 refuses too much shared memory without giving a reason */
	if (!reason && !said[0] && shared_bytes > STATIC_SHARED_LIMIT_BYTES) {
		at_strbuf_addf(&text,
			"ptxas error: %s declares %" PRId64
			" bytes of shared memory for a block, more than the %d that may be\n",
			request->name, shared_bytes, STATIC_SHARED_LIMIT_BYTES);
	} else if (!reason && !said[0]) {
		at_strbuf_addf(&text, "ptxas error: %s was refused without a reason\n",
			request->name);
		/* the reason may have been the machine's */
		is_verdict = false;
	}
	at_strbuf_add(&text, said);
	free(said);
	result->outcome = AT_OUTCOME_COMPILE_FAILED;
	result->log = at_strbuf_detach(&text);
	result->is_verdict = is_verdict && at_compile_log_is_verdict(result->log);
}

/* ---- compiling ---------------------------------------------------------- */

static enum at_status read_log(struct work *work, struct at_error *err)
{
	size_t size = 0;
	unsigned code = work->nvrtc->get_program_log_size(work->program, &size);

	if (code)
		return fail_call(err, work->nvrtc, "nvrtcGetProgramLogSize", code);
	work->log = at_calloc(size + 1, 1);
	code = work->nvrtc->get_program_log(work->program, work->log);
	return code ? fail_call(err, work->nvrtc, "nvrtcGetProgramLog", code) : AT_OK;
}

static enum at_status read_image(
	struct work *work, struct at_compile_result *result, struct at_error *err)
{
	size_t size = 0;
	unsigned code = work->nvrtc->get_cubin_size(work->program, &size);

	if (code)
		return fail_call(err, work->nvrtc, "nvrtcGetCUBINSize", code);
	if (!size) {
		report(work->request, work->log,
			"the options leave no machine code for one architecture (expected --gpu-architecture=sm_NN, without link-time optimization)",
			true, result);
		return AT_OK;
	}
	result->image = malloc(size);
	if (!result->image)
		return at_fail_memory(err);
	code = work->nvrtc->get_cubin(work->program, (char *)result->image);
	if (code)
		return fail_call(err, work->nvrtc, "nvrtcGetCUBIN", code);
	result->image_bytes = size;
	return AT_OK;
}

static enum at_status read_kernels(
	const struct work *work, struct at_compile_result *result, struct at_error *err)
{
	const struct at_compile_request *request = work->request;
	const char **symbols = at_calloc(request->kernel_count + 1, sizeof(*symbols));
	enum at_status status = AT_OK;

	for (size_t i = 0; i < request->kernel_count && !status; i++) {
		unsigned code = work->nvrtc->get_lowered_name(
			work->program, request->kernels[i], &symbols[i]);

		if (code || !symbols[i])
			status = fail_call(
				err, work->nvrtc, "nvrtcGetLoweredName", code);
	}
	if (!status)
		status = at_cubin_read_kernels(
			request, symbols, work->log, work->ptx, result, err);
	free(symbols);
	return status;
}

static enum at_status read_success(
	struct work *work, struct at_compile_result *result, struct at_error *err)
{
	enum at_status status = read_image(work, result, err);
	size_t size = 0;

	if (status || result->outcome == AT_OUTCOME_COMPILE_FAILED)
		return status;
	/* Copies the PTX, which NVRTC makes anyway on the way to machine code. PTX adds
	   facts where it can; a failure here must not fail the compilation. */
	if (work->nvrtc->get_ptx_size(work->program, &size))
		size = 0;
	work->ptx = at_calloc(size + 1, 1);
	if (size && work->nvrtc->get_ptx(work->program, work->ptx))
		work->ptx[0] = '\0';
	status = read_kernels(work, result, err);
	if (status)
		return status;
	result->log = at_ptxas_strip_log(work->log, false);
	result->outcome = AT_OUTCOME_OK;
	return AT_OK;
}

/*
 * Puts the errors of ptxas ahead of the log. CUDA 13 leaves them out if ptxas has also
 * warned of something, so the unit is compiled once more without warnings. options has
 * room for one more.
 */
static enum at_status read_errors(
	struct work *work, const char **options, size_t count, struct at_error *err)
{
	struct at_strbuf log = { 0 };
	char *warnings = work->log;
	enum at_status status;

	work->log = NULL;
	options[count] = "--disable-warnings";
	work->nvrtc->compile_program(work->program, (int)count + 1, options);
	status = read_log(work, err);
	if (!status) {
		at_strbuf_addf(&log, "%s%s", work->log, warnings);
		free(work->log);
		work->log = at_strbuf_detach(&log);
	}
	free(warnings);
	return status;
}

static enum at_status run_compiler(
	struct work *work, struct at_compile_result *result, struct at_error *err)
{
	struct at_strbuf text = { 0 };
	char **options = NULL;
	size_t option_count = 0;
	unsigned code;
	enum at_status status = AT_OK;

	build_options(work, &text, &options, &option_count);
	code = work->nvrtc->compile_program(
		work->program, (int)option_count, (const char *const *)options);
	if (code == AT_NVRTC_OUT_OF_MEMORY ||
		code == AT_NVRTC_BUILTIN_OPERATION_FAILURE) {
		/* the second means that libnvrtc-builtins is not beside the library */
		status = fail_call(err, work->nvrtc, "nvrtcCompileProgram", code);
		goto release;
	}
	status = read_log(work, err);
	if (!status && code == AT_NVRTC_COMPILATION && strstr(work->log, "warning") &&
		!strstr(work->log, "error"))
		status = read_errors(work, (const char **)options, option_count, err);
	if (status)
		goto release;
	if (!code)
		status = read_success(work, result, err);
	else
		/* an internal error of the compiler also counts as this unit's
		   failure */
		report(work->request, work->log,
			code == AT_NVRTC_COMPILATION
				? NULL
				: work->nvrtc->get_error_string(code),
			code == AT_NVRTC_COMPILATION, result);
release:
	free(options);
	at_strbuf_release(&text);
	return status;
}

static enum at_status compile_source(const struct at_compile_request *request,
	bool minimal, const char *headers, struct at_compile_result *result,
	struct at_error *err)
{
	struct work work = {
		.request = request, .minimal = minimal, .headers = headers
	};
	struct at_strbuf source = { 0 };
	const struct at_nvrtc_headers ours = at_nvrtc_headers();
	unsigned code;
	enum at_status status = at_nvrtc_open(&work.nvrtc, &work.includes, err);

	if (status)
		return status;
	if (headers[0])
		at_strbuf_addf(&source, "%s#pragma nv_hdrstop\n", headers);
	at_strbuf_add(&source, request->omit ? request->omit : "");
	at_strbuf_add(&source, request->source);
	/* NVRTC copies the source */
	code = work.nvrtc->create_program(&work.program, at_strbuf_text(&source),
		request->name, ours.count, ours.texts, ours.names);
	at_strbuf_release(&source);
	if (code)
		return fail_call(err, work.nvrtc, "nvrtcCreateProgram", code);
	for (size_t i = 0; i < request->kernel_count && !status; i++) {
		code = work.nvrtc->add_name_expression(
			work.program, request->kernels[i]);
		if (code)
			status = fail_call(
				err, work.nvrtc, "nvrtcAddNameExpression", code);
	}
	if (!status)
		status = run_compiler(&work, result, err);
	if (headers[0])
		precompiled.made += work.nvrtc->get_pch_create_status(work.program) !=
				    AT_NVRTC_NO_PCH_CREATE_ATTEMPTED;
	work.nvrtc->destroy_program(&work.program);
	free(work.ptx);
	free(work.log);
	return status;
}

/* Compiles, with precompiled headers where the template is known to compile without. */
static enum at_status compile_quickly(const struct at_compile_request *request,
	bool minimal, struct at_compile_result *result, struct at_error *err)
{
	const struct at_nvrtc_functions *nvrtc;
	const struct at_words *includes;
	struct at_strbuf headers = { 0 };
	enum at_status status = at_nvrtc_open(&nvrtc, &includes, err);
	bool is_plain = true;

	if (status)
		return status;
	list_headers(request, includes, &headers);
	if (headers.length) {
		struct at_hash key;

		at_strbuf_addf(&headers, "// %s\n", request->architecture);
		key = at_hash_bytes(headers.data, headers.length);
		is_plain = !at_hash_equal(key, precompiled.key);
		if (is_plain)
			begin_precompiled(nvrtc, key);
		is_plain |= !precompiled.folder.path[0] ||
			    precompiled.made >= PRECOMPILED_MOST;
	}
	if (!is_plain) {
		status = compile_source(request, minimal, headers.data, result, err);
		if (!status && result->outcome == AT_OUTCOME_OK) {
			is_plain = !precompiled.is_proven;
		} else if (!status && strstr(result->log, "Catastrophic error")) {
			/* for example a full disk */
			precompiled.made = PRECOMPILED_MOST;
			is_plain = true;
		}
		if (is_plain)
			at_compile_result_release(result);
	}
	if (is_plain) {
		status = compile_source(request, minimal, "", result, err);
		precompiled.is_proven |=
			headers.length && !status && result->outcome == AT_OUTCOME_OK;
	}
	at_strbuf_release(&headers);
	return status;
}

static enum at_status compile(const struct at_compile_request *request,
	struct at_compile_result *result, struct at_error *err)
{
	/* The ways to compile a unit, from leaving out most to leaving out nothing. */
	static const struct {
		bool omit, minimal;
	} ways[] = { { true, true }, { true, false }, { false, false } };
	/* The way that succeeded last, and for which omit text: all units of a template
	   have the same omit text, so not each of them has to try in vain again. */
	static struct at_hash known;
	static size_t known_way;
	struct at_compile_request tried = *request;
	uint64_t start_ns = at_clock_now_ns();
	struct at_hash omit = { 0 };
	size_t way = AT_COUNT_OF(ways) - 1;
	enum at_status status = check_architecture(request->architecture, err);

	if (status)
		return status;
	if (request->omit && request->omit[0]) {
		omit = at_hash_bytes(request->omit, strlen(request->omit));
		way = at_hash_equal(omit, known) ? known_way : request->is_rest;
	}
	for (;; way++) {
		tried.omit = ways[way].omit ? request->omit : NULL;
		status = compile_quickly(&tried, ways[way].minimal, result, err);
		/* If ptxas has failed, the compiler before it has accepted the source:
		   nothing is missing because it was left out, so another way would fail
		   too. So it does without a header. */
		if (status || result->outcome == AT_OUTCOME_OK ||
			way + 1 == AT_COUNT_OF(ways) ||
			strstr(result->log, "ptxas error") ||
			strstr(result->log, "cannot open source file"))
			break;
		/* nor does it help a file for the CPU */
		if (strstr(result->log, "not allowed in JIT mode"))
			way = AT_COUNT_OF(ways) - 2;
		at_compile_result_release(result);
	}
	if (!status && result->outcome == AT_OUTCOME_OK) {
		known = omit;
		known_way = way;
	}
	result->compile_ns = at_clock_now_ns() - start_ns;
	return status;
}

/*
 * The first unit of a process takes a tenth of a second longer than the same unit
 * later: the library is loaded, its tables are made, and the pages of its code are used
 * for the first time. The architecture does not matter.
 */
static void warm(void)
{
	static char name[] = "warm.cu", directory[] = "", kernel[] = "warm";
	static char source[] =
		"extern \"C\" __global__ void warm(float *x, int n)\n"
		"{ for (int i = threadIdx.x; i < n; i += 32) x[i] = 2 * x[i + 1]; }\n";
	char *kernels[] = { kernel };
	char architecture[16];
	struct at_compile_request request = {
		.architecture = architecture,
		.name = name,
		.directory = directory,
		.source = source,
		.kernel_count = 1,
		.kernels = kernels,
	};
	struct at_compile_result result = { 0 };
	int known[ARCHITECTURE_LIMIT];
	size_t count;

	if (read_architectures(known, ARCHITECTURE_LIMIT, &count, NULL) || !count)
		return;
	snprintf(architecture, sizeof(architecture), "sm_%d", known[0]);
	(void)!compile_source(&request, true, "", &result, NULL);
	at_compile_result_release(&result);
}

const struct at_toolchain at_toolchain_nvrtc = {
	.name = AT_TOOLCHAIN_NVRTC,
	.makes = AT_MAKES_CUBIN,
	.whole = "toolchain = \"nvcc\" in the space compiles the whole file",
	.compile = compile,
	.version = read_version,
	.warm = warm,
	.architectures = list_architectures,
};

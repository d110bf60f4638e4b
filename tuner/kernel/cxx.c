/*
 * The toolchain of device `host`: writes a unit's source and headers into a folder of
 * its own, compiles and links it, and reads the shared object.
 */
#include "kernel/cxx.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "kernel/coverage.h"
#include "kernel/cxx_arguments.h"
#include "kernel/cxx_object.h"
#include "kernel/cxx_prelude.h"
#include "kernel/cxx_tool.h"
#include "kernel/cxx_unit.h"
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
 * Code as nvcc would treat it: pointers may be reinterpreted, products and sums are
 * contracted, and mathematical functions do not set errno.
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
	/* so that each __shared__ variable can be moved, see cxx_object.h */
	"-fdata-sections",
	"-fdiagnostics-color=never",
#if defined(__x86_64__)
	"-fcf-protection=none",
#endif
};

/* A kernel is compiled only into the loop that runs it, and accesses to dynamic shared
   memory need not check for constructors. */
static const char *const gcc_flags[] = { "-fwhole-program", "-fno-extern-tls-init",
	"-fno-gnu-unique" };

/* GCC 12.2 loads all of a vector of AVX-512 of which a mask leaves out a part (`at >= 0
   ? x[at] : 0` in a loop), so that a kernel that pads with 0 reads ahead of its buffer.
   Masks of AVX2 are sound. A template that asks for AVX-512 knows what it loads. */
#if defined(__x86_64__)
static const char *const mask_flag = "-mno-avx512f";
#else
static const char *const mask_flag = NULL;
#endif

static const char *const link_flags[] = {
	"-shared",
	"-Wl,--as-needed",
	"-Wl,-z,defs",
	/* no image may use a symbol of another one, and the loader must write nothing
	   among a kernel's variables, neither at loading nor later */
	"-Wl,-Bsymbolic",
	"-Wl,-z,relro",
	"-Wl,-z,now",
};

/*
 * For coverage: without optimisation each line and each branch of the source has code
 * of its own, so that counts are those of the text. Blocks run on several threads, and
 * gcov derives some counts from others: a lost increment would make nonsense of these.
 */
static const char *const covered_flags[] = {
	"-O0",
	"-fprofile-arcs",
	"-ftest-coverage",
	"-fprofile-update=atomic",
	"-fsanitize-coverage=trace-cmp",
};

/* The callbacks are compiled here, where no flag has the compiler instrument them. */
static const char *const covered_link_flags[] = { "-fPIC", "-O1", "-w",
	"-fno-exceptions", "-fvisibility=hidden" };

/* images have kilobytes, but a sparse file may claim any size */
#define WRITTEN_LIMIT_BYTES ((size_t)256 << 20)
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- the compilation ---------------------------------------------------- */

struct job {
	const struct at_compile_request *request;
	struct at_cxx_tool tool;
	bool is_covered; /* the image counts what runs */
	char folder[512];
	/* paths of files in the folder; of coverage: the callbacks, and gcov's notes */
	char *unit, *object, *shared, *image, *compared, *notes;
	struct at_host_needs needs; /* the headers that were written below the folder */
	struct at_strbuf log;
	bool succeeded;
};

static enum at_status make_folder(struct job *job, struct at_error *err)
{
	const char *place = getenv("TMPDIR");
	char name[AT_COVERAGE_NAME_SIZE] = "unit", file[sizeof(name) + 8];
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
	/* gcov's files are named after the object file */
	if (job->is_covered)
		at_coverage_name(job->request, name);
	job->unit = at_path_join(job->folder, "unit.cc");
	snprintf(file, sizeof(file), "%s.o", name);
	job->object = at_path_join(job->folder, file);
	snprintf(file, sizeof(file), "%s.gcno", name);
	job->notes = at_path_join(job->folder, file);
	job->shared = at_path_join(job->folder, "shared.s");
	job->image = at_path_join(job->folder, "unit.so");
	job->compared = at_path_join(job->folder, "compared.cc");
	return AT_OK;
}

static void remove_folder(struct job *job)
{
	char *const files[] = { job->unit, job->object, job->shared, job->image,
		job->compared, job->notes };

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
	errno = 0;
	written = fwrite(bytes, 1, size, file) == size;
	if (fclose(file) || !written)
		return at_fail(err, AT_EIO, path, 0, "cannot write it: %s; set TMPDIR",
			strerror(errno ? errno : EIO));
	return AT_OK;
}

static enum at_status write_file(
	const char *path, const struct at_strbuf *text, struct at_error *err)
{
	return write_bytes(path, at_strbuf_text(text), text->length, err);
}

static enum at_status run_tool(
	struct job *job, struct at_cxx_arguments *arguments, struct at_error *err)
{
	enum at_status status = at_cxx_tool_run(&job->tool, job->folder,
		arguments->items, arguments->count, &job->log, &job->succeeded, err);

	at_cxx_arguments_release(arguments);
	return status;
}

static enum at_status look_for_headers(
	void *context, const char *path, const char *text, struct at_error *err)
{
	(void)path;
	(void)err;
	at_host_headers_need_named(context, text);
	return AT_OK;
}

/*
 * Writes the headers that the source, its options and the files that it includes name;
 * all of them where the files cannot be read.
 */
static enum at_status write_headers(struct job *job, struct at_error *err)
{
	const struct at_compile_request *request = job->request;
	const struct at_reach_visitor visitor = { look_for_headers, &job->needs };
	const char *directory = request->directory;
	struct at_reach reach;

	at_host_headers_need_named(&job->needs, request->source);
	/* -DHEADER=<cuda_fp16.h> */
	for (size_t i = 0; i < request->option_count; i++)
		at_host_headers_need_named(&job->needs, request->options[i]);
	if (at_reach_find(request->source, directory && directory[0] ? directory : ".",
		    request->options, request->option_count, at_cxx_tool_header_folders,
		    &visitor, &reach, NULL))
		at_host_headers_need_all(&job->needs);
	else
		at_reach_release(&reach);
	return at_host_headers_write(job->folder, &job->needs, err);
}

/*
 * To the C++ compiler every function can be a kernel; a compiler for a GPU would refuse
 * those that are not __global__, so they are refused here too.
 */
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

/*
 * The flags that are not the space's own: the dialect is precompiled with the same
 * ones.
 */
static void add_flags(struct at_cxx_arguments *self, const struct job *job)
{
	const char *source = job->request->source;

	at_cxx_arguments_add_all(self, common_flags, COUNT(common_flags));
	if (job->tool.clang)
		return;
	at_cxx_arguments_add_all(self, gcc_flags, COUNT(gcc_flags));
	if (mask_flag && !strstr(source, "_mm512") && !strstr(source, "__AVX512"))
		at_cxx_arguments_add(self, mask_flag);
}

/*
 * The precompiled dialect that fits a unit with these options; NULL: the dialect must
 * be compiled as text. Each choice of -ffp-contract has one of its own, since every
 * unit of a wide reference sets it. Macros need none: gcc itself notices whether they
 * matter to the header.
 */
static const char *find_prelude(struct job *job, const struct at_cxx_arguments *options)
{
	struct at_cxx_arguments flags = { 0 };
	const char *header = NULL;
	bool fits = true;

	add_flags(&flags, job);
	for (size_t i = 0; i < options->count; i++) {
		const char *option = options->items[i];

		if (!strncmp(option, "-ffp-contract=", 14))
			at_cxx_arguments_add(&flags, option);
		else if (strncmp(option, "-D", 2) != 0 && strncmp(option, "-U", 2) != 0)
			fits = false;
	}
	if (fits)
		header = at_cxx_prelude_find(&job->tool, flags.items, flags.count);
	at_cxx_arguments_release(&flags);
	return header;
}

static enum at_status compile_source(struct job *job,
	const struct at_cxx_arguments *options, const char *prelude,
	struct at_error *err)
{
	struct at_cxx_arguments arguments = { 0 };
	struct at_strbuf unit = { 0 };
	enum at_status status;

	at_cxx_unit_write(&unit, job->request, prelude);
	status = write_file(job->unit, &unit, err);
	at_strbuf_release(&unit);
	if (status)
		return status;
	add_flags(&arguments, job);
	/* our headers come before a toolkit's folder that options may name: its headers
	   are not for a CPU */
	at_cxx_arguments_add_folder(&arguments, "-I", job->folder);
	at_cxx_arguments_add_all(&arguments, options->items, options->count);
	if (job->request->directory && job->request->directory[0]) {
		at_cxx_arguments_add_folder(
			&arguments, "-iquote", job->request->directory);
		/* NVRTC finds files there by angle brackets too. Here the folder comes
		   last: a math.h of the template's must not replace the system's. */
		at_cxx_arguments_add_folder(
			&arguments, "-idirafter", job->request->directory);
	}
	/* NVRTC also searches the working folder, since a source in memory is in no
	   folder */
	at_cxx_arguments_add(&arguments, "-iquote");
	at_cxx_arguments_add(&arguments, ".");
	if (job->is_covered)
		at_cxx_arguments_add_all(
			&arguments, covered_flags, COUNT(covered_flags));
	at_cxx_arguments_add(&arguments, "-c");
	at_cxx_arguments_add(&arguments, job->unit);
	at_cxx_arguments_add(&arguments, "-o");
	at_cxx_arguments_add(&arguments, job->object);
	status = run_tool(job, &arguments, err);
	if (!status && job->succeeded)
		refuse_other_functions(job);
	return status;
}

static enum at_status compile_unit(struct job *job, struct at_error *err)
{
	struct at_cxx_arguments options = { 0 };
	const char *prelude = NULL;
	enum at_status status = write_headers(job, err);

	if (!status) {
		at_cxx_arguments_add_options(&options, job->request);
		/* the dialect was precompiled with other flags */
		prelude = job->is_covered ? NULL : find_prelude(job, &options);
		status = compile_source(job, &options, prelude, err);
	}
	if (!status && !job->succeeded && prelude &&
		at_cxx_prelude_is_to_blame(at_strbuf_text(&job->log))) {
		at_strbuf_clear(&job->log);
		status = compile_source(job, &options, NULL, err);
	}
	at_cxx_arguments_release(&options);
	return status;
}

/* Makes the facts of the kernels: the object file has their parameters. */
static void fill_facts(const struct at_compile_request *request,
	const unsigned char *object, size_t size, struct at_compile_result *result)
{
	if (!request->kernel_count)
		return;
	result->kernels = at_calloc(request->kernel_count, sizeof(*result->kernels));
	result->kernel_count = request->kernel_count;
	for (size_t i = 0; i < request->kernel_count; i++) {
		struct at_kernel_facts *facts = &result->kernels[i];

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
		at_cxx_object_read_signature(object, size, i, facts);
	}
}

/*
 * Reads a file that the compiler or linker has written. *bytes is NULL where it has
 * ended well and the file is missing or incomplete, because of a full disk or a wrapper
 * that lost it; the log then says so.
 */
static enum at_status read_written(struct job *job, const char *path, const char *what,
	char **bytes, size_t *size, struct at_error *err)
{
	struct at_error reason = { 0 };
	enum at_status status =
		at_file_read_plain(path, WRITTEN_LIMIT_BYTES, bytes, size, &reason);

	if (status == AT_ENOMEM || status == AT_EIO)
		return at_fail(err, status, reason.file, 0, "%s", reason.text);
	if (!status && at_cxx_object_is_whole((const unsigned char *)*bytes, *size))
		return AT_OK;
	at_strbuf_addf(&job->log,
		"error: the C++ compiler ended well, but wrote no %s%s%s\n", what,
		status == AT_ENOENT ? ""
		: status            ? ": what it wrote "
		: *size             ? " that is whole and for 64 bits (ELF)"
				    : ": the file is empty",
		status && status != AT_ENOENT ? reason.text : "");
	if (!status)
		free(*bytes);
	*bytes = NULL;
	job->succeeded = false;
	return AT_OK;
}

/*
 * The first attempt links without the C++ libraries, whose symbols take the linker a
 * third of its time; no kernel of this project needs one. An image that needs none is
 * the same with them; for one that does linking fails, and is done again with them.
 */
static const char *const lean_flags[] = { "-nodefaultlibs", "-lm", "-lc" };

static enum at_status run_linker(
	struct job *job, bool has_shared, bool is_lean, struct at_error *err)
{
	struct at_cxx_arguments arguments = { 0 };

	at_cxx_arguments_add_all(&arguments, link_flags, COUNT(link_flags));
	/* If the source has put sections for link-time optimisation into the object,
	   the linker would compile them. Not in link_flags, which are part of the
	   version: it changes no image. */
	at_cxx_arguments_add(&arguments, "-fno-lto");
	at_cxx_arguments_add(&arguments, job->object);
	if (has_shared)
		at_cxx_arguments_add(&arguments, job->shared);
	if (is_lean)
		at_cxx_arguments_add_all(&arguments, lean_flags, COUNT(lean_flags));
	if (job->is_covered) {
		at_cxx_arguments_add_all(
			&arguments, covered_link_flags, COUNT(covered_link_flags));
		at_cxx_arguments_add(&arguments, job->compared);
		at_cxx_arguments_add(&arguments, "-lgcov");
	}
	at_cxx_arguments_add(&arguments, "-o");
	at_cxx_arguments_add(&arguments, job->image);
	return run_tool(job, &arguments, err);
}

static enum at_status link_objects(
	struct job *job, bool has_shared, struct at_error *err)
{
	/* keep what the compiler itself wrote */
	struct at_strbuf log = job->log;
	enum at_status status;

	memset(&job->log, 0, sizeof(job->log));
	status = run_linker(job, has_shared, !job->is_covered, err);
	if (!status && !job->succeeded && !job->is_covered) {
		at_strbuf_clear(&job->log);
		status = run_linker(job, has_shared, false, err);
	}
	at_strbuf_add(&log, at_strbuf_text(&job->log));
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
		fill_facts(job->request, (const unsigned char *)object, size, result);
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

/*
 * Releases what was made before a later step failed: the result then has only its log.
 */
static void drop_image(struct at_compile_result *result)
{
	at_compile_result_release(result);
	memset(result, 0, sizeof(*result));
}

/* The callbacks of coverage, and what they have to know. */
static enum at_status write_compared(struct job *job, struct at_error *err)
{
	struct at_strbuf text = { 0 };
	char name[AT_COVERAGE_NAME_SIZE];
	enum at_status status;

	at_coverage_name(job->request, name);
	at_strbuf_addf(&text,
		"#define AT_UNIT \"%s\"\n#define AT_UNIT_NUMBER 0x%.8s\n"
		"#define AT_NOTES \"%s\"\n",
		name, name, job->notes);
	at_strbuf_add_bytes(
		&text, (const char *)at_embedded_compared, at_embedded_compared_size);
	status = write_file(job->compared, &text, err);
	at_strbuf_release(&text);
	return status;
}

static enum at_status compile_job(const struct at_compile_request *request,
	bool is_covered, struct at_compile_result *result, struct at_error *err)
{
	struct job job = { .request = request, .is_covered = is_covered };
	uint64_t started_ns = at_clock_now_ns();
	enum at_status status;

	memset(result, 0, sizeof(*result));
	status = at_cxx_tool_find(&job.tool, err);
	if (status)
		return status;
	status = make_folder(&job, err);
	if (!status && is_covered)
		status = write_compared(&job, err);
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
		result->log = at_cxx_unit_log(&job.log, job.folder, request);
		result->compile_ns = at_clock_now_ns() - started_ns;
		result->is_verdict = at_compile_log_is_verdict(result->log) &&
				     at_compile_log_judges(result->log);
	}
	remove_folder(&job);
	at_strbuf_release(&job.log);
	at_cxx_tool_release(&job.tool);
	if (status)
		at_compile_result_release(result);
	return status;
}

enum at_status at_cxx_compile(const struct at_compile_request *request,
	struct at_compile_result *result, struct at_error *err)
{
	return compile_job(request, false, result, err);
}

enum at_status at_cxx_compile_covered(const struct at_compile_request *request,
	struct at_compile_result *result, struct at_error *err)
{
	return compile_job(request, true, result, err);
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
	digest_flags(hasher, common_flags, COUNT(common_flags));
	digest_flags(hasher, gcc_flags, COUNT(gcc_flags));
	digest_flags(hasher, &mask_flag, mask_flag ? 1 : 0);
	digest_flags(hasher, link_flags, COUNT(link_flags));
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
	digest_flags(hasher, covered_flags, COUNT(covered_flags));
	digest_flags(hasher, covered_link_flags, COUNT(covered_link_flags));
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
	.compile = at_cxx_compile,
	.version = at_cxx_version,
	/* compiled with -march=native */
	.machine = at_native_identity,
};

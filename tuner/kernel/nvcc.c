/* The toolchain nvcc: source to PTX, PTX to cubin, and the facts of both. */
#include "kernel/nvcc.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/scratch.h"
#include "kernel/cubin.h"
#include "kernel/mangled.h"
#include "kernel/nvcc_ptx.h"
#include "kernel/nvcc_tool.h"
#include "kernel/nvcc_unit.h"
#include "kernel/ptx.h"
#include "kernel/ptxas_log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* no kernel's PTX or cubin is nearly as large: a larger file is something else */
#define WRITTEN_LIMIT_BYTES ((size_t)256 << 20)

/* One compilation on its way. */
struct job {
	const struct at_compile_request *request;
	struct at_cxx_tool tool;
	struct at_scratch scratch; /* the folder for everything that nvcc writes */
	/* Files in it. written_path is the PTX that nvcc writes, ptx_path the rewritten
	   one. */
	char *unit_path, *written_path, *ptx_path, *cubin_path;
	struct at_nvcc_unit unit;
	struct at_strbuf log;
	struct at_strbuf ptx;
	char **symbols; /* of the kernels, in order; NULL: not known */
	bool succeeded; /* so far */
};

/* ---- steps -------------------------------------------------------------- */

static enum at_status run_nvcc(struct job *job, bool is_for_source, const char *what,
	const char *from, const char *to, struct at_error *err)
{
	size_t count = is_for_source ? job->unit.word_count : job->unit.common_count;
	const char **words = at_calloc(count + 4, sizeof(*words));
	enum at_status status;

	words[0] = what;
	for (size_t i = 0; i < count; i++)
		words[i + 1] = job->unit.words[i];
	words[count + 1] = "-o";
	words[count + 2] = to;
	words[count + 3] = from;
	status = at_cxx_tool_run(&job->tool, job->scratch.path, words, count + 4,
		&job->log, &job->succeeded, err);
	free(words);
	return status;
}

static void say(struct job *job, const char *what, const char *why)
{
	at_strbuf_addf(
		&job->log, "error: nvcc ended well, but wrote no %s%s\n", what, why);
	job->succeeded = false;
}

/*
 * Reads what nvcc has written. *bytes is NULL where nvcc has ended well and the file is
 * missing or empty, which the log then says.
 */
static enum at_status read_written(struct job *job, const char *path, const char *what,
	char **bytes, size_t *size, struct at_error *err)
{
	struct at_error reason = { 0 };
	enum at_status status =
		at_file_read_plain(path, WRITTEN_LIMIT_BYTES, bytes, size, &reason);

	if (status == AT_ENOMEM || status == AT_EIO)
		return at_fail(err, status, reason.file, 0, "%s", reason.text);
	if (!status && *size)
		return AT_OK;
	if (!status) {
		say(job, what, ": the file is empty");
		free(*bytes);
	} else if (status == AT_ENOENT) {
		say(job, what, "");
	} else {
		at_strbuf_addf(&job->log,
			"error: nvcc ended well, but wrote no %s: what it wrote %s\n",
			what, reason.text);
		job->succeeded = false;
	}
	*bytes = NULL;
	return AT_OK;
}

static enum at_status write_text(
	const char *path, const struct at_strbuf *text, struct at_error *err)
{
	FILE *file = fopen(path, "w");
	bool written;

	if (!file)
		return at_fail(err, AT_EIO, path, 0, "cannot write it: %s; set TMPDIR",
			strerror(errno));
	errno = 0;
	written = fwrite(at_strbuf_text(text), 1, text->length, file) == text->length;
	if (fclose(file) || !written)
		return at_fail(err, AT_EIO, path, 0, "cannot write it: %s; set TMPDIR",
			strerror(errno ? errno : EIO));
	return AT_OK;
}

/*
 * Removes the lines of ptxas. On the way to PTX nvcc also passes options to ptxas,
 * which does not know the architecture then, and may say something wrong.
 */
static void drop_what_ptxas_said(struct at_strbuf *log)
{
	struct at_strbuf kept = { 0 };

	for (const char *line = at_strbuf_text(log); *line;) {
		size_t length = strcspn(line, "\n");

		length += line[length] == '\n';
		if (strncmp(line, "ptxas ", 6) != 0)
			at_strbuf_add_bytes(&kept, line, length);
		line += length;
	}
	at_strbuf_release(log);
	*log = kept;
}

static enum at_status make_ptx(struct job *job, struct at_error *err)
{
	char *text;
	size_t size;
	enum at_status status = write_text(job->unit_path, &job->unit.source, err);

	if (!status)
		status = run_nvcc(
			job, true, "-ptx", job->unit_path, job->written_path, err);
	if (status || !job->succeeded)
		return status;
	drop_what_ptxas_said(&job->log);
	status = read_written(job, job->written_path, "PTX", &text, &size, err);
	if (status || !text)
		return status;
	if (strlen(text) != size || !strstr(text, ".version") ||
		!strstr(text, ".target"))
		say(job, "PTX", ": it is another text");
	else
		at_nvcc_ptx_read(text, job->scratch.path, job->symbols,
			job->request->kernel_count, &job->ptx);
	free(text);
	if (!status && job->succeeded)
		status = write_text(job->ptx_path, &job->ptx, err);
	return status;
}

static enum at_status make_cubin(
	struct job *job, struct at_compile_result *result, struct at_error *err)
{
	char *bytes;
	enum at_status status =
		run_nvcc(job, false, "-cubin", job->ptx_path, job->cubin_path, err);

	if (status || !job->succeeded)
		return status;
	status = read_written(
		job, job->cubin_path, "cubin", &bytes, &result->image_bytes, err);
	if (!status)
		result->image = (unsigned char *)bytes;
	return status;
}

/* ---- kernels ------------------------------------------------------------ */

static enum at_status read_kernel(struct job *job, size_t index,
	const struct at_compile_result *result, struct at_kernel_facts *facts,
	struct at_error *err)
{
	const char *name = job->request->kernels[index];
	const char *symbol = job->symbols[index] ? job->symbols[index] : name;
	struct at_error reason = { 0 };
	enum at_status status = AT_OK;

	facts->spill_store_bytes = facts->spill_load_bytes = -1;
	facts->name = at_strdup(name);
	facts->symbol = at_strdup(symbol);
	status = at_cubin_read(result->image, result->image_bytes, facts, &reason);
	if (status == AT_EINVAL) {
		at_strbuf_addf(&job->log,
			"error: nvcc ended well, but wrote no cubin: %s\n",
			reason.text);
		job->succeeded = false;
		return AT_OK;
	}
	if (status == AT_ENOENT) {
		at_strbuf_addf(&job->log,
			"kernel \"%s\" is no __global__ function in %s\n", name,
			job->request->name);
		job->succeeded = false;
		return AT_OK;
	}
	if (status)
		return at_fail(err, status, NULL, 0, "%s", reason.text);
	at_ptxas_read_spills(at_strbuf_text(&job->log), facts);
	status = at_cubin_read_parameters(
		result->image, result->image_bytes, facts, err);
	if (!status)
		at_ptx_read_parameters(at_strbuf_text(&job->ptx), facts);
	if (!status)
		at_mangled_read_parameters(facts);
	return status;
}

static enum at_status read_kernels(
	struct job *job, struct at_compile_result *result, struct at_error *err)
{
	const size_t count = job->request->kernel_count;
	enum at_status status = AT_OK;

	if (!count)
		return AT_OK;
	result->kernels = at_calloc(count, sizeof(*result->kernels));
	for (size_t i = 0; i < count && !status && job->succeeded; i++) {
		result->kernel_count++;
		status = read_kernel(job, i, result, &result->kernels[i], err);
	}
	return status;
}

/* ---- the log ------------------------------------------------------------ */

/*
 * The log without the folder's name and without ptxas's information about kernels;
 * heap.
 */
static char *finish_log(const struct job *job)
{
	const char *folder = job->scratch.path, *text, *found;
	struct at_strbuf log = { 0 };
	char *said;

	at_nvcc_explain(job->request, at_strbuf_text(&job->log), &log);
	said = at_ptxas_strip_log(at_strbuf_text(&job->log));
	for (text = said; (found = strstr(text, folder)) != NULL;) {
		at_strbuf_add_bytes(&log, text, (size_t)(found - text));
		text = found + strlen(folder);
		text += *text == '/';
	}
	at_strbuf_add(&log, text);
	free(said);
	return at_strbuf_detach(&log);
}

static enum at_status fail_architecture(const struct job *job, struct at_error *err)
{
	char list[AT_TOOLCHAIN_TEXT_SIZE];
	enum at_status status = at_nvcc_architectures(list, sizeof(list), err);

	return status ? status
		      : at_fail(err, AT_EUNAVAILABLE, NULL, 0,
				"%s does not compile for \"%s\", only for %s; install a CUDA toolkit that does",
				job->tool.words[0], job->request->architecture, list);
}

static enum at_status finish(
	struct job *job, struct at_compile_result *result, struct at_error *err)
{
	if (!job->succeeded && !job->unit.names_architecture &&
		strstr(at_strbuf_text(&job->log), "Unsupported gpu architecture"))
		return fail_architecture(job, err);
	if (!job->succeeded) {
		at_compile_result_release(result);
		memset(result, 0, sizeof(*result));
	}
	result->outcome = job->succeeded ? AT_OUTCOME_OK : AT_OUTCOME_COMPILE_FAILED;
	result->log = finish_log(job);
	/* a failure without a message may be the machine's */
	result->is_verdict = at_compile_log_is_verdict(result->log) &&
			     at_compile_log_judges(result->log);
	return AT_OK;
}

/* ---- the compilation ---------------------------------------------------- */

static enum at_status begin(struct job *job, struct at_error *err)
{
	const struct at_compile_request *request = job->request;
	enum at_status status = at_nvcc_find(&job->tool, err);

	if (status)
		return status;
	status = at_scratch_make(&job->scratch, "autotune-nvcc", err);
	if (status)
		return status;
	/* what is named on a command line is read by a shell */
	if (!at_nvcc_is_plain(job->scratch.path))
		return at_fail(err, AT_EINVAL, at_scratch_place(), 0,
			"nvcc hands this name on to a shell: set TMPDIR to a folder whose name has only letters, digits and \"/._-+\"");
	job->unit_path = at_path_join(job->scratch.path, "unit.cu");
	job->written_path = at_path_join(job->scratch.path, "written.ptx");
	job->ptx_path = at_path_join(job->scratch.path, "unit.ptx");
	job->cubin_path = at_path_join(job->scratch.path, "unit.cubin");
	job->symbols = at_calloc(request->kernel_count + 1, sizeof(*job->symbols));
	return at_nvcc_unit_make(&job->unit, request, job->scratch.path, err);
}

static void release(struct job *job)
{
	for (size_t i = 0; job->symbols && i < job->request->kernel_count; i++)
		free(job->symbols[i]);
	free(job->symbols);
	at_nvcc_unit_release(&job->unit);
	at_strbuf_release(&job->ptx);
	at_strbuf_release(&job->log);
	at_scratch_remove(&job->scratch);
	free(job->unit_path);
	free(job->written_path);
	free(job->ptx_path);
	free(job->cubin_path);
	at_cxx_tool_release(&job->tool);
}

static enum at_status compile(const struct at_compile_request *request,
	struct at_compile_result *result, struct at_error *err)
{
	struct job job = { .request = request, .scratch = { .lock = -1 } };
	uint64_t start_ns = at_clock_now_ns();
	enum at_status status = begin(&job, err);

	if (!status)
		status = make_ptx(&job, err);
	if (!status && job.succeeded)
		status = make_cubin(&job, result, err);
	if (!status && job.succeeded)
		status = read_kernels(&job, result, err);
	if (!status)
		status = finish(&job, result, err);
	result->compile_ns = at_clock_now_ns() - start_ns;
	release(&job);
	return status;
}

const struct at_toolchain at_toolchain_nvcc = {
	.name = AT_TOOLCHAIN_NVCC,
	.makes = AT_MAKES_CUBIN,
	.has_files = true,
	.folders = at_cxx_tool_header_folders,
	.compile = compile,
	.version = at_nvcc_version,
	.architectures = at_nvcc_architectures,
};

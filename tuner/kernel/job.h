/*
 * One compilation by a compiler that is a program: what the toolchains cxx.c and nvcc.c
 * share. A job has a folder of its own for all that the compiler reads and writes, and
 * a log of what it said.
 *
 *   at_job_begin(&job, request, "nvcc", &err);        job.tool was found before
 *   at_job_write() -> at_job_run() -> at_job_read()   as often as needed
 *   at_job_finish(&job, &result);
 *   at_job_release(&job);
 *
 * Steps follow while job.succeeded is set. Threads: one user at a time on one job.
 */
#ifndef AT_KERNEL_JOB_H
#define AT_KERNEL_JOB_H

#include "base/memory.h"
#include "base/scratch.h"
#include "kernel/compile.h"
#include "kernel/cxx_tool.h"

struct at_job {
	const struct at_compile_request *request;
	const char *compiler; /* its name in messages */
	struct at_cxx_tool tool;
	struct at_scratch scratch;
	struct at_strbuf log;
	bool succeeded; /* so far */
	uint64_t started_ns;
};

/* Makes the folder. self->tool is the caller's to fill in; all else comes zeroed. */
enum at_status at_job_begin(struct at_job *self,
	const struct at_compile_request *request, const char *compiler,
	struct at_error *err);
/* Removes the folder and releases all, the tool included. */
void at_job_release(struct at_job *self);

/* Writes a file, without waiting for the disk: it is as short-lived as its folder. */
enum at_status at_job_write(
	const char *path, const void *bytes, size_t size, struct at_error *err);
/* The same for a text in the job's folder. */
enum at_status at_job_write_text(const struct at_job *self, const char *name,
	const struct at_strbuf *text, struct at_error *err);
/* Runs the compiler; the folder is the only place where it may write. */
enum at_status at_job_run(
	struct at_job *self, const struct at_words *words, struct at_error *err);
/*
 * Reads a file of the folder that the compiler has written. *bytes is NULL where the
 * compiler has ended well and the file is missing, empty or no file, because of a full
 * disk or a wrapper that lost it; the log then says so, and the job has failed.
 */
enum at_status at_job_read(struct at_job *self, const char *name, const char *what,
	char **bytes, size_t *size, struct at_error *err);
/* Has the job fail: "error: nvcc ended well, but wrote no WHAT<why>". */
void at_job_miss(struct at_job *self, const char *what, const char *why);
/*
 * Sets outcome, log, time and is_verdict of the result. The log has a plain line for
 * each kernel that the list behind the source does not find, and has neither the
 * folder's name nor what ptxas tells about kernels. Of a job that failed the result
 * keeps nothing else.
 */
void at_job_finish(struct at_job *self, struct at_compile_result *result);

/* ---- logs ----------------------------------------------------------------------- */

/* Appends the text without the folder's name. */
void at_job_add_without(struct at_strbuf *out, const char *text, const char *folder);
/* Puts the text, which is released, ahead of the result's log. */
void at_log_put_ahead(struct at_compile_result *result, struct at_strbuf *text);

struct at_log_error {
	char file[1024];
	int line;
	int column; /* from 1; 0: unknown */
	const char *text; /* what it says, up to the end of the line */
};

/*
 * Reads the line of a log if it is an error with its place: "FILE(LINE): error: " of
 * NVRTC and nvcc, below which the source's line is quoted with a "^" below it, or
 * "FILE:LINE:COLUMN: error: " of gcc and clang; fatal errors too.
 */
bool at_log_read_error(const char *line, struct at_log_error *out);
/* Finds the header that a compiler did not find; returns the length of its name, or
   0. */
size_t at_log_missing_header(const char *log, const char **name);

/* ---- source text ---------------------------------------------------------------- */

/* Appends a text with the escapes of a string literal. */
void at_job_add_escaped(struct at_strbuf *out, const char *text);
/* Appends #line: the lines that follow are of the file "<before><name><behind>". */
void at_job_add_line(struct at_strbuf *out, size_t line, const char *before,
	const char *name, const char *behind);
/* Appends #line for row `index` of the list of kernels behind the source. */
void at_job_add_kernel_line(
	struct at_strbuf *out, const struct at_compile_request *request, size_t index);

/*
 * Whether a macro of an option, "NAME" or "NAME=VALUE", is for the headers that a
 * compiler includes by itself, and so belongs onto its command line. All others are
 * lines of the source, behind those headers, whose words a macro such as "width" would
 * replace.
 */
bool at_job_is_for_headers(const char *macro);
/*
 * Takes the macros and included files of the options, and gives them back as words
 * where goes_on_command_line() says so, else as lines of source: macros, then files.
 */
void at_job_take_options(const struct at_compile_request *request,
	bool (*goes_on_command_line)(const char *macro), struct at_strbuf *lines,
	struct at_words *words);

#endif

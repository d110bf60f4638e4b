/*
 * One compilation by a compiler program: the common part of the toolchains cxx.c and
 * nvcc.c. A job has its own folder for all files of the compiler, and a log of its
 * output.
 *
 *   at_job_begin(&job, request, "nvcc", &err);        job.tool was found before
 *   at_job_write() -> at_job_run() -> at_job_read()   as often as needed
 *   at_job_finish(&job, &result);
 *   at_job_release(&job);
 *
 * Take further steps only while job.succeeded is set. Threads: one user at a time on
 * one job.
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

/* Makes the folder. The caller fills in self->tool; everything else comes zeroed. */
enum at_status at_job_begin(struct at_job *self,
	const struct at_compile_request *request, const char *compiler,
	struct at_error *err);
/* Removes the folder and releases everything, including the tool. */
void at_job_release(struct at_job *self);

/* Writes a file without waiting for the disk: it lives only as long as its folder. */
enum at_status at_job_write(
	const char *path, const void *bytes, size_t size, struct at_error *err);
/* The same for a text in the job's folder. */
enum at_status at_job_write_text(const struct at_job *self, const char *name,
	const struct at_strbuf *text, struct at_error *err);
/* Runs the compiler; it may write only in the folder. */
enum at_status at_job_run(
	struct at_job *self, const struct at_words *words, struct at_error *err);
/* Reads a file that the compiler wrote into the folder. *bytes is NULL if the compiler
   succeeded but the file is missing, empty or no regular file, because of a full disk
   or a wrapper that lost it. The log then says so, and the job has failed. */
enum at_status at_job_read(struct at_job *self, const char *name, const char *what,
	char **bytes, size_t *size, struct at_error *err);
/* Makes the job fail: "error: nvcc ended well, but wrote no WHAT<why>". */
void at_job_miss(struct at_job *self, const char *what, const char *why);
/* Sets outcome, log, time and is_verdict of the result. The log has a plain line for
   each kernel that the kernel list after the source does not find. It omits the
   folder's name and ptxas's information about kernels. For a failed job the result
   keeps nothing else. */
void at_job_finish(struct at_job *self, struct at_compile_result *result);

/* ---- logs ----------------------------------------------------------------------- */

/* Appends the text without the folder's name. */
void at_job_add_without(struct at_strbuf *out, const char *text, const char *folder);
/* Puts the text before the result's log, and releases it. */
void at_log_put_ahead(struct at_compile_result *result, struct at_strbuf *text);

struct at_log_error {
	char file[1024];
	int line;
	int column; /* from 1; 0: unknown */
	const char *text; /* the message, up to the end of the line */
};

/* Reads a log line that is an error with its position: "FILE(LINE): error: " of NVRTC
   and nvcc, which quote the source line below with a "^" under it, or
   "FILE:LINE:COLUMN: error: " of gcc and clang; also fatal errors. */
bool at_log_read_error(const char *line, struct at_log_error *out);
/* Finds the header that a compiler missed; returns the length of its name, or 0. */
size_t at_log_missing_header(const char *log, const char **name);

/* ---- source text ---------------------------------------------------------------- */

/* Appends a text with the escapes of a string literal. */
void at_job_add_escaped(struct at_strbuf *out, const char *text);
/* Appends #line: the next lines belong to the file "<before><name><behind>". */
void at_job_add_line(struct at_strbuf *out, size_t line, const char *before,
	const char *name, const char *behind);
/* Appends #line for row `index` of the kernel list after the source. */
void at_job_add_kernel_line(
	struct at_strbuf *out, const struct at_compile_request *request, size_t index);

/* Whether a macro of an option, "NAME" or "NAME=VALUE", is for headers that a compiler
   includes by itself, and so belongs on its command line. Others become source lines
   after those headers, whose words a macro such as "width" would replace. */
bool at_job_is_for_headers(const char *macro);
/* Takes the macros and included files of the options. Returns them as command-line
   words if goes_on_command_line(), else as source lines: macros, then files. */
void at_job_take_options(const struct at_compile_request *request,
	bool (*goes_on_command_line)(const char *macro), struct at_strbuf *lines,
	struct at_words *words);

#endif

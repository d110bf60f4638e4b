/* Finds compute-sanitizer, makes its command line and reads its report. */
#include "evaluator/workers/sanitizer.h"

#include "base/memory.h"
#include "base/program_path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define PROGRAM "compute-sanitizer"
/* the report's lines begin with this; others are output of the watched program */
#define PREFIX "========="

/* ---- where it is --------------------------------------------------------------- */

/* Looks in home/folder. *path NULL: the program is not there. */
static void look_in(const char *home, const char *folder, char **path)
{
	struct at_strbuf name = { 0 };

	at_strbuf_addf(&name, "%s/%s/%s", home, folder, PROGRAM);
	at_program_find(name.data, path);
	at_strbuf_release(&name);
}

enum at_status at_sanitizer_find(char **path, struct at_error *err)
{
	const char *const homes[] = { getenv("CUDA_HOME"), getenv("CUDA_PATH"),
		"/usr/local/cuda" };
	/* the second holds the program that the toolkit's script in bin starts */
	static const char *const folders[] = { "bin", "compute-sanitizer" };

	at_program_find(PROGRAM, path);
	for (size_t i = 0; i < AT_COUNT_OF(homes); i++)
		for (size_t j = 0; j < AT_COUNT_OF(folders) && !*path; j++)
			if (homes[i] && homes[i][0])
				look_in(homes[i], folders[j], path);
	return *path ? AT_OK
		     : at_fail(err, AT_ENOENT, NULL, 0, PROGRAM " is not installed");
}

/* Matches a part of a name, since compilers put only their own marks around a
   symbol. */
char *at_sanitizer_filter(const char *symbol)
{
	struct at_strbuf text = { 0 };

	at_strbuf_addf(&text, "kns=%s", symbol);
	return at_strbuf_detach(&text);
}

void at_sanitizer_command(enum at_check check, const char *path, const char *report,
	char *const filters[AT_SANITIZER_FILTERS],
	const char *words[AT_SANITIZER_WORDS])
{
	size_t count;
	const char *const command[] = {
		path,
		"--tool",
		at_check_name(check),
		"--log-file",
		report,
		/* names as they are in the image, by which kernels are told apart */
		"--demangle",
		"no",
		/* do not watch a compiler that the worker may start */
		"--target-processes",
		"application-only",
		/* errors in the tuner's own kernels may come before the first that
		   counts */
		"--print-limit",
		"1000",
	};

	count = AT_COUNT_OF(command);
	memcpy((void *)words, command, sizeof(command));
	for (size_t i = 0;
		check == AT_CHECK_RACECHECK && i < AT_SANITIZER_FILTERS && filters[i];
		i++) {
		words[count++] = "--kernel-name";
		words[count++] = filters[i];
	}
	words[count] = NULL;
}

/* ---- what it says --------------------------------------------------------------- */

/*
 * A report is made of records. The first line of a record has one blank behind the
 * prefix, its other lines have several:
 *
 *   ========= Invalid __global__ write of size 4 bytes
 *   =========     at _Z5scalePf+0x160
 *   =========     by thread (0,0,0) in block (0,0,0)
 *   =========     Saved host backtrace up to driver entry point at kernel launch time
 *   =========         Host Frame: ...
 */
struct record {
	const char *begin; /* of the first line's text */
	const char *end; /* past the last line about the device */
};

static size_t line_length(const char *line)
{
	return strcspn(line, "\r\n");
}

static const char *next_line(const char *line)
{
	line += line_length(line);
	return line + strspn(line, "\r\n");
}

/* The text behind the prefix; NULL: the line has none. *is_first: it begins a
   record. */
static const char *text_of(const char *line, bool *is_first)
{
	size_t prefix = strlen(PREFIX), blanks;

	if (strncmp(line, PREFIX, prefix) != 0)
		return NULL;
	blanks = strspn(line + prefix, " ");
	*is_first = blanks == 1;
	return line + prefix + blanks;
}

static bool begins_with(const char *text, const char *with)
{
	return !strncasecmp(text, with, strlen(with));
}

/* Whether the word stands within [begin, end), not as part of a longer one. */
static bool has_word(const char *begin, const char *end, const char *word)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$";
	size_t length = strlen(word);

	for (const char *at = begin; length && at + length <= end; at++)
		if (!strncmp(at, word, length) &&
			(at == begin || !strchr(letters, at[-1])) &&
			(at + length == end || !strchr(letters, at[length])))
			return true;
	return false;
}

/* Finds the first record at or behind *at, and moves *at behind it. */
static bool next_record(const char **at, struct record *out)
{
	bool is_first = false, is_host = false;
	const char *line = *at, *text = NULL;

	while (*line && !((text = text_of(line, &is_first)) && is_first))
		line = next_line(line);
	if (!*line)
		return false;
	out->begin = text;
	out->end = text + line_length(text);
	for (line = next_line(line); *line; line = next_line(line)) {
		text = text_of(line, &is_first);
		/* output of the watched program may stand in between */
		if (!text)
			continue;
		if (is_first)
			break;
		is_host = is_host || begins_with(text, "Saved host backtrace") ||
			  begins_with(text, "Host Frame");
		if (!is_host)
			out->end = text + line_length(text);
	}
	*at = line;
	return true;
}

/* Whether the record is an access or a barrier in a kernel that is wrong by this tool's
   rules. */
static bool is_error(enum at_check check, const struct record *record)
{
	const char *text = record->begin;

	switch (check) {
	case AT_CHECK_RACECHECK:
		/* "Warning: Race" is not counted: two threads that write the same
		   value, for example */
		return begins_with(text, "Error: Race") ||
		       begins_with(text, "Error: Potential");
	case AT_CHECK_INITCHECK:
		return begins_with(text, "Uninitialized __") ||
		       begins_with(text, "Error: Uninitialized __");
	case AT_CHECK_MEMCHECK:
	case AT_CHECK_SYNCCHECK:
		/* A refused call of the driver is reported by its caller. A record
		   without a place in a kernel is not about a kernel. */
		return !begins_with(text, "Program hit") &&
		       !begins_with(text, "Host API") &&
		       !begins_with(text, "Warning") && !begins_with(text, "Leaked") &&
		       !begins_with(text, "Unused") &&
		       (has_word(text, record->end, "at") ||
			       has_word(text, record->end, "Device"));
	case AT_CHECK_HOST:
	case AT_CHECK_COUNT:
		break;
	}
	return false;
}

/* Whether the tool itself could not work: then finding nothing means nothing. */
static bool is_failure(const struct record *record)
{
	static const char *const failures[] = { "Internal Sanitizer Error",
		"Error: No attachable process", "Error: Target application",
		"Target application terminated", "Unable to find injection",
		"Error: process didn't terminate", "Error: Device not supported",
		"Device not supported", "Error: Failed" };

	for (size_t i = 0; i < sizeof(failures) / sizeof(failures[0]); i++)
		if (begins_with(record->begin, failures[i]))
			return true;
	return false;
}

static bool is_of_others(const struct record *record, const char *const *others)
{
	for (; *others; others++)
		if (has_word(record->begin, record->end, *others))
			return true;
	return false;
}

/* Writes the lines of a record into one line, without the prefix. A record that has
   only its first word gets words of ours: a finding without any would say nothing. */
static void describe(const struct record *record, char *detail, size_t size)
{
	const char *line = record->begin;
	size_t length = 0;

	if (begins_with(line, "Error: "))
		line += strlen("Error: ");
	detail[0] = '\0';
	while (line && line < record->end && length + 1 < size) {
		bool is_first;

		length += (size_t)snprintf(detail + length, size - length, "%s%.*s",
			length ? " " : "", (int)line_length(line), line);
		line = next_line(line);
		while (*line && line < record->end && strncmp(line, PREFIX, 9) != 0)
			line = next_line(line);
		line = text_of(line, &is_first);
	}
	if (strspn(detail, " ") == strlen(detail))
		snprintf(detail, size, "%s", "an error that it does not describe");
}

static enum at_outcome outcome_of(enum at_check check)
{
	return check == AT_CHECK_MEMCHECK ? AT_OUTCOME_OUT_OF_BOUNDS
					  : AT_OUTCOME_UNSTABLE;
}

void at_sanitizer_read(enum at_check check, const char *text, const char *const *others,
	struct at_sanitizer_finding *out)
{
	struct record record, failure = { NULL, NULL };
	bool is_whole = false;

	*out = (struct at_sanitizer_finding){ .outcome = AT_OUTCOME_OK };
	for (const char *at = text; next_record(&at, &record);) {
		/* the last record of a whole report: "ERROR SUMMARY: 0 errors" */
		is_whole = is_whole || begins_with(record.begin, "ERROR SUMMARY") ||
			   begins_with(record.begin, "RACECHECK SUMMARY");
		if (is_failure(&record)) {
			failure = record;
			continue;
		}
		if (is_error(check, &record) && !is_of_others(&record, others)) {
			out->outcome = outcome_of(check);
			describe(&record, out->detail, sizeof(out->detail));
			return;
		}
	}
	if (failure.begin) {
		out->outcome = AT_OUTCOME_NOT_APPLICABLE;
		describe(&failure, out->detail, sizeof(out->detail));
	} else if (!is_whole) {
		out->outcome = AT_OUTCOME_NOT_APPLICABLE;
		snprintf(out->detail, sizeof(out->detail),
			PROGRAM " ended before its report did");
	}
}

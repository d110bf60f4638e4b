/* The common parts of the toolchains: a unit's identity, reading of options and logs,
   and the field tables of requests and results. */
#include "kernel/compile.h"
#include "base/memory.h"
#include "base/text.h"
#include "kernel/clash.h"
#include "kernel/device_code.h"
#include "kernel/toolchain.h"
#include "kernel/nvrtc_headers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum at_option_kind at_option_read(
	char *const *options, size_t count, size_t *i, const char **value)
{
	static const struct {
		const char *name;
		enum at_option_kind kind;
	} known[] = {
		{ "-D", AT_OPTION_DEFINE },
		{ "--define-macro", AT_OPTION_DEFINE },
		{ "-U", AT_OPTION_UNDEFINE },
		{ "--undefine-macro", AT_OPTION_UNDEFINE },
		{ "-I", AT_OPTION_FOLDER },
		{ "--include-path", AT_OPTION_FOLDER },
		{ "-include", AT_OPTION_FILE },
		{ "--pre-include", AT_OPTION_FILE },
		{ "-arch", AT_OPTION_ARCHITECTURE },
		{ "--gpu-architecture", AT_OPTION_ARCHITECTURE },
		{ "-gencode", AT_OPTION_ARCHITECTURE },
		{ "--generate-code", AT_OPTION_ARCHITECTURE },
	};

	*value = NULL;
	for (size_t k = 0; k < AT_COUNT_OF(known); k++) {
		size_t length = strlen(known[k].name);
		const char *rest = options[*i] + length;

		if (strncmp(options[*i], known[k].name, length) != 0)
			continue;
		if (*rest == '=')
			*value = rest + 1;
		/* short options of one letter may touch their value */
		else if (*rest && length == 2)
			*value = rest;
		else if (!*rest && *i + 1 < count)
			*value = options[++*i];
		if (*value)
			return known[k].kind;
	}
	return AT_OPTION_OTHER;
}

/* Extends a hash by a part, whose order and length matter; needs no memory. */
static void chain(struct at_hash *self, const void *data, size_t size)
{
	struct at_hash pair[2] = { *self, at_hash_bytes(data, size) };

	*self = at_hash_bytes(pair, sizeof(pair));
}

static void chain_texts(struct at_hash *self, char *const *texts, size_t count)
{
	uint64_t number = count;

	chain(self, &number, sizeof(number));
	for (size_t i = 0; i < count; i++)
		chain(self, texts[i], strlen(texts[i]));
}

/* Whether the unit may include a header that the tuner gives to NVRTC
   (kernel/nvrtc_headers.h): the headers' digest is then part of its identity. */
static bool may_be_given(const struct at_compile_request *request)
{
	if (strcmp(request->toolchain, AT_TOOLCHAIN_NVRTC) != 0)
		return false;
	for (size_t i = 0; i < request->option_count; i++)
		if (strstr(request->options[i], "include"))
			return true;
	/* an #include directive; a match elsewhere does no harm here */
	for (const char *at = request->source; (at = strchr(at, '#')) != NULL;) {
		at++;
		at += strspn(at, " \t");
		if (!strncmp(at, "include", strlen("include")))
			return true;
	}
	return false;
}

struct at_hash at_compile_identity(
	const struct at_compile_request *request, const char *toolchain_version)
{
	const char *const texts[] = { request->toolchain, toolchain_version,
		request->architecture, request->omit ? request->omit : "",
		request->source };
	struct at_hash hash = { 0 };

	for (size_t i = 0; i < AT_COUNT_OF(texts); i++)
		chain(&hash, texts[i], strlen(texts[i]));
	chain(&hash, &request->includes, sizeof(request->includes));
	chain_texts(&hash, request->options, request->option_count);
	chain_texts(&hash, request->kernels, request->kernel_count);
	if (may_be_given(request)) {
		struct at_hash given = at_nvrtc_headers_digest();

		chain(&hash, &given, sizeof(given));
	}
	return hash;
}

/* Where the log has the first of these phrases; NULL: it has none. */
static const char *find_first(const char *log, const char *const *phrases, size_t count)
{
	const char *first = NULL;

	for (size_t i = 0; i < count; i++) {
		const char *found = strstr(log, phrases[i]);

		if (found && (!first || found < first))
			first = found;
	}
	return first;
}

/* Phrases of gcc, clang, ld, NVRTC and shells about failures of their own, not of the
   source. A source error that happens to contain one is only compiled again. */
static const char *const tool_failures[] = {
	"internal compiler error",
	"Internal error",
	"signal terminated", /* from gcc's driver: "Killed signal terminated" */
	"terminated with signal",
	"killed by signal",
	"due to signal",
	"Killed",
	"Bus error",
	"unable to execute command",
	"annot execute",
	/* about the compiler's own libraries, or while loading them */
	"symbol lookup error",
	"error while loading shared libraries",
	/* from a shell about a program that nvcc starts: "sh: 1: cicc: not found" */
	": not found",
	": command not found",
	"annot fork",
	"ext file busy",
	"esource temporarily unavailable",
	"oo many open files",
	"out of memory",
	"Out of memory",
	"memory exhausted",
	"bad_alloc",
	"annot allocate memory",
	"o space left on device",
	"uota exceeded",
	"ile too large",
	"ead-only file system",
	"tale file handle",
	"nput/output error",
	"temporary file",
	/* the previous step's output is incomplete */
	"file truncated",
	"format not recognized",
	"wrote no ",
};

/* No verdict: the file may come with a toolkit that is installed tomorrow. */
static const char *const missing_files[] = {
	"open source file",
	"No such file or directory",
	"file not found",
};

bool at_compile_log_is_verdict(const char *log)
{
	return !find_first(log, tool_failures, AT_COUNT_OF(tool_failures)) &&
	       !find_first(log, missing_files, AT_COUNT_OF(missing_files));
}

/* Whether a line number ends at `end`: ":12", "(12" or " 12". Not "-14", as in a
   program's name. */
static bool ends_with_line_number(const char *start, const char *end)
{
	const char *digits = end;

	while (digits > start && digits[-1] >= '0' && digits[-1] <= '9')
		digits--;
	return digits < end && digits > start && strchr(":( ", digits[-1]);
}

/* Whether the log has an error with its line: "k.cu:3:1: error:", "k.cu(3): error:",
   "k.s:3: Error:", "k.ptx, line 3; error". */
static bool tells_error_of_line(const char *log)
{
	const char *start = log;
	bool has_number = false;

	for (const char *at = log; *at; at++)
		if (*at == '\n') {
			start = at + 1;
			has_number = false;
		} else if (strchr(":);", *at)) {
			has_number |= ends_with_line_number(start, at);
		} else if (has_number && !strncmp(at, "rror", 4)) {
			return true;
		}
	return false;
}

/* Phrases about the source or the options without a source line. */
static const char *const source_errors[] = {
	"kernel \"", /* written by the tuner's toolchains */
	"ndefined reference to",
	"error: undefined symbol",
	"multiple definition of",
	"nresolved extern",
	"ptxas error",
	"error detected in the compilation of",
	"errors detected in the compilation of",
	"nrecognized ", /* options */
	"nknown option",
	"nknown argument",
	"nknown target",
	"nvalid value",
	"nvalid option",
	"nsupported gpu architecture",
	"bad value",
	"expected a number",
	"no argument expected",
	"is not allowed when",
	"is not defined for option",
	"error: argument to",
};

bool at_compile_log_judges(const char *log)
{
	return tells_error_of_line(log) ||
	       find_first(log, source_errors, AT_COUNT_OF(source_errors));
}

bool at_compile_log_lacks_file(const char *log)
{
	return !find_first(log, tool_failures, AT_COUNT_OF(tool_failures)) &&
	       find_first(log, missing_files, AT_COUNT_OF(missing_files)) &&
	       at_compile_log_judges(log);
}

/* Whether ptxas lacks an instruction that the architecture-specific variant may have:
   "not supported on .target 'sm_90'", not "'sm_90a'". */
static bool lacks_features(const char *line)
{
	const char *target = strstr(line, " .target 'sm_");
	int number = 0, length = 0;

	return target && sscanf(target, " .target 'sm_%d%n", &number, &length) == 1 &&
	       number >= 90 && target[length] == '\'';
}

void at_compile_first_error(const char *given, char *line, size_t size)
{
	const char *log = given ? given : "";
	/* A linker first names the missing symbol; only its caller says later that this
	   was an error. */
	static const char *const errors[] = { "error", "Error: ", "undefined reference",
		"undefined symbol" };
	/* A line that a toolchain of the tuner put first is plainer than the compiler's
	   message. A missing kernel is an error in a file that the user did not write.
	   For a missing header ("<name> ...") the compiler says where it is included,
	   but not what to do. */
	const char *start = strncmp(log, "kernel \"", 8) != 0
				    ? find_first(log, errors, AT_COUNT_OF(errors))
				    : log;
	/* "ld: final link failed: No space left on device" says more than the next
	   error, "ld returned 1 exit status" */
	const char *trouble =
		find_first(log, tool_failures, AT_COUNT_OF(tool_failures));
	/* not among those phrases: a template with that many errors is a verdict */
	const char *loud = strstr(log, AT_LOUD_WORDS);
	bool has_advice =
		log[0] == '<' ||
		!strncmp(log, AT_CLASH_WORDS, strlen(AT_CLASH_WORDS)) ||
		!strncmp(log, AT_DEVICE_CODE_WORDS, strlen(AT_DEVICE_CODE_WORDS));

	if (loud && (!trouble || loud < trouble))
		trouble = loud;
	if (trouble && !at_compile_log_judges(log))
		start = trouble;
	while (start && start > log && start[-1] != '\n')
		start--;
	if (!start || start == log)
		snprintf(line, size, "%.*s", (int)strcspn(log, "\n"), log);
	else
		snprintf(line, size, "%.*s%s%.*s", (int)strcspn(start, "\n"), start,
			has_advice ? "; " : "",
			has_advice ? (int)strcspn(log, "\n") : 0, log);
	/* what to do about an error whose message does not say it */
	if (lacks_features(line))
		at_text_append(line, size,
			"; if one architecture alone has it: arch_specific = true in kernel of the space");
	else if (strstr(line, "Error: no such instruction") ||
		 strstr(line, "'__cvta_generic_to_shared' was not declared"))
		at_text_append(line, size,
			"; host has no inline PTX: give the template a plain path for AUTOTUNE_HOST, or tune on a GPU");
}

size_t at_compile_log_shorten(char *log, size_t length)
{
	const size_t kept = AT_LOG_BYTES / 2;
	char mark[64];
	int mark_length = snprintf(
		mark, sizeof(mark), "\n[%zu bytes are left out]\n", length - 2 * kept);

	if (length < 3 * kept)
		return length;
	memcpy(log + kept, mark, (size_t)mark_length);
	memmove(log + kept + mark_length, log + length - kept, kept + 1);
	return 2 * kept + (size_t)mark_length;
}

static const struct at_field request_members[] = {
	AT_FIELD(struct at_compile_request, toolchain, TEXT),
	AT_FIELD(struct at_compile_request, architecture, TEXT),
	AT_FIELD(struct at_compile_request, name, TEXT),
	AT_FIELD(struct at_compile_request, directory, TEXT),
	AT_FIELD(struct at_compile_request, omit, TEXT),
	AT_FIELD(struct at_compile_request, source, TEXT),
	AT_FIELD_LIST(struct at_compile_request, options, option_count, at_fields_text),
	AT_FIELD_LIST(struct at_compile_request, kernels, kernel_count, at_fields_text),
	AT_FIELD(struct at_compile_request, includes, HASH),
	AT_FIELD(struct at_compile_request, files, HASH),
};
const struct at_fields at_compile_request_fields =
	AT_FIELDS(struct at_compile_request, request_members);

static const struct at_field parameter_members[] = {
	AT_FIELD_ENUM(struct at_kernel_parameter, kind, AT_PARAMETER_KIND_COUNT),
	AT_FIELD(struct at_kernel_parameter, bytes, U32),
	AT_FIELD_ENUM(struct at_kernel_parameter, element, AT_ELEMENT_COUNT),
};
static const struct at_fields parameter_fields =
	AT_FIELDS(struct at_kernel_parameter, parameter_members);

static const struct at_field kernel_members[] = {
	AT_FIELD(struct at_kernel_facts, name, TEXT),
	AT_FIELD(struct at_kernel_facts, symbol, TEXT),
	AT_FIELD(struct at_kernel_facts, registers, I64),
	AT_FIELD(struct at_kernel_facts, local_bytes, I64),
	AT_FIELD(struct at_kernel_facts, spill_store_bytes, I64),
	AT_FIELD(struct at_kernel_facts, spill_load_bytes, I64),
	AT_FIELD(struct at_kernel_facts, shared_bytes, I64),
	AT_FIELD(struct at_kernel_facts, constant_bytes, I64),
	AT_FIELD(struct at_kernel_facts, max_threads, I64),
	AT_FIELD(struct at_kernel_facts, barriers, I64),
	AT_FIELD(struct at_kernel_facts, has_parameters, BOOL),
	AT_FIELD_LIST(
		struct at_kernel_facts, parameters, parameter_count, parameter_fields),
};
static const struct at_fields kernel_fields =
	AT_FIELDS(struct at_kernel_facts, kernel_members);

static const struct at_field result_members[] = {
	AT_FIELD_ENUM(struct at_compile_result, outcome, AT_OUTCOME_COUNT),
	AT_FIELD(struct at_compile_result, is_verdict, BOOL),
	AT_FIELD(struct at_compile_result, log, TEXT),
	AT_FIELD_BLOB(struct at_compile_result, image, image_bytes),
	AT_FIELD_LIST(struct at_compile_result, kernels, kernel_count, kernel_fields),
	AT_FIELD_LIST(
		struct at_compile_result, variables, variable_count, at_fields_text),
	AT_FIELD(struct at_compile_result, compile_ns, U64),
	AT_FIELD(struct at_compile_result, image_hash, HASH),
};
const struct at_fields at_compile_result_fields =
	AT_FIELDS(struct at_compile_result, result_members);

void at_kernel_facts_init(
	struct at_kernel_facts *self, const char *name, const char *symbol)
{
	*self = (struct at_kernel_facts){
		.name = at_strdup(name),
		.symbol = at_strdup(symbol),
		.registers = -1,
		.local_bytes = -1,
		.spill_store_bytes = -1,
		.spill_load_bytes = -1,
		.shared_bytes = -1,
		.constant_bytes = -1,
		.barriers = -1,
	};
}

void at_compile_request_release(struct at_compile_request *self)
{
	at_fields_release(&at_compile_request_fields, self);
}

void at_compile_result_release(struct at_compile_result *self)
{
	at_fields_release(&at_compile_result_fields, self);
}

/* Turns a log of NVRTC without an image into a result with plain messages. */
#include "kernel/nvrtc_log.h"

#include "kernel/ptxas_log.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*
 * for __shared__ variables on every architecture; only dynamic shared memory may be
 * larger
 */
#define STATIC_SHARED_LIMIT_BYTES 49152

/*
 * The line in which NVRTC says that it cannot resolve the kernel's name expression;
 * NULL: there is none. NVRTC quotes the name with other blanks: "z < 4 >".
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

/*
 * For a header that was not found NVRTC says where it is included; this says what to
 * do.
 */
static void explain_missing(struct at_strbuf *out, const char *log)
{
	static const char words[] = "cannot open source file \"";
	const char *name = strstr(log, words);
	size_t length = name ? strcspn(name + strlen(words), "\"\n") : 0;

	if (length)
		at_strbuf_addf(out,
			"<%.*s> is not there for NVRTC: toolchain = \"nvcc\" in the space has the host compiler's headers, --include-path=FOLDER in its options those of a folder\n",
			(int)length, name + strlen(words));
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

void at_nvrtc_report(const struct at_compile_request *request, const char *log,
	const char *reason, bool is_verdict, struct at_compile_result *result)
{
	static const char function_phrase[] =
		": error: Name expression cannot form address of a non-__global__";
	int64_t shared_bytes = read_most_shared_bytes(log);
	struct at_strbuf text = { 0 };
	char *said = at_ptxas_strip_log(log);

	explain_missing(&text, said);
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

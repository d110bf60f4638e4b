/* Makes a unit for nvcc: source text, plain words for the command line, and links. */
#include "kernel/nvcc_unit.h"

#include "base/memory.h"
#include "kernel/reach.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- words -------------------------------------------------------------- */

bool at_nvcc_is_plain(const char *text)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+";

	return !text[strspn(text, plain)];
}

static void add_word(struct at_nvcc_unit *self, const char *before, const char *text)
{
	struct at_strbuf word = { 0 };

	AT_GROW(self->words, self->word_capacity, self->word_count + 1);
	at_strbuf_addf(&word, "%s%s", before, text);
	self->words[self->word_count] = at_strbuf_detach(&word);
	self->word_count++;
}

/*
 * Adds a folder to search: by its own name where that is plain, else by a link to it.
 */
static enum at_status add_folder(struct at_nvcc_unit *self, const char *option,
	const char *place, const char *folder, struct at_error *err)
{
	struct at_strbuf link = { 0 };
	char *real;
	enum at_status status = AT_OK;

	if (at_nvcc_is_plain(place) && place[0] != '-') {
		add_word(self, option, place);
		return AT_OK;
	}
	real = realpath(place, NULL);
	/* a folder that does not exist has no headers */
	if (!real && errno == ENOMEM)
		at_memory_out();
	if (!real)
		return AT_OK;
	at_strbuf_addf(&link, "%s/place%zu", folder, self->word_count);
	if (symlink(real, link.data))
		status = at_fail(err, AT_EIO, link.data, 0,
			"cannot make a link for nvcc: %s; set TMPDIR", strerror(errno));
	else
		add_word(self, option, link.data);
	at_strbuf_release(&link);
	free(real);
	return status;
}

/* ---- options ------------------------------------------------------------ */

/* The options that are not passed on as they are. */
enum kind {
	OTHER = 0,
	DEFINE,
	UNDEFINE,
	FOLDER,
	ARCHITECTURE,
};

static const struct {
	const char *name;
	enum kind kind;
	bool may_touch;
} known[] = {
	{ "-D", DEFINE, true },
	{ "--define-macro", DEFINE, false },
	{ "-U", UNDEFINE, true },
	{ "--undefine-macro", UNDEFINE, false },
	{ "-I", FOLDER, true },
	{ "--include-path", FOLDER, false },
	{ "-arch", ARCHITECTURE, false },
	{ "--gpu-architecture", ARCHITECTURE, false },
	{ "-gencode", ARCHITECTURE, false },
	{ "--generate-code", ARCHITECTURE, false },
};

/* Options of NVRTC for what nvcc does anyway, or does not know. */
static const char *const idle[] = {
	"-device-int128",
	"--device-int128",
	"-minimal",
	"--minimal",
	"-no-cache",
	"--no-cache",
};

static enum kind kind_of(
	const struct at_compile_request *request, size_t i, const char **value)
{
	for (size_t k = 0; k < AT_COUNT_OF(known); k++) {
		*value = at_option_value(request->options, request->option_count, i,
			known[k].name, known[k].may_touch);
		if (*value)
			return known[k].kind;
	}
	*value = NULL;
	return OTHER;
}

static bool is_idle(const char *option)
{
	for (size_t i = 0; i < AT_COUNT_OF(idle); i++)
		if (!strcmp(option, idle[i]))
			return true;
	return false;
}

/*
 * Appends a macro as a line of source; text is "NAME", "NAME=VALUE" or "NAME(A)=VALUE".
 */
static void add_macro(struct at_strbuf *out, enum kind kind, const char *text)
{
	size_t name = strcspn(text, "=");
	const char *value = kind == UNDEFINE ? "" : text[name] ? text + name + 1 : "1";

	at_strbuf_add(out, kind == UNDEFINE ? "#undef " : "#define ");
	at_strbuf_add_bytes(out, text, name);
	at_strbuf_add_char(out, ' ');
	for (; *value; value++)
		at_strbuf_add_char(
			out, *value == '\n' || *value == '\r' ? ' ' : *value);
	at_strbuf_add_char(out, '\n');
}

/* Whether neither a shell nor nvcc, which splits at commas, changes the macro. */
static bool is_plain_macro(const char *text)
{
	const char *equals = strchr(text, '=');

	return equals ? !strchr(equals + 1, '=') && at_nvcc_is_plain(equals + 1) &&
				strcspn(text, "-+./") >= (size_t)(equals - text)
		      : at_nvcc_is_plain(text);
}

/* Puts the macros and files of the options in front of the source, in order. */
static enum at_status add_source_options(struct at_nvcc_unit *self,
	const struct at_compile_request *request, const char *folder,
	struct at_error *err)
{
	bool is_folder, all_plain = true;
	enum at_status status = AT_OK;
	const char *value;

	for (size_t i = 0; i < request->option_count && !status; i++) {
		enum kind kind = kind_of(request, i, &value);

		if (kind == FOLDER) {
			status = add_folder(self, "-I", value, folder, err);
		} else if (kind == DEFINE || kind == UNDEFINE) {
			/* Order matters: behind the first macro that must be a line of
			   the source, all others are lines too. */
			all_plain =
				all_plain && kind == DEFINE && is_plain_macro(value);
			if (all_plain)
				add_word(self, "-D", value);
			else
				add_macro(&self->source, kind, value);
		} else if (at_reach_option(request->options, request->option_count, i,
				   &is_folder, &value) &&
			   !is_folder) {
			at_strbuf_addf(&self->source, "#include \"%s\"\n", value);
		}
		i += value && i + 1 < request->option_count &&
		     value == request->options[i + 1];
	}
	return status;
}

/* Adds the options that every step gets. */
static void add_common_options(
	struct at_nvcc_unit *self, const struct at_compile_request *request)
{
	/* spills are reported in ptxas's log only */
	add_word(self, "", "-Xptxas=-v");
	const char *value;
	bool is_folder;

	for (size_t i = 0; i < request->option_count; i++) {
		enum kind kind = kind_of(request, i, &value);
		bool has_next = value && i + 1 < request->option_count &&
				value == request->options[i + 1];

		if (kind == OTHER &&
			at_reach_option(request->options, request->option_count, i,
				&is_folder, &value)) {
			i += i + 1 < request->option_count &&
			     value == request->options[i + 1];
			continue;
		}
		if (kind == ARCHITECTURE)
			self->names_architecture = true;
		if ((kind == OTHER && !is_idle(request->options[i])) ||
			kind == ARCHITECTURE)
			add_word(self, "", request->options[i]);
		if (kind == ARCHITECTURE && has_next)
			add_word(self, "", value);
		i += has_next;
	}
}

/* ---- the source --------------------------------------------------------- */

static void add_line(struct at_strbuf *out, size_t line, const char *before,
	const char *name, const char *behind)
{
	at_strbuf_addf(out, "#line %zu \"%s", line, before);
	for (; *name; name++) {
		if (*name == '"' || *name == '\\')
			at_strbuf_add_char(out, '\\');
		at_strbuf_add_char(out, *name == '\n' ? ' ' : *name);
	}
	at_strbuf_addf(out, "%s\"\n", behind);
}

/*
 * Appends a function for each kernel that contains its address. That makes a template's
 * code, and the PTX then has the kernel's symbol. "used": nobody calls these functions,
 * and none of them gets into the image.
 */
static void add_markers(struct at_strbuf *out, const struct at_compile_request *request)
{
	at_strbuf_add_char(out, '\n');
	add_line(out, 1, "<end of ", request->name, ">");
	/* A brace that the source has left open is reported here: this may stand in no
	   function. */
	at_strbuf_add(out, "extern \"C\" {}\n");
	for (size_t i = 0; i < request->kernel_count; i++) {
		add_line(out, i + 1, "<kernels of ", request->name, ">");
		at_strbuf_addf(out,
			"extern \"C\" __device__ __attribute__((used)) const void *" AT_NVCC_MARKER
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
	   since a math.h of the template's must not replace the system's. */
	static const char *const options[] = { "-iquote", "-idirafter" };
	const char *directory = request->directory;
	enum at_status status = AT_OK;

	for (size_t i = 0;
		i < AT_COUNT_OF(options) && directory && directory[0] && !status; i++) {
		add_word(self, "-Xcompiler", "");
		if (!status)
			status = add_folder(self, options[i], directory, folder, err);
	}
	if (!status)
		add_word(self, "-Xcompiler", "");
	if (!status)
		add_word(self, "-iquote.", "");
	return status;
}

enum at_status at_nvcc_unit_make(struct at_nvcc_unit *self,
	const struct at_compile_request *request, const char *folder,
	struct at_error *err)
{
	enum at_status status = AT_OK;

	memset(self, 0, sizeof(*self));
	add_common_options(self, request);
	if (!self->names_architecture)
		add_word(self, "-arch=", request->architecture);
	self->common_count = self->word_count;
	status = add_folders(self, request, folder, err);
	if (!status)
		status = add_source_options(self, request, folder, err);
	add_line(&self->source, 1, "", request->name, "");
	at_strbuf_add(&self->source, request->source);
	add_markers(&self->source, request);
	return status;
}

void at_nvcc_unit_release(struct at_nvcc_unit *self)
{
	for (size_t i = 0; i < self->word_count; i++)
		free(self->words[i]);
	free(self->words);
	at_strbuf_release(&self->source);
	memset(self, 0, sizeof(*self));
}

/* ---- the log ------------------------------------------------------------ */

static bool line_has(const char *line, const char *text)
{
	const char *found = strstr(line, text);

	return found && found < line + strcspn(line, "\n");
}

static bool says_unknown(const char *line)
{
	return line_has(line, "is undefined") || line_has(line, "has no member") ||
	       line_has(line, "must be a class or namespace") ||
	       line_has(line, "not declared") || line_has(line, "is not a template");
}

void at_nvcc_explain(const struct at_compile_request *request, const char *log,
	struct at_strbuf *out)
{
	struct at_strbuf place = { 0 };
	const char *line = strstr(log, ": error");

	while (line && line > log && line[-1] != '\n')
		line--;
	at_strbuf_addf(&place, "<kernels of %s>(", request->name);
	/* only if the first error is about the list: otherwise kernels are missing
	   because the source broke before it */
	while (line && !strncmp(line, place.data, place.length)) {
		char *end;
		unsigned long number = strtoul(line + place.length, &end, 10);

		if (number >= 1 && number <= request->kernel_count && *end == ')' &&
			line_has(line, ": error") && says_unknown(line))
			at_strbuf_addf(out, "kernel \"%s\" not found in %s\n",
				request->kernels[number - 1], request->name);
		/* go on to the next error about the list that is about another
		   kernel */
		do {
			line += strcspn(line, "\n");
			line += *line == '\n';
		} while (*line &&
			 (strncmp(line, place.data, place.length) != 0 ||
				 strtoul(line + place.length, NULL, 10) == number));
		if (!*line)
			break;
	}
	at_strbuf_release(&place);
}

/* Follows a template's #include directives and collects contents and names. */
#include "kernel/reach.h"
#include "base/file.h"
#include "base/memory.h"
#include "kernel/compile.h"
#include "kernel/job.h"
#include "kernel/scan.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* far above any source: a larger file is something else */
#define SOURCE_LIMIT_BYTES ((size_t)16 << 20)
/* of all files together: a directive whose name is a macro takes whole folders */
#define SOURCES_LIMIT_BYTES ((size_t)256 << 20)

struct file {
	/* device and number identify the file, whatever path leads to it */
	dev_t device;
	ino_t number;
	char *path;
	char *text;
};

struct walk {
	struct at_reach *out;
	struct at_hasher *hasher;
	/* searched after the folder of the including file */
	struct at_words places;
	/* found so far; each is scanned once, in this order */
	struct file *files;
	size_t file_count;
	size_t file_capacity;
	size_t bytes; /* of all files found so far */
};

/* Whether it is the toolkit's folder, which the toolchain's version covers. */
static bool is_of_toolkit(const char *folder)
{
	struct at_strbuf path = { 0 };
	bool is_there;

	at_strbuf_addf(&path, "%s/cuda_runtime.h", folder);
	is_there = access(at_strbuf_text(&path), F_OK) == 0;
	at_strbuf_release(&path);
	return is_there;
}

/* Adds the folders in an environment variable: "/a:/b". */
static void add_places_of(struct walk *walk, const char *variable)
{
	const char *value = getenv(variable);
	struct at_words *places = &walk->places;

	while (value && *value) {
		size_t length = strcspn(value, ":");

		at_words_add(places, "%.*s", (int)length, value);
		/* an empty name is the working folder, which is searched anyway */
		if (!length || is_of_toolkit(places->items[places->count - 1]))
			free(places->items[--places->count]);
		value += length + (value[length] == ':');
	}
}

/* Whether the tuner itself wrote the file (record/header_stamp.c). A template may
   include such a header for another kernel, or have it in its folder. The tuner
   rewrites it between problems, and that must not count as a change. */
static bool is_generated(const char *text)
{
	const char *second = strchr(text, '\n');
	const char *third = second ? strchr(second + 1, '\n') : NULL;
	static const char words[] = "\n * Written by autotune ";

	return third && !strncmp(third, words, sizeof(words) - 1);
}

/* Adds the file directory/name if it exists, and then sets *found. */
static enum at_status add_file(struct walk *walk, const char *directory,
	const char *name, bool *found, struct at_error *err)
{
	struct file file = { 0 };
	struct at_error reason = { 0 };
	struct at_hash contents;
	struct stat facts;
	enum at_status status = AT_OK;
	char *path = at_path_join(directory, name);
	size_t size;

	/* Like compilers, skips a folder of that name. They would read a pipe or a
	   device, which is rejected below. */
	if (stat(path, &facts) < 0 || S_ISDIR(facts.st_mode))
		goto release;
	*found = true;
	/* paths do not identify a file: "../a/../a/x.h" could go on for ever */
	for (size_t i = 0; i < walk->file_count; i++)
		if (walk->files[i].device == facts.st_dev &&
			walk->files[i].number == facts.st_ino)
			goto release;
	AT_GROW(walk->files, walk->file_capacity, walk->file_count + 1);
	status = at_file_read(path, SOURCE_LIMIT_BYTES, &file.text, &size, &reason);
	if (!status && size > SOURCES_LIMIT_BYTES - walk->bytes) {
		status = at_fail(&reason, AT_EINVAL, path, 0,
			"makes more than %zu bytes of all that is included",
			SOURCES_LIMIT_BYTES);
		free(file.text);
	}
	if (status) {
		at_fail(err, status, path, 0, "%s; the template includes it",
			reason.text);
		goto release;
	}
	walk->bytes += size;
	file.device = facts.st_dev;
	file.number = facts.st_ino;
	at_hasher_add_text(walk->hasher, name);
	at_hasher_add(walk->hasher, file.text, size);
	if (!is_generated(file.text)) {
		contents = at_hash_bytes(file.text, size);
		walk->out->files.low += contents.low;
		walk->out->files.high += contents.high;
	}
	file.path = path;
	path = NULL;
	walk->files[walk->file_count++] = file;
release:
	free(path);
	return status;
}

/* Adds the file from every folder that has it. directory: the including file's. */
static enum at_status add_include(struct walk *walk, const char *directory,
	const char *name, bool *found, struct at_error *err)
{
	enum at_status status;

	*found = false;
	status = add_file(walk, directory, name, found, err);
	for (size_t i = 0; i < walk->places.count && !status; i++)
		status = add_file(walk, walk->places.items[i], name, found, err);
	return status;
}

static int is_source(const struct dirent *entry)
{
	static const char *const endings[] = { ".h", ".hh", ".hpp", ".hxx", ".cuh",
		".cu", ".inc", ".inl", ".ipp", ".c", ".cc", ".cpp" };
	const char *ending = strrchr(entry->d_name, '.');

	for (size_t i = 0; ending && i < AT_COUNT_OF(endings); i++)
		if (!strcmp(ending, endings[i]))
			return 1;
	return 0;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* Adds all sources of a folder, sorted by name, since a folder's order is arbitrary. */
static enum at_status add_folder(
	struct walk *walk, const char *directory, struct at_error *err)
{
	struct dirent **entries = NULL;
	int count = scandir(directory, &entries, is_source, by_name);
	enum at_status status = AT_OK;
	bool found;

	for (int i = 0; i < count; i++) {
		if (!status)
			status = add_file(
				walk, directory, entries[i]->d_name, &found, err);
		free(entries[i]);
	}
	free(entries);
	return status;
}

/* Follows an #include directive; `at` is the position after the word. */
static enum at_status follow_directive(
	struct walk *walk, const char *directory, const char *at, struct at_error *err)
{
	struct at_lexeme lexeme;
	size_t length;
	enum at_status status;
	bool found = false;
	char *name;

	if (at_scan(&at, &lexeme) && (lexeme.text[0] == '"' || lexeme.text[0] == '<')) {
		/* a string lexeme ends with its quote or the line */
		length = strcspn(
			lexeme.text + 1, lexeme.text[0] == '"' ? "\"\n" : ">\n");
		if (lexeme.text[1 + length] == (lexeme.text[0] == '"' ? '"' : '>')) {
			name = at_strndup(lexeme.text + 1, length);
			status = add_include(walk, directory, name, &found, err);
			free(name);
			/* a file in <> is the toolkit's, and knows no parameters */
			if (!found && lexeme.text[0] == '"')
				walk->out->is_open = true;
			else if (!found)
				at_strbuf_addf(&walk->out->toolkit, "#include <%.*s>\n",
					(int)length, lexeme.text + 1);
			return status;
		}
	}
	/* the name is a macro, which may expand to any file */
	walk->out->is_open = true;
	status = add_folder(walk, directory, err);
	for (size_t i = 0; i < walk->places.count && !status; i++)
		status = add_folder(walk, walk->places.items[i], err);
	return status;
}

static void add_name(struct at_hash_index *names, const char *name, size_t length)
{
	uint32_t ignored;

	at_hash_index_put(names, at_hash_bytes(name, length), 0, &ignored);
}

/* Adds the names in a string: _Pragma("unroll TILE") has one. */
static void add_names_in(struct walk *walk, struct at_lexeme string)
{
	const char *at = string.text, *end = string.text + string.length;

	while (at < end) {
		size_t length = at_scan_span(at);

		if (length > (size_t)(end - at))
			length = (size_t)(end - at);
		if (length)
			add_name(&walk->out->names, at, length);
		at += length + !length;
	}
}

/* Adds the parameters of a C++ template: BLOCK and T of "<int BLOCK, class T = float>".
   A name is the last word before a comma, a default or the end. text follows
   "template". */
static void add_parameters(struct walk *walk, const char *text)
{
	struct at_lexeme lexeme, name = { "", 0 };
	bool in_default = false;
	int angles = 0, others = 0;

	while (at_scan(&text, &lexeme)) {
		char first = lexeme.text[0];

		if (strchr(";{}", first) || (!angles && first != '<'))
			break;
		others +=
			(first == '(' || first == '[') - (first == ')' || first == ']');
		/* in parentheses < and > are comparisons */
		angles += others ? 0 : (first == '<') - (first == '>');
		if (angles == 1 && !others && first != ',') {
			in_default |= first == '=';
			if (!in_default && at_lexeme_is_identifier(lexeme))
				name = lexeme;
		}
		if (angles && (angles > 1 || others || first != ','))
			continue;
		if (name.length)
			add_name(&walk->out->parameters, name.text, name.length);
		name.length = 0;
		in_default = false;
		if (!angles)
			break;
	}
}

/* Whether "\" and a newline split a name, which is rare but valid C. */
static bool splits_a_name(const char *text)
{
	for (const char *at = text; (at = strstr(at, "\\\n")) != NULL; at += 2)
		if (at > text && at[2] && strchr(AT_SCAN_IDENTIFIER, at[-1]) &&
			strchr(AT_SCAN_IDENTIFIER, at[2]))
			return true;
	return false;
}

static enum at_status look_through(struct walk *walk, const char *directory,
	const char *text, struct at_error *err)
{
	enum at_status status = AT_OK;
	struct at_lexeme lexeme;
	bool after_hash = false;

	if (splits_a_name(text))
		walk->out->is_open = true;
	while (!status && at_scan(&text, &lexeme)) {
		char first = lexeme.text[0];

		if (at_lexeme_is_identifier(lexeme)) {
			if (after_hash &&
				(at_lexeme_is(lexeme, "include") ||
					at_lexeme_is(lexeme, "include_next") ||
					at_lexeme_is(lexeme, "import")))
				status = follow_directive(walk, directory, text, err);
			else
				add_name(&walk->out->names, lexeme.text, lexeme.length);
			if (!status && at_lexeme_is(lexeme, "template"))
				add_parameters(walk, text);
		} else if (lexeme.length > 1) {
			add_names_in(walk, lexeme);
		}
		/* a ## b may form any name */
		if (first == '#' && *text == '#')
			walk->out->is_open = true;
		/* %: is another spelling of # */
		if (first == '%' && *text == ':')
			walk->out->is_open = true;
		after_hash = first == '#' || (after_hash && first == ':') ||
			     (first == '%' && *text == ':');
	}
	return status;
}

enum at_status at_reach_find(const char *text, const char *directory,
	char *const *options, size_t option_count, const char *const *variables,
	const struct at_reach_visitor *visitor, struct at_reach *out,
	struct at_error *err)
{
	struct walk walk = { .out = out };
	enum at_status status = AT_OK;
	const char *value;
	bool found;

	memset(out, 0, sizeof(*out));
	walk.hasher = at_hasher_new();
	if (!directory || !directory[0])
		directory = ".";
	at_hasher_add_text(walk.hasher, text);
	at_words_add(&walk.places, "%s", directory);
	at_words_add(&walk.places, ".");
	for (size_t i = 0; i < option_count; i++)
		if (at_option_read(options, option_count, &i, &value) ==
			AT_OPTION_FOLDER)
			at_words_add(&walk.places, "%s", value);
	for (size_t i = 0; variables && variables[i]; i++)
		add_places_of(&walk, variables[i]);
	for (size_t i = 0; i < option_count && !status; i++)
		if (at_option_read(options, option_count, &i, &value) == AT_OPTION_FILE)
			status = add_include(&walk, directory, value, &found, err);
	if (!status)
		status = look_through(&walk, directory, text, err);
	/* the list grows during the loop */
	for (size_t i = 0; i < walk.file_count && !status; i++) {
		char *folder = at_path_directory(walk.files[i].path);

		status = look_through(&walk, folder, walk.files[i].text, err);
		free(folder);
	}
	for (size_t i = 0; visitor && i < walk.file_count && !status; i++)
		status = visitor->visit(
			visitor->context, walk.files[i].path, walk.files[i].text, err);
	if (!status)
		out->digest = at_hasher_result(walk.hasher);
	else
		at_reach_release(out);
	for (size_t i = 0; i < walk.file_count; i++) {
		free(walk.files[i].path);
		free(walk.files[i].text);
	}
	free(walk.files);
	at_words_release(&walk.places);
	at_hasher_free(walk.hasher);
	return status;
}

void at_reach_release(struct at_reach *self)
{
	if (!self)
		return;
	at_hash_index_release(&self->names);
	at_hash_index_release(&self->parameters);
	at_strbuf_release(&self->toolkit);
	memset(self, 0, sizeof(*self));
}

bool at_reach_has(const struct at_reach *self, const char *name)
{
	return at_hash_index_find(&self->names, at_hash_bytes(name, strlen(name))) !=
	       UINT32_MAX;
}

bool at_reach_mentions(const struct at_reach *self, const char *name)
{
	return self->is_open || at_reach_has(self, name);
}

bool at_reach_is_template_parameter(const struct at_reach *self, const char *name)
{
	return at_hash_index_find(&self->parameters,
		       at_hash_bytes(name, strlen(name))) != UINT32_MAX;
}

/* Reads the user's seeds (seeds.h). */
#include "session/seeds.h"

#include "base/json.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct reader {
	const struct at_spec *spec;
	const char *path;
	int line;
	uint16_t *row; /* scratch */
	size_t count; /* configurations read */
	/* to look them up in; NULL: the first wrong one is an error */
	const struct at_search_space *space;
	uint64_t *indices;
	size_t index_count, capacity, left_out;
	struct at_error *err;
};

static void keep(struct reader *self, bool fits)
{
	const uint64_t index = fits ? at_search_space_find(self->space, self->row)
				    : AT_NO_CONFIGURATION;

	if (index == AT_NO_CONFIGURATION) {
		self->left_out++;
		return;
	}
	for (size_t i = 0; i < self->index_count; i++)
		if (self->indices[i] == index)
			return;
	AT_GROW(self->indices, self->capacity, self->index_count + 1);
	self->indices[self->index_count++] = index;
}

/* Takes a configuration in words "NAME=VALUE", separated by blanks. */
static enum at_status take_words(struct reader *self, char *words)
{
	const struct at_spec *spec = self->spec;
	struct at_error why = { 0 };
	enum at_status status = AT_OK;

	memcpy(self->row, spec->defaults, spec->parameter_count * sizeof(*self->row));
	for (char *word = strtok(words, " \t\r"); word && !status;
		word = strtok(NULL, " \t\r"))
		status = at_configuration_set(spec, word, self->row, &why);
	self->count++;
	if (self->space)
		keep(self, !status);
	else if (status)
		return at_fail(
			self->err, AT_EINVAL, self->path, self->line, "%s", why.text);
	return AT_OK;
}

static enum at_status take_object(struct reader *self, const struct at_json *object)
{
	struct at_strbuf words = { 0 };
	const struct at_json *value;
	const char *name;
	enum at_status status;

	at_strbuf_add_char(&words, ' ');
	for (void *place = NULL; (value = at_json_next(object, &place, &name));) {
		at_strbuf_addf(&words, " %s=", name);
		if (at_json_text(value))
			at_strbuf_add(&words, at_json_text(value));
		else
			at_json_write(value, 0, &words);
	}
	status = take_words(self, words.data);
	at_strbuf_release(&words);
	return status;
}

/* Takes all objects under a key "configuration". */
static enum at_status take_json(struct reader *self, const struct at_json *value)
{
	const struct at_json *member;
	enum at_status status = AT_OK;
	const char *key;

	for (void *place = NULL;
		!status && (member = at_json_next(value, &place, &key));)
		status = !strcmp(key, "configuration") &&
					 at_json_kind_of(member) == AT_JSON_OBJECT
				 ? take_object(self, member)
				 : take_json(self, member);
	for (size_t i = 0; i < at_json_count(value) && !status; i++)
		status = take_json(self, at_json_at(value, i));
	return status;
}

static enum at_status take_document(struct reader *self, const struct at_json *root)
{
	const size_t before = self->count;
	enum at_status status = take_json(self, root);

	if (!status && self->count == before && at_json_kind_of(root) == AT_JSON_OBJECT)
		status = take_object(self, root);
	return status;
}

static enum at_status take_line(struct reader *self, char *line)
{
	struct at_error why = { 0 };
	struct at_json *root;
	enum at_status status;

	line[strcspn(line, line[strspn(line, " \t")] == '{' ? "\r" : "#\r")] = '\0';
	line += strspn(line, " \t");
	if (!*line)
		return AT_OK;
	if (*line != '{')
		return take_words(self, line);
	if (at_json_parse(line, strlen(line), NULL, &root, &why))
		return at_fail(
			self->err, AT_EINVAL, self->path, self->line, "%s", why.text);
	status = take_document(self, root);
	at_json_free(root);
	return status;
}

static enum at_status read_all(struct reader *self, const char *text)
{
	char *copy = at_strdup(text), *line = copy;
	struct at_json *root = NULL;
	enum at_status status = AT_OK;

	self->row = at_calloc(self->spec->parameter_count + 1, sizeof(*self->row));
	if (!at_json_parse(text, strlen(text), NULL, &root, NULL))
		status = take_document(self, root);
	while (!root && line && !status) {
		char *end = strchr(line, '\n');

		if (end)
			*end++ = '\0';
		self->line++;
		status = take_line(self, line);
		line = end;
	}
	at_json_free(root);
	free(copy);
	free(self->row);
	return status;
}

enum at_status at_seeds_check(const struct at_spec *spec, const char *text,
	const char *path, struct at_error *err)
{
	struct reader self = { .spec = spec, .path = path, .err = err };
	enum at_status status = read_all(&self, text);

	if (!status && !self.count)
		status = at_fail(err, AT_EINVAL, path, 0,
			"it has no configuration: expected a line such as \"%s=...\" for each",
			spec->parameters[0].name);
	return status;
}

void at_seeds_find(const struct at_spec *spec, const struct at_search_space *space,
	const char *text, uint64_t **indices, size_t *count, size_t *left_out)
{
	struct reader self = { .spec = spec, .space = space };

	/* every line is valid, by at_seeds_check() */
	read_all(&self, text);
	*indices = self.indices;
	*count = self.index_count;
	*left_out = self.left_out;
}

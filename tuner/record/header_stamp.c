/* The first comment of a header, with hashes of its sources. */
#include "record/header_stamp.h"

#include "base/escape.h"
#include "base/file.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

#define WRITTEN_BY " * Written by autotune"

void at_header_stamp_write(struct at_header_stamp *self, const struct at_spec *spec,
	const char *body, struct at_strbuf *out)
{
	snprintf(self->version, sizeof(self->version), "%s", AT_VERSION);
	at_hash_hex(spec->text_hash, self->space_hash);
	at_hash_hex(at_hash_bytes(body, strlen(body)), self->contents_hash);
	at_strbuf_add(out, "/*\n * ");
	at_escape_c_comment(out, spec->name);
	at_strbuf_addf(out,
		": its %s correct configurations, as recorded.\n" WRITTEN_BY
		" %s; changes made by hand are lost.\n *\n"
		" *   space     %s ",
		spec->search.objective->best, self->version, self->space_hash);
	at_escape_c_comment(out, at_path_name(spec->path));
	at_strbuf_addf(out, "\n *   template  %s ", self->template_hash);
	at_escape_c_comment(out, at_path_name(spec->template_path));
	at_strbuf_addf(out, "\n *   contents  %s\n */\n", self->contents_hash);
	at_strbuf_add(out, body);
}

/* Reads the hash after `key` in the first comment (up to `end`); *rest: the text after
   it. */
static bool read_hash(const char *text, const char *end, const char *key,
	char hash[AT_HASH_HEX_SIZE], const char **rest)
{
	const char *at = strstr(text, key);

	if (!at || at > end)
		return false;
	at += strlen(key);
	if (strspn(at, "0123456789abcdef") != AT_HASH_HEX_SIZE - 1)
		return false;
	memcpy(hash, at, AT_HASH_HEX_SIZE - 1);
	hash[AT_HASH_HEX_SIZE - 1] = '\0';
	*rest = at + AT_HASH_HEX_SIZE - 1;
	return true;
}

bool at_header_stamp_read(const char *text, struct at_header_stamp *out)
{
	const char *end = strstr(text, "*/"), *at = strstr(text, WRITTEN_BY), *rest;

	memset(out, 0, sizeof(*out));
	if (!at || !end || at > end)
		return false;
	at += strlen(WRITTEN_BY) + 1;
	snprintf(out->version, sizeof(out->version), "%.*s", (int)strcspn(at, ";\n"),
		at);
	if (!read_hash(at, end, " *   space     ", out->space_hash, &rest))
		return false;
	if (*rest == ' ')
		snprintf(out->space, sizeof(out->space), "%.*s",
			(int)strcspn(rest + 1, "\n"), rest + 1);
	/* messages show these texts, which anyone may have written */
	at_text_flatten(out->version);
	at_text_flatten(out->space);
	return read_hash(at, end, " *   template  ", out->template_hash, &rest) &&
	       read_hash(at, end, " *   contents  ", out->contents_hash, &rest);
}

/* The text after the first comment. */
static const char *body_of(const char *text)
{
	const char *end = strstr(text, "*/\n");

	return end ? end + 3 : "";
}

static void add_reason(struct at_strbuf *out, const char *what, const char *name)
{
	if (out->length)
		at_strbuf_add(out, ", and ");
	at_strbuf_addf(out, "%s%s%s", what, name ? " " : "", name ? name : "");
}

void at_header_compare(const char *old, const char *now, const struct at_spec *spec,
	struct at_strbuf *out)
{
	struct at_header_stamp left, right;
	char hash[AT_HASH_HEX_SIZE];
	size_t before = out->length;

	if (!old) {
		add_reason(out, "it is not there", NULL);
		return;
	}
	if (!at_header_stamp_read(old, &left)) {
		add_reason(out, "it was not written by autotune", NULL);
		return;
	}
	at_header_stamp_read(now, &right);
	at_hash_hex(at_hash_bytes(body_of(old), strlen(body_of(old))), hash);
	if (strcmp(hash, left.contents_hash) != 0)
		add_reason(out, "it was changed by hand", NULL);
	if (strcmp(left.space_hash, right.space_hash) != 0)
		add_reason(out, "the space changed:", spec->path);
	if (strcmp(left.template_hash, right.template_hash) != 0)
		add_reason(out, "the template changed:", spec->template_path);
	if (out->length == before &&
		strcmp(left.contents_hash, right.contents_hash) != 0) {
		if (strcmp(left.version, right.version) != 0)
			add_reason(out,
				"it is of another version of autotune:", left.version);
		else
			add_reason(out, "the record changed, or it is of other devices",
				NULL);
	}
}

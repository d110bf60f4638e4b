/* Error messages for unknown names and functions: see expression_unknown.h. */
#include "space/expression_unknown.h"
#include "base/text.h"
#include "space/properties.h"

#include <stdlib.h>
#include <string.h>

enum { KNOWN_NAMES_BYTES = 160 }; /* of the names that a message lists */

enum at_status at_expression_fail_function(struct at_compiler *self,
	const struct at_token *name, const char *const *known, size_t known_count)
{
	const char *nearest;
	char *copy = at_strndup(name->start, name->length);
	struct at_strbuf all = { 0 };
	enum at_status status;

	nearest = at_text_nearest(copy, known, known_count);
	for (size_t i = 0; i < known_count; i++)
		at_strbuf_addf(&all, "%s%s", i ? ", " : "; known are ", known[i]);
	status = at_lexer_fail(&self->lexer, AT_EINVAL, name->start,
		"there is no function \"%.60s\"%s%s%s", copy,
		nearest ? "; did you mean \"" : "",
		nearest ? nearest : at_strbuf_text(&all), nearest ? "\"?" : "");
	at_strbuf_release(&all);
	free(copy);
	return status;
}

/* Whether the name is that of a device property, or of the device itself. */
static bool is_device(const char *name)
{
	size_t length = strlen("device");

	return !strncmp(name, "device", length) &&
	       (name[length] == '.' || !name[length]);
}

/* Lists the device properties, which nobody knows by heart. */
static void list_properties(struct at_strbuf *out)
{
	for (int i = 0; i < AT_PROPERTY_COUNT; i++)
		at_strbuf_addf(out, "%s%s", i ? ", " : "; a device has ",
			at_property_name((enum at_property)i));
}

/* Lists the names that the space file gives, as many as fit. */
static void list_names(const struct at_names *names, struct at_strbuf *out)
{
	const char *name;

	for (size_t i = 0; names->at && (name = names->at(names->context, i)); i++) {
		if (out->length > KNOWN_NAMES_BYTES) {
			at_strbuf_add(out, ", ...");
			return;
		}
		at_strbuf_addf(out, "%s%s", i ? ", " : "; known are ", name);
	}
}

/* Whether == or != stands beside the name, which may then be a word without quotes. */
static bool is_compared(const struct at_lexer *lexer, const struct at_token *name)
{
	const char *before = name->start, *behind = name->start + name->length;

	while (before > lexer->text && (before[-1] == ' ' || before[-1] == '\t'))
		before--;
	behind += strspn(behind, " \t");
	return (before - lexer->text >= 2 && before[-1] == '=' &&
		       (before[-2] == '=' || before[-2] == '!')) ||
	       !strncmp(behind, "==", 2) || !strncmp(behind, "!=", 2);
}

enum at_status at_expression_fail_name(
	struct at_compiler *self, const struct at_token *name)
{
	const struct at_names *names = self->names;
	struct at_strbuf known = { 0 };
	char *copy = at_strndup(name->start, name->length);
	const char *nearest;
	enum at_status status;

	nearest = names->nearest ? names->nearest(names->context, copy) : NULL;
	if (!nearest && is_device(copy))
		list_properties(&known);
	else if (!nearest)
		list_names(names, &known);
	if (!nearest && is_compared(&self->lexer, name) && !strchr(copy, '.'))
		at_strbuf_addf(&known, "; a word is written in quotes, '%.40s'", copy);
	else if (!nearest && !is_device(copy) && names->explain)
		names->explain(names->context, copy, &known);
	status = at_lexer_fail(&self->lexer, AT_EINVAL, name->start,
		"there is no name \"%.100s\"%s%s%s%s", copy,
		nearest ? "; did you mean \"" : "", nearest ? nearest : "",
		nearest ? "\"?" : "", at_strbuf_text(&known));
	at_strbuf_release(&known);
	free(copy);
	return status;
}

/*
 * The hint for a block or a grid whose dimensions stand in one string, as CUDA, Python
 * and other tuners write them: "dim3(N, M)", "(N, M, 1)", "[N, M]", "N, M".
 */
#include "space/spec_load.h"

#include <stdlib.h>
#include <string.h>

/* The words that such a list begins with. */
static const char *const words[] = { "dim3", "uint3", "int3", "make_uint3", "tuple",
	"list" };

/* text[0..*length) without blanks at both ends. */
static const char *strip(const char *text, size_t *length)
{
	while (*length && strchr(" \t\r\n", text[*length - 1]))
		--*length;
	while (*length && strchr(" \t\r\n", *text)) {
		text++;
		--*length;
	}
	return text;
}

/* How many bytes of the text stand before its first comma outside brackets, or before
   the bracket that closes none of its own. */
static size_t piece_length(const char *text, size_t length)
{
	int depth = 0;
	size_t i = 0;

	for (; i < length; i++) {
		if (strchr("([{", text[i]))
			depth++;
		else if (strchr(")]}", text[i]) && depth-- == 0)
			break;
		else if (text[i] == ',' && depth == 0)
			break;
	}
	return i;
}

/* Whether brackets around all of it hold several expressions or follow a word as dim3;
   then *text and *length become what is inside. */
static bool open_brackets(const char **text, size_t *length)
{
	const char *inside = *text;
	bool has_word = false;
	size_t left = *length;

	for (size_t i = 0; i < AT_COUNT_OF(words); i++) {
		size_t own = strlen(words[i]);

		if (left <= own || strncmp(inside, words[i], own) != 0 ||
			!strchr(" (", inside[own]))
			continue;
		inside += own;
		left -= own;
		inside = strip(inside, &left);
		has_word = true;
		break;
	}
	if (left < 2 || !strchr("([{", *inside) || piece_length(inside, left) < left ||
		!strchr(")]}", inside[left - 1]))
		return false;
	inside++;
	left -= 2;
	if (!has_word && piece_length(inside, left) == left)
		return false;
	*text = inside;
	*length = left;
	return true;
}

/* Appends the dimensions of the text, each in quotes. False: the text is one
   expression. */
static bool add_dimensions(const char *text, struct at_strbuf *out)
{
	size_t length = strlen(text), count = 0;
	bool is_open;

	text = strip(text, &length);
	is_open = open_brackets(&text, &length);
	do {
		size_t piece = piece_length(text, length), stripped = piece;
		const char *own = strip(text, &stripped);

		/* a bracket too many, or a comma too many: some other mistake */
		if (!stripped || (piece < length && text[piece] != ','))
			return false;
		at_strbuf_addf(out, "%s\"%.*s\"", count++ ? ", " : "",
			stripped > 60 ? 60 : (int)stripped, own);
		text += piece;
		length -= piece;
		if (length) {
			text++;
			length--;
		}
	} while (length);
	return is_open || count > 1;
}

enum at_status at_spec_check_dimensions(const struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what)
{
	bool is_list = node->kind == AT_CONFIG_LIST || node->kind == AT_CONFIG_ARRAY;
	enum at_status status = AT_OK;

	for (size_t i = 0; i < (is_list ? node->count : 1) && !status; i++) {
		const struct at_config_node *item = is_list ? &node->children[i] : node;
		struct at_strbuf meant = { 0 };

		if (item->kind == AT_CONFIG_STRING &&
			add_dimensions(item->text, &meant))
			status = at_fail(loader->err, AT_EINVAL, loader->file,
				item->line,
				"%s: each dimension is a string of its own: write ( %s ) for \"%.100s\"",
				what, at_strbuf_text(&meant), item->text);
		at_strbuf_release(&meant);
	}
	return status;
}

/* Finds the kernels and names in a template's text. */
#include "kernel/source_kernels.h"
#include "kernel/source.h"
#include "base/memory.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* how many kernels a user who misspelt one is offered */
#define HINTED_KERNELS 8
#define HINTED_LENGTH 80

bool at_source_next_kernel(const char **at, struct at_lexeme *name, const char **head)
{
	const char *behind = NULL;
	bool is_kernel = false;
	struct at_lexeme lexeme, last = { 0 };

	while (at_scan(at, &lexeme)) {
		char first = lexeme.text[0];

		if (at_lexeme_is(lexeme, "template"))
			behind = *at;
		else if (at_lexeme_is(lexeme, "__global__"))
			is_kernel = true;
		/* a word that begins with _ is an attribute, as in
		   __launch_bounds__(BLOCK) */
		if (first == '(' && is_kernel && last.length && last.text[0] != '_') {
			*name = last;
			*head = behind;
			return true;
		}
		if (first == '(' && last.length)
			for (int depth = 1; depth && at_scan(at, &lexeme);)
				depth += lexeme.text[0] == '('   ? 1
					 : lexeme.text[0] == ')' ? -1
								 : 0;
		if (first == ';' || first == '}') {
			behind = NULL;
			is_kernel = false;
		}
		if (!at_lexeme_is_identifier(lexeme))
			lexeme.length = 0;
		last = lexeme;
	}
	return false;
}

static bool continues_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
	       (c >= '0' && c <= '9');
}

bool at_template_mentions(const struct at_template *self, const char *name)
{
	/* included files, and names made by ##, are not looked at: the compiler
	   knows */
	return strstr(self->text, "include") || strstr(self->text, "##") ||
	       at_template_mentions_word(self, name);
}

bool at_template_mentions_word(const struct at_template *self, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = self->text; (at = strstr(at, name)); at++)
		if ((at == self->text || !continues_word(at[-1])) &&
			!continues_word(at[length]))
			return true;
	return false;
}

/*
 * For a kernel that the template does not have, appends "; did you mean ...?", or the
 * names of all its kernels, or nothing where it has none. tuned: for a reference, the
 * kernel that it judges and cannot be; else NULL.
 */
static void hint_kernel(const struct at_template *self, const char *wrong,
	const char *tuned, struct at_strbuf *out)
{
	char names[HINTED_KERNELS][HINTED_LENGTH];
	const char *known[HINTED_KERNELS], *at = self->text, *nearest, *head;
	struct at_lexeme name;
	size_t count = 0;

	while (count < HINTED_KERNELS && at_source_next_kernel(&at, &name, &head)) {
		if (tuned && at_lexeme_is(name, tuned))
			continue;
		snprintf(names[count], sizeof(names[count]), "%.*s", (int)name.length,
			name.text);
		known[count] = names[count];
		count++;
	}
	nearest = at_text_nearest(wrong, known, count);
	if (nearest) {
		at_strbuf_addf(out, "; did you mean \"%s\"?", nearest);
		return;
	}
	if (tuned && !count)
		at_strbuf_add(out,
			": it is a plain kernel that you write beside the tuned one, slow and obviously right");
	at_strbuf_add(out, count ? ", whose kernels are " : "");
	for (size_t i = 0; i < count; i++)
		at_strbuf_addf(
			out, "%s%s", at_text_between(i, count, " and "), names[i]);
}

enum at_status at_template_check_kernel(const struct at_template *self,
	const struct at_spec *spec, const char *kernel, int line, struct at_error *err)
{
	struct at_strbuf hint = { 0 };
	char bare[128], tuned[128];
	enum at_status status;
	const char *text;
	size_t length;

	text = at_kernel_bare_name(kernel, &length);
	snprintf(bare, sizeof(bare), "%.*s", (int)(length < 120 ? length : 120), text);
	if (!at_template_mentions(self, bare)) {
		text = at_kernel_bare_name(spec->kernel, &length);
		snprintf(tuned, sizeof(tuned), "%.*s",
			(int)(length < 120 ? length : 120), text);
		hint_kernel(self, bare,
			kernel == spec->reference.call.kernel ? tuned : NULL, &hint);
		status = at_fail(err, AT_ENOENT, spec->path, line,
			"kernel \"%s\" not found in %s%s", kernel, self->path,
			at_strbuf_text(&hint));
		at_strbuf_release(&hint);
		return status;
	}
	if (at_scan_is_no_kernel(self->text, kernel))
		return at_fail(err, AT_EINVAL, spec->path, line,
			"kernel \"%s\" is no __global__ function in %s: write __global__ before its void",
			kernel, self->path);
	return AT_OK;
}

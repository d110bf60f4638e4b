/*
 * A template without what its reference cannot call.
 *
 * A reference with other floats (source_wide.c, source_rounded.c) is compiled from the
 * same text as the tuned kernel, and is lost if that does not compile: `float2 f =
 * __half22float2(h)` when float2 is a pair of doubles, or fragments of a matrix, of
 * which there are none in double. So the functions of the template that the reference
 * does not lead to are left out of such a unit, from their heads to their last braces.
 *
 * A function stays if its name is in any text that stays. Names count wherever they
 * are, so more may stay than is called; what is called goes only if the call is not
 * seen: in a file that the template includes, or by a name that ## makes.
 * Then the unit does not compile, and is not used: nothing is judged by another
 * reference. What an included file defines stays, and so do classes.
 */
#include "kernel/source.h"
#include "kernel/scan.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* nested conditions of the preprocessor within one function */
#define CONDITIONS_MAX 32

/* A function that may be left out. */
struct function {
	const char *start, *end; /* from behind what is ahead of it to behind its "}" */
	struct at_lexeme name;
	bool stays;
};

struct functions {
	struct function *list;
	size_t count;
	bool failed;
};

static bool is_same(struct at_lexeme a, struct at_lexeme b)
{
	return a.length == b.length && !memcmp(a.text, b.text, a.length);
}

/* Whether a lexeme is the "#" of a directive: nothing but blanks is ahead of it. */
static bool is_directive(const char *text, struct at_lexeme lexeme)
{
	const char *at = lexeme.text;

	if (*at != '#')
		return false;
	while (at > text && (at[-1] == ' ' || at[-1] == '\t'))
		at--;
	return at == text || at[-1] == '\n';
}

/* Whether the directive that begins at `at` has this name. */
static bool is_named(const char *at, const char *name)
{
	size_t length = strlen(name);

	at += 1 + strspn(at + 1, " \t");
	return at_scan_span(at) == length && !memcmp(at, name, length);
}

/* Which directive that begins at `at` is: 'i' for #if, #ifdef and the like, 'e' for
   #else and #elif, 'n' for #endif, 0 for others. */
static char condition_of(const char *at)
{
	at += 1 + strspn(at + 1, " \t");
	if (!strncmp(at, "if", 2))
		return 'i';
	if (!strncmp(at, "endif", 5))
		return 'n';
	return !strncmp(at, "el", 2) ? 'e' : 0;
}

/*
 * The end of the braces whose "{" is just ahead of `at`; NULL if it cannot be told. Of
 * conditions all alternatives open and close as many braces, or else the end is in one
 * of them. Sets *has_include if a file is included within.
 */
static const char *skip_braces(const char *text, const char *at, bool *has_include)
{
	unsigned depths[CONDITIONS_MAX], conditions = 0, depth = 1;
	struct at_lexeme lexeme;

	while (at_scan(&at, &lexeme)) {
		if (is_directive(text, lexeme)) {
			*has_include |= is_named(lexeme.text, "include");
			switch (condition_of(lexeme.text)) {
			case 'i':
				if (conditions == CONDITIONS_MAX)
					return NULL;
				depths[conditions++] = depth;
				break;
			case 'e':
				if (conditions == 0)
					return NULL;
				depth = depths[conditions - 1];
				break;
			case 'n':
				if (conditions == 0)
					return NULL;
				conditions--;
				break;
			}
			at = at_scan_directive_end(lexeme.text);
		} else if (lexeme.text[0] == '{') {
			depth++;
		} else if (lexeme.text[0] == '}' && --depth == 0) {
			return conditions ? NULL : at;
		}
	}
	return NULL;
}

/* What is known of a declaration by what was read of it. */
struct head {
	const char *start;
	struct at_lexeme name, last;
	unsigned parentheses, angles;
	bool is_for_device;
	bool is_other; /* no function, or one that is called without its name */
	bool is_scope; /* namespace, extern "C" */
};

static void read_head(struct head *self, struct at_lexeme lexeme)
{
	static const char *const others[] = { "operator", "constexpr", "struct",
		"class", "union", "enum", "=", "auto", "friend", "using", "consteval",
		"noexcept", "requires", "decltype" };
	/* of "::" the second one */
	bool is_behind_colon = self->last.length && self->last.text[0] == ':' &&
			       self->last.text + self->last.length == lexeme.text;
	char first = lexeme.text[0];

	if (first == '(') {
		if (self->parentheses++ == 0)
			self->name = self->last;
	} else if (first == ')') {
		self->parentheses -= self->parentheses > 0;
	} else if (self->parentheses == 0 && first == '<' &&
		   (self->angles || at_lexeme_is(self->last, "template"))) {
		self->angles++;
	} else if (self->angles && first == '>') {
		self->angles--;
	} else if (self->parentheses == 0 && self->angles == 0) {
		for (size_t i = 0; i < AT_COUNT_OF(others); i++)
			self->is_other |= at_lexeme_is(lexeme, others[i]);
		self->is_other |=
			first == ':' && lexeme.text[1] != ':' && !is_behind_colon;
		self->is_for_device |= at_lexeme_is(lexeme, "__device__") ||
				       at_lexeme_is(lexeme, "__global__");
		self->is_scope |= at_lexeme_is(lexeme, "namespace") ||
				  at_lexeme_is(lexeme, "\"C\"");
	}
	self->last = lexeme;
}

/* Whether what was read up to a "{" is the head of a function that may be left out. */
static bool is_function(const struct head *self)
{
	return self->is_for_device && !self->is_other && self->parentheses == 0 &&
	       self->last.length && self->last.text[0] == ')' &&
	       at_lexeme_is_identifier(self->name) && self->name.text[0] != '_';
}

static void add_function(
	struct functions *self, const struct head *head, const char *end)
{
	struct function *list =
		realloc(self->list, (self->count + 1) * sizeof(*self->list));

	self->failed |= !list;
	if (!list)
		return;
	self->list = list;
	list[self->count++] = (struct function){
		.start = head->start, .end = end, .name = head->name
	};
}

static void find_functions(const char *text, struct functions *out)
{
	struct head head = { .start = text };
	struct at_lexeme lexeme;
	const char *at = text, *end;

	while (at_scan(&at, &lexeme)) {
		if (is_directive(text, lexeme)) {
			at = at_scan_directive_end(lexeme.text);
			/* between the parts of a head that conditions choose: whose
			   body it is cannot be told */
			if (head.last.length)
				head.is_other = true;
			else
				head.start = at;
			continue;
		}
		if (lexeme.text[0] == '{' && !(head.is_scope && !head.parentheses &&
						     head.last.text[0] != ')')) {
			bool has_include = false;

			end = skip_braces(text, at, &has_include);
			if (!end)
				return;
			/* a part of a function's body makes no sense outside of it */
			if (is_function(&head) && !has_include)
				add_function(out, &head, end);
			at = end;
			/* "struct a { } b;" goes on */
			if (head.last.length && head.last.text[0] != ')') {
				head.is_other = true;
				continue;
			}
		} else if (!strchr(";{}", lexeme.text[0])) {
			read_head(&head, lexeme);
			continue;
		}
		head = (struct head){ .start = at };
	}
}

/* Whether the text from `at` to `end` has one of the names; those functions stay. */
static bool keep_named(
	struct functions *self, const char *at, const char *end, bool is_more)
{
	struct at_lexeme lexeme;

	while (at < end && at_scan(&at, &lexeme) && lexeme.text < end)
		for (size_t i = 0; i < self->count; i++)
			if (!self->list[i].stays &&
				is_same(self->list[i].name, lexeme)) {
				self->list[i].stays = true;
				is_more = true;
			}
	return is_more;
}

/* Blanks the text but for its newlines and directives, which others may need; a #pragma
   of a loop is an error outside of functions. */
static void write_blank(
	const char *text, const char *at, const char *end, struct at_strbuf *out)
{
	struct at_lexeme lexeme;
	const char *from = at;

	while (at < end && at_scan(&at, &lexeme) && lexeme.text < end) {
		const bool is_line = is_directive(text, lexeme);
		const bool is_kept = is_line && !is_named(lexeme.text, "pragma");
		const char *behind = is_line ? at_scan_directive_end(lexeme.text) : at;

		for (; from < lexeme.text; from++)
			if (*from == '\n')
				at_strbuf_add_char(out, '\n');
		if (is_kept)
			at_strbuf_add_bytes(
				out, lexeme.text, (size_t)(behind - lexeme.text));
		for (; !is_kept && from < behind; from++)
			if (*from == '\n')
				at_strbuf_add_char(out, '\n');
		at = from = behind;
	}
	for (; from < end; from++)
		if (*from == '\n')
			at_strbuf_add_char(out, '\n');
}

void at_source_write_bare(const char *text, const char *kernel, char *const *options,
	size_t option_count, struct at_strbuf *out)
{
	struct functions functions = { 0 };
	const char *from = text;
	bool is_more;

	if (kernel)
		find_functions(text, &functions);
	/* names of functions are looked for in what stays until no more come */
	if (kernel)
		(void)keep_named(&functions, kernel, kernel + strlen(kernel), false);
	/* -DOPERATION=largest */
	for (size_t i = 0; i < option_count; i++)
		(void)keep_named(
			&functions, options[i], options[i] + strlen(options[i]), false);
	do {
		is_more = false;
		from = text;
		for (size_t i = 0; i <= functions.count; i++) {
			const struct function *next =
				i < functions.count ? &functions.list[i] : NULL;

			if (next && next->stays)
				continue;
			is_more = keep_named(&functions, from,
				next ? next->start : text + strlen(text), is_more);
			if (next)
				from = next->end;
		}
	} while (is_more);
	from = text;
	for (size_t i = 0; i < functions.count && !functions.failed; i++) {
		const struct function *function = &functions.list[i];

		if (function->stays)
			continue;
		at_strbuf_add_bytes(out, from, (size_t)(function->start - from));
		write_blank(text, function->start, function->end, out);
		from = function->end;
	}
	at_strbuf_add(out, from);
	free(functions.list);
}

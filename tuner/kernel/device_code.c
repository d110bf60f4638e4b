/* Leaves out of a source what a compiler for devices refuses; see device_code.h. */
#include "kernel/device_code.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/scratch.h"
#include "base/text.h"
#include "kernel/clash.h"
#include "kernel/job.h"
#include "kernel/reach.h"
#include "kernel/scan.h"
#include "space/spec.h"

#include <assert.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	DEPTH = 32, /* of scopes, and of #if: a deeper text is read no further */
	ROUNDS = 64, /* of one source; each takes a tenth of a second or less */
	SHOWN = 6, /* declarations that a message names */
};

/* A declaration, or an #include, that may be left out. */
struct part {
	struct text *text;
	size_t start, end; /* in the text */
	struct at_lexeme name; /* of an #include with its quotes or brackets */
	bool is_include;
	/* the definition of a parameter's macro, a byte order mark, or an explicit
	   instantiation: always out */
	bool is_refused;
	bool is_unfound; /* an #include that no compilation has complained of */
	bool is_function;
	/* a function for devices: it is left out if nothing else helps */
	bool is_for_devices;
	bool is_out;
	char *complaint; /* the line of a log for which it is out; NULL: another reason
			  */
};

/* The source, or a file that it includes. */
struct text {
	char *path; /* in messages */
	char *real; /* without links and ".."; "" for the source */
	char *directory;
	char *text;
	struct part *parts;
	size_t part_count;
	size_t part_capacity;
	char *copy; /* a file of what is left of the text; NULL: none is needed */
};

struct code {
	const struct at_compile_request *request;
	const char *directory; /* of the template */
	struct text *texts; /* the source first */
	size_t count;
	size_t capacity;
	/* macros that stand for __device__ and the like: " HOST_DEVICE GLOBAL " */
	struct at_strbuf annotations;
	/* macros that instantiate templates: " MAKE_KERNEL " */
	struct at_strbuf makers;
	struct at_scratch scratch;
	bool is_device_default; /* NVRTC gets -default-device */
	bool takes_devices; /* functions for devices may be left out, too */
	bool is_rest; /* a compiler has refused the whole */
	bool is_lost; /* the log complains of a header of the template's own */
};

/* What is known of the declaration that is being read. */
struct head {
	const char *start; /* NULL: not begun */
	struct at_lexeme name;
	bool is_class, is_enum, is_namespace, is_label, is_external;
	bool is_kept; /* an assertion, or a specialization of a structure */
	bool is_special; /* template <> */
	bool is_constexpr;
	bool is_instance; /* an explicit instantiation */
	bool is_for_devices;
	bool is_kernel;
	bool has_bases; /* ":" behind the name of a structure */
	bool has_list; /* of parameters */
	bool has_value; /* behind "=" */
	bool has_members; /* ":" behind the parameters of a constructor */
};

enum scope_kind { SCOPE_NAMESPACE, SCOPE_CLASS, SCOPE_FUNCTION, SCOPE_OTHER };

struct scope {
	enum scope_kind kind;
	struct head head; /* of the declaration that it belongs to */
};

struct state {
	struct head head;
	struct at_lexeme last;
	int nested; /* ( and [, and { in them */
	size_t depth;
	struct scope scopes[DEPTH];
};

/* ---- declarations --------------------------------------------------------------- */

static bool is_for_devices(const struct code *self, struct at_lexeme lexeme)
{
	return at_lexeme_is_one_of(lexeme,
		       " __global__ __device__ __constant__ __shared__ __managed__ ") ||
	       at_lexeme_is_one_of(lexeme, self->annotations.data);
}

static void add_part(struct text *text, const struct head *head, const char *end)
{
	AT_GROW(text->parts, text->part_capacity, text->part_count + 1);
	text->parts[text->part_count++] = (struct part){
		.text = text,
		.start = (size_t)(head->start - text->text),
		.end = (size_t)(end - text->text),
		.name = head->name,
		.is_include = head->name.length && strchr("<\"", head->name.text[0]),
		.is_function = head->has_list,
		.is_for_devices = head->is_for_devices,
		.is_refused = head->is_instance,
		.is_out = head->is_instance,
	};
}

/* The part behind this one, in whichever text; NULL: the first, and behind the last. */
static struct part *next_part(const struct code *self, const struct part *part)
{
	struct text *text = part ? part->text : self->texts;
	size_t next = part ? (size_t)(part - text->parts) + 1 : 0;

	for (; text < self->texts + self->count; text++, next = 0)
		if (next < text->part_count)
			return &text->parts[next];
	return NULL;
}

/* Whether the declaration stays, whatever a compiler says. Kernels may get what a
   specialization replaces, but not if it is a function for the CPU alone. */
static bool is_kept(const struct head *head)
{
	return head->is_kept ||
	       (head->is_special &&
		       (!head->has_list || head->is_for_devices || head->is_constexpr));
}

/* Whether the declaration must stay. */
static bool must_stay(const struct code *self, const struct state *state)
{
	const struct head *head = &state->head;

	if (is_kept(head) || !head->is_for_devices)
		return is_kept(head);
	/* the request asks for a kernel of that name, in whichever namespace */
	for (size_t i = 0; i < self->request->kernel_count && head->is_kernel; i++) {
		struct at_lexeme bare;

		bare.text =
			at_kernel_bare_name(self->request->kernels[i], &bare.length);
		if (at_lexeme_same(bare, head->name))
			return true;
	}
	return !head->has_list || head->has_value ||
	       at_lexeme_is(head->name, "operator") ||
	       (state->depth && state->scopes[state->depth - 1].kind == SCOPE_CLASS);
}

/* Ends the declaration in front of `end`. */
static void end_declaration(
	struct code *self, struct text *text, struct state *state, const char *end)
{
	/* Names of kernels and their uses instantiate what a unit needs. All others
	   cost time: a library may make hundreds. */
	if (state->head.is_instance) {
		add_part(text, &state->head, end);
		state->head = (struct head){ 0 };
		return;
	}
	/* a structure stays if one of its members does */
	if (is_kept(&state->head) || state->head.is_for_devices)
		for (size_t i = 0; i < state->depth; i++)
			state->scopes[i].head.is_kept = true;
	if (!must_stay(self, state) && state->head.start && !state->head.is_label)
		add_part(text, &state->head, end);
	state->head = (struct head){ 0 };
}

/* Skips the list of a template's parameters, whose words declare nothing. */
static const char *skip_parameters(const char *at)
{
	const char *start = at;
	struct at_lexeme lexeme;
	int angles = 0, others = 0;

	while (at_scan(&at, &lexeme)) {
		char c = lexeme.text[0];

		if (strchr(";{}", c) || (!angles && c != '<'))
			return start;
		others += (c == '(' || c == '[') - (c == ')' || c == ']');
		angles += others ? 0 : (c == '<') - (c == '>');
		if (!angles)
			return at;
	}
	return start;
}

/* Whether the word has its own parameters: alignas, __launch_bounds__,
 * __cluster_dims__. */
static bool is_attribute(struct at_lexeme word)
{
	return at_lexeme_is_one_of(word, " alignas decltype __declspec ") ||
	       (word.length > 4 && !strncmp(word.text, "__", 2) &&
		       !strncmp(word.text + word.length - 2, "__", 2));
}

/* Reads a lexeme outside of all brackets of a declaration. */
static const char *read_head(const struct code *self, struct state *state,
	struct at_lexeme lexeme, const char *at)
{
	struct head *head = &state->head;
	char c = lexeme.text[0];

	if (!head->start)
		head->start = lexeme.text;
	head->is_for_devices |= is_for_devices(self, lexeme);
	head->is_kernel |= at_lexeme_is(lexeme, "__global__");
	head->is_kept |= at_lexeme_is(lexeme, "static_assert");
	head->is_constexpr |= at_lexeme_is(lexeme, "constexpr");
	head->is_namespace |= at_lexeme_is(lexeme, "namespace");
	head->is_external |= at_lexeme_is(lexeme, "\"C\"");
	head->is_enum |= at_lexeme_is(lexeme, "enum");
	head->is_class |= at_lexeme_is_one_of(lexeme, " struct class union ");
	head->has_value |= c == '=' && *at != '=' && !strchr("=!<>", lexeme.text[-1]) &&
			   !at_lexeme_is(state->last, "operator");
	head->has_members |= c == ':' && head->has_list;
	/* without a specialization kernels would get what it replaces */
	head->has_bases |= c == ':' && head->is_class;
	head->is_kept |= c == '<' && head->is_class && !head->has_bases &&
			 at_lexeme_is_identifier(state->last);
	if (at_lexeme_is(lexeme, "template")) {
		const char *next = at;
		struct at_lexeme word;
		bool is_list = at_scan(&next, &word) && word.text[0] == '<';

		head->is_special |=
			is_list && at_scan(&next, &word) && word.text[0] == '>';
		/* also one that is extern, which would prevent all others */
		head->is_instance |=
			!is_list &&
			(head->start == lexeme.text ||
				(head->start == state->last.text &&
					at_lexeme_is(state->last, "extern")));
		at = skip_parameters(at);
	}
	head->is_instance |= head->start == lexeme.text &&
			     at_lexeme_is_one_of(lexeme, self->makers.data);
	if (c == '(' && !head->has_value && !is_attribute(state->last))
		head->has_list = true;
	/* the name is the word in front of the parameters or the value */
	if (at_lexeme_is_identifier(lexeme) && !head->has_list && !head->has_value) {
		const char *next = skip_parameters(at);
		struct at_lexeme word;

		head->name = lexeme;
		/* the words of reduce<float>() name no function */
		if (next > at && at_scan(&next, &word) && word.text[0] == '(')
			at = word.text;
	}
	head->is_label |= head->start == lexeme.text &&
			  at_lexeme_is_one_of(lexeme, " public private protected ");
	return at;
}

/* Whether the state is outside of all functions and values. */
static bool is_between(const struct state *state)
{
	return !state->nested &&
	       (!state->depth || state->scopes[state->depth - 1].kind <= SCOPE_CLASS);
}

static bool open_scope(struct state *state)
{
	struct head *head = &state->head;
	enum scope_kind kind = SCOPE_OTHER;

	if (state->depth == DEPTH)
		return false;
	if (!is_between(state)) {
		/* a block in a function */
	} else if (head->has_list && !head->has_value) {
		/* x{a} in a constructor's list of members, and not its body */
		if (!head->has_members || !at_lexeme_is_identifier(state->last))
			kind = SCOPE_FUNCTION;
	} else if (!head->has_value && !head->is_enum) {
		kind = head->is_class                            ? SCOPE_CLASS
		       : head->is_namespace || head->is_external ? SCOPE_NAMESPACE
								 : SCOPE_OTHER;
	}
	state->scopes[state->depth++] = (struct scope){ kind, *head };
	if (kind == SCOPE_CLASS || kind == SCOPE_NAMESPACE)
		*head = (struct head){ 0 };
	return true;
}

static void close_scope(
	struct code *self, struct text *text, struct state *state, const char *end)
{
	struct scope scope;

	if (!state->depth)
		return;
	scope = state->scopes[--state->depth];
	state->head = scope.head;
	/* behind a structure variables may follow, up to the ";" */
	if (scope.kind == SCOPE_CLASS)
		state->head.is_class = false;
	if (scope.kind == SCOPE_NAMESPACE)
		state->head = (struct head){ 0 };
	if (scope.kind == SCOPE_FUNCTION)
		end_declaration(self, text, state, end);
}

/* Whether a macro with parameters, which a directive defines, consists of explicit
   instantiations. */
static bool makes_instances(
	const struct code *self, struct at_lexeme name, const char *end)
{
	const char *at = name.text + name.length;
	struct at_lexeme word, last = { "", 0 };
	bool begins = true;

	if (*at != '(')
		return false;
	at += strcspn(at, ")");
	at += at < end;
	while (at_scan(&at, &word) && word.text < end) {
		const char c = word.text[0];

		if (c == '\\')
			continue;
		if (c == '{' || (c == '<' && at_lexeme_is(last, "template")) ||
			(begins && !at_lexeme_is(word, "template") &&
				!at_lexeme_is_one_of(word, self->makers.data)))
			return false;
		begins = c == ';';
		last = word;
	}
	return last.length > 0;
}

/*
 * Reads a directive from behind its "#" on. Branches of an #if begin in the same state,
 * so that each may open the same function.
 */
static bool read_directive(struct code *self, struct text *text, const char *hash,
	struct state *state, struct state *saved, size_t *depth)
{
	const char *at = hash + 1, *end = at_scan_directive_end(hash);
	struct at_lexeme word, name;

	if (!at_scan(&at, &word) || word.text >= end)
		return true;
	if (!strncmp(word.text, "if", 2)) {
		if (*depth == DEPTH)
			return false;
		saved[(*depth)++] = *state;
	} else if (!strncmp(word.text, "el", 2) && *depth) {
		*state = saved[*depth - 1];
	} else if (at_lexeme_is(word, "endif") && *depth) {
		(*depth)--;
	} else if (at_lexeme_is(word, "include") && at_scan(&at, &name) &&
		   strchr("<\"", name.text[0])) {
		name.length = 2 + strcspn(name.text + 1,
					  name.text[0] == '<' ? ">\n" : "\"\n");
		add_part(text, &(struct head){ .start = hash, .name = name }, end);
	} else if (at_lexeme_is(word, "define") && at_scan(&at, &name)) {
		if (makes_instances(self, name, end)) {
			at_strbuf_addf(
				&self->makers, "%.*s ", (int)name.length, name.text);
			return true;
		}
		while (at_scan(&at, &word) && word.text < end)
			if (is_for_devices(self, word)) {
				at_strbuf_addf(&self->annotations, "%.*s ",
					(int)name.length, name.text);
				break;
			}
	}
	return true;
}

/* Whether the next declaration follows a macro's invocation without ";". */
static bool ends_macro(
	const struct code *self, const struct state *state, struct at_lexeme next)
{
	const struct head *head = &state->head;

	if (!head->start || !head->has_list || !at_lexeme_is(state->last, ")"))
		return false;
	if (at_lexeme_is_one_of(next, self->makers.data))
		return true;
	return !head->is_kept && !head->is_special && !head->is_for_devices &&
	       !head->has_members && head->name.text == head->start &&
	       (at_lexeme_is_identifier(next) || next.text[0] == '}') &&
	       !at_lexeme_is_one_of(next, " const noexcept override final try ");
}

static void refuse(
	struct text *text, const char *start, const char *end, struct at_lexeme name)
{
	add_part(text, &(struct head){ .start = start, .name = name }, end);
	text->parts[text->part_count - 1].is_refused = true;
	text->parts[text->part_count - 1].is_out = true;
}

/* Leaves out the definitions of the macro with which `word` begins. */
static void leave_out_definitions(
	struct text *text, const char *begin, const char *word)
{
	const struct at_lexeme name = { word, at_scan_span(word) };
	const char *at, *end = begin;
	struct at_strbuf guard = { 0 };

	at_strbuf_addf(&guard, " %.*s ", (int)name.length, name.text);
	while ((at = at_scan_definition(begin, end, name, guard.data, &end)))
		refuse(text, at, end, name);
	at_strbuf_release(&guard);
}

/*
 * Leaves out the definitions of macros that the space gives, ahead of the template or
 * by an option: its value counts. So is a byte order mark, which NVRTC does not know in
 * included files.
 */
static void leave_out_refused(struct code *self, struct text *text)
{
	static const char define[] = "#define ";
	const struct at_compile_request *request = self->request;
	const char *source = request->source, *value;
	const char *begin = text == self->texts ? strstr(source, "\n#line ") : NULL;
	const size_t mark = at_text_mark_bytes(text->text, strlen(text->text));

	if (mark)
		refuse(text, text->text, text->text + mark,
			(struct at_lexeme){ "", 0 });
	begin = text->text + (begin ? begin - source : 0);
	for (; at_clash_has_macros(request->source) &&
		!strncmp(source, define, strlen(define));
		source = strchr(source, '\n') + 1)
		leave_out_definitions(text, begin, source + strlen(define));
	for (size_t i = 0; i < request->option_count; i++)
		if (at_option_read(request->options, request->option_count, &i,
			    &value) == AT_OPTION_DEFINE &&
			value)
			leave_out_definitions(text, begin, value);
}

/* A structure stands ahead of its members. */
static int by_start(const void *a, const void *b)
{
	const struct part *left = a, *right = b;

	if (left->start == right->start)
		return left->end > right->end ? -1 : left->end < right->end;
	return left->start < right->start ? -1 : 1;
}

/* Finds the declarations of a text. */
static void read_parts(struct code *self, struct text *text)
{
	struct state state = { 0 };
	struct state *saved = at_calloc(DEPTH, sizeof(*saved));
	const char *at = text->text;
	struct at_lexeme lexeme;
	size_t depth = 0;
	bool goes_on = true;

	for (; goes_on && at_scan(&at, &lexeme); state.last = lexeme) {
		char c = lexeme.text[0];
		bool is_between_now = is_between(&state);

		if (c == '#') {
			goes_on = read_directive(
				self, text, lexeme.text, &state, saved, &depth);
			at = at_scan_directive_end(lexeme.text);
			lexeme = state.last;
			continue;
		}
		if (is_between_now && ends_macro(self, &state, lexeme))
			end_declaration(self, text, &state, lexeme.text);
		if (is_between_now && c != '{' && c != '}' && c != ';')
			at = read_head(self, &state, lexeme, at);
		if (state.nested || (is_between_now && strchr("([", c))) {
			state.nested += !!strchr("([{", c) - !!strchr(")]}", c);
		} else if (c == '{') {
			if (!state.head.start)
				state.head.start = lexeme.text;
			goes_on = open_scope(&state);
		} else if (c == '}') {
			close_scope(self, text, &state, at);
		} else if (is_between_now &&
			   (c == ';' || (c == ':' && state.head.is_label))) {
			end_declaration(self, text, &state, at);
		}
	}
	if (goes_on && is_between(&state) &&
		ends_macro(self, &state, (struct at_lexeme){ "}", 1 }))
		end_declaration(self, text, &state, at);
	free(saved);
	if (text->part_count)
		qsort(text->parts, text->part_count, sizeof(*text->parts), by_start);
}

/*
 * The start of a line as messages number it; NULL: the text has no such line. In the
 * source #line says which lines are the template's.
 */
static const char *find_line(
	const struct code *self, const struct text *text, int wanted)
{
	const bool is_source = text == self->texts;
	bool is_mine = !is_source;
	char name[512];
	int line = 1, number;

	for (const char *at = text->text, *next; *at; at = next, line++) {
		next = at + strcspn(at, "\n");
		next += *next == '\n';
		if (is_source &&
			sscanf(at, "#line %d \"%500[^\"]\"", &number, name) == 2) {
			is_mine = !strcmp(name, self->request->name);
			line = number - 1;
		} else if (is_mine && line == wanted) {
			return at;
		}
	}
	return NULL;
}

/* ---- files ---------------------------------------------------------------------- */

static void add_text(struct code *self, const char *path, const char *content)
{
	struct text *text;

	AT_GROW(self->texts, self->capacity, self->count + 1);
	text = &self->texts[self->count++];
	*text = (struct text){ .path = at_strdup(path), .text = at_strdup(content) };
	text->real = self->count > 1 ? realpath(path, NULL) : NULL;
	if (!text->real)
		text->real = at_strdup("");
	text->directory =
		self->count > 1 ? at_path_directory(path) : at_strdup(self->directory);
}

static enum at_status take_file(
	void *context, const char *path, const char *content, struct at_error *err)
{
	(void)err;
	add_text(context, path, content);
	return AT_OK;
}

static void close_code(struct code *self)
{
	for (struct part *part = NULL; (part = next_part(self, part));)
		free(part->complaint);
	for (size_t i = 0; i < self->count; i++) {
		free(self->texts[i].path);
		free(self->texts[i].real);
		free(self->texts[i].directory);
		free(self->texts[i].text);
		free(self->texts[i].parts);
		free(self->texts[i].copy);
	}
	free(self->texts);
	at_strbuf_release(&self->annotations);
	at_strbuf_release(&self->makers);
	at_scratch_remove(&self->scratch);
	memset(self, 0, sizeof(*self));
}

static enum at_status open_code(struct code *self,
	const struct at_compile_request *request, const char *const *variables,
	struct at_error *err)
{
	const struct at_reach_visitor visitor = { take_file, self };
	struct at_reach reach;
	enum at_status status;

	*self = (struct code){ .request = request,
		.directory = request->directory && request->directory[0]
				     ? request->directory
				     : "." };
	at_strbuf_add(&self->annotations, " ");
	at_strbuf_add(&self->makers, " ");
	add_text(self, request->name, request->source);
	status = at_reach_find(request->source, self->directory, request->options,
		request->option_count, variables, &visitor, &reach, err);
	if (status)
		return status;
	at_reach_release(&reach);
	/* headers first: the template uses their macros */
	for (size_t i = self->count; i-- > 0;) {
		leave_out_refused(self, &self->texts[i]);
		read_parts(self, &self->texts[i]);
	}
	return AT_OK;
}

/* The file that an #include means; NULL: none of the user's. */
static struct text *find_included(struct code *self, const struct part *part)
{
	const struct at_compile_request *request = self->request;
	char *name = at_strndup(part->name.text + 1, part->name.length - 2);
	struct text *found = NULL;

	/* the including file's folder, the template's, this one, then those of -I */
	for (size_t i = 0; i < request->option_count + 3 && !found; i++) {
		size_t option = i - 3;
		const char *folder = i == 0   ? part->text->directory
				     : i == 1 ? self->directory
				     : i == 2 ? "."
					      : NULL;
		char *path, *real;

		if (!folder && at_option_read(request->options, request->option_count,
				       &option, &folder) != AT_OPTION_FOLDER)
			continue;
		path = at_path_join(folder, name);
		real = realpath(path, NULL);
		for (size_t j = 1; real && j < self->count && !found; j++)
			if (!strcmp(self->texts[j].real, real))
				found = &self->texts[j];
		free(real);
		free(path);
	}
	free(name);
	return found;
}

/* ---- the compiler's complaints -------------------------------------------------- */

/* The user's file of that name in a log; NULL: it is another file. */
static struct text *find_text(struct code *self, const char *file)
{
	char *real = realpath(file, NULL);
	struct text *found = NULL;

	for (size_t i = 0; i < self->count && !found; i++) {
		assert(self->texts);
		if (i ? real && !strcmp(self->texts[i].real, real)
		      : !strcmp(file, self->request->name))
			found = &self->texts[i];
	}
	free(real);
	return found;
}

static bool may_go(const struct code *self, const struct part *part)
{
	return !part->is_out && (!part->is_for_devices || self->takes_devices);
}

/*
 * Leaves out a part. A function for devices goes with all others of its name: a call
 * must not become one of another function.
 */
static void take_out(struct code *self, struct part *part)
{
	const struct at_lexeme name = part->name;

	part->is_out = true;
	for (struct part *other = NULL;
		part->is_for_devices && (other = next_part(self, other));)
		other->is_out |=
			other->is_for_devices && at_lexeme_same(other->name, name);
}

/* The smallest part of the text at that place that may be left out now, or is out if
   has_out is set. */
static struct part *find_part(
	const struct code *self, struct text *text, int line, int column, bool has_out)
{
	const char *at = find_line(self, text, line);
	struct part *found = NULL;
	size_t start, end;

	if (!at)
		return NULL;
	start = (size_t)(at - text->text);
	end = start + strcspn(at, "\n");
	/* messages show tabs as some number of blanks */
	if (column && start + (size_t)column <= end && !memchr(at, '\t', end - start)) {
		start += (size_t)column - 1;
		end = start + 1;
	}
	for (size_t i = 0; i < text->part_count; i++) {
		struct part *part = &text->parts[i];

		if (!(has_out && part->is_out) && !may_go(self, part))
			continue;
		if (part->start >= end || part->end <= start)
			continue;
		if (!found || part->end - part->start < found->end - found->start)
			found = part;
	}
	return found;
}

/* Whether the #include leads to the file of a library: it has that name, lies in the
   same folder of headers ("thrust/host_vector.h" for thrust/detail/x.h), or includes
   it. */
static bool leads_to(const struct part *part, const char *file)
{
	const char *root = strstr(file, "/include/");
	const char *base = at_path_name(file);
	char *name = at_strndup(part->name.text + 1, part->name.length - 2);
	const char *folder = strchr(name, '/');
	struct at_strbuf path = { 0 }, first = { 0 };
	char *text = NULL;
	bool leads;
	size_t size;

	/* of a file in the folder of a job the log has no more than its name there */
	at_strbuf_addf(&path, "/%s", root ? root + strlen("/include/") : file);
	at_strbuf_addf(&first, "/%.*s", folder ? (int)(folder + 1 - name) : 0, name);
	leads = folder ? strstr(path.data, first.data) != NULL : !strcmp(base, name);
	if (!leads && !folder && root) {
		at_strbuf_clear(&path);
		at_strbuf_addf(&path, "%.*s%s", (int)(base - file), file, name);
		if (!at_file_read(path.data, (size_t)16 << 20, &text, &size, NULL))
			leads = strstr(text, base) != NULL;
		free(text);
	}
	at_strbuf_release(&path);
	at_strbuf_release(&first);
	free(name);
	return leads;
}

/*
 * The part of the user's that a line of gcc's or clang's log names as an error's
 * origin: "In file included from x.cu:4," with "                 from x.h:70:" below
 * it, "x.cu:4:1: note: in expansion of macro", or "x.cu:4:1:   required from here".
 */
static struct part *read_origin(struct code *self, const char *line)
{
	const size_t length = strcspn(line, "\n");
	char copy[600], file[512];
	int number, column = 0;
	const char *from;
	struct part *part;
	struct text *text;

	snprintf(copy, sizeof(copy), "%.*s", (int)length, line);
	from = strstr(copy, "from ");
	if (strstr(copy, "in expansion of macro") || strstr(copy, "required from")) {
		if (sscanf(copy, "%511[^:]:%d:%d", file, &number, &column) != 3)
			return NULL;
	} else if (!from || (copy[0] != ' ' && strncmp(copy, "In file", 7) != 0) ||
		   sscanf(from + 5, "%511[^:]:%d", file, &number) != 2) {
		return NULL;
	}
	text = find_text(self, file);
	/* of an #include that is out, the next line has the one that led to it */
	part = text ? find_part(self, text, number, column, true) : NULL;
	/* a file of the user's is read: it has parts of its own */
	return part && part->is_include && find_included(self, part) ? NULL : part;
}

/* Leaves out each #include by which a file came that is not the user's: those of the
   file itself, if the user has some, else those that lead to it. */
static bool leave_out_header(struct code *self, const char *file)
{
	const char *base = at_path_name(file);
	const size_t length = strlen(base);
	bool found = false, is_changed = false;

	for (int turn = 0; turn < 2 && !found; turn++)
		for (struct part *part = NULL; (part = next_part(self, part));) {
			if (!part->is_include ||
				!(turn ? leads_to(part, file)
				       : part->name.length == length + 2 &&
							!memcmp(part->name.text + 1,
								base, length)))
				continue;
			found = true;
			is_changed |= !part->is_out;
			part->is_out = true;
		}
	return is_changed;
}

/* Whether the template itself refuses the configuration. */
static bool is_refusal(const struct at_log_error *complaint)
{
	static const char *const words[] = { "static assertion", "static_assert",
		"#error" };
	const char *end = complaint->text + strcspn(complaint->text, "\n");

	for (size_t i = 0; i < AT_COUNT_OF(words); i++) {
		const char *found = strstr(complaint->text, words[i]);

		if (found && found < end)
			return true;
	}
	return false;
}

/*
 * Whether nothing that is left out, and nothing that stays, is to blame: the template
 * itself refuses the configuration, which then stands first in the log, or ptxas does.
 */
static bool is_final(struct code *self, struct at_compile_result *result)
{
	struct at_log_error complaint;
	struct at_strbuf log = { 0 };

	for (const char *at = result->log, *next; *at; at = next) {
		const size_t length = strcspn(at, "\n");

		next = at + length + (at[length] == '\n');
		if (!at_log_read_error(at, &complaint) || !is_refusal(&complaint) ||
			!find_text(self, complaint.file))
			continue;
		at_strbuf_addf(&log, "%.*s\n", (int)length, at);
		at_log_put_ahead(result, &log);
		return true;
	}
	return strstr(result->log, "ptxas error") != NULL;
}

/* Leaves out the functions for which a linker misses others: it names them, without
   lines, as "in function `tools::read(char const*)':". */
static bool leave_out_unlinked(struct code *self, const char *log)
{
	static const char words[] = "in function `";
	bool is_changed = false;

	while ((log = strstr(log, words)) != NULL) {
		struct at_lexeme name = { log += strlen(words), 0 };

		for (; *log && !strchr("<(\'\n", *log); log++)
			if (strchr(": ", *log))
				name.text = log + 1;
		name.length = (size_t)(log - name.text);
		for (struct part *part = NULL; (part = next_part(self, part));) {
			if (!may_go(self, part) || !part->is_function ||
				!at_lexeme_same(part->name, name))
				continue;
			take_out(self, part);
			is_changed = true;
		}
	}
	return is_changed;
}

/* Whether an #include names a header of the template's own that is not there: it may
   decide what a kernel does. Headers of the system are quoted by some. */
static bool is_lost(struct code *self, const struct part *part)
{
	static const char *const folders[] = { "", "*/" }; /* as "x86_64-linux-gnu" */
	char path[512];
	bool is_found = false;

	if (!part->is_include || *part->name.text != '"' || find_included(self, part))
		return false;
	for (size_t i = 0; i < AT_COUNT_OF(folders) && !is_found; i++) {
		glob_t paths;

		snprintf(path, sizeof(path), "/usr/include/%s%.*s", folders[i],
			(int)part->name.length - 2, part->name.text + 1);
		is_found = !glob(path, GLOB_NOSORT, NULL, &paths);
		globfree(&paths);
	}
	return !is_found;
}

/* Leaves out what has the name of a macro of the space, and functions in which it
   stands. */
static bool leave_out_users(struct code *self, struct at_lexeme macro)
{
	bool is_changed = false;

	for (struct part *part = NULL; (part = next_part(self, part));) {
		const char *at = part->text->text + part->start;
		const char *end = part->text->text + part->end;
		struct at_lexeme word;

		if (!may_go(self, part) ||
			!(part->is_function || at_lexeme_same(part->name, macro)))
			continue;
		while (!part->is_out && at_scan(&at, &word) && word.text < end)
			part->is_out = at_lexeme_same(word, macro);
		is_changed |= part->is_out;
	}
	return is_changed;
}

static const char without_space[] = "A function without";

/* Whether a log complains of a function that has no __device__ and stays. NVRTC checks
   its body, too, so nothing else is wrong with it. */
static bool leaves_functions(struct code *self, const char *log)
{
	struct at_log_error complaint;
	const struct part *part;
	struct text *text;

	for (; *log; log += strcspn(log, "\n"), log += *log == '\n') {
		if (!at_log_read_error(log, &complaint) ||
			strncmp(complaint.text, without_space, strlen(without_space)) !=
				0)
			continue;
		text = find_text(self, complaint.file);
		part = text ? find_part(self, text, complaint.line, complaint.column,
				      true)
			    : NULL;
		if (text && !(part && part->is_out))
			return true;
	}
	return false;
}

/* Leaves out what a log complains of; false: there is nothing. */
static bool leave_out(struct code *self, const char *log)
{
	bool is_changed = false, has_functions = false, is_open = false;
	bool is_skipped = false; /* a header is read from its middle on */
	struct part *origin = NULL, *part;
	struct at_log_error complaint;
	struct at_lexeme macro;
	const char *use;
	struct text *text;
	/* the compiler gave up before it had read all of the source */
	const bool is_cut_off =
		at_log_missing_header(log, &use) || strstr(log, "Error limit reached");

	for (const char *at = log, *next; *at; at = next) {
		next = at + strcspn(at, "\n");
		next += *next == '\n';
		if (!at_log_read_error(at, &complaint)) {
			/* the mistake was in what is left out now, ahead of a header */
			use = strstr(at, "parsing restarts here");
			is_skipped |= is_changed && use && use < next;
			part = read_origin(self, at);
			/* files that include each other are listed from the innermost
			 * on */
			if (part && (!origin || *at != ' '))
				origin = part;
			/* a macro's text is in no declaration; its use follows */
			if (part && is_open && !part->is_out) {
				take_out(self, part);
				is_changed = true;
			}
			is_open &= !part;
			continue;
		}
		if (at_clash_defines(self->request, complaint.file,
			    (size_t)complaint.line, &macro)) {
			use = at_clash_use(next);
			if (use)
				sscanf(use, "%1023[^:]:%d:%d", complaint.file,
					&complaint.line, &complaint.column);
			else {
				is_changed |= leave_out_users(self, macro);
				continue;
			}
		}
		text = find_text(self, complaint.file);
		if (is_skipped && !text)
			continue;
		is_skipped = false;
		/* -default-device is for these */
		if (!strncmp(complaint.text, without_space, strlen(without_space))) {
			has_functions = true;
			continue;
		}
		part = text ? find_part(self, text, complaint.line, complaint.column,
				      false)
			    : origin;
		is_open = text && !part;
		/* a header that complains itself was found */
		if (part && text && is_lost(self, part)) {
			self->is_lost = true;
			continue;
		}
		if (part && !part->is_out) {
			part->complaint = at_strndup(at, strcspn(at, "\n"));
			take_out(self, part);
			is_changed = true;
		}
		if (part)
			continue;
		if (!text && leave_out_header(self, complaint.file))
			is_changed = true;
	}
	if (has_functions && !self->is_device_default &&
		(!is_changed || (!is_cut_off && leaves_functions(self, log))))
		return self->is_device_default = true;
	return is_changed || leave_out_unlinked(self, log);
}

/* The same, with functions for devices if nothing else can be left out. */
static bool leave_out_more(struct code *self, const char *log)
{
	bool is_changed = leave_out(self, log);

	self->takes_devices = !is_changed;
	is_changed = is_changed || leave_out(self, log);
	self->takes_devices = false;
	return is_changed;
}

/* Whether the source has an #include of that part's name which is no file of the
   user's. */
static bool is_searched(struct code *self, const struct part *part)
{
	return part->is_include && !part->is_out && !find_included(self, part);
}

/*
 * Asks the compiler which headers it does not find, and leaves them out: it stops at
 * the first of them, after it has read all others up to there.
 */
static enum at_status leave_out_unfound(struct code *self,
	at_device_code_compiler *compile, const void *context, struct at_error *err)
{
	static const char words[] = "autotune finds no header ";
	struct at_compile_request request = *self->request;
	struct at_compile_result result = { 0 };
	struct at_strbuf source = { 0 };
	enum at_status status;
	size_t number = 0;

	for (const struct part *part = NULL; (part = next_part(self, part));)
		if (is_searched(self, part))
			at_strbuf_addf(&source,
				"#if !__has_include(%.*s)\nstatic_assert(false, \"%s%zu.\");\n#endif\n",
				(int)part->name.length, part->name.text, words,
				number++);
	/* nothing is to be linked */
	at_strbuf_addf(&source, "static_assert(false, \"%s%zu.\");\n", words, number);
	request.source = source.data;
	request.omit = NULL;
	request.kernel_count = 0;
	status = compile(&request, context, &result, err);
	number = 0;
	for (struct part *part = NULL; !status && (part = next_part(self, part));) {
		char wanted[64];

		if (!is_searched(self, part))
			continue;
		snprintf(wanted, sizeof(wanted), "%s%zu.", words, number++);
		part->is_out = part->is_unfound = result.log &&
						  strstr(result.log, wanted) &&
						  !is_lost(self, part);
	}
	at_compile_result_release(&result);
	at_strbuf_release(&source);
	return status;
}

/* ---- what is left --------------------------------------------------------------- */

static bool is_changed(const struct text *text)
{
	for (size_t i = 0; i < text->part_count; i++)
		if (text->parts[i].is_out)
			return true;
	return false;
}

/* Names a copy for each file that changes, or that includes such a file. */
static enum at_status plan_copies(struct code *self, struct at_error *err)
{
	enum at_status status = AT_OK;
	bool goes_on = true;

	while (goes_on && !status) {
		goes_on = false;
		for (size_t i = 1; i < self->count && !status; i++) {
			struct text *text = &self->texts[i];
			bool needs = is_changed(text);
			struct at_strbuf path = { 0 };

			for (size_t j = 0; j < text->part_count && !needs; j++) {
				const struct text *found =
					text->parts[j].is_include
						? find_included(self, &text->parts[j])
						: NULL;

				needs = found && found->copy;
			}
			if (!needs || text->copy)
				continue;
			if (!self->scratch.path[0])
				status = at_scratch_make(
					&self->scratch, "autotune-code", err);
			at_strbuf_addf(&path, "%s/%zu.h", self->scratch.path, i);
			text->copy = at_strbuf_detach(&path);
			goes_on = true;
		}
	}
	return status;
}

/* Appends blanks for a part: its newlines and the directives in it stay. */
static void write_blanks(struct at_strbuf *out, const char *at, const char *end)
{
	const bool is_include = *at == '#';

	while (at < end) {
		const char *next = at, *stop = end;
		struct at_lexeme lexeme;
		bool is_directive = false;

		if (!is_include && at_scan(&next, &lexeme) && lexeme.text < end) {
			is_directive = lexeme.text[0] == '#';
			stop = is_directive ? lexeme.text : next;
		}
		/* columns stay: messages name them */
		for (; at < stop; at++)
			at_strbuf_add_char(out, strchr("\n\t", *at) ? *at : ' ');
		if (is_directive) {
			at = at_scan_directive_end(stop);
			at_strbuf_add_bytes(out, stop, (size_t)(at - stop));
		}
	}
}

/* Appends what is left of a text. */
static void write_text(
	struct code *self, const struct text *text, struct at_strbuf *out)
{
	size_t at = 0;

	assert(text->parts || !text->part_count);
	for (size_t i = 0; i < text->part_count; i++) {
		const struct part *part = &text->parts[i];
		const struct text *found = NULL;

		if (part->start < at)
			continue;
		if (part->is_include && !part->is_out)
			found = find_included(self, part);
		/* a copy is in another folder, and names files by their full paths */
		if (!part->is_out && !(found && (found->copy || text->copy)))
			continue;
		at_strbuf_add_bytes(out, text->text + at, part->start - at);
		if (found)
			at_strbuf_addf(out, "#include \"%s\"",
				found->copy ? found->copy : found->real);
		else
			write_blanks(
				out, text->text + part->start, text->text + part->end);
		at = part->end;
	}
	at_strbuf_add(out, text->text + at);
}

/* omits: time may be saved by the kernels that the request omits. */
static enum at_status compile_rest(struct code *self, bool omits,
	at_device_code_compiler *compile, const void *context,
	struct at_compile_result *result, struct at_error *err)
{
	static char device_default[] = "-default-device";
	struct at_compile_request rest = *self->request;
	struct at_strbuf source = { 0 };
	enum at_status status = plan_copies(self, err);

	for (size_t i = 1; i < self->count && !status; i++) {
		struct text *text = &self->texts[i];
		struct at_strbuf copy = { 0 };

		if (!text->copy)
			continue;
		at_job_add_line(&copy, 1, "", text->path, "");
		write_text(self, text, &copy);
		status = at_job_write(text->copy, copy.data, copy.length, err);
		at_strbuf_release(&copy);
	}
	write_text(self, &self->texts[0], &source);
	rest.source = source.data;
	rest.options = at_calloc(rest.option_count + 1, sizeof(*rest.options));
	for (size_t i = 0; i < rest.option_count; i++)
		rest.options[i] = self->request->options[i];
	if (!omits)
		rest.omit = NULL;
	rest.is_rest = self->is_rest;
	if (self->is_device_default)
		rest.options[rest.option_count++] = device_default;
	if (!status)
		status = compile(&rest, context, result, err);
	free(rest.options);
	at_strbuf_release(&source);
	return status;
}

static bool mentions(const char *log, struct at_lexeme name)
{
	struct at_lexeme word;

	while (at_scan(&log, &word))
		/* gcc quotes names, as 'Cell' */
		for (size_t i = 0; i + name.length <= word.length; i++)
			if (!memcmp(word.text + i, name.text, name.length) &&
				at_scan_span(word.text + i) == name.length)
				return true;
	return false;
}

/*
 * Puts the names of what is left out ahead of a log, and for each name that the log
 * misses why it is out: this may be the mistake. whole: what compiles all of it; NULL:
 * nothing to say. False: it is #includes alone.
 */
static bool explain(
	const struct code *self, const char *whole, struct at_compile_result *result)
{
	struct at_strbuf log = { 0 }, causes = { 0 };
	size_t count = 0, declarations = 0;

	for (const struct part *part = NULL; (part = next_part(self, part));) {
		if (!part->is_out || part->is_refused || !part->name.length ||
			(part->is_unfound && result->outcome == AT_OUTCOME_OK))
			continue;
		declarations += !part->is_include;
		if (part->complaint && !part->is_include &&
			mentions(result->log, part->name))
			at_strbuf_addf(&causes, "%s\n", part->complaint);
		if (count++ < SHOWN)
			at_strbuf_addf(&log, "%s%.*s%s",
				count > 1 ? ", " : AT_DEVICE_CODE_WORDS,
				(int)part->name.length, part->name.text,
				part->is_function ? "()" : "");
	}
	if (declarations || (count && !whole)) {
		/* no compiler finds a header of the template's own elsewhere */
		if (whole && self->is_lost)
			whole = "options = ( \"-IFOLDER\" ) gives a header's folder";
		at_strbuf_addf(&log, "%s for the CPU%s%s\n%s",
			count > SHOWN ? ", ..." : "", whole ? "; " : "",
			whole ? whole : "", at_strbuf_text(&causes));
		at_log_put_ahead(result, &log);
	}
	at_strbuf_release(&log);
	at_strbuf_release(&causes);
	return declarations || self->is_device_default;
}

/* ---- all of it ------------------------------------------------------------------ */

/* What was left out of the last source that compiled so: most often the next source is
   the same template with other parameters. */
struct memory {
	struct at_hash key;
	size_t count;
	size_t capacity;
	struct at_hash *parts; /* of their texts */
	bool is_device_default;
};

static struct at_hash hash_part(const struct part *part)
{
	return at_hash_bytes(part->text->text + part->start, part->end - part->start);
}

static void remember(struct memory *memory, const struct code *self, struct at_hash key)
{
	memory->key = key;
	memory->count = 0;
	memory->is_device_default = self->is_device_default;
	for (const struct part *part = NULL; (part = next_part(self, part));) {
		if (!part->is_out)
			continue;
		AT_GROW(memory->parts, memory->capacity, memory->count + 1);
		memory->parts[memory->count++] = hash_part(part);
	}
}

enum at_status at_device_code_compile(const struct at_compile_request *request,
	const struct at_toolchain *toolchain, at_device_code_compiler *compile,
	const void *context, struct at_compile_result *result, struct at_error *err)
{
	static struct memory memory;
	const struct at_hash pair[2] = { request->includes,
		at_hash_bytes(request->toolchain, strlen(request->toolchain)) };
	const struct at_hash key = at_hash_bytes(pair, sizeof(pair));
	struct at_compile_result whole = { 0 };
	struct code code = { 0 };
	enum at_status status = AT_OK;
	bool is_whole, is_known = at_hash_equal(memory.key, key);

	status = open_code(&code, request, toolchain->folders, err);
	if (status)
		return status;
	if (is_known) {
		code.is_device_default = memory.is_device_default;
		for (struct part *part = NULL; (part = next_part(&code, part));)
			for (size_t i = 0; i < memory.count; i++)
				part->is_out |=
					at_hash_equal(memory.parts[i], hash_part(part));
		code.is_rest = true;
		status = compile_rest(&code, true, compile, context, result, err);
		if (!status && result->outcome == AT_OUTCOME_OK)
			explain(&code, NULL, result);
		if (status || result->outcome == AT_OUTCOME_OK ||
			is_final(&code, result))
			goto release;
		/* what another configuration could do without may be missing here */
		at_compile_result_release(result);
		memset(result, 0, sizeof(*result));
		close_code(&code);
		status = open_code(&code, request, toolchain->folders, err);
	}
	/* No declaration is left out of what compiles as a whole. A file with launches
	   does not, whatever it omits. */
	is_whole = !status;
	for (size_t i = 0; i < code.count; i++)
		is_whole = is_whole && !strstr(code.texts[i].text, "<<<");
	if (!status && !is_whole)
		status = leave_out_unfound(&code, compile, context, err);
	if (!status)
		status = compile_rest(&code, is_whole, compile, context, result, err);
	for (size_t i = 0; i < ROUNDS && !status; i++) {
		if (result->outcome == AT_OUTCOME_OK || is_final(&code, result) ||
			!leave_out_more(&code, result->log))
			break;
		code.is_rest = true;
		if (!i && is_whole)
			status = leave_out_unfound(&code, compile, context, err);
		if (!i)
			whole = *result;
		else
			at_compile_result_release(result);
		memset(result, 0, sizeof(*result));
		if (!status)
			status = compile_rest(
				&code, false, compile, context, result, err);
	}
	if (status || !whole.log) {
		/* nothing can be left out of it */
	} else if (result->outcome == AT_OUTCOME_OK) {
		remember(&memory, &code, key);
		explain(&code, NULL, result);
	} else if (!is_final(&code, result) &&
		   !explain(&code, toolchain->whole, result) && !code.is_lost) {
		/* the message about a header that is not there */
		at_compile_result_release(result);
		*result = whole;
		memset(&whole, 0, sizeof(whole));
	}
release:
	close_code(&code);
	at_compile_result_release(&whole);
	return status;
}

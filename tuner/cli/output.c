/* The two output streams: see output.h. */
#include "cli/output.h"

#include "cli/format.h"

#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* The longest wait of a message for a slow reader of stderr, in milliseconds. */
#define TALK_MS 1000

/* Process-wide, as the streams are. */
static struct {
	bool reader_left;
	bool failed;
	void (*hide)(void *context);
	void *context;
} output;

void at_output_begin(void)
{
	signal(SIGPIPE, SIG_IGN);
}

static void note_failure(void)
{
	int code = errno;
	struct stat facts;

	/* the reader of a pipe has gone, or a terminal is closed; EIO on a disk means
	   that it is broken */
	if (code == EPIPE || (code == EIO && !fstat(STDOUT_FILENO, &facts) &&
				     S_ISCHR(facts.st_mode))) {
		output.reader_left = true;
	} else if (!output.failed) {
		output.failed = true;
		fprintf(stderr, "autotune: cannot write to standard output: %s\n",
			strerror(code));
	}
}

/* Writes all of the text; on failure it returns false and sets errno. The parent
   process may have made the stream non-blocking (some do so with their own end of a
   terminal or a socket, which is shared). stdio would then lose text. */
static bool write_all(int file, const char *text, size_t size, int patience_ms)
{
	while (size > 0) {
		ssize_t written = write(file, text, size);

		if (written >= 0) {
			text += written;
			size -= (size_t)written;
		} else if (errno == EAGAIN || errno == EWOULDBLOCK) {
			struct pollfd room = { .fd = file, .events = POLLOUT };

			if (poll(&room, 1, patience_ms) == 0) {
				errno = EAGAIN;
				return false;
			}
		} else if (errno != EINTR) {
			return false;
		}
	}
	return true;
}

bool at_output_end(void)
{
	return !output.failed;
}

static void hide(void)
{
	if (output.hide)
		output.hide(output.context);
}

void at_say_around(void (*hide_display)(void *context), void *context)
{
	output.hide = hide_display;
	output.context = context;
}

/* Prints a filtered text, and releases it. */
static void print_shown(struct at_strbuf *text)
{
	if (!output.reader_left && !output.failed) {
		hide();
		if (!write_all(STDOUT_FILENO, at_strbuf_text(text), text->length, -1))
			note_failure();
	}
	at_strbuf_release(text);
}

void at_print(struct at_strbuf *text)
{
	struct at_strbuf shown = { 0 };

	at_format_shown(&shown, at_strbuf_text(text), text->length,
		at_output_has_color(STDOUT_FILENO));
	at_strbuf_release(text);
	print_shown(&shown);
}

void at_print_folded(struct at_strbuf *text)
{
	struct at_strbuf folded = { 0 };

	if (at_output_is_terminal(STDOUT_FILENO)) {
		at_format_fold(
			&folded, at_strbuf_text(text), at_output_width(STDOUT_FILENO));
		at_strbuf_release(text);
		*text = folded;
	}
	at_print(text);
}

void at_print_json(struct at_json *object)
{
	struct at_strbuf line = { 0 };

	/* the JSON writer escapes everything that would be filtered */
	at_json_write(object, 0, &line);
	at_strbuf_add_char(&line, '\n');
	print_shown(&line);
	at_json_free(object);
}

static void put_folded(const char *text)
{
	struct at_strbuf folded = { 0 };

	if (at_output_is_terminal(STDERR_FILENO)) {
		at_format_fold(&folded, text, at_output_width(STDERR_FILENO));
		text = at_strbuf_text(&folded);
	}
	/* messages need not be read, so the run waits for the reader only for a
	   moment */
	(void)!write_all(STDERR_FILENO, text, strlen(text), TALK_MS);
	at_strbuf_release(&folded);
}

void at_say(const char *format, ...)
{
	char text[2048];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text) - 1, format, arguments);
	va_end(arguments);
	at_text_flatten(text);
	strcat(text, "\n");
	hide();
	put_folded(text);
}

void at_output_status(const char *format, ...)
{
	struct at_strbuf text = { 0 }, plain = { 0 }, line = { 0 };
	va_list arguments;

	if (!at_output_is_terminal(STDERR_FILENO))
		return;
	va_start(arguments, format);
	if (format)
		at_strbuf_addv(&text, format, arguments);
	va_end(arguments);
	at_format_plain(&plain, at_strbuf_text(&text));
	at_format_fit(
		&line, at_strbuf_text(&plain), at_output_width(STDERR_FILENO) - 1);
	fprintf(stderr, "\r%s\033[K", at_strbuf_text(&line));
	fflush(stderr);
	at_strbuf_release(&text);
	at_strbuf_release(&plain);
	at_strbuf_release(&line);
}

/* Advice for the user when the system has run out of something. It depends on the
   system's message, not on where the shortage was noticed. */
static const char *advice(const char *text)
{
	/* without first letters, which libraries write in either case */
	static const struct {
		const char *said;
		const char *advice;
	} list[] = {
		{ "oo many open files in system",
			"; let other programs of this machine close some" },
		{ "oo many open files", "; raise `ulimit -n`" },
		{ "esource temporarily unavailable",
			"; raise `ulimit -u` (or `ulimit -v`, or the limits of the control group), or let fewer programs run" },
		{ "annot allocate memory",
			"; raise `ulimit -v`, or let other programs free some" },
		{ "ile too large", "; raise `ulimit -f`" },
		{ "o space left on device", "; free some room there" },
		{ "isk quota exceeded", "; free some room there" },
	};

	/* the text has its own advice */
	if (strstr(text, "ulimit") || strstr(text, "free "))
		return "";
	for (size_t i = 0; i < AT_COUNT_OF(list); i++)
		if (strstr(text, list[i].said))
			return list[i].advice;
	return "";
}

void at_say_error(const struct at_error *err)
{
	at_say("autotune: %s%s", at_format_error(err).text, advice(err->text));
}

void at_say_block(struct at_strbuf *text)
{
	struct at_strbuf shown = { 0 };

	at_format_shown(&shown, at_strbuf_text(text), text->length,
		at_output_has_color(STDERR_FILENO));
	at_strbuf_release(text);
	hide();
	put_folded(at_strbuf_text(&shown));
	at_strbuf_release(&shown);
}

bool at_output_is_terminal(int file)
{
	const char *name = getenv("TERM");

	return isatty(file) && name && strcmp(name, "dumb") != 0;
}

bool at_output_has_color(int file)
{
	const char *no_color = getenv("NO_COLOR");

	return at_output_is_terminal(file) && !(no_color && *no_color);
}

int at_output_width(int file)
{
	struct winsize size;
	const char *columns = getenv("COLUMNS");
	int64_t width;

	if (!ioctl(file, TIOCGWINSZ, &size) && size.ws_col > 0)
		return size.ws_col;
	if (columns && at_text_integer(columns, &width) && width > 0 && width < 10000)
		return (int)width;
	return 80;
}

bool at_output_is_utf8(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };
	char name[64] = "";

	for (size_t i = 0; i < AT_COUNT_OF(names) && !name[0]; i++) {
		const char *value = getenv(names[i]);
		size_t length = 0;

		/* accepts "en_US.UTF-8" and "C.utf8" */
		for (; value && *value && length + 1 < sizeof(name); value++)
			if (*value != '-')
				name[length++] = (char)tolower((unsigned char)*value);
		name[length] = '\0';
	}
	return strstr(name, "utf8") != NULL;
}

/* autotune help: chooses what to explain, in which form, and where to write it. */
#include "cli/help.h"

#include "base/file.h"
#include "cli/output.h"

#include <string.h>

static const struct {
	const char *name;
	const unsigned char *script; /* a text */
} shells[] = {
	{ "bash", at_embedded_completion_bash },
	{ "zsh", at_embedded_completion_zsh },
	{ "fish", at_embedded_completion_fish },
};

static const char *const shell_names[] = { "bash", "zsh", "fish", NULL };

static enum at_status check_shell(const char *value, struct at_error *err)
{
	for (size_t i = 0; i < AT_COUNT_OF(shells); i++)
		if (!strcmp(shells[i].name, value))
			return AT_OK;
	return at_fail(err, AT_EINVAL, NULL, 0,
		"expected one of bash, zsh, fish, found \"%s\"", value);
}

static void add_script(struct at_strbuf *out, const char *shell)
{
	for (size_t i = 0; i < AT_COUNT_OF(shells); i++)
		if (!strcmp(shells[i].name, shell))
			at_strbuf_add(out, (const char *)shells[i].script);
}

static void add_help(const struct at_cli_arguments *arguments,
	const struct at_cli_command *command, struct at_strbuf *out)
{
	const char *shell = at_cli_text(arguments, "completion", NULL);
	const struct at_cli_command *const *all = arguments->all;

	if (at_cli_given(arguments, "markdown"))
		at_help_markdown(all, out);
	else if (at_cli_given(arguments, "man"))
		at_help_man(all, out);
	else if (shell)
		add_script(out, shell);
	else if (command)
		at_help_command(command, at_cli_help_columns(1), out);
	else
		at_help_program(all, at_cli_help_columns(1), out);
}

/* Prints the text, or writes it to the file of --output. */
static enum at_exit write_help(
	const struct at_cli_arguments *arguments, struct at_strbuf *text)
{
	const char *path = at_cli_text(arguments, "output", NULL);
	struct at_error err = { 0 };

	if (!path || !strcmp(path, "-")) {
		at_print(text);
		return AT_EXIT_DONE;
	}
	if (!at_file_replace(path, text->data, text->length, &err))
		return AT_EXIT_DONE;
	at_say_error(&err);
	return AT_EXIT_FAILED;
}

static enum at_exit run_help(
	const struct at_cli_arguments *arguments, struct at_error *err)
{
	const char *name = arguments->operand_count ? arguments->operands[0] : NULL;
	const struct at_cli_command *command =
		name ? at_cli_command_find(arguments->all, name) : NULL;
	struct at_strbuf text = { 0 };
	enum at_exit code;

	if (name && !command) {
		size_t place;

		/* For its message about a mistyped command, with a suggestion. */
		at_cli_choose(arguments->all, 1, arguments->operands, &place, err);
		if (!err->status)
			at_fail(err, AT_EINVAL, NULL, 0,
				"\"%s\" is no command; see \"autotune help\"", name);
		return AT_EXIT_USAGE;
	}
	add_help(arguments, command, &text);
	code = write_help(arguments, &text);
	at_strbuf_release(&text);
	return code;
}

static const struct at_cli_option options[] = {
	/* Hidden: the tables of cli/README.md, for updating that file. */
	{ .name = "markdown" },
	{ "man", .help = "print the manual page, for man; it covers all commands" },
	{ "completion", AT_CLI_TEXT, "SHELL",
		.help = "print the completions of commands, options and their values, for bash, zsh or fish",
		.words = shell_names, .check = check_shell },
	{ .name = NULL },
};

const struct at_cli_command at_command_help = {
	.name = "help",
	.operands = "[COMMAND]",
	.summary = "explain the program, or one command",
	.details =
		"Packages install the manual page and the completions. To install them by hand:\n"
		"\n"
		"  cd ~/.local/share\n"
		"  autotune help --man -o man/man1/autotune.1\n"
		"  autotune help --completion bash -o bash-completion/completions/autotune\n"
		"  autotune help --completion fish -o fish/vendor_completions.d/autotune.fish\n"
		"  autotune help --completion zsh -o ~/FOLDER/_autotune  # one of $fpath",
	.options = "man completion output markdown",
	.own = options,
	.run = run_help,
};

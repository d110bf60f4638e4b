/* Completions for bash: tables of commands and options, and completion.bash, which
   reads them. */
#include "cli/help.h"

static const char *offer_name(enum at_offer offer)
{
	switch (offer) {
	case AT_OFFER_NOTHING:
		break;
	case AT_OFFER_WORDS:
		return "words";
	case AT_OFFER_FILES:
		return "files";
	case AT_OFFER_FOLDERS:
		return "folders";
	case AT_OFFER_SPACES:
		return "spaces";
	case AT_OFFER_RECORDINGS:
		return "recordings";
	case AT_OFFER_COMMANDS:
		return "commands";
	}
	return "nothing";
}

/* A shell function that says what follows an option; flags are not in it. */
static void add_values(const struct at_cli_command *const *all, struct at_strbuf *out)
{
	const struct at_cli_option *option;

	at_strbuf_add(out, "# What follows option $1; false where nothing does.\n"
			   "_autotune_value()\n{\n\twords= maybe=\n\tcase $1 in\n");
	for (size_t i = 0; (option = at_help_option_at(all, i)); i++) {
		if (option->kind == AT_CLI_FLAG)
			continue;
		at_strbuf_addf(out, "\t--%s", option->name);
		if (option->letter)
			at_strbuf_addf(out, "|-%c", option->letter);
		at_strbuf_addf(
			out, ") offer=%s", offer_name(at_help_option_offer(option)));
		if (at_help_option_offer(option) == AT_OFFER_WORDS) {
			at_strbuf_add(out, " words='");
			at_help_add_words(out, option);
			at_strbuf_add(out, "'");
		}
		if (!at_help_takes_word(option))
			at_strbuf_add(out, " maybe=yes");
		at_strbuf_add(out, " ;;\n");
	}
	at_strbuf_add(out, "\t*) return 1 ;;\n\tesac\n}\n\n");
}

static void add_option_name(struct at_strbuf *out, const struct at_cli_option *option)
{
	if (!at_help_is_shown(option))
		return;
	if (option->letter)
		at_strbuf_addf(out, "-%c ", option->letter);
	at_strbuf_addf(out, "--%s ", option->name);
}

static void add_command(struct at_strbuf *out, const struct at_cli_command *command)
{
	/* "*" for tune: its word may be left out, so that a space or nothing is the
	   first word. */
	at_strbuf_addf(out, "\t%s)\n\t\toptions='",
		command == &at_command_tune ? "*" : command->name);
	for (const struct at_cli_option *const *at = command->options; *at; at++)
		add_option_name(out, *at);
	add_option_name(out, &at_option_help);
	add_option_name(out, &at_option_version);
	at_strbuf_addf(out, "'\n\t\toperands=%s\n\t\t;;\n",
		offer_name(at_help_operand_offer(command)));
}

void at_help_bash(const struct at_cli_command *const *all, struct at_strbuf *out)
{
	const struct at_cli_command *command;

	at_strbuf_add(out,
		"# bash completion for autotune, written by \"autotune help --completion bash\"\n\n_autotune_commands='");
	at_help_add_command_names(all, out, " ");
	at_strbuf_add(out, "'\n\n");
	add_values(all, out);
	at_strbuf_add(out, "# Options and operands of command $1.\n"
			   "_autotune_command()\n{\n\tcase $1 in\n");
	for (size_t i = 0; (command = all[i]); i++)
		if (command != &at_command_tune)
			add_command(out, command);
	add_command(out, &at_command_tune);
	at_strbuf_add(out, "\tesac\n}\n\n");
	at_strbuf_add_bytes(
		out, at_embedded_completion_bash, at_embedded_completion_bash_size);
}

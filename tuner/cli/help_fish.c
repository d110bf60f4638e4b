/* Completions for fish: completion.fish, and a line for each command and option. */
#include "cli/help.h"

/* Quotes text for fish. */
static void add_quoted(struct at_strbuf *out, const char *text)
{
	at_strbuf_add_char(out, '\'');
	for (; *text; text++) {
		if (*text == '\'' || *text == '\\')
			at_strbuf_add_char(out, '\\');
		at_strbuf_add_char(out, *text);
	}
	at_strbuf_add_char(out, '\'');
}

/* Appends the arguments of "complete" for an offer; -f keeps other files out. */
static void add_offer(
	struct at_strbuf *out, enum at_offer offer, const struct at_cli_option *option)
{
	switch (offer) {
	case AT_OFFER_NOTHING:
		at_strbuf_add(out, " -f");
		break;
	case AT_OFFER_WORDS:
		at_strbuf_add(out, " -f -k -a '(__autotune_words ");
		at_help_add_words(out, option);
		at_strbuf_add(out, ")'");
		break;
	case AT_OFFER_FILES:
		at_strbuf_add(out, " -F");
		break;
	case AT_OFFER_FOLDERS:
		at_strbuf_add(out, " -f -a '(__fish_complete_directories)'");
		break;
	case AT_OFFER_SPACES:
		at_strbuf_add(out, " -f -k -a '(__fish_complete_suffix .cfg)'");
		break;
	case AT_OFFER_RECORDINGS:
		at_strbuf_add(
			out, " -f -k -a '(__fish_complete_suffix .json.gz .json)'");
		break;
	case AT_OFFER_COMMANDS:
		at_strbuf_add(out, " -f -a '$__autotune_commands'");
		break;
	}
}

/* The option is offered with its commands; for tune also while no word is typed, since
   "tune" may be left out. */
static void add_condition(const struct at_cli_command *const *all,
	struct at_strbuf *out, const struct at_cli_option *option)
{
	const struct at_cli_command *command;

	at_strbuf_add(out, " -n \"__autotune_is");
	for (size_t i = 0; (command = all[i]); i++)
		if (at_help_has_option(command, option))
			at_strbuf_addf(out, " %s%s", command->name,
				command == &at_command_tune ? " ''" : "");
	at_strbuf_add(out, "\"");
}

static void add_option(const struct at_cli_command *const *all, struct at_strbuf *out,
	const struct at_cli_option *option)
{
	struct at_strbuf brief = { 0 };

	at_strbuf_add(out, "complete -c autotune");
	if (option != &at_option_help && option != &at_option_version)
		add_condition(all, out, option);
	at_strbuf_addf(out, " -l %s", option->name);
	if (option->letter)
		at_strbuf_addf(out, " -s %c", option->letter);
	if (at_help_takes_word(option))
		at_strbuf_add(out, " -r");
	if (option->kind != AT_CLI_FLAG)
		add_offer(out, at_help_option_offer(option), option);
	at_help_add_brief(&brief, option);
	at_strbuf_add(out, " -d ");
	add_quoted(out, at_strbuf_text(&brief));
	at_strbuf_add_char(out, '\n');
	at_strbuf_release(&brief);
}

static void add_command(struct at_strbuf *out, const struct at_cli_command *command)
{
	at_strbuf_addf(out, "complete -c autotune -n \"__autotune_is ''\" -f -a %s -d ",
		command->name);
	add_quoted(out, command->summary);
	at_strbuf_addf(out, "\ncomplete -c autotune -n \"__autotune_operand %s%s\"",
		command->name, command == &at_command_tune ? " ''" : "");
	add_offer(out, at_help_operand_offer(command), NULL);
	at_strbuf_add_char(out, '\n');
}

void at_help_fish(const struct at_cli_command *const *all, struct at_strbuf *out)
{
	const struct at_cli_command *command;
	const struct at_cli_option *option;

	at_strbuf_add(out,
		"# fish completion for autotune, written by \"autotune help --completion fish\"\n\n"
		"set -g __autotune_commands ");
	at_help_add_command_names(all, out, " ");
	at_strbuf_add(out, "\nset -g __autotune_takes_word ");
	at_help_add_names(all, out, " ", at_help_takes_word);
	at_strbuf_add(out, "\n\n");
	at_strbuf_add_bytes(
		out, at_embedded_completion_fish, at_embedded_completion_fish_size);
	at_strbuf_add_char(out, '\n');
	for (size_t i = 0; (command = all[i]); i++)
		add_command(out, command);
	at_strbuf_add_char(out, '\n');
	for (size_t i = 0; (option = at_help_option_at(all, i)); i++)
		add_option(all, out, option);
}

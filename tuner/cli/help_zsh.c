/* Completions for zsh: one function that gives _arguments the options of each
   command. */
#include "cli/help.h"

/* Escapes text inside quotes and inside a part of an argument of _arguments: a quote
   would end the string, the other characters would end the part. */
static void add_escaped(struct at_strbuf *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '\'') {
			at_strbuf_add(out, "'\\''");
			continue;
		}
		if (*text == '[' || *text == ']' || *text == ':' || *text == '\\')
			at_strbuf_add_char(out, '\\');
		at_strbuf_add_char(out, *text);
	}
}

/* Appends what completes a value, the last part of an argument of _arguments. */
static void add_offer(const struct at_cli_command *const *all, struct at_strbuf *out,
	enum at_offer offer, const struct at_cli_option *option)
{
	struct at_strbuf words = { 0 };

	switch (offer) {
	case AT_OFFER_NOTHING:
		at_strbuf_add(out, " ");
		break;
	case AT_OFFER_WORDS:
		at_help_add_words(&words, option);
		at_strbuf_add(out, "_sequence compadd - ");
		add_escaped(out, at_strbuf_text(&words));
		break;
	case AT_OFFER_FILES:
		at_strbuf_add(out, "_files");
		break;
	case AT_OFFER_FOLDERS:
		at_strbuf_add(out, "_files -/");
		break;
	case AT_OFFER_SPACES:
		at_strbuf_add(out, "_files -g \"*.cfg(-.)\"");
		break;
	case AT_OFFER_RECORDINGS:
		at_strbuf_add(out, "_files -g \"*.(json|json.gz|db)(-.)\"");
		break;
	case AT_OFFER_COMMANDS:
		at_help_add_command_names(all, &words, " ");
		at_strbuf_addf(out, "(%s)", at_strbuf_text(&words));
		break;
	}
	at_strbuf_release(&words);
}

/* '*--device=[devices]:LIST:_sequence ...': the option may be repeated, and its value
   follows "=" or is the next word. */
static void add_option(const struct at_cli_command *const *all, struct at_strbuf *out,
	const struct at_cli_option *option)
{
	const char *behind = at_help_takes_word(option)    ? "="
			     : option->kind == AT_CLI_WORD ? "=-"
							   : "";
	struct at_strbuf brief = { 0 };

	if (!at_help_is_shown(option))
		return;
	at_help_add_brief(&brief, option);
	for (int i = option->letter ? 0 : 1; i < 2; i++) {
		if (i)
			at_strbuf_addf(out, "\t\t\t'*--%s%s[", option->name, behind);
		else
			at_strbuf_addf(out, "\t\t\t'*-%c%s[", option->letter,
				*behind ? "+" : "");
		add_escaped(out, at_strbuf_text(&brief));
		at_strbuf_add(out, "]");
		if (option->kind != AT_CLI_FLAG) {
			at_strbuf_add(out, option->kind == AT_CLI_WORD ? "::" : ":");
			add_escaped(out, option->value);
			at_strbuf_add(out, ":");
			add_offer(all, out, at_help_option_offer(option), option);
		}
		at_strbuf_add(out, "' \\\n");
	}
	at_strbuf_release(&brief);
}

static void add_command(const struct at_cli_command *const *all, struct at_strbuf *out,
	const struct at_cli_command *command)
{
	at_strbuf_addf(out, "\t(%s)\n\t\t_arguments -S : \\\n", command->name);
	for (const struct at_cli_option *const *at = command->options; *at; at++)
		add_option(all, out, *at);
	add_option(all, out, &at_option_help);
	add_option(all, out, &at_option_version);
	at_strbuf_add(out, "\t\t\t'*:");
	if (command == &at_command_tune) {
		/* As long as no command is typed, the next word may be one. */
		at_strbuf_add(out, "space or command:_autotune_first'");
	} else if (*command->operands) {
		add_escaped(out, command->operands);
		at_strbuf_add(out, ":");
		add_offer(all, out, at_help_operand_offer(command), NULL);
		at_strbuf_add(out, "'");
	} else {
		at_strbuf_add(out, "nothing more: '");
	}
	at_strbuf_add(out, " && ret=0\n\t\t;;\n");
}

static void add_first(const struct at_cli_command *const *all, struct at_strbuf *out)
{
	const struct at_cli_command *command;

	at_strbuf_add(out, "_autotune_first() {\n"
			   "\tlocal ret=1\n"
			   "\tif [[ -z $typed_command ]]; then\n"
			   "\t\tlocal -a commands=(\n");
	for (size_t i = 0; (command = all[i]); i++) {
		at_strbuf_addf(out, "\t\t\t'%s:", command->name);
		add_escaped(out, command->summary);
		at_strbuf_add(out, "'\n");
	}
	at_strbuf_add(out, "\t\t)\n"
			   "\t\t_describe -t commands command commands && ret=0\n"
			   "\tfi\n"
			   "\t");
	add_offer(all, out, at_help_operand_offer(&at_command_tune), NULL);
	at_strbuf_add(out, " && ret=0\n\treturn ret\n}\n\n");
}

/* Finds the command and removes its word, so that _arguments sees only operands. */
static void add_search(const struct at_cli_command *const *all, struct at_strbuf *out)
{
	at_strbuf_add(out, "_autotune() {\n"
			   "\tlocal curcontext=\"$curcontext\" typed_command= ret=1\n"
			   "\tlocal -i i\n"
			   "\tfor ((i = 2; i < CURRENT; i++)); do\n"
			   "\t\tcase $words[i] in\n"
			   "\t\t(");
	at_help_add_names(all, out, "|", at_help_takes_word);
	at_strbuf_add(out, ") ((i++)) ;;\n"
			   "\t\t(-*) ;;\n"
			   "\t\t(");
	at_help_add_command_names(all, out, "|");
	at_strbuf_add(out, ")\n"
			   "\t\t\ttyped_command=$words[i]\n"
			   "\t\t\twords[i]=()\n"
			   "\t\t\t((CURRENT--))\n"
			   "\t\t\tbreak\n"
			   "\t\t\t;;\n"
			   "\t\t(*)\n"
			   "\t\t\ttyped_command=tune\n"
			   "\t\t\tbreak\n"
			   "\t\t\t;;\n"
			   "\t\tesac\n"
			   "\tdone\n"
			   "\tcase ${typed_command:-tune} in\n");
}

void at_help_zsh(const struct at_cli_command *const *all, struct at_strbuf *out)
{
	const struct at_cli_command *command;

	at_strbuf_add(out,
		"#compdef autotune\n"
		"# zsh completion for autotune, written by \"autotune help --completion zsh\"\n\n");
	add_first(all, out);
	add_search(all, out);
	for (size_t i = 0; (command = all[i]); i++)
		add_command(all, out, command);
	at_strbuf_add(out, "\tesac\n"
			   "\treturn ret\n"
			   "}\n\n"
			   "if [ \"$funcstack[1]\" = \"_autotune\" ]; then\n"
			   "\t_autotune \"$@\"\n"
			   "else\n"
			   "\tcompdef _autotune autotune\n"
			   "fi\n");
}

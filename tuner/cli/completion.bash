# What reads the tables in front of it (cli/help_bash.c). bash takes ':' and '=' for ends
# of words, so that what is being typed is read off the line, and what is offered begins
# behind the last of them.

# Of a list with commas the last item is completed, to one of the words in $1.
_autotune_words()
{
	local i last=${value##*,}
	local before=${value%"$last"}
	mapfile -t COMPREPLY < <(compgen -W "$1" -- "$last")
	for i in "${!COMPREPLY[@]}"; do COMPREPLY[i]=$before${COMPREPLY[i]}; done
}

# Folders, and files that end in one of the arguments.
_autotune_files()
{
	local ending
	compopt -o filenames 2>/dev/null
	mapfile -t COMPREPLY < <(compgen -d -- "$value"
		for ending; do compgen -f -X "!*$ending" -- "$value"; done)
}

_autotune_offer()
{
	case $1 in
	words) _autotune_words "$words" ;;
	folders) _autotune_files ;;
	spaces) _autotune_files .cfg ;;
	recordings) _autotune_files .json .json.gz .db ;;
	files)
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -f -- "$value")
		;;
	commands) mapfile -t COMPREPLY < <(compgen -W "$_autotune_commands" -- "$value") ;;
	esac
}

_autotune()
{
	local line=${COMP_LINE:0:COMP_POINT} current= command= option= before=
	local value offer words maybe word options operands i dashes=
	local -a typed more
	read -a typed <<<"$line" # a backslash quotes, as in the shell
	if [[ $line != *[[:space:]] ]]; then
		current=${typed[-1]}
		unset 'typed[-1]'
	fi
	for word in "${typed[@]:1}"; do
		if [[ $option ]]; then
			option=
			[[ ! $maybe || " $words " == *" $word "* ]] && continue
		fi
		case $word in
		--) dashes=yes ;;
		--*=*) ;;
		-*) _autotune_value "$word" && option=$word ;;
		*) [[ $command ]] || command=$word ;;
		esac
	done
	value=$current
	COMPREPLY=()
	if [[ $current == --*=* ]]; then
		before=${current%%=*}=
		value=${current#*=}
		_autotune_value "${current%%=*}" && _autotune_offer "$offer"
	elif [[ $option && ! $maybe ]]; then
		_autotune_offer "$offer"
	elif [[ $current == -* && ! $dashes ]]; then
		_autotune_command "$command"
		mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
	else
		_autotune_command "$command"
		_autotune_offer "$operands"
		more=("${COMPREPLY[@]}")
		if [[ ! $command && ! $dashes ]]; then
			mapfile -t COMPREPLY < <(compgen -W "$_autotune_commands" -- "$value")
			more+=("${COMPREPLY[@]}")
		fi
		if [[ $option ]]; then
			_autotune_words "$words"
			more+=("${COMPREPLY[@]}")
		fi
		COMPREPLY=("${more[@]}")
	fi
	local breaks=${COMP_WORDBREAKS//[^:=]/}
	if [[ $breaks ]]; then
		word=${current##*[$breaks]}
		word=${current%"$word"}
	fi
	for i in "${!COMPREPLY[@]}"; do
		COMPREPLY[i]=$before${COMPREPLY[i]}
		[[ $breaks ]] && COMPREPLY[i]=${COMPREPLY[i]#"$word"}
	done
	return 0
}

complete -F _autotune autotune

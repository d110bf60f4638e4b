# bash completion for autotune: the program knows what may follow (autotune --complete).
# bash ends words at ':' and '=', so the line itself is read, and an offer begins after
# the last ':' or '='.
_autotune()
{
	local line=${COMP_LINE:0:COMP_POINT} current= before value word breaks i
	local -a typed endings
	read -a typed <<<"$line" # a backslash quotes, as in the shell
	if [[ $line != *[[:space:]] ]]; then
		current=${typed[-1]}
		unset 'typed[-1]'
	fi
	value=${current#--*=}
	before=${current%"$value"}
	COMPREPLY=()
	while IFS=$'\t' read -r word _; do
		if [[ $word != :* ]]; then
			COMPREPLY+=("$word")
			continue
		fi
		compopt -o filenames 2>/dev/null
		read -ra endings <<<"${word#:}"
		while read -r word; do COMPREPLY+=("$before$word"); done < <(
			compgen -d -- "$value"
			for i in "${endings[@]}"; do compgen -f -X "!*$i" -- "$value"; done)
	done < <("${typed[0]}" --complete "${typed[@]:1}" "$current" 2>/dev/null)
	breaks=${COMP_WORDBREAKS//[^:=]/}
	[[ $breaks && $current == *[$breaks]* ]] || return 0
	word=${current%"${current##*[$breaks]}"}
	for i in "${!COMPREPLY[@]}"; do COMPREPLY[i]=${COMPREPLY[i]#"$word"}; done
}

complete -F _autotune autotune

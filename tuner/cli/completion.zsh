#compdef autotune
# zsh completion for autotune: the program knows what may follow (autotune --complete).
_autotune() {
	local line ret=1
	local -a offers endings
	for line in ${(f)"$(${(Q)words[1]} --complete "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)"}; do
		if [[ $line != :* ]]; then
			offers+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
			continue
		fi
		compset -P '--*='
		endings=(${=line#:})
		if (($#endings)); then
			_files -g "*(${(j:|:)endings})(-.)" && ret=0
		else
			_files -/ && ret=0
		fi
	done
	(($#offers)) && _describe -t words word offers && ret=0
	return ret
}

if [ "$funcstack[1]" = "_autotune" ]; then
	_autotune "$@"
else
	compdef _autotune autotune
fi

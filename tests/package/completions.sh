#!/usr/bin/env bash
# What shells offer for lines that somebody types in a folder with a few files, each
# shell with its own completion of autotune, and what is expected.
#
#   completions.sh FOLDER BASH_FILE ZSH_FOLDER FISH_FILE
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$1"
bash_file=$2 zsh_folder=$3 fish_file=$4
# which the completions ask
export PATH=${bash_file%/share/*}/bin:$PATH

in_bash() {
	bash "$here/complete.bash" "$bash_file" "$1"
}
in_zsh() {
	timeout 60 zsh -f "$here/complete.zsh" "$zsh_folder" "$1" | sed 's|^--[a-z]*=||'
}
in_fish() {
	# its own state would go to the home folder
	timeout 60 fish --no-config -c 'source $argv[1]; complete -C $argv[2]' \
		"$fish_file" "autotune $1" | cut -f 1 | sed 's|^--[a-z]*=||; s|/$||'
}

# offers LINE WORD...: sorted, these and no others
offers() {
	local line=$1 expected found
	shift
	expected=$(printf '%s\n' "$@" | sort)
	found=$("in_$shell" "$line" | sed '/^$/d' | sort)
	if [ "$found" != "$expected" ]; then
		printf 'completions: FAILED: %s: "autotune %s": expected\n%s\nfound\n%s\n' \
			"$shell" "$line" "$expected" "$found" >&2
		exit 1
	fi
}
# offers_too LINE WORD...: these, among others
offers_too() {
	local line=$1 word found
	shift
	found=$("in_$shell" "$line")
	for word; do
		grep -qxF -- "$word" <<<"$found" || {
			printf 'completions: FAILED: %s: "autotune %s": "%s" is not in\n%s\n' \
				"$shell" "$line" "$word" "$found" >&2
			exit 1
		}
	done
}

for shell in bash zsh fish; do
	if ! command -v $shell >/dev/null; then
		echo "skipped 1: no $shell, to try its completions"
		continue
	fi
	case $shell in
	bash) bash -n "$bash_file" ;;
	zsh) zsh -n "$zsh_folder/_autotune" ;;
	fish) fish -n "$fish_file" ;;
	esac
	offers_too '' check simulate one.cfg
	offers ch check
	offers_too 'check ' one.cfg 'two words.cfg' folder
	offers_too 'check folder/' folder/three.cfg
	offers_too '--strategy ' auto random surrogate genetic
	offers '--strategy ge' genetic
	offers '--device ho' host
	offers 'one.cfg --sanitize=' podium winner never
	offers_too 'check --' --compile --arch --json --help --version
	# the value of an option is no command
	offers '--results check --strat' --strategy
	offers 'help --completion ' bash zsh fish
	offers_too 'help ' tune check header
	offers_too 'simulate ' cache.json.gz
	if [ $shell = bash ]; then
		# readline cuts words at a colon, and a comma begins another device
		offers '--device cuda:' all 0
		offers '--device cuda:0,ho' 0,host
		offers 'check --fr'
		offers 'check ' one.cfg 'two words.cfg' folder
	fi
done

# What the conditions in front of it ask, and what offers items of a list.

# The command that is typed: "" before there is one, tune where a space comes first.
function __autotune_command
    set -l words (commandline -opc)
    set -l value no
    for word in $words[2..-1]
        if test $value = yes
            set value no
            continue
        end
        if contains -- $word $__autotune_takes_word
            set value yes
            continue
        end
        if string match -q -- '-*' $word
            continue
        end
        if contains -- $word $__autotune_commands
            echo $word
        else
            echo tune
        end
        return
    end
    echo ''
end

function __autotune_is
    contains -- (__autotune_command) $argv
end

# The same, where no option's value is being typed behind a '='.
function __autotune_operand
    contains -- (__autotune_command) $argv
    and not string match -q -- '--*=*' (commandline -ct)
end

# Behind the last comma of what is typed.
function __autotune_words
    set -l typed (commandline -ct | string replace -r -- '^--[^=]*=' '')
    set -l before (string match -r -- '^.*,' "$typed")
    for word in $argv
        echo "$before$word"
    end
end

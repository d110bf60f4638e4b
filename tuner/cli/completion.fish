# fish completion for autotune: the program knows what may follow (autotune --complete).
function __autotune_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l value (string replace -r -- '^--[^=]*=' '' "$current")
    set -l before (string match -r -- '^--[^=]*=' "$current")
    for line in ($words[1] --complete $words[2..-1] "$current" 2>/dev/null)
        if not string match -q -- ':*' $line
            echo $line
            continue
        end
        # files as after any command, but only folders and these endings
        set -l endings (string escape --style=regex -- (string split -n ' ' (string sub -s 2 -- $line)))
        set -l wanted (string join '|' / $endings | string replace '\\*' '')
        for path in (complete -C "'' $value" | string match -r -- "^[^\t]*(?:$wanted)(?:\t.*|\$)")
            echo "$before$path"
        end
    end
end

complete -c autotune -f -k -a '(__autotune_complete)'

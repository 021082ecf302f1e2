# SPDX-License-Identifier: MIT
# Bash completion for octant. It asks the command for its own help, so that it never falls behind.

# The lines of one section of a help text.
_octant_section() {
    sed -n "/^$1\$/,/^\$/p" | sed -e 1d -e '/^$/d'
}

# What the value of an option, long or short, is called: "FILE", "open|blocked"; nothing for a flag.
# Where its words are many they stand on the lines after it.
_octant_value_of() {
    _octant_section options | awk -v typed="$1" '
        found && $1 ~ /^-/ { exit }
        found { list = list $1; next }
        { long = $1 ~ /,$/ ? $2 : $1; rest = substr($0, index($0, long) + length(long)) }
        (long == typed || $1 == typed ",") && rest ~ /^ [^ ]/ {
            split(rest, words); value = words[1]; found = 1
        }
        END { if (found) print list ? list : value }'
}

# Proposes what a value of that name can be.
_octant_propose() {
    case $1 in
    FILE | IN | LEVEL | MAP | OUT | SCEN | SCRIPT | WORLD)
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$2")
        ;;
    DIR)
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -d -- "$2")
        ;;
    *[a-z]* | *\|*)
        mapfile -t COMPREPLY < <(compgen -W "${1//|/ }" -- "$2")
        ;;
    esac
}

# The command's words before the cursor: leaves its name in `command`, and the number of words of
# that in `used`.
_octant_command() {
    local names=$1 pair="${COMP_WORDS[1]} ${COMP_WORDS[2]-}"
    command='' used=0
    if ((COMP_CWORD > 2)) && grep -qx -e "$pair" <<<"$names"; then
        command=$pair used=2
    elif ((COMP_CWORD > 1)) && grep -qx -e "${COMP_WORDS[1]}" <<<"$names"; then
        command=${COMP_WORDS[1]} used=1
    fi
}

_octant() {
    local octant=$1 word=${COMP_WORDS[COMP_CWORD]} names firsts command used help
    COMPREPLY=()
    names=$("$octant" help | _octant_section commands | sed 's/^  //; s/  .*//')
    firsts=$(cut -d' ' -f1 <<<"$names" | uniq)
    _octant_command "$names"
    if [[ -z $command ]]; then
        if ((COMP_CWORD == 1)); then
            mapfile -t COMPREPLY < <(compgen -W "$firsts help --help --version" -- "$word")
        elif [[ ${COMP_WORDS[1]} == help ]]; then
            mapfile -t COMPREPLY < <(compgen -W "$firsts" -- "$word")
        elif ((COMP_CWORD == 2)); then
            local group=${COMP_WORDS[1]}
            mapfile -t COMPREPLY < <(compgen -W "$(sed -n "s/^$group //p" <<<"$names")" -- "$word")
        fi
        return
    fi

    # shellcheck disable=SC2086 # a name may be two words
    help=$("$octant" help $command)
    local i name value='' places=0
    for ((i = used + 1; i < COMP_CWORD; i++)); do
        name=${COMP_WORDS[i]}
        if [[ $name == -* ]]; then
            value=$(_octant_value_of "$name" <<<"$help")
            [[ -n $value ]] && ((i++))
            ((i < COMP_CWORD)) && value=''
        else
            ((places++))
        fi
    done
    if [[ -n $value ]]; then
        _octant_propose "$value" "$word"
    elif [[ $word == -* ]]; then
        local options
        options=$(_octant_section options <<<"$help" | sed -n 's/^ *\(-[a-z], \)\{0,1\}\(--[a-z-]*\).*/\2/p')
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
    else
        # An argument's line starts with its name; the words it can be stand on the lines after it.
        # One that ends in dots may be given again.
        value=$(_octant_section arguments <<<"$help" |
            awk -v place="$places" '/^  [A-Z]/ { n++; many = sub(/\.\.\.$/, "", $1)
                                                if (n == place + 1 || (many && n <= place)) v = $1
                                                next }
                                    n == place + 1 { w = w $1 } END { print w ? w : v }')
        _octant_propose "$value" "$word"
    fi
}

complete -F _octant octant

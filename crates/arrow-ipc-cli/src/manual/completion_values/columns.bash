
_arrow__ipc_columns() {
    local option="${COMP_WORDS[COMP_CWORD-1]}" value="${COMP_WORDS[COMP_CWORD]}" quote='' name
    # Bash takes --columns=a,b for three words.
    if [[ "$option" = '=' && "$COMP_CWORD" -gt 1 ]]; then
        option="${COMP_WORDS[COMP_CWORD-2]}"
    elif [[ "$value" = '=' ]]; then
        value=''
    fi
    case "$option" in
        --by|--cast|--columns|--exclude|--key|--remove-column-metadata|--rename|--set-column-metadata|--type|--where) ;;
        *) _arrow__ipc "$@"; return ;;
    esac
    COMPREPLY=()
    compopt -o nospace 2>/dev/null
    case "$value" in
        [\'\"]*) quote="${value:0:1}"; value="${value:1}" ;;
        *) value="${value//\\/}" ;;
    esac
    local words=("${COMP_WORDS[@]:1}")
    words=("${words[@]//[\'\"\\]/}")
    words=("${words[@]/#\~\//$HOME/}")
    while IFS= read -r name; do
        if [[ -z "$quote" ]]; then
            printf -v name %q "$name"
            name="${name//\\,/,}"
        else
            # It would end the quotes, or mean something in them.
            case "$quote$name" in \'*\'*|\"*[\"\$\`\\!]*) continue ;; esac
        fi
        COMPREPLY+=("$name")
    done < <("$1" __columns "$option" "$value" "${words[@]}" 2>/dev/null)
}

if [[ "${BASH_VERSINFO[0]}" -eq 4 && "${BASH_VERSINFO[1]}" -ge 4 || "${BASH_VERSINFO[0]}" -gt 4 ]]; then
    complete -F _arrow__ipc_columns -o nosort -o bashdefault -o default arrow-ipc
else
    complete -F _arrow__ipc_columns -o bashdefault -o default arrow-ipc
fi



_arrow-ipc_columns() {
    local -a values
    values=("${(@f)$(arrow-ipc __columns "$1" "${(Q)PREFIX}" "${(@Q)words}" 2>/dev/null)}")
    [[ -n "$values" ]] && compadd -U -S '' -- "${(@)values}"
}

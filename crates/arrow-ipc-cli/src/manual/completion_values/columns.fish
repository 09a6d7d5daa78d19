
function __fish_arrow_ipc_columns
    set -l words (commandline -opc)
    set -l value (commandline -ct | string replace -r -- '^--[a-z]+=' '' | string unescape)
    arrow-ipc __columns $argv[1] "$value" $words[2..-1] 2>/dev/null
end


//! Lists names of columns, for shells that complete the values of options. The names come from the first file in
//! the arguments.

use std::{ffi::OsString, process, thread, time::Duration};

use arrow_ipc_tools::Rows;
use arrow_schema::{QuotedName, Schema};
use clap_complete::Shell;

use crate::{
    args::TextOptions,
    context::Context,
    inputs::import::{self, OpenedInput},
    names::InputArg,
};

/// The first argument when a shell asks for names. The arguments after it are the option, the part of its value
/// that was typed, and the words of the command line without the name of the program.
const REQUEST: &str = "__columns";

/// Options whose values begin with the name of a column.
const OPTIONS: [&str; 10] = [
    "by",
    "cast",
    "columns",
    "exclude",
    "key",
    "remove-column-metadata",
    "rename",
    "set-column-metadata",
    "type",
    "where",
];

/// The time after which the program gives up, because a shell waits for it.
const PATIENCE: Duration = Duration::from_secs(1);

/// The maximal number of names in the list.
const MAX_NAMES: usize = 1000;

/// The names to offer, one on each line; empty if the file cannot be read. `None` if the arguments do not ask for
/// names.
pub(crate) fn requested(context: &Context, args: &[OsString]) -> Option<String> {
    let [_, first, args @ ..] = args else { return None };
    if first != REQUEST {
        return None;
    }
    thread::spawn(|| {
        thread::sleep(PATIENCE);
        process::exit(0);
    });
    Some(values_for(context, args).unwrap_or_default())
}

fn values_for(context: &Context, args: &[OsString]) -> Option<String> {
    let [option, value, _command, words @ ..] = args else { return None };
    let (before_name, end): (&[char], &str) = match option.to_str()? {
        "--where" => (&[' ', '('], ""),
        "--rename" => (&[','], "="),
        "--cast" | "--type" => (&[], "="),
        "--remove-column-metadata" | "--set-column-metadata" => (&[], ":"),
        _ => (&[','], ""),
    };
    let value = value.to_str()?;
    let (before, typed) = value.split_at(value.rfind(before_name).map_or(0, |at| at + 1));
    let inputs = words.iter().cloned().map(InputArg::from);
    let is_there = |input: &InputArg| input.path().is_some_and(|path| path.is_file() || path.is_dir());
    let schema = schema_of(context, &inputs.into_iter().find(is_there)?)?;
    let names = schema.fields().iter().map(|field| (field.name(), QuotedName(field.name()).to_string()));
    let fitting = names.filter(|(name, quoted)| name.starts_with(typed) || quoted.starts_with(typed));
    Some(fitting.take(MAX_NAMES).map(|(_, quoted)| format!("{before}{quoted}{end}\n")).collect())
}

fn schema_of(context: &Context, input: &InputArg) -> Option<Schema> {
    let options = TextOptions::default();
    let opened = if input.is_set() {
        OpenedInput::Arrow(input.open(context).ok()?)
    } else {
        import::open(context, input, &options).ok()?
    };
    match opened {
        OpenedInput::Arrow(arrow) => {
            Some(Schema::clone(Rows::open_schema(arrow).ok()?.ipc_schema().schema()))
        }
        OpenedInput::Text(text) => {
            Some(Schema::clone(import::import(context, input, text, &options, None).ok()?.schema()))
        }
    }
}

/// Changes the completion script of a shell so that it also completes names of columns.
pub(crate) fn add_to(script: String, shell: Shell) -> String {
    let each_line = |edit: &dyn Fn(&str, &str) -> Option<String>| -> String {
        let edited = |line: &str| OPTIONS.iter().find_map(|option| edit(line, option));
        script.lines().map(|line| edited(line).unwrap_or_else(|| line.to_owned()) + "\n").collect()
    };
    match shell {
        Shell::Bash => script + include_str!("completion_values/columns.bash"),
        Shell::Zsh => each_line(&|line, option| {
            let start = line.strip_suffix(":_default' \\")?;
            let is_of = line.contains(&format!("--{option}=["));
            is_of.then(|| format!("{start}: _arrow-ipc_columns --{option}' \\"))
        })
        .replacen('\n', include_str!("completion_values/columns.zsh"), 1),
        Shell::Fish => each_line(&|line, option| {
            let is_of = line.contains(&format!(" -l {option} ")) && line.ends_with(" -r");
            is_of.then(|| format!("{line} -f -a '(__fish_arrow_ipc_columns --{option})'"))
        })
        .replacen('\n', include_str!("completion_values/columns.fish"), 1),
        _ => script,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manual::completions_for;

    #[test]
    fn columns_are_requested_for_each_option_of_columns() {
        for (shell, requested) in
            [(Shell::Zsh, " _arrow-ipc_columns --"), (Shell::Fish, "(__fish_arrow_ipc_columns --")]
        {
            let script = completions_for(shell);
            assert!(script.starts_with('#') && script.contains(REQUEST), "{shell}");
            for option in OPTIONS {
                assert!(script.contains(&format!("{requested}{option}")), "{shell}: {option}");
            }
        }
        let bash = include_str!("completion_values/columns.bash");
        assert!(OPTIONS.iter().all(|option| bash.contains(&format!("--{option}"))), "{bash}");
    }
}

//! Parses the command line. For wrong usage, replaces hints of Clap by hints of this program.

use std::{
    ffi::OsString,
    io::{IsTerminal, Write},
    path::Path,
};

use arrow_ipc_report::quoted;
use arrow_schema::is_similar_name;
use clap::{
    FromArgMatches,
    error::{ContextKind, ContextValue, ErrorKind},
};

use super::{
    Cli, command_line,
    paths::{PATHS, shown},
    with_texts,
};
use crate::{
    context::Context,
    exit::{Status, by_polars, is_closed_pipe},
    output::{buffered_stdout, not_written, print},
    terminal::EscapedText,
    topics,
};

/// Returns the command to run. Prints help or an error if there is no command, and returns the exit status.
pub(crate) fn parse(context: &Context, args: &[OsString]) -> Result<Cli, Status> {
    if let [_, help, topic] = args
        && help == "help"
        && let Some(page) = topic.to_str().and_then(topics::page)
    {
        return Err(print(page).map_or_else(|failure| failure.report(context), |()| Status::Fine));
    }
    let error = match parsed_with_pipe(args.to_vec()) {
        Ok(cli) => return Ok(cli),
        Err(error) => error,
    };
    if error.kind() == ErrorKind::DisplayHelp
        && let Some(help) = short_help(args)
    {
        return Err(print(help).map_or_else(|failure| failure.report(context), |()| Status::Fine));
    }
    let error = advised(error, args.get(1..).unwrap_or_default());
    // The text may contain arguments, such as file names, so it is escaped.
    let text = EscapedText(&shown(&error.render().to_string()), &['\n']).to_string();
    // Clap writes `tip`, but hints of this program begin with `hint`.
    let text = text.replace("\n  tip: ", "\n  hint: ");
    if error.use_stderr() {
        // If standard error fails, nothing can report it.
        let _ = std::io::stderr().write_all(text.as_bytes());
        return Err(Status::Usage);
    }
    let mut stdout = buffered_stdout();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if !is_closed_pipe(&error) => Err(not_written(error).report(context)),
        _ => Err(Status::Fine),
    }
}

/// Like [`parsed`]. Reads a file without a command as `head`, and `-5` as `-n 5` in some commands. If a command has no file to read, adds standard input, unless
/// that is a terminal.
fn parsed_with_pipe(mut args: Vec<OsString>) -> Result<Cli, clap::Error> {
    let mut found = parsed(&args);
    // A file without a command.
    if let Some(first) = args.get(1)
        && matches!(&found, Err(error) if error.kind() == ErrorKind::InvalidSubcommand)
        && Path::new(first).is_file()
    {
        args.insert(1, "head".into());
        found = parsed(&args);
    }
    if let Err(error) = &found
        && let Some(changed) = with_count(&args, error)
    {
        args = changed;
        found = parsed(&args);
    }
    let error = match found {
        Err(error) if error.kind() == ErrorKind::MissingRequiredArgument => error,
        found => return found,
    };
    let lacks_files = matches!(error.get(ContextKind::InvalidArg), Some(ContextValue::Strings(absent)) if *absent == ["<FILE>..."]);
    if !lacks_files || std::io::stdin().is_terminal() {
        return Err(error);
    }
    args.push("-".into());
    parsed(&args)
}

/// Parses the arguments.
///
/// # Errors
/// If the arguments are wrong. The error contains the usage of the command, if the command is known.
pub(super) fn parsed(args: &[OsString]) -> Result<Cli, clap::Error> {
    // Commands that are not in the arguments get no texts below their options, because only the help of a command
    // shows them.
    let mut line = with_texts(|command| args.iter().any(|arg| arg == command));
    let matches = line.try_get_matches_from_mut(args)?;
    Cli::from_arg_matches(&matches).map_err(|mut error| {
        // Clap does not name the command in an error about a list of paths.
        let command = matches.subcommand_name().and_then(|name| line.find_subcommand_mut(name));
        if let Some(command) = command {
            error = error.with_cmd(command);
            error.insert(ContextKind::Usage, ContextValue::StyledStr(command.render_usage()));
        }
        error
    })
}

/// Options that few command lines need. `-h` leaves them out, and those of text but `--from` and `--type`.
const RARE: [&str; 19] = [
    "alignment",
    "endian",
    "keep_unused",
    "legacy_framing",
    "max_cast_bytes",
    "max_fields",
    "metadata_version",
    "offset",
    "partial_schema",
    "remove_column_metadata",
    "remove_metadata",
    "row_counts",
    "same_metadata",
    "set_column_metadata",
    "share_buffers",
    "threads",
    "trust_statistics",
    "unchecked",
    "zero_nulls",
];

/// The help of a command that `-h` requests: its common options, with a sentence for each.
fn short_help(args: &[OsString]) -> Option<String> {
    let [_, command, rest @ ..] = args else { return None };
    if !rest.iter().any(|arg| arg == "-h") {
        return None;
    }
    let command = command_line().find_subcommand(command)?.clone();
    let short = |arg: clap::Arg| {
        let sentence = arg.get_help().map(|help| first_sentence(&help.to_string()).to_owned());
        let is_rare = RARE.contains(&arg.get_id().as_str())
            || arg.get_help_heading() == Some("Text") && !["from", "types"].contains(&arg.get_id().as_str());
        let arg = arg.hide_short_help(is_rare);
        match sentence {
            Some(sentence) => arg.help(sentence),
            None => arg,
        }
    };
    let help = command.mut_args(short).render_help().to_string();
    Some(shown(&help).trim_end().to_owned())
}

/// The text before the first period that ends a sentence.
fn first_sentence(text: &str) -> &str {
    // Ranges such as `A..` end no sentence.
    let ends = text.match_indices(". ").map(|(at, _)| text.get(..at).unwrap_or(text));
    ends.into_iter().find(|first| !first.ends_with('.')).unwrap_or(text)
}

/// The arguments with `-n 5` instead of `-5`, if clap has refused that as an option of `head`, `tail` or `sample`.
/// Programs of these names read it so.
fn with_count(args: &[OsString], error: &clap::Error) -> Option<Vec<OsString>> {
    if error.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    let Some(ContextValue::String(refused)) = error.get(ContextKind::InvalidArg) else { return None };
    let command = command_of(error).filter(|name| ["head", "tail", "sample"].contains(&&**name))?;
    let command = args.iter().skip(1).position(|arg| *arg == *command)?;
    let count = |arg: &OsString| -> Option<OsString> {
        let digits = arg.to_str()?.strip_prefix('-')?;
        let is_count = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        // Clap names the first digit.
        (is_count && arg.to_str()?.starts_with(&**refused)).then(|| digits.into())
    };
    let counts = args.iter().enumerate().skip(command.saturating_add(2));
    let counts = counts.take_while(|(_, arg)| *arg != "--").filter_map(|(idx, arg)| Some((idx, count(arg)?)));
    // An earlier one may be the value of an option.
    let (idx, count) = counts.last()?;
    let mut changed = args.to_vec();
    *changed.get_mut(idx)? = count;
    changed.insert(idx, "-n".into());
    Some(changed)
}

/// The maximal number of characters of an invalid value that are shown.
const MAX_SHOWN_CHARS: usize = 200;

/// Options that this program does not have: the option, the argument of a command that does the same, and the hint.
const OTHER_OPTIONS: [(&str, &str, &str); 19] = [
    ("--json", "format", "use --format json"),
    ("--jsonl", "format", "use --format json"),
    ("--csv", "format", "use --format csv"),
    ("--table", "format", "use --format table"),
    ("--format", "json", "use --json"),
    ("--target-rows", "batch_rows", "use --batch-rows"),
    ("--rows-per-batch", "batch_rows", "use --batch-rows"),
    ("--batch-size", "batch_rows", "use --batch-rows"),
    ("--header", "from_header", "CSV is written with names; --from-header is for CSV that is read"),
    ("--out", PATHS, "use --output"),
    ("-j", "threads", "use --threads"),
    ("--jobs", "threads", "use --threads"),
    ("-q", "quiet", "use --quiet"),
    ("--drop", "exclude", "use --exclude"),
    ("--ignore", "exclude", "use --exclude"),
    ("--sort", "color", "this program does not sort; `arrow-ipc sort` shows how polars does"),
    ("--order-by", "color", "this program does not sort; `arrow-ipc sort` shows how polars does"),
    ("--group-by", "color", "this program does not group; `arrow-ipc group` shows how polars does"),
    ("--distinct", "color", "`arrow-ipc stats` counts distinct values"),
];

const LAST: &str = "OUT is the last path, after each IN, or -o OUT; `-` is standard output";

/// Adds a hint to the error, if one fits the command.
fn advised(mut error: clap::Error, args: &[OsString]) -> clap::Error {
    if let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue)
        && let Some((end, _)) = value.char_indices().nth(MAX_SHOWN_CHARS)
    {
        let value = format!("{}…", value.get(..end).unwrap_or_default());
        error.insert(ContextKind::InvalidValue, ContextValue::String(value));
    }
    let found = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(found)) => vec![found.clone()],
        Some(ContextValue::Strings(found)) => found.clone(),
        _ => Vec::new(),
    };
    let found: Vec<&str> = found.iter().map(String::as_str).collect();
    let command = command_of(&error);
    let command = command.as_deref();
    match (error.kind(), &found[..], command) {
        (ErrorKind::MissingRequiredArgument, ["<OUT>"], _) => advise(&mut error, LAST),
        (ErrorKind::UnknownArgument, [found], Some(name)) => {
            let similar = |other: &ContextValue| match other {
                ContextValue::String(other) => {
                    is_similar_name(found, other) || other.contains(found.trim_start_matches('-'))
                }
                _ => false,
            };
            // Clap suggests `--format` for `--sort`.
            if error.get(ContextKind::SuggestedArg).is_some_and(|other| !similar(other)) {
                error.remove(ContextKind::SuggestedArg);
            }
            // That a file may have such a name.
            if !Path::new(found).exists() {
                error.remove(ContextKind::Suggested);
            }
            let other = OTHER_OPTIONS.iter().find(|(option, by, _)| option == found && has(name, by));
            let advice = other.map(|(.., advice)| (*advice).to_owned());
            if let Some(advice) = advice.or_else(|| value_of_option(args, name, found)) {
                // The new usage already has the suggestion of Clap.
                error.remove(ContextKind::SuggestedArg);
                let usage = command_line().find_subcommand_mut(name).map(clap::Command::render_usage);
                usage.and_then(|usage| error.insert(ContextKind::Usage, ContextValue::StyledStr(usage)));
                advise(&mut error, &advice);
            }
        }
        // The value begins like an option, such as `-name`.
        (ErrorKind::InvalidValue, [found], _) => {
            let name = args.first().and_then(|name| name.to_str()).unwrap_or_default();
            let option = found.split(' ').next().unwrap_or_default();
            let at = args.iter().position(|arg| *arg == *option);
            let value = at.and_then(|at| args.get(at.saturating_add(1))?.to_str());
            let value = value.filter(|value| value.starts_with('-') && !value.starts_with("--"));
            if let Some(advice) = value.and_then(|value| value_of_option(args, name, value)) {
                advise(&mut error, &advice);
            }
        }
        (ErrorKind::InvalidSubcommand, ..) => {
            let Some(ContextValue::String(found)) = error.get(ContextKind::InvalidSubcommand) else {
                return error;
            };
            let files: Vec<&Path> = args.iter().skip(1).map(Path::new).filter(|path| path.exists()).collect();
            if let Some(advice) = other_command(found, &files).or_else(|| other_topic(args, found)) {
                error.remove(ContextKind::SuggestedSubcommand);
                advise(&mut error, &advice);
                return error;
            }
            if found == "-" || found.contains(['.', '/']) || Path::new(found).exists() {
                let advice = format!("`arrow-ipc cat {}` shows its rows", quoted(found));
                error.remove(ContextKind::SuggestedSubcommand);
                advise(&mut error, &advice);
            }
        }
        _ => {}
    }
    error
}

/// A hint for an argument that begins with a hyphen and may be the value of the option before it.
fn value_of_option(args: &[OsString], command: &str, found: &str) -> Option<String> {
    let at = args.iter().position(|arg| arg.to_string_lossy().starts_with(found))?;
    let [option, value] = args.get(at.checked_sub(1)?..=at)? else { return None };
    let option = option.to_str()?;
    let value = value.to_str()?;
    let line = command_line();
    let takes_value = |arg: &clap::Arg| {
        option.strip_prefix("--").is_some_and(|name| arg.get_long() == Some(name))
            && arg.get_action().takes_values()
    };
    let has_option = line.find_subcommand(command)?.get_arguments().any(takes_value);
    if has_option && option == "--rows" {
        return Some("rows are counted from 0; `arrow-ipc tail -n N FILE` shows the last N".to_owned());
    }
    if has_option && option == "--columns" && has(command, "exclude") {
        let name = value.trim_start_matches('-');
        return Some(format!(
            "--exclude {} leaves out a column; if {value} is the name of one, write {}",
            quoted(name),
            quoted(&format!("{option}={value}"))
        ));
    }
    has_option.then(|| {
        format!("if {value} is the value of {option}, write {}", quoted(&format!("{option}={value}")))
    })
}

/// Commands that this program does not have. For each: the name, what this program cannot do, polars code that does
/// it with the rows `A` and `B` of two files, and the name of the output (empty if none).
const BY_POLARS: [(&str, &str, &str, &str); 7] = [
    ("sort", "does not sort", r#"A.sort("COLUMN").sink_ipc(sys.argv[2])"#, "OUT.arrow"),
    ("join", "does not join", r#"A.join(B, on="COLUMN").sink_ipc(sys.argv[3])"#, "OUT.arrow"),
    ("group", "does not group", r#"print(A.group_by("COLUMN").len().collect())"#, ""),
    ("group-by", "does not group", r#"print(A.group_by("COLUMN").len().collect())"#, ""),
    ("sql", "has no SQL", r#"print(A.sql("SELECT * FROM self LIMIT 5").collect())"#, ""),
    ("query", "has no SQL", r#"print(A.sql("SELECT * FROM self LIMIT 5").collect())"#, ""),
    ("to-parquet", "writes no Parquet", "A.sink_parquet(sys.argv[2])", "OUT.parquet"),
];

/// A hint for a command that this program does not have: another command for the same files.
fn other_command(name: &str, files: &[&Path]) -> Option<String> {
    let file = |idx: usize| files.get(idx).copied().unwrap_or(Path::new("IN.arrow"));
    if let Some((_, what, code, output)) = BY_POLARS.iter().find(|(command, ..)| *command == name) {
        let n_files = if code.contains('B') { 2 } else { 1 };
        let files: Vec<&Path> = (0..n_files).map(file).collect();
        return Some(format!("this program {what}; polars does: {}", by_polars(code, &files, output)));
    }
    let shown = quoted(&file(0).to_string_lossy());
    Some(match name {
        "merge" => {
            let names = files.iter().map(|file| quoted(&file.to_string_lossy()));
            let names = names.reduce(|names, name| format!("{names} {name}"));
            let names = names.unwrap_or_else(|| "A.arrow B.arrow".to_owned());
            format!("`arrow-ipc concat {names} OUT.arrow` writes the rows of all as one file")
        }
        "filter" | "where" => {
            format!("`arrow-ipc cat {shown} --where 'COLUMN > 1'` shows rows, and `convert` writes them")
        }
        "grep" => {
            format!(
                "`arrow-ipc cat {shown} --where 'COLUMN like \"%TEXT%\"'` shows the rows that have a text"
            )
        }
        "select" => {
            format!("`arrow-ipc cat {shown} --columns A,B` shows columns, and `convert` writes them")
        }
        _ => return None,
    })
}

/// A hint for an unknown topic of `help`: a page with a similar name, or the list of pages.
fn other_topic(args: &[OsString], found: &str) -> Option<String> {
    args.first().filter(|command| *command == "help")?;
    let page = topics::page(&format!("{found}s")).map(|_| format!("`arrow-ipc help {found}s` shows a page"));
    Some(
        page.unwrap_or_else(|| "`arrow-ipc help topics` lists pages, `arrow-ipc --help` commands".to_owned()),
    )
}

fn advise(error: &mut clap::Error, advice: &str) {
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![advice.to_owned().into()]));
}

/// The name of the command, from the usage in the error.
fn command_of(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::StyledStr(usage)) = error.get(ContextKind::Usage) else { return None };
    let usage = usage.to_string();
    usage.split_whitespace().skip_while(|word| *word != "arrow-ipc").nth(1).map(str::to_owned)
}

/// Whether a command has an argument.
fn has(command: &str, argument: &str) -> bool {
    let line = command_line();
    let command = line.find_subcommand(command);
    command.is_some_and(|command| command.get_arguments().any(|given| given.get_id() == argument))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_help_is_a_page() {
        let words = |args: &[&str]| args.iter().map(OsString::from).collect::<Vec<OsString>>();
        for command in command_line().get_subcommands().filter(|command| command.get_name() != "help") {
            let help = short_help(&words(&["arrow-ipc", command.get_name(), "-h"])).expect("a command");
            assert!(help.lines().count() <= 70, "{}: {}", command.get_name(), help.lines().count());
            for option in RARE {
                let option = format!("--{} ", option.replace('_', "-"));
                assert!(!help.lines().any(|line| line.trim_start().starts_with(&option)), "{option}: {help}");
            }
        }
        // Each is an option.
        let line = command_line();
        let has = |option: &&str| {
            let is_of_any =
                |command: &clap::Command| command.get_arguments().any(|arg| arg.get_id() == *option);
            line.get_subcommands().any(is_of_any)
        };
        let unknown: Vec<&str> = RARE.iter().copied().filter(|option| !has(option)).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
        assert_eq!(short_help(&words(&["arrow-ipc", "cat", "--help"])), None);
        assert_eq!(first_sentence("Rows A.. or ..B. More"), "Rows A.. or ..B");
    }
}

//! Parses `IN... OUT`: several inputs, followed by an output, or `IN... -o OUT`. Options may be between them.

use std::ffi::OsString;

use clap::{
    Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches,
    builder::ValueParser,
    error::{ContextKind, ContextValue, ErrorKind},
};

use crate::names::{InputArg, OutputName};

/// The id of the argument with all paths.
pub(super) const PATHS: &str = "paths";

/// The id of the option that gives the output.
const OUTPUT: &str = "output";

/// The inputs, and the output.
///
/// Clap parses all paths as one list. With two lists, it would take any path before an option as the output.
#[derive(Debug)]
pub(crate) struct PathsArgs {
    pub(crate) inputs: Vec<InputArg>,
    pub(crate) output: OutputName,
    /// Whether an option gives the output. Otherwise it is the last path.
    pub(crate) is_output_named: bool,
}

impl Args for PathsArgs {
    fn augment_args(command: Command) -> Command {
        let output = Arg::new(OUTPUT).short('o').long("output").value_name("OUT");
        let output = output.value_parser(ValueParser::os_string());
        command.arg(output.help("Write to OUT; all paths are inputs [default: the last path is OUT]")).arg(
            Arg::new(PATHS)
                // Clap adds brackets and dots around this name. `shown` removes the dots.
                .value_name("IN>... <OUT")
                .value_parser(ValueParser::os_string())
                .action(ArgAction::Append)
                .num_args(1..)
                .required(true)
                .help(
                    "What to read, and last where to write; `-` is standard input or output. A file with data is replaced, \
                     once the new one is complete, only if -o names it; `convert` and `split` also replace IN. A folder, or a \
                     name that ends with a slash, gets a file for each IN: its name with .arrow, or .arrows with --to stream",
                ),
        )
    }

    fn augment_args_for_update(command: Command) -> Command {
        PathsArgs::augment_args(command)
    }
}

impl FromArgMatches for PathsArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<PathsArgs, Error> {
        let mut paths: Vec<OsString> = matches.get_many(PATHS).into_iter().flatten().cloned().collect();
        let named: Option<OsString> = matches.get_one(OUTPUT).cloned();
        let is_output_named = named.is_some();
        let output = named.or_else(|| if paths.len() > 1 { paths.pop() } else { None });
        let output = output.ok_or_else(|| {
            let mut error = Error::new(ErrorKind::MissingRequiredArgument);
            let absent = ContextValue::Strings(vec!["<OUT>".to_owned()]);
            error.insert(ContextKind::InvalidArg, absent);
            error
        })?;
        let inputs = paths.into_iter().map(InputArg::from).collect();
        Ok(PathsArgs { inputs, output: OutputName::from(output), is_output_named })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = PathsArgs::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Changes a text of Clap so that it shows the last path as an argument of its own.
pub(crate) fn shown(text: &str) -> String {
    text.replace("<OUT>...", "<OUT>")
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use clap::Arg;

    use super::super::{Cli, command_line, usage::parsed};

    /// An example for a value with this name; a path if any value is allowed.
    fn value(name: &str) -> &str {
        match name {
            "A..B" | "START..END" => "1..2",
            "N" | "S" | "BYTE" | "BATCH" | "PORT" => "7",
            "NUMBER" => "0.5",
            "BYTES" => "4096",
            "ROWS" => "all",
            "A,B" | "X,Y" | "ID,DAY" => "a,b",
            "CHAR" | "MARK" => ";",
            "OLD=NEW,…" => "a=b",
            "COLUMN=TYPE" => "a=int8",
            "KEY=VALUE" => "a=b",
            "KEY" => "a",
            "COLUMN:KEY=VALUE" => "a:b=c",
            "COLUMN:KEY" => "a:b",
            "CONDITION" => "a = 1",
            "CODEC" => "zstd:3",
            "ROLE" => "values",
            "FILE" | "IN" | "OUT" | "IN>... <OUT" | "A" | "B" | "INDEX" | "SHAPES" | "FOLDER" | "FIELD"
            | "TEXT" | "PAGE" => "./x",
            "SHELL" | "COMMAND" => "bash",
            name => panic!("values named {name} have no example"),
        }
    }

    fn values(arg: &Arg) -> Vec<String> {
        let possible = arg.get_possible_values();
        let names = arg.get_value_names().unwrap_or_default();
        if !arg.get_action().takes_values() {
            return Vec::new();
        }
        match possible.first() {
            Some(possible) => vec![possible.get_name().to_owned()],
            None => names.iter().map(|name| value(&name.to_ascii_uppercase()).to_owned()).collect(),
        }
    }

    /// The arguments that must be present with an option.
    fn companions(command: &str, option: &str) -> &'static [&'static str] {
        match (command, option) {
            (_, "lossy" | "max_cast_bytes") => &["--cast", "a=int8"],
            (_, "trust_statistics") => &["--where", "a = 1"],
            _ => &[],
        }
    }

    /// The parsed arguments, in debug form.
    fn text(words: &[String]) -> String {
        let args: Vec<OsString> = words.iter().map(Into::into).collect();
        let cli: Cli = parsed(&args).unwrap_or_else(|error| panic!("{words:?}: {error}"));
        format!("{cli:?}")
    }

    /// Tries each option of each command before, between and after the paths, and with paths after `--`.
    #[test]
    fn options_stand_anywhere() {
        let line = command_line();
        let mut n_positions = 0;
        for command in line.get_subcommands().filter(|command| command.get_name() != "help") {
            let name = command.get_name();
            let mut paths = Vec::new();
            for arg in command.get_positionals() {
                let is_list = arg.get_num_args().is_some_and(|range| range.max_values() > 1);
                let values = values(arg);
                let n_times = if is_list { 3 } else { 1 };
                paths.extend((0..n_times).flat_map(|n| {
                    values
                        .iter()
                        .map(move |value| if is_list { format!("{value}{n}") } else { value.clone() })
                }));
            }
            let has_own_help = |arg: &&Arg| !["help", "version"].contains(&arg.get_id().as_str());
            for option in command.get_arguments().filter(|arg| !arg.is_positional()).filter(has_own_help) {
                let needed = companions(name, option.get_id().as_str()).iter().map(|word| (*word).to_owned());
                let flags = option.get_long().map(|long| format!("--{long}"));
                let flags = flags.into_iter().chain(option.get_short().map(|short| format!("-{short}")));
                for flag in flags {
                    let given: Vec<String> =
                        [flag].into_iter().chain(values(option)).chain(needed.clone()).collect();
                    // `man` takes this option or a path, but not both.
                    let paths = if name == "man" && option.get_id() == "to" { &[] } else { &paths[..] };
                    let words = |n_before: usize, between: &[String]| {
                        let (before, after) = paths.split_at(n_before);
                        let start = ["arrow-ipc", name].map(str::to_owned);
                        [&start[..], before, &given, between, after].concat()
                    };
                    let first = text(&words(0, &["--".to_owned()]));
                    for n_before in [paths.len().min(1), paths.len()] {
                        let moved = text(&words(n_before, &[]));
                        assert_eq!(moved, first, "{:?}", words(n_before, &[]));
                        n_positions += 1;
                    }
                }
            }
        }
        assert!(n_positions > 300, "{n_positions}");
    }

    /// With the option, each path is an input, wherever the option stands.
    #[test]
    fn an_option_gives_the_output() {
        for command in ["convert", "concat", "split", "recover"] {
            let named = ["-o", "--output"]
                .map(|option| text(&["arrow-ipc", command, "a", option, "c", "b"].map(str::to_owned)));
            assert_eq!(named[0], named[1]);
            let last = text(&["arrow-ipc", command, "a", "b", "c"].map(str::to_owned));
            assert_eq!(last, named[0].replace("is_output_named: true", "is_output_named: false"));
            text(&["arrow-ipc", command, "a", "-o", "b"].map(str::to_owned));
        }
    }

    /// A single path is not both input and output. The error names the missing path.
    #[test]
    fn one_path_is_not_enough() {
        for command in ["convert", "concat", "split", "recover"] {
            for args in [&["a.arrow"][..], &["a.arrow", "--to", "file"], &["--to", "file", "--", "a.arrow"]] {
                let words = [&["arrow-ipc", command], args].concat();
                let words: Vec<OsString> = words.iter().map(Into::into).collect();
                let error = parsed(&words).expect_err("it has no output").to_string();
                assert!(error.contains("\n  <OUT>\n"), "{error}");
                assert!(
                    error.contains(&format!("Usage: arrow-ipc {command} [OPTIONS] <IN>... <OUT>")),
                    "{error}"
                );
            }
        }
    }
}

//! The command line.

mod append;
mod assemble;
mod convert;
mod named;
mod paths;
mod rows;
mod show;
mod text;
mod usage;
mod values;

use std::{num::NonZero, path::PathBuf};

use arrow_ipc::WrittenContainer;
use arrow_ipc_tools::ColumnNames;
use clap::{Args, CommandFactory, Parser, Subcommand};
use clap_complete::Shell;

pub(crate) use self::{
    append::AppendArgs,
    assemble::{AssemblyArgs, ConcatArgs, SplitArgs},
    convert::{ChangedColumnsArgs, CompressionArg, ConvertArgs, MetadataArgs, WritingArgs},
    named::{RenameArg, TypeArg},
    paths::{PathsArgs, shown},
    rows::{CastArg, ConditionArg, NumberRange, RowsArgs},
    show::{CatArgs, Format, HeadArgs, SampleArgs, ShowArgs, TailArgs},
    text::{BothTextArgs, GivenSchemaArgs, RowTextArgs, TextArgs, TextOptions},
    usage::parse,
    values::ThreadsArg,
};
use self::{
    convert::CONTAINERS,
    values::{at_least_1, one_of},
};
use crate::{
    columns::ColumnsArg,
    context::ColorChoice,
    names::{InputArg, OutputName},
    topics::{after_help, after_options},
};

/// See, check, convert and compare Apache Arrow files and streams.
#[derive(Debug, Parser)]
#[command(name = "arrow-ipc", version, after_help = after_help())]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "WHEN",
        default_value_t,
        hide_possible_values = true
    )]
    #[arg(help = "Use colours: auto, always or never. With auto, on terminals, unless NO_COLOR is set")]
    pub(crate) color: ColorChoice,
    #[arg(
        long,
        global = true,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = at_least_1::<NonZero<u64>>
    )]
    #[arg(help = "Read and write schemas of up to N fields, nested ones included [default: 1000000]")]
    pub(crate) max_fields: Option<NonZero<u64>>,
}

/// The command to run.
#[derive(Debug, Subcommand)]
// Clap creates only the arguments of the command that runs, because creating the arguments of all commands would take most of
// the startup time. Clap adds the arguments last, so a doc comment on a struct of arguments would replace the help of the
// command. Such structs therefore have plain comments.
#[command(defer = true)]
pub(crate) enum Command {
    /// Show the columns: their names, types and metadata
    ///
    /// If several streams follow each other, the columns of the first stream are shown.
    Schema(SchemaArgs),
    /// Show the rows: as a table on a terminal, otherwise as JSON, one object per line; or as CSV
    Cat(CatArgs),
    /// Show the first rows
    Head(HeadArgs),
    /// Show the last rows
    Tail(TailArgs),
    /// Show some rows, which are chosen at random, in the order of the input
    Sample(SampleArgs),
    /// Show nulls, distinct values, minimum, maximum and size of each column
    Stats(StatsArgs),
    /// Count the rows, by metadata alone: neither values nor schemas are checked
    ///
    /// Text is read up to its end. Its values are not checked either, unless --type or --where needs them.
    Count(CountArgs),
    /// Write the positions of the batches of a stream to a file, by which other commands find its rows at once
    Index(IndexArgs),
    /// Show the messages and the footer with their positions; works on damaged files as far as possible
    Inspect(InspectArgs),
    /// Show files in a browser on this computer, until Ctrl-C
    Serve(ServeArgs),
    /// Describe a file or stream: its layout, the columns that take its bytes, its oddities, and the commands that mend
    /// them
    Explain(ExplainArgs),
    /// Check that files and streams are valid
    ///
    /// The whole input is checked. For each invalid input, standard error has an error, and a hint if there is one.
    Validate(ValidateArgs),
    /// Rewrite a file or stream, CSV or lines of JSON as a stream or file; keeps metadata
    Convert(Box<ConvertArgs>),
    /// Write several files or streams of the same columns as one
    ///
    /// Batches that are neither divided nor joined are copied as they are, without checking their values, unless they
    /// have to be decoded because of dictionaries or the form of an input. `validate` checks values.
    Concat(ConcatArgs),
    /// Divide a file or stream into several files, or write some of its batches or rows
    ///
    /// Batches that are neither divided nor joined are copied as they are, without checking their values, unless they
    /// have to be decoded because of dictionaries or the form of the input. `validate` checks values.
    Split(SplitArgs),
    /// Compare the schema, metadata and rows of two files or streams
    Diff(DiffArgs),
    /// Write the rows of files and streams to the end of a file, in place
    Append(AppendArgs),
    /// Copy the complete batches of a damaged file or stream to an undamaged one, and list the losses
    Recover(RecoverArgs),
    /// Print a script by which a shell completes the commands and options of this program
    Completions(CompletionsArgs),
    /// Show the manual page of the program or of a command, or write all of them into a folder
    ///
    /// On a terminal, `man` or `mandoc` shows the page. Otherwise it is written as roff.
    Man(ManArgs),
}

impl Command {
    /// The inputs of a command that prints what it finds, with the index that it reads.
    pub(crate) fn printed_inputs(&self) -> Vec<InputArg> {
        match self {
            Command::Cat(CatArgs { show, .. })
            | Command::Head(HeadArgs { show, .. })
            | Command::Tail(TailArgs { show, .. })
            | Command::Sample(SampleArgs { show, .. }) => {
                show.files.iter().cloned().chain(show.index.clone().map(InputArg::Path)).collect()
            }
            Command::Schema(args) => args.files.clone(),
            Command::Stats(args) => args.files.clone(),
            Command::Count(args) => args.files.clone(),
            Command::Inspect(args) => args.files.clone(),
            Command::Explain(args) => args.files.clone(),
            Command::Validate(args) => args.files.clone(),
            Command::Diff(args) => vec![args.a.clone(), args.b.clone()],
            // These commands have an output that arguments name, or print nothing of an input.
            Command::Index(_)
            | Command::Serve(_)
            | Command::Convert(_)
            | Command::Concat(_)
            | Command::Split(_)
            | Command::Append(_)
            | Command::Recover(_)
            | Command::Completions(_)
            | Command::Man(_) => Vec::new(),
        }
    }

    /// The name of a command that has `--cast`.
    pub(crate) fn with_cast(&self) -> Option<&'static str> {
        match self {
            Command::Schema(_) => Some("schema"),
            Command::Cat(_) => Some("cat"),
            Command::Head(_) => Some("head"),
            Command::Tail(_) => Some("tail"),
            Command::Sample(_) => Some("sample"),
            Command::Stats(_) => Some("stats"),
            Command::Count(_) => Some("count"),
            Command::Validate(_) => Some("validate"),
            Command::Diff(_) => Some("diff"),
            Command::Convert(_) => Some("convert"),
            Command::Concat(_) => Some("concat"),
            Command::Split(_) => Some("split"),
            Command::Append(_) => Some("append"),
            Command::Index(_)
            | Command::Inspect(_)
            | Command::Serve(_)
            | Command::Explain(_)
            | Command::Recover(_)
            | Command::Completions(_)
            | Command::Man(_) => None,
        }
    }

    /// The argument `--threads` of the command.
    pub(crate) fn threads(&self) -> ThreadsArg {
        match self {
            Command::Cat(CatArgs { show, .. })
            | Command::Head(HeadArgs { show, .. })
            | Command::Tail(TailArgs { show, .. })
            | Command::Sample(SampleArgs { show, .. }) => show.threads,
            Command::Stats(args) => args.threads,
            Command::Validate(args) => args.threads,
            Command::Convert(args) => args.threads,
            Command::Concat(ConcatArgs { writing, .. }) | Command::Split(SplitArgs { writing, .. }) => {
                writing.threads
            }
            Command::Diff(args) => args.threads,
            Command::Append(args) => args.threads,
            Command::Recover(args) => args.threads,
            // These commands read only metadata.
            Command::Schema(_)
            | Command::Count(_)
            | Command::Index(_)
            | Command::Inspect(_)
            | Command::Serve(_)
            | Command::Explain(_)
            | Command::Completions(_)
            | Command::Man(_) => ThreadsArg::default(),
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct SchemaArgs {
    /// The inputs to show; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<InputArg>,
    /// Write one JSON object for each file, on one line
    #[arg(long)]
    pub(crate) json: bool,
    /// Show only these columns, in this order; paths and patterns as for `cat`
    #[arg(long, value_name = "A,B")]
    pub(crate) columns: Option<ColumnsArg>,
    #[command(flatten)]
    pub(crate) cast: CastArg,
    /// Infer the schema of CSV or lines of JSON, also of a pipe; that of a file is inferred in any case. `convert --schema`
    /// takes the output, which you may edit
    #[arg(long)]
    pub(crate) infer: bool,
    #[command(flatten)]
    pub(crate) text: TextArgs,
}

#[derive(Debug, Args)]
pub(crate) struct CountArgs {
    /// The inputs to count; `-` is standard input. For several inputs, the last line has the sum
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<InputArg>,
    #[command(flatten)]
    pub(crate) condition: ConditionArg,
    #[command(flatten)]
    pub(crate) cast: CastArg,
    /// Write one JSON object for each file, on one line, and another for the sum of several files
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) text: RowTextArgs,
}

#[derive(Debug, Args)]
pub(crate) struct IndexArgs {
    /// The stream; `-` is standard input
    #[arg(value_name = "IN")]
    pub(crate) input: InputArg,
    /// Where to write the index, which is an Arrow file; `-` is standard output
    #[arg(value_name = "OUT")]
    pub(crate) output: OutputName,
}

#[derive(Debug, Args)]
pub(crate) struct InspectArgs {
    /// The inputs to show; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<InputArg>,
    /// Show each buffer with its field
    #[arg(long)]
    pub(crate) buffers: bool,
    /// Show only the buffers of these columns; paths and patterns as for `cat`
    #[arg(long, value_name = "A,B")]
    pub(crate) columns: Option<ColumnsArg>,
    /// Write JSON, one object per line: the container, each message, the footer
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// The files and streams to show. They stay as they are
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<InputArg>,
    /// The port on the loopback address [default: one that is free]
    #[arg(long, value_name = "PORT", default_value_t, hide_default_value = true)]
    pub(crate) port: u16,
    /// The page, as `cargo xtask wasm` makes it [default: viewer.html in the folder of the program, or
    /// ../share/arrow-ipc/viewer.html from there]
    #[arg(long, value_name = "PAGE")]
    pub(crate) viewer: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ValidateArgs {
    /// The inputs to check; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<InputArg>,
    /// Check only the values of these columns, besides messages, the footer and the end; paths and patterns as for
    /// `cat`
    #[arg(long, value_name = "A,B")]
    pub(crate) columns: Option<ColumnsArg>,
    #[command(flatten)]
    pub(crate) cast: CastArg,
    /// Also check rules that some producers break: decimals fit their precision, date64 values are whole days, times
    /// lie within a day, offsets of dense unions ascend, required fields have no nulls, names, time zones and metadata
    /// are UTF-8. Write a note about a time zone that is unknown
    #[arg(long)]
    pub(crate) strict: bool,
    /// Refuse streams without an end marker, as a writer leaves them that was stopped [default: write a note]
    #[arg(long)]
    pub(crate) require_end: bool,
    /// Write a line for each valid file, with the number of its rows and batches, and a line for each of its parts that
    /// some other libraries cannot read
    #[arg(long, short)]
    pub(crate) verbose: bool,
    /// Write one JSON object for each file, on one line: whether it is valid, the number of its rows and batches,
    /// notes, and the error
    #[arg(long, conflicts_with = "verbose")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) threads: ThreadsArg,
}

/// Parses the greatest difference of equal numbers.
fn tolerance(text: &str) -> Result<f64, &'static str> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0);
    number.ok_or("expected a number that is not negative, such as 0.001 or 1e-9")
}

#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// The first input; `-` is standard input
    #[arg(value_name = "A")]
    pub(crate) a: InputArg,
    /// The second input; `-` is standard input
    #[arg(value_name = "B")]
    pub(crate) b: InputArg,
    /// Compare only these columns and paths; the syntax is that of `cat --columns`
    #[arg(long, value_name = "X,Y")]
    columns: Option<ColumnsArg>,
    /// Do not compare these columns; patterns as for `cat`
    #[arg(long, value_name = "X,Y")]
    exclude: Option<ColumnsArg>,
    #[command(flatten)]
    pub(crate) cast: CastArg,
    /// Pair the rows that have the same values in these columns, at any position. All rows are counted; --limit sets
    /// how many rows of each kind are shown. A null equals a null. No two rows of a file may have the same key. These
    /// columns are also compared, even if --exclude names them. Each row takes 16 bytes of memory
    #[arg(long, value_name = "ID,DAY", conflicts_with = "rows")]
    pub(crate) key: Option<ColumnsArg>,
    /// Compare only rows START to END, counted from 0, without row END: START..END, START.. or ..END. Row START must
    /// exist. Later rows are not read
    #[arg(long, value_name = "START..END")]
    pub(crate) rows: Option<NumberRange>,
    #[command(flatten)]
    pub(crate) condition: ConditionArg,
    /// Ignore the metadata of the file or stream, the schema and the fields
    #[arg(long)]
    pub(crate) ignore_metadata: bool,
    /// Take numbers in columns of floating-point numbers as equal if they differ by at most NUMBER, such as 1e-9; inside of
    /// lists, structs and maps, and in the columns of --key, numbers are compared exactly
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true, value_parser = tolerance)]
    pub(crate) tolerance: Option<f64>,
    /// Stop after this many different rows
    #[arg(long, value_name = "N", default_value_t = 10, allow_negative_numbers = true)]
    pub(crate) limit: u64,
    /// Count all rows that differ; show only as many as --limit sets
    #[arg(long)]
    pub(crate) count: bool,
    /// Write one JSON object for each difference, on one line, after one for the summary
    #[arg(long)]
    pub(crate) json: bool,
    /// Print nothing; the exit status is the answer
    #[arg(long, short, conflicts_with_all = ["count", "limit", "json"])]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) text: RowTextArgs,
    #[command(flatten)]
    pub(crate) threads: ThreadsArg,
}

#[derive(Debug, Args)]
pub(crate) struct StatsArgs {
    /// The inputs to describe; `-` is standard input. For pipes, the sizes of columns are not known
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<InputArg>,
    /// Only these columns, in this order; paths and patterns as for `cat`
    #[arg(long, value_name = "A,B")]
    columns: Option<ColumnsArg>,
    /// Leave out these columns; patterns as for `cat`
    #[arg(long, value_name = "A,B")]
    exclude: Option<ColumnsArg>,
    #[command(flatten)]
    pub(crate) cast: CastArg,
    #[command(flatten)]
    pub(crate) rows: RowsArgs,
    /// Show one column after the other, for narrow terminals
    #[arg(long, conflicts_with = "json")]
    pub(crate) vertical: bool,
    /// Write one JSON object for each file, on one line
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) text: RowTextArgs,
    #[command(flatten)]
    pub(crate) threads: ThreadsArg,
}

impl StatsArgs {
    /// The columns that are described; `None` for all.
    pub(crate) fn names(&self) -> Option<ColumnNames> {
        ColumnsArg::without(self.columns.as_ref(), self.exclude.as_ref())
    }
}

impl DiffArgs {
    /// The columns that are compared; `None` for all.
    pub(crate) fn names(&self) -> Option<ColumnNames> {
        ColumnsArg::without(self.columns.as_ref(), self.exclude.as_ref())
    }
}

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// The inputs to explain; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<InputArg>,
    /// List the bytes of these columns only; paths and patterns as for `cat`
    #[arg(long, value_name = "A,B")]
    pub(crate) columns: Option<ColumnsArg>,
    /// Write one JSON object for each file, on one line
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) text: RowTextArgs,
}

#[derive(Debug, Args)]
pub(crate) struct RecoverArgs {
    #[command(flatten)]
    pub(crate) paths: PathsArgs,
    /// The container [default: by the name of OUT: .arrows and `-` are streams; .arrow, .feather and .ipc are files]
    #[arg(long, value_name = "FORMAT", value_parser = one_of(CONTAINERS))]
    pub(crate) to: Option<WrittenContainer>,
    /// A file with the schema of IN: an Arrow file or stream with the same columns, or the output of `schema`, with or
    /// without --json. This schema replaces that of IN
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    /// Keep batches of a stream whose dictionaries may have been replaced in damaged bytes. If one was replaced, these
    /// batches have wrong values
    #[arg(long)]
    pub(crate) keep_dictionaries: bool,
    #[command(flatten)]
    pub(crate) threads: ThreadsArg,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The command [default: the program]
    pub(crate) command: Option<String>,
    /// Write the pages of the program and of all commands into this folder, which is created if it does not exist
    #[arg(long, value_name = "FOLDER", conflicts_with = "command")]
    pub(crate) to: Option<PathBuf>,
}

/// The whole command line, with the arguments that clap adds.
pub(crate) fn command_line() -> clap::Command {
    let mut command = with_texts(|_| true);
    command.build();
    command
}

/// The command line. Only commands whose name `has_text` accepts get the texts below their options.
fn with_texts(has_text: impl Fn(&str) -> bool) -> clap::Command {
    Cli::command().mut_subcommands(|command| {
        if !has_text(command.get_name()) {
            return command;
        }
        let text = after_options(command.get_name());
        command.after_help(text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    /// The table agrees with the options.
    #[test]
    fn commands_with_casts_are_known() {
        let line = command_line();
        for command in line.get_subcommands().filter(|command| command.get_name() != "help") {
            let name = command.get_name();
            let has_cast = command.get_arguments().any(|argument| argument.get_id() == "cast");
            let words = ["arrow-ipc", name, "a.arrow", "b.arrow", "--cast", "a=utf8", "--by", "a"];
            let n_words = if name == "split" { words.len() } else { words.len() - 2 };
            let args: Vec<std::ffi::OsString> = words[..n_words].iter().map(Into::into).collect();
            let parsed = parse(&crate::context::Context::default(), &args);
            let found = parsed.ok().and_then(|line| line.command.with_cast());
            assert_eq!(found, has_cast.then_some(name));
        }
    }

    /// Starting a command creates only its own arguments and texts, and none of the other commands.
    #[test]
    fn a_start_makes_the_arguments_of_its_command_alone() {
        let mut line = with_texts(|name| name == "head");
        assert!(line.try_get_matches_from_mut(["arrow-ipc", "head", "x", "-n", "2"]).is_ok());
        for command in line.get_subcommands().filter(|command| command.get_name() != "help") {
            let is_given = command.get_name() == "head";
            let own = command.get_arguments().filter(|argument| !argument.is_global_set());
            assert_eq!(own.count() > 0, is_given, "{}", command.get_name());
            assert_eq!(command.get_after_help().is_some(), is_given, "{}", command.get_name());
        }
    }
}

//! The command line.

mod convert;

use std::{io::Write, path::PathBuf, str::FromStr};

use arrow_text::CsvOptions;
use clap::{Args, Parser, Subcommand, ValueEnum};

pub(crate) use self::convert::{ConvertArgs, Dictionaries, Endian, Target, Version, WritingArgs};
use crate::{
    columns::ColumnNames,
    exit::Status,
    input::InputName,
    output::{OutputName, is_closed_pipe},
    terminal::EscapedLines,
};

const STATUSES: &str = "\
Exit status:
  0  fine
  1  the input is not valid: malformed, or cut off; of `diff`: they differ
  2  wrong usage
  3  done, but something of the input could not be kept
  4  the input cannot be read, or the output not written
  5  the input uses what is not supported, or is over a limit
  6  of `diff`: an input is not valid";

/// What stands below the options of a command: what its inputs are, and examples.
macro_rules! help_end {
    ($name:literal, $($example:literal),+) => {
        concat!(
            $name,
            " is an Arrow IPC file or stream, told by how it begins and not by its name, or several streams\n\
             one after the other; `-` is standard input.\n\nExamples:",
            $("\n  ", $example),+
        )
    };
}
use help_end;

/// See, check, convert and compare Apache Arrow files and streams.
#[derive(Debug, Parser)]
#[command(name = "arrow-ipc", version, about, after_help = STATUSES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show the columns: their names, types and metadata. Of several streams, those of the first
    Schema(SchemaArgs),
    /// Show the rows: as a table on a terminal, else as JSON, one object per line; or as CSV
    Cat(CatArgs),
    /// Show the messages and the footer, and where they are; works on broken files, too, as far as possible
    Inspect(InspectArgs),
    /// Check everything; writes one line to standard error for each file that is not valid, else nothing
    Validate(ValidateArgs),
    /// Rewrite a file or stream as a stream or a file, with all that it says beside its rows
    Convert(ConvertArgs),
    /// Compare two files or streams: schema, metadata and rows, however they are written
    Diff(DiffArgs),
}

#[derive(Debug, Args)]
#[command(after_help = help_end!(
    "FILE",
    "arrow-ipc schema people.arrow",
    "arrow-ipc schema --json people.arrow | jq '.fields[].name'"
))]
pub(crate) struct SchemaArgs {
    /// What to show; `-` is standard input
    pub(crate) file: InputName,
    /// Write one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = help_end!(
    "FILE",
    "arrow-ipc cat people.arrow --columns name,age --limit 10",
    "arrow-ipc cat people.arrow --format json > people.jsonl",
    "arrow-ipc cat people.arrow --format csv --delimiter ';' > people.csv",
    "producer | arrow-ipc cat -"
))]
pub(crate) struct CatArgs {
    /// What to show; `-` is standard input
    pub(crate) file: InputName,
    /// Show only these columns, in this order. Dots lead to what is inside of a column, through structs and lists:
    /// 'address.zip,phones.item.number'; null where something around it is null. A column that is called just like
    /// that goes before. A name that holds a comma, a dot, a quote or a control character is written in double
    /// quotes, as `schema` shows it: 'a,"b,c",d."e.f"'
    #[arg(long, value_name = "A,B")]
    pub(crate) columns: Option<ColumnNames>,
    /// Skip this many rows at the beginning
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true)]
    pub(crate) offset: u64,
    /// Show at most this many rows. What is written has at most 64 MiB and 1024 bytes for each byte of FILE, and 4096
    /// more for each of these rows [default: all]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) limit: Option<u64>,
    /// How to show rows [default: table on a terminal, else json]
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
    /// What stands between the cells of CSV: one ASCII character, or '\t' for a tab [default: ,]
    #[arg(long, value_name = "CHAR")]
    pub(crate) delimiter: Option<Delimiter>,
    /// Leave out the line of names of CSV
    #[arg(long)]
    pub(crate) no_header: bool,
}

/// What stands between cells, as options that have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Delimiter(pub(crate) CsvOptions);

/// How `cat` shows rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A table that fits the terminal; long values are cut there
    Table,
    /// JSON that loses nothing, one object per line
    Json,
    /// CSV with a line of names: nulls are empty cells, empty texts are ""
    Csv,
}

#[derive(Debug, Args)]
#[command(after_help = help_end!(
    "FILE",
    "arrow-ipc inspect people.arrow",
    "arrow-ipc inspect --json --buffers people.arrow"
))]
pub(crate) struct InspectArgs {
    /// What to show; `-` is standard input
    pub(crate) file: InputName,
    /// Show each buffer with the field it belongs to
    #[arg(long)]
    pub(crate) buffers: bool,
    /// Write JSON, one object per line: the container, each message, the footer
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = help_end!(
    "FILE",
    "arrow-ipc validate *.arrow",
    "arrow-ipc validate --strict people.arrow && echo valid"
))]
pub(crate) struct ValidateArgs {
    /// What to check; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<InputName>,
    /// Check also what some producers are known to violate: decimals within their precision, dates of whole days,
    /// times within a day, offsets of dense unions in order, no nulls in fields that are not nullable
    #[arg(long)]
    pub(crate) strict: bool,
}

#[derive(Debug, Args)]
#[command(after_help = concat!(
    help_end!(
        "A or B",
        "arrow-ipc diff old.arrow new.arrow",
        "arrow-ipc diff old.arrow new.arrow --columns id,name --ignore-metadata --count",
        "producer | arrow-ipc diff --quiet - expected.arrow && echo equal"
    ),
    "\n\n",
    "\
Not compared: file or stream, batches and their metadata, dictionaries with the same values,
compression, byte order. Equal floating-point numbers have equal bits. Rows are counted from 0, as
by `cat --offset`.

Exit status:
  0  they are equal
  1  they differ
  6  no answer: one of them is malformed, or cut off
  The others are those of all commands, see `arrow-ipc --help`."
))]
pub(crate) struct DiffArgs {
    /// One of them; `-` is standard input
    #[arg(value_name = "A")]
    pub(crate) a: InputName,
    /// The other one; `-` is standard input
    #[arg(value_name = "B")]
    pub(crate) b: InputName,
    /// Compare only these columns, and what is inside of columns; they are written as for `cat`
    #[arg(long, value_name = "X,Y")]
    pub(crate) columns: Option<ColumnNames>,
    /// Do not compare the metadata of the whole, the schema and the fields
    #[arg(long)]
    pub(crate) ignore_metadata: bool,
    /// Show this many rows that differ, and stop at the next one
    #[arg(long, value_name = "N", default_value_t = 10, allow_negative_numbers = true)]
    pub(crate) limit: u64,
    /// Do not stop, but count all rows that differ
    #[arg(long)]
    pub(crate) count: bool,
    /// Write nothing: the exit status is the answer
    #[arg(long, short, conflicts_with_all = ["count", "limit"])]
    pub(crate) quiet: bool,
}

/// The command that was asked for; or the status to end with, when all is said already.
pub(crate) fn parse() -> Result<Command, Status> {
    let error = match Cli::try_parse() {
        Ok(cli) => return Ok(cli.command),
        Err(error) => error,
    };
    // What is quoted in it comes from the command line, and may come from a file name.
    let text = EscapedLines(&error.render().to_string()).to_string();
    // All other hints of the program have this name.
    let text = text.replace("\n  tip: ", "\n  hint: ");
    if error.use_stderr() {
        // Nothing can be said about a standard error that takes nothing.
        let _ = std::io::stderr().write_all(text.as_bytes());
        return Err(Status::Usage);
    }
    let mut stdout = std::io::stdout();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if !is_closed_pipe(&error) => Err(Status::Io),
        _ => Err(Status::Fine),
    }
}

impl FromStr for Delimiter {
    type Err = String;

    fn from_str(text: &str) -> Result<Delimiter, String> {
        let byte = match (text, text.as_bytes()) {
            ("\\t", _) => b'\t',
            (_, [byte]) => *byte,
            _ => return Err("it is not one ASCII character".to_owned()),
        };
        CsvOptions::new().with_delimiter(byte).map(Delimiter).map_err(|error| error.to_string())
    }
}

impl From<std::ffi::OsString> for InputName {
    fn from(name: std::ffi::OsString) -> InputName {
        if name == "-" { InputName::Stdin } else { InputName::Path(PathBuf::from(name)) }
    }
}

impl From<std::ffi::OsString> for OutputName {
    fn from(name: std::ffi::OsString) -> OutputName {
        if name == "-" { OutputName::Stdout } else { OutputName::Path(PathBuf::from(name)) }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}

//! The command lines of the commands that show rows: `cat`, `head`, `tail` and `sample`.

use std::path::PathBuf;

use arrow_ipc::{Container, IpcError, file::StreamIndex};
use arrow_ipc_tools::{ColumnNames, Input, InputContext, RowQuery};
use clap::{Args, ValueEnum};

use super::{
    CastArg, ConditionArg, RowTextArgs, RowsArgs, TextOptions, ThreadsArg, text::Delimiter,
    values::at_least_0,
};
use crate::{
    columns::ColumnsArg,
    exit::{Failure, OTHER_INDEX},
    names::InputArg,
};

#[derive(Debug, Args)]
pub(crate) struct CatArgs {
    #[command(flatten)]
    pub(crate) rows: RowsArgs,
    #[command(flatten)]
    pub(crate) show: ShowArgs,
}

#[derive(Debug, Args)]
pub(crate) struct HeadArgs {
    /// Skip this many rows
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = at_least_0)]
    pub(crate) offset: u64,
    /// Show at most this many rows. Later rows are not read
    #[arg(long, short = 'n', value_name = "N", default_value_t = 10, allow_negative_numbers = true, value_parser = at_least_0)]
    pub(crate) limit: u64,
    #[command(flatten)]
    pub(crate) condition: ConditionArg,
    #[command(flatten)]
    pub(crate) show: ShowArgs,
}

#[derive(Debug, Args)]
pub(crate) struct TailArgs {
    /// Show at most this many rows
    #[arg(long, short = 'n', value_name = "N", default_value_t = 10, allow_negative_numbers = true, value_parser = at_least_0)]
    pub(crate) limit: u64,
    #[command(flatten)]
    pub(crate) condition: ConditionArg,
    #[command(flatten)]
    pub(crate) show: ShowArgs,
}

#[derive(Debug, Args)]
pub(crate) struct SampleArgs {
    /// Show at most this many rows; each row is as likely as any other
    #[arg(long, short = 'n', value_name = "N", default_value_t = 10, allow_negative_numbers = true, value_parser = at_least_0)]
    pub(crate) limit: u64,
    /// The seed of the choice: the same seed chooses the same rows, whatever the container and batches are [default: another seed
    /// each time]
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = at_least_0)]
    pub(crate) seed: Option<u64>,
    #[command(flatten)]
    pub(crate) condition: ConditionArg,
    #[command(flatten)]
    pub(crate) show: ShowArgs,
}

// The files whose rows are shown, the columns, and the format.
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The inputs to show; `-` is standard input. The rows of several files follow each other; their columns must be
    /// the same
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<InputArg>,
    /// Show only these columns, in this order. `*` stands for any characters: 'id,*' shows id first, then all other columns. A path names a
    /// field inside structs and lists: 'address.zip,phones.item.number,address.*'. Such a field is null if a parent is
    /// null. If a column has the path as its name, that column is shown. Put a name with a comma, dot, star, quote or
    /// control character in double quotes, as `schema` prints it: 'a,"b,c",d."e.f"'
    #[arg(long, value_name = "A,B")]
    pub(crate) columns: Option<ColumnsArg>,
    /// Show all columns but these, or those of --columns without these: names and patterns of whole columns
    #[arg(long, value_name = "A,B")]
    pub(crate) exclude: Option<ColumnsArg>,
    #[command(flatten)]
    pub(crate) cast: CastArg,
    /// The output format. The output has at most 64 MiB, plus 1024 bytes for each byte of FILE, plus 4096 bytes for
    /// each row that --rows or --limit asks for [default: table on a terminal, otherwise json]
    #[arg(long, value_enum, conflicts_with = "vertical")]
    pub(crate) format: Option<Format>,
    /// Show each row as lines of a name and a value, for wide rows
    #[arg(long)]
    pub(crate) vertical: bool,
    /// Write each row of JSON as pairs of name and value if names of columns repeat, so that no name changes
    /// [default: later columns with a repeated name are called name_1, name_2 and so on]
    #[arg(long)]
    pub(crate) json_pairs: bool,
    /// The separator of cells of CSV that is written: one ASCII character, or '\t' for a tab [default: ,]
    #[arg(long, value_name = "CHAR")]
    pub(crate) delimiter: Option<Delimiter>,
    /// Write CSV without the header line
    #[arg(long)]
    pub(crate) no_header: bool,
    /// The decimal mark of numbers in CSV that is written, such as ',' [default: .]
    #[arg(long, value_name = "CHAR")]
    pub(crate) csv_decimal: Option<char>,
    /// Write an apostrophe before text and names of CSV that begin with =, +, -, @, a tab or a line end, since
    /// spreadsheet programs take them for formulas; numbers are unchanged
    #[arg(long)]
    pub(crate) csv_escape_formulas: bool,
    /// The index of the stream, as `index` writes it: the rows are found without reading the stream before them
    #[arg(long, value_name = "INDEX")]
    pub(crate) index: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) text: RowTextArgs,
    #[command(flatten)]
    pub(crate) threads: ThreadsArg,
}

impl ShowArgs {
    /// The input with the index of `--index`.
    ///
    /// # Errors
    /// If the input is a file, or the index cannot be read.
    pub(crate) fn indexed(&self, input: Input) -> Result<Input, Failure> {
        let Some(path) = &self.index else { return Ok(input) };
        if input.container() == Container::File {
            return Err(Failure::Needs { option: "--index", other: "a stream: a file has its footer" });
        }
        let bytes = std::fs::read(path).map_err(IpcError::from).in_input(path.as_path())?;
        let index = StreamIndex::try_from_buffer(bytes.into()).in_input(path.as_path());
        let index = index.map_err(|error| Failure::Advised { error, advice: OTHER_INDEX.into() })?;
        Ok(input.with_index(index))
    }

    /// Checks that an index is for one input. Call this once, before the inputs are opened.
    ///
    /// # Errors
    /// If there are several inputs.
    pub(crate) fn check_index(&self) -> Result<(), Failure> {
        match &self.index {
            Some(_) if self.files.len() > 1 => Err(Failure::Needs { option: "--index", other: "one FILE" }),
            _ => Ok(()),
        }
    }

    /// The options for reading inputs that are text.
    pub(crate) fn text(&self) -> TextOptions {
        self.text.options(self.files.len())
    }

    /// The query with the columns of `--columns` and `--exclude`.
    pub(crate) fn query(&self) -> RowQuery {
        self.names().into_iter().fold(RowQuery::new(), RowQuery::with_columns)
    }

    /// The query with these columns, and the rows that match the condition.
    ///
    /// # Errors
    /// If types of columns are given, and no input is a data set.
    pub(crate) fn query_with(&self, condition: &ConditionArg) -> Result<RowQuery, Failure> {
        self.cast.add_to(condition.query(self.names()), &self.files)
    }

    /// The columns that are shown; `None` for all.
    pub(crate) fn names(&self) -> Option<ColumnNames> {
        ColumnsArg::without(self.columns.as_ref(), self.exclude.as_ref())
    }
}

/// The output format of `cat`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A table; on a terminal, long values are cut to fit
    Table,
    /// Lossless JSON, one object per line
    #[value(alias = "jsonl")]
    Json,
    /// CSV with a header line: nulls are empty cells, empty strings are ""
    Csv,
}

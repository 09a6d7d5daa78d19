//! Options for reading text: CSV and lines of JSON.

use std::{num::NonZero, path::PathBuf, str::FromStr};

use arrow_ipc_tools::import::{EmptyColumns, TextDetector, TextEncoding};
use arrow_schema::{DataType, Field, QuotedName};
use arrow_text::{CsvOptions, DateOrder, InferRows, RaggedRows, Sniff};
use clap::{Args, ValueEnum};

use super::{
    TypeArg,
    values::{at_least_0, at_least_1, no_option, one_of},
};
use crate::exit::Failure;

// The format of text, and how its schema is inferred.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct FormArgs {
    /// Read text: CSV, or objects of JSON, one after the other or in an array [default: by the content; a pipe needs
    /// this option if the content is not clear]. The text may be compressed with gzip, Zstandard or LZ4
    #[arg(long, help_heading = "Text", value_enum, value_name = "FORMAT")]
    pub(crate) from: Option<TextForm>,
    /// Infer the schema of text from its first N rows, which are read even if fewer rows are wanted. With `all`, the
    /// schema is inferred from all rows, and a long text of a pipe is copied to a temporary file [default: the rows in
    /// the first 8 MiB; `convert` reads a file again, with `all`, if a later row has other types]
    #[arg(long, help_heading = "Text", value_name = "ROWS", allow_negative_numbers = true, value_parser = infer_rows)]
    pub(crate) infer_rows: Option<InferRows>,
    /// The type of a column. Without it, the type is inferred from the text. Write the type as `schema` prints it, or as
    /// list<int64>, string, uuid or json. May be given several times
    #[arg(long = "type", help_heading = "Text", value_name = "COLUMN=TYPE")]
    pub(crate) types: Vec<TypeArg>,
    /// Memory for the nulls of text, such as missing members of JSON: BYTES, or 256 times the text if that is more
    /// [default: 268435456]
    #[arg(long, help_heading = "Text", value_name = "BYTES", allow_negative_numbers = true, value_parser = at_least_1::<NonZero<u64>>)]
    pub(crate) max_null_bytes: Option<NonZero<u64>>,
    /// An unquoted cell of CSV that means null, besides an empty cell; may be given several times [default: NA, N/A,
    /// #N/A, n/a, NULL, null, None and \N, in columns that are not text]
    #[arg(long, help_heading = "Text", value_name = "TEXT", allow_hyphen_values = true, value_parser = no_option)]
    pub(crate) null: Vec<String>,
    /// Skip the first N lines of CSV, which must exist [default: skip lines of a title, if a line of different
    /// names follows, and rows with as many cells]
    #[arg(long, help_heading = "Text", value_name = "N", allow_negative_numbers = true, value_parser = at_least_0)]
    pub(crate) skip: Option<u64>,
    /// Skip lines of CSV that begin with CHAR
    #[arg(long, help_heading = "Text", value_name = "CHAR", value_parser = comment)]
    pub(crate) comment: Option<u8>,
    /// The character around cells of CSV; with '', quotes are a part of the text [default: "]
    #[arg(long, help_heading = "Text", value_name = "CHAR", value_parser = quote)]
    pub(crate) quote: Option<Quote>,
    /// What to do with a row of CSV that has fewer or more cells than there are columns
    #[arg(long, help_heading = "Text", value_name = "HOW", default_value = "error", value_parser = one_of(RAGGED))]
    pub(crate) ragged: RaggedRows,
    /// The decimal mark of numbers in CSV, such as ',' [default: .]
    #[arg(long, help_heading = "Text", value_name = "MARK")]
    pub(crate) decimal: Option<char>,
    /// The character between groups of three digits of numbers in CSV; numbers without it are also read; ' ' stands for
    /// U+00A0 and U+202F, too [default: none]
    #[arg(long, help_heading = "Text", value_name = "MARK")]
    pub(crate) thousands: Option<char>,
    /// The order of day, month and year in the dates of CSV: dmy reads 31/12/2024, 31.12.2024 and 31-12-2024, alone or
    /// with a time such as 17:07 or 5:07 PM. 2024-12-31 is read in any case [default: only 2024-12-31]
    #[arg(long, help_heading = "Text", value_name = "ORDER", value_parser = one_of(DATES))]
    pub(crate) dates: Option<DateOrder>,
    /// The encoding of text [default: UTF-16 if its first bytes say so, else UTF-8]
    #[arg(long, help_heading = "Text", value_name = "NAME", value_parser = one_of(ENCODINGS))]
    pub(crate) encoding: Option<TextEncoding>,
}

// How text is read, for a command that writes no rows.
#[derive(Debug, Default, Args)]
pub(crate) struct TextArgs {
    #[command(flatten)]
    form: FormArgs,
    /// The separator of cells of CSV: one ASCII character, or '\t' for a tab [default: the one of , ; tab
    /// | that makes rows of the same length]
    #[arg(long, help_heading = "Text", visible_alias = "from-delimiter", value_name = "CHAR")]
    delimiter: Option<Delimiter>,
    /// CSV begins with a row, not with names; its columns are c0, c1 and so on [default: if the first line is clearly a
    /// row]
    #[arg(long, help_heading = "Text", visible_alias = "from-no-header")]
    no_header: bool,
    /// CSV begins with names, whatever its first line looks like
    #[arg(long, help_heading = "Text", visible_alias = "from-header", conflicts_with = "no_header")]
    header: bool,
}

// How `convert` reads and writes text. An option without `from` or `to` in its name is for the side that is CSV.
#[derive(Debug, Default, Args)]
pub(crate) struct BothTextArgs {
    #[command(flatten)]
    read: RowTextArgs,
    /// The separator of cells of CSV, if either IN or OUT is CSV. If both are CSV, use --from-delimiter and
    /// --to-delimiter
    #[arg(long, help_heading = "Text", value_name = "CHAR", conflicts_with_all = ["from_delimiter", "to_delimiter"])]
    delimiter: Option<Delimiter>,
    /// The separator of cells of CSV that is written [default: a comma, or a tab if the name is .tsv]
    #[arg(long, help_heading = "Text", value_name = "CHAR")]
    to_delimiter: Option<Delimiter>,
    /// The CSV of IN or OUT has no line of names. If both are CSV, use --from-no-header and --to-no-header
    #[arg(long, help_heading = "Text", conflicts_with_all = ["from_header", "from_no_header", "to_no_header"])]
    no_header: bool,
    /// Write CSV without a line of names
    #[arg(long, help_heading = "Text")]
    to_no_header: bool,
}

// How text is read, for commands that read rows. `cat` also writes CSV, and its `--delimiter` is for the output.
#[derive(Debug, Default, Args)]
pub(crate) struct RowTextArgs {
    #[command(flatten)]
    form: FormArgs,
    /// The separator of cells of CSV that is read: one ASCII character, or '\t' for a tab [default: the one
    /// of , ; tab | that makes rows of the same length]
    #[arg(long, help_heading = "Text", value_name = "CHAR")]
    from_delimiter: Option<Delimiter>,
    /// CSV that is read begins with a row, not with names; its columns are c0, c1 and so on [default: if the first line
    /// is clearly a row]
    #[arg(long, help_heading = "Text")]
    from_no_header: bool,
    /// CSV that is read begins with names, whatever its first line looks like
    #[arg(long, help_heading = "Text", conflicts_with = "from_no_header")]
    from_header: bool,
}

/// The options for reading text that the command line has.
#[derive(Debug, Clone, Default)]
pub(crate) struct TextOptions {
    pub(crate) form: FormArgs,
    delimiter: Option<Delimiter>,
    /// Whether the first line of CSV has names, according to an option.
    has_header: Option<bool>,
    /// The names of the options for the delimiter, for a header, and for no header, in errors.
    names: [&'static str; 3],
    /// Whether there are several inputs. If so, some of them may be Arrow data.
    pub(crate) has_others: bool,
    /// Columns whose types a partial schema sets.
    pub(crate) columns: Vec<Field>,
    /// Whether a schema sets the types of all columns.
    has_schema: bool,
    /// Whether columns with given types may be missing.
    pub(crate) ignores_missing: bool,
    /// The types of columns without values.
    pub(crate) empty: EmptyColumns,
    /// Whether values are not read, since rows are only counted.
    pub(crate) is_only_counted: bool,
}

/// Whether the first line has names, according to two options of which only one can be given.
fn has_header(header: bool, no_header: bool) -> Option<bool> {
    header.then_some(true).or(no_header.then_some(false))
}

impl TextArgs {
    /// The options for reading text that the arguments have.
    pub(crate) fn options(&self) -> TextOptions {
        let form = self.form.clone();
        let delimiter = self.delimiter;
        let has_header = has_header(self.header, self.no_header);
        let names = ["--delimiter", "--header", "--no-header"];
        TextOptions { form, delimiter, has_header, names, ..TextOptions::default() }
    }
}

impl BothTextArgs {
    /// The options for reading text. Options without a side in their name are for the output if it is CSV.
    pub(crate) fn options(&self, writes_csv: bool) -> TextOptions {
        let mut options = self.read.options(1);
        if let (false, Some(delimiter)) = (writes_csv, self.delimiter) {
            (options.delimiter, options.names[0]) = (Some(delimiter), "--delimiter");
        }
        if !writes_csv && self.no_header {
            (options.has_header, options.names[2]) = (Some(false), "--no-header");
        }
        options
    }

    /// Applies the options for writing CSV to the default options.
    pub(crate) fn written(&self, csv: CsvOptions) -> CsvOptions {
        let csv = self.to_delimiter.or(self.delimiter).map_or(csv, |delimiter| delimiter.0);
        if self.to_no_header || self.no_header { csv.without_header() } else { csv }
    }

    /// The first option in the arguments that is only for CSV output; `None` if there is none.
    pub(crate) fn csv_output_option(&self) -> Option<&'static str> {
        first_given(&[(self.to_delimiter.is_some(), "--to-delimiter"), (self.to_no_header, "--to-no-header")])
    }

    /// Checks that each option for CSV is for one side only. Call this if input and output are both CSV.
    ///
    /// # Errors
    /// If an option without a side could belong to both sides.
    pub(crate) fn check_sides(&self) -> Result<(), Failure> {
        let both = [(self.delimiter.is_some(), "--delimiter"), (self.no_header, "--no-header")];
        let Some(option) = first_given(&both) else { return Ok(()) };
        let name = option.trim_start_matches('-');
        let error = format!("IN and OUT are both CSV: use --from-{name} for IN, --to-{name} for OUT");
        Err(Failure::TextOption { option, error: error.into() })
    }
}

impl RowTextArgs {
    /// The options for reading one of several inputs, each of which may be text or Arrow data.
    pub(crate) fn options(&self, n_inputs: usize) -> TextOptions {
        let form = self.form.clone();
        let delimiter = self.from_delimiter;
        let has_others = n_inputs > 1;
        let has_header = has_header(self.from_header, self.from_no_header);
        let names = ["--from-delimiter", "--from-header", "--from-no-header"];
        TextOptions { form, delimiter, has_header, names, has_others, ..TextOptions::default() }
    }
}

impl TextOptions {
    /// The format of the text, as far as options determine it.
    ///
    /// # Errors
    /// If options contradict each other.
    pub(crate) fn text_detector(&self) -> Result<TextDetector, Failure> {
        let form = &self.form;
        let wrong = |error: String| Err(Failure::TextOption { option: "--type", error: error.into() });
        for (n_before, TypeArg(column, _)) in form.types.iter().enumerate() {
            if form.types.iter().take(n_before).any(|TypeArg(before, _)| before == column) {
                return wrong(format!("the column {} is given twice", QuotedName(column)));
            }
        }
        let has_no_values = |field: &Field| {
            field.data_type().as_dictionary().is_some_and(|dictionary| *dictionary.value() == DataType::Null)
        };
        if let Some(TypeArg(column, _)) = form.types.iter().find(|TypeArg(_, field)| has_no_values(field)) {
            return wrong(format!(
                "the column {} needs the type of its values, too, such as dictionary<int32, utf8>",
                QuotedName(column)
            ));
        }
        let mut csv = self.delimiter.map_or_else(CsvOptions::new, |delimiter| delimiter.0);
        if form.null.is_empty() {
            csv = csv.with_usual_nulls();
        }
        for text in &form.null {
            csv = csv.with_null_text(text).map_err(|error| refused("--null", error))?;
        }
        if let Some(comment) = form.comment {
            csv = csv.with_comment(comment).map_err(|error| refused("--comment", error))?;
        }
        if let Some(Quote(quote)) = form.quote {
            csv = csv.with_quote(quote).map_err(|error| refused("--quote", error))?;
        }
        if form.decimal.is_some() || form.thousands.is_some() {
            let marked = csv.with_number_marks(form.decimal.unwrap_or('.'), form.thousands);
            csv = marked.map_err(|error| refused("--decimal and --thousands", error))?;
        }
        if let Some(dates) = form.dates {
            csv = csv.with_date_order(dates);
        }
        if self.has_header == Some(false) {
            csv = csv.without_header();
        }
        let csv = csv.with_ragged_rows(form.ragged).with_skipped_lines(form.skip.unwrap_or(0));
        let sniff = Sniff {
            delimiter: self.delimiter.is_none(),
            title: form.skip.is_none() && !self.has_schema,
            header: self.has_header.is_none() && !self.has_schema,
            quote: form.quote.is_none(),
            end_delimiters: true,
        };
        let is_json = form.from.map(|form| form == TextForm::Jsonl);
        let names = self.typed_columns().map(|field| field.name().to_owned()).collect();
        Ok(TextDetector { is_json, csv, sniff, encoding: form.encoding, names })
    }

    /// The columns whose types options set.
    pub(crate) fn typed_columns(&self) -> impl Iterator<Item = &Field> {
        self.columns.iter().chain(self.form.types.iter().map(|TypeArg(_, field)| field))
    }

    /// Whether an option says that the input is text.
    pub(crate) fn is_text(&self) -> bool {
        self.form.from.is_some() || self.form.encoding.is_some()
    }

    /// The same options, for text with a schema for all columns.
    pub(crate) fn with_schema(self) -> TextOptions {
        TextOptions { has_schema: true, ..self }
    }

    /// The same options, with these types for columns without values.
    pub(crate) fn with_empty(self, empty: EmptyColumns) -> TextOptions {
        TextOptions { empty, ..self }
    }

    /// The same options, for rows that are only counted. Columns whose types are given are still checked.
    pub(crate) fn for_counting(self) -> TextOptions {
        let is_only_counted = self.typed_columns().next().is_none();
        TextOptions { is_only_counted, ..self }
    }

    /// The same options, for one of several texts, each of which has some of the columns.
    pub(crate) fn for_part(self, empty: EmptyColumns) -> TextOptions {
        TextOptions { ignores_missing: true, empty, ..self }
    }

    /// The first option in the arguments that has no effect on Arrow data; `None` if there is none.
    pub(crate) fn text_option(&self) -> Option<&'static str> {
        let form = &self.form;
        let given = [
            (form.from.is_some(), "--from"),
            (form.infer_rows.is_some(), "--infer-rows"),
            (!form.types.is_empty(), "--type"),
            (form.max_null_bytes.is_some(), "--max-null-bytes"),
            (form.encoding.is_some(), "--encoding"),
        ];
        first_given(&given).or(self.csv_option())
    }

    /// The first option in the arguments that only has an effect on CSV; `None` if there is none.
    pub(crate) fn csv_option(&self) -> Option<&'static str> {
        let ([delimiter, header, no_header], form) = (self.names, &self.form);
        let given = [
            (self.delimiter.is_some(), delimiter),
            (self.has_header == Some(true), header),
            (self.has_header == Some(false), no_header),
            (!form.null.is_empty(), "--null"),
            (form.skip.is_some(), "--skip"),
            (form.comment.is_some(), "--comment"),
            (form.quote.is_some(), "--quote"),
            (form.ragged != RaggedRows::Error, "--ragged"),
            (form.decimal.is_some(), "--decimal"),
            (form.thousands.is_some(), "--thousands"),
            (form.dates.is_some(), "--dates"),
        ];
        first_given(&given)
    }
}

fn refused(option: &'static str, error: impl std::error::Error + Send + Sync + 'static) -> Failure {
    Failure::TextOption { option, error: Box::new(error) }
}

pub(super) fn first_given(options: &[(bool, &'static str)]) -> Option<&'static str> {
    options.iter().find(|(is_given, _)| *is_given).map(|(_, option)| *option)
}

fn infer_rows(text: &str) -> Result<InferRows, String> {
    let failed = || "must be at least 1, and a whole number below 2^64, or `all`".to_owned();
    let n_rows = text.parse::<NonZero<usize>>().map(|n_rows| n_rows.get().into());
    if text == "all" { Ok(InferRows::All) } else { n_rows.map_err(|_| failed()) }
}

/// The separator of cells, set in otherwise default CSV options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Delimiter(pub(crate) CsvOptions);

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

/// The character around quoted cells; `None` if quotes are text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Quote(Option<u8>);

fn quote(text: &str) -> Result<Quote, String> {
    if text.is_empty() { Ok(Quote(None)) } else { comment(text).map(|byte| Quote(Some(byte))) }
}

fn comment(text: &str) -> Result<u8, String> {
    // The delimiter determines whether the character is allowed. This is checked later.
    if let [byte] = text.as_bytes() { Ok(*byte) } else { Err("expected one character of ASCII".to_owned()) }
}

// The argument `--schema`, for text.
#[derive(Debug, Args)]
pub(crate) struct GivenSchemaArgs {
    /// The schema of text: a file with a schema in the form that `schema` prints, with or without --json, or an Arrow
    /// file or stream. No type is inferred. With --no-header, the columns of the text are in the order of this schema
    #[arg(long, help_heading = "Text", value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    /// Like --schema, but for some columns only: the types of the others are inferred
    #[arg(long, help_heading = "Text", value_name = "FILE", conflicts_with = "schema")]
    pub(crate) partial_schema: Option<PathBuf>,
}

/// The format of text input or output: CSV, or JSON with one object on each line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TextForm {
    Csv,
    #[value(alias = "json")]
    Jsonl,
}

/// What to do with a row of CSV that has more or fewer cells than there are columns.
const RAGGED: &[(&str, RaggedRows, &str)] = &[
    ("error", RaggedRows::Error, "Stop with an error"),
    (
        "pad",
        RaggedRows::Pad,
        "Read missing cells as nulls, and leave out further cells without text; further cells with text are an error",
    ),
    (
        "skip",
        RaggedRows::Skip,
        "Leave out the row. At the end a note says how many and on which lines, and the exit status is 3",
    ),
];

/// The values of `--dates`.
const DATES: &[(&str, DateOrder, &str)] = &[
    ("dmy", DateOrder::DayFirst, ""),
    ("mdy", DateOrder::MonthFirst, ""),
    ("ymd", DateOrder::YearFirst, ""),
];

/// The values of `--encoding`.
const ENCODINGS: &[(&str, TextEncoding, &str)] = &[
    ("utf-8", TextEncoding::Utf8, ""),
    ("utf-16le", TextEncoding::Utf16Little, ""),
    ("utf-16be", TextEncoding::Utf16Big, ""),
    ("latin1", TextEncoding::Latin1, ""),
    ("windows-1252", TextEncoding::Windows1252, ""),
];

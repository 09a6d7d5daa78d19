//! Writes batches to an output, in one of the formats.

use std::{
    io::{self, Write},
    num::NonZeroUsize,
    sync::Arc,
};

use arrow_array::ArrayError;
use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc_report::CELL_STYLE;
use arrow_ipc_tools::{
    InputContext, InputName, ToolError, ToolErrorKind, columns::Selection, cursor::RowNumbers,
};
use arrow_schema::Schema;
use arrow_text::format::{Counted, Grouped};
use arrow_text::{CsvOptions, CsvWriter, JsonWriter, TableOptions, TablePrinter};

use super::{
    parallel::RowSharing,
    repeated_names::{RepeatedNames, distinct},
    vertical::Vertical,
};
use crate::{
    args::{Format, ShowArgs},
    context::Context,
    exit::{Failure, Status},
    output::{Escapes, LimitedWriter, not_written},
    terminal::{color::TextRole, is_stdout_terminal, stdout_width},
};

/// Writes the batches of all inputs in sequence, in one of the formats.
pub(super) struct Printer<'a> {
    context: Context,
    out: LimitedWriter<'a>,
    style: Style,
    limit: Option<u64>,
    sharing: RowSharing,
    /// The name and columns of the first input; `None` until it begins.
    first: Option<(InputName, Arc<Schema>)>,
    /// The columns with distinct names, if names repeat and the format is JSON.
    distinct: Option<Arc<Schema>>,
    /// The name of the current input, for errors.
    name: InputName,
    /// Which columns and rows of the current input are shown.
    selection: Selection,
    /// The total length of all previous inputs, in bytes.
    n_bytes_before: u64,
    n_input_bytes: u64,
    /// Whose length `n_input_bytes` is, for errors.
    measured: &'static str,
    n_shown: u64,
    /// The number of nulls that CSV does not distinguish from empty text.
    n_like_empty: u64,
    /// The number of rows of CSV that are blank lines.
    n_empty_lines: u64,
}

/// The limit for the text, in bytes, before it is raised for long inputs.
const TEXT_BYTES: u64 = 64 << 20;

/// How many bytes each byte of the inputs adds to the limit.
const TEXT_BYTES_PER_BYTE: u64 = 1024;

/// How many bytes each row of `--limit` adds to the limit.
const TEXT_BYTES_PER_ROW: u64 = 4096;

/// The format of the output, and what was written up to now.
pub(super) enum Style {
    Json(JsonWriter, RepeatedNames),
    Csv(CsvWriter),
    /// A table. `None` until the first rows determine the widths of its columns.
    Table(Option<TablePrinter>),
    /// Each row is a group of lines, each with a name and a value.
    Vertical(Vertical),
    /// A table without columns. Only counts its rows.
    NoColumns {
        n_rows: u64,
    },
}

impl Style {
    /// Which characters are escaped, because they could control a terminal.
    pub(super) fn escapes(&self, context: &Context) -> Escapes {
        match self {
            Style::Json(..) => Escapes::Json,
            // Tables and vertical rows escape text themselves, before they add colours.
            Style::Table(_) | Style::Vertical(_) if context.is_stdout_painted() => Escapes::Before,
            Style::Csv(_) | Style::Table(_) | Style::Vertical(_) | Style::NoColumns { .. } => Escapes::Text,
        }
    }

    /// The format that `args` ask for; by default, a table on a terminal and JSON otherwise.
    ///
    /// # Errors
    /// If options of another format are given.
    pub(super) fn from_args(args: &ShowArgs) -> Result<Style, Failure> {
        let default = if is_stdout_terminal() { Format::Table } else { Format::Json };
        let format = args.format.unwrap_or(default);
        let csv_option = [
            ("--delimiter", args.delimiter.is_some()),
            ("--no-header", args.no_header),
            ("--csv-decimal", args.csv_decimal.is_some()),
            ("--csv-escape-formulas", args.csv_escape_formulas),
        ];
        if format != Format::Csv
            && let Some((option, _)) = csv_option.into_iter().find(|(_, is_given)| *is_given)
        {
            return Err(Failure::Needs { option, other: "--format csv" });
        }
        if args.json_pairs && (format != Format::Json || args.vertical) {
            return Err(Failure::Needs { option: "--json-pairs", other: "--format json" });
        }
        if args.vertical {
            return Ok(Style::Vertical(Vertical::default()));
        }
        Ok(match format {
            Format::Json if args.json_pairs => Style::Json(JsonWriter::new(), RepeatedNames::Pairs),
            Format::Json => Style::Json(JsonWriter::new(), RepeatedNames::Numbered),
            Format::Table => Style::Table(None),
            Format::Csv => {
                let options = args.delimiter.map_or_else(CsvOptions::new, |delimiter| delimiter.0);
                let options = if args.no_header { options.without_header() } else { options };
                let marked = options.with_number_marks(args.csv_decimal.unwrap_or('.'), None);
                let options = marked.map_err(|error| Failure::TextOption {
                    option: "--csv-decimal",
                    error: Box::new(error),
                })?;
                let options =
                    if args.csv_escape_formulas { options.with_escaped_formulas() } else { options };
                Style::Csv(CsvWriter::new_with(options))
            }
        })
    }
}

impl<'a> Printer<'a> {
    pub(super) fn new(context: &Context, style: Style, out: impl Write + Send + 'a) -> Printer<'a> {
        let out = LimitedWriter::new(out);
        let name = InputName::from("");
        let selection = Selection::default();
        Printer {
            context: context.clone(),
            out,
            style,
            limit: None,
            sharing: RowSharing::new(NonZeroUsize::MIN),
            first: None,
            distinct: None,
            name,
            selection,
            n_bytes_before: 0,
            n_input_bytes: 0,
            measured: "an input",
            n_shown: 0,
            n_like_empty: 0,
            n_empty_lines: 0,
        }
    }

    /// Whether the output ends with a line that counts the shown rows.
    pub(super) fn counts_rows(&self) -> bool {
        matches!(self.style, Style::Table(_) | Style::Vertical(_))
    }

    /// Begins an input whose batches have the schema `read`. `selection` says which columns and rows are shown.
    ///
    /// # Errors
    /// If the first input had other shown columns.
    pub(super) fn begin(
        &mut self,
        name: &InputName,
        read: &Arc<Schema>,
        selection: Selection,
    ) -> Result<(), Failure> {
        let shown = selection.schema(read);
        match &self.first {
            None => {
                if let Style::Json(_, RepeatedNames::Numbered) = self.style {
                    self.distinct = distinct(&self.context, shown);
                }
                self.first = Some((name.clone(), Arc::clone(shown)));
            }
            Some((first, schema)) => schema.check_same_columns(shown).map_err(|error| {
                ToolError::new(name, ToolErrorKind::OtherInput { first: first.clone(), error })
            })?,
        }
        self.name = name.clone();
        self.selection = selection;
        self.n_bytes_before = self.n_input_bytes;
        self.set_input_bytes(0);
        Ok(())
    }

    /// Whether an input was opened, so that the columns are known.
    pub(super) fn has_columns(&self) -> bool {
        self.first.is_some()
    }

    /// Raises the limit of the text for each row of `--limit`.
    pub(super) fn with_limit(self, limit: Option<u64>) -> Printer<'a> {
        Printer { limit, ..self }
    }

    /// Makes the limit of the text grow with the decoded values instead of the bytes of inputs.
    pub(super) fn with_limit_by_values(self) -> Printer<'a> {
        Printer { measured: "values", ..self }
    }

    /// Formats the rows of each batch with `n_threads` threads.
    pub(super) fn with_threads(self, n_threads: NonZeroUsize) -> Printer<'a> {
        Printer { sharing: RowSharing::new(n_threads), ..self }
    }

    /// Sets how many bytes of the current input have been read. The limit of the text grows with this number. A limit
    /// is needed because a few bytes can declare any number of rows.
    pub(super) fn set_input_bytes(&mut self, n_bytes: u64) {
        self.n_input_bytes = self.n_bytes_before.saturating_add(n_bytes);
        let n_allowed = TEXT_BYTES
            .saturating_add(self.n_input_bytes.saturating_mul(TEXT_BYTES_PER_BYTE))
            .saturating_add(self.limit.unwrap_or(0).saturating_mul(TEXT_BYTES_PER_ROW));
        self.out.allow(n_allowed);
    }

    /// Writes the shown columns of rows, and flushes.
    pub(super) fn rows(&mut self, (batch, numbers): (RecordBatch, RowNumbers)) -> Result<(), Failure> {
        if batch.n_rows() == 0 {
            return Ok(());
        }
        let batch = self.selection.columns_of(batch);
        let batch = &batch.map_err(ToolErrorKind::Path).in_input(&self.name)?;
        if let (Style::Table(None), 0) = (&self.style, batch.n_columns()) {
            self.style = Style::NoColumns { n_rows: 0 };
        }
        let context = &self.context;
        let n_rows = batch.n_rows();
        let out = &mut self.out;
        let parts = &self.sharing;
        let n_of_part = RowSharing::n_rows_of_part(batch.n_columns());
        let written = match &mut self.style {
            Style::NoColumns { n_rows: n_before } => {
                *n_before = n_before.saturating_add(n_rows as u64);
                Ok(())
            }
            Style::Json(writer, _) => {
                let rows = match &self.distinct {
                    Some(schema) => {
                        let renamed = batch.with_schema(Arc::clone(schema)).map_err(ArrayError::from);
                        writer.rows(&renamed.in_input(&self.name)?)
                    }
                    None => writer.rows(batch),
                };
                let rows = rows.in_input(&self.name)?;
                parts.write(n_rows, n_of_part, out, &|range, mut out| rows.write_range_to(range, &mut out))
            }
            Style::Vertical(vertical) => {
                let rows = vertical.rows(batch, numbers).in_input(&self.name)?;
                parts.write(n_rows, n_of_part, out, &|range, mut out| rows.write(context, range, &mut out))
            }
            Style::Csv(writer) => {
                let rows = writer.rows(batch).in_input(&self.name)?;
                let written = parts
                    .write(n_rows, n_of_part, out, &|range, mut out| rows.write_range_to(range, &mut out));
                // Counted after writing, so that a limit of the output ends the work before all rows are visited.
                if written.is_ok() {
                    self.n_like_empty = self.n_like_empty.saturating_add(rows.n_like_empty());
                    self.n_empty_lines = self.n_empty_lines.saturating_add(rows.n_empty_lines());
                }
                written
            }
            Style::Table(table) => {
                let table = match table {
                    Some(table) => table,
                    None => {
                        let new = new_table(batch.schema(), Some(batch)).in_input(&self.name)?;
                        write_header(context, out, &new).map_err(not_written)?;
                        table.insert(new)
                    }
                };
                let rows = table.rows(batch).in_input(&self.name)?;
                parts.write(n_rows, n_of_part, out, &|range, mut out| rows.write_range_to(range, &mut out))
            }
        };
        let written = written.and_then(|()| self.out.flush());
        self.n_shown = self.n_shown.saturating_add(batch.n_rows() as u64);
        if self.out.is_exceeded() {
            let name = self.name.clone();
            let n_allowed = self.out.n_allowed();
            let (measured, n_measured_bytes) = (self.measured, self.n_input_bytes);
            return Err(Failure::TooMuchText { name, n_allowed, measured, n_measured_bytes });
        }
        written.map_err(not_written)
    }

    /// Ends the output. Without rows, a table still has its header, and CSV its line of names. A table without columns
    /// becomes the number of rows. The last line says if not all rows are shown. If no input was opened, writes
    /// nothing. Writes notes if CSV lacks something.
    pub(super) fn finish(mut self, n_rows: Option<u64>) -> Result<Status, Failure> {
        let Some((_, schema)) = &self.first else { return Ok(Status::Fine) };
        if let (Style::Table(None), []) = (&self.style, schema.fields()) {
            self.style = Style::NoColumns { n_rows: 0 };
        }
        match &mut self.style {
            Style::Json(..) | Style::Vertical(_) => {}
            Style::Csv(writer) => {
                let rows = writer.rows(&empty_batch(schema).in_input(&self.name)?).in_input(&self.name)?;
                rows.write_to(&mut self.out).map_err(not_written)?;
            }
            Style::NoColumns { n_rows } => {
                let rows = if *n_rows == 1 { "row" } else { "rows" };
                writeln!(self.out, "(no columns)\n{n_rows} {rows}").map_err(not_written)?;
            }
            Style::Table(Some(table)) => note_columns_left_out(&self.context, table),
            Style::Table(None) => {
                let table = new_table(schema, None).in_input(&self.name)?;
                write_header(&self.context, &mut self.out, &table).map_err(not_written)?;
                note_columns_left_out(&self.context, &table);
            }
        }
        if let Some(n_rows) = n_rows.filter(|n_rows| *n_rows > self.n_shown && self.counts_rows()) {
            let of = Counted(n_rows, "row");
            let space = if matches!(self.style, Style::Vertical(_)) { "\n" } else { "" };
            writeln!(self.out, "{space}({} of {of})", Grouped(self.n_shown)).map_err(not_written)?;
        }
        self.out.flush().map_err(not_written)?;
        Ok(self.note_csv_losses())
    }

    /// Writes notes about what readers of the CSV do not find. Returns the resulting status.
    fn note_csv_losses(&self) -> Status {
        let like_empty = (self.n_like_empty > 0).then(|| {
            let nulls = Counted(self.n_like_empty, "null");
            format!("{nulls} written as \"\", like empty text: the CSV has a single column; JSON keeps nulls")
        });
        let empty_lines = (self.n_empty_lines > 0).then(|| {
            let rows = Counted(self.n_empty_lines, "row");
            format!(
                "{rows} without columns written as blank lines, which readers of CSV skip; JSON keeps rows"
            )
        });
        let notes = like_empty.into_iter().chain(empty_lines);
        notes.map(|note| self.context.note(&note)).fold(Status::Fine, |_, ()| Status::DataLost)
    }
}

/// A batch without rows, with these columns.
pub(super) fn empty_batch(schema: &Arc<Schema>) -> Result<RecordBatch, ArrayError> {
    let columns: Vec<ArrayData> =
        schema.fields().iter().map(|field| ArrayData::new_empty(field.data_type())).collect();
    Ok(RecordBatch::try_new_with_rows(Arc::clone(schema), columns, 0)?)
}

/// Writes the names and types at the top of a table. On a colour terminal, the names are highlighted.
fn write_header(context: &Context, out: &mut impl Write, table: &TablePrinter) -> io::Result<()> {
    let header = table.header().to_string();
    match header.split_once('\n') {
        Some((names, rest)) => write!(out, "{}\n{rest}", context.on_stdout(TextRole::Title, names)),
        None => out.write_all(header.as_bytes()),
    }
}

fn new_table(schema: &Schema, first: Option<&RecordBatch>) -> Result<TablePrinter, ArrayError> {
    let zone_options = TableOptions::new().with_text_style(CELL_STYLE);
    let with_width = |width| zone_options.with_max_width(width);
    let options = stdout_width().map_or(zone_options, with_width);
    TablePrinter::try_new_with(schema, first, options)
}

fn note_columns_left_out(context: &Context, table: &TablePrinter) {
    let n_omitted = table.n_omitted();
    if n_omitted > 0 {
        let what = if n_omitted == 1 { "column does" } else { "columns do" };
        context
            .note(&format!("{n_omitted} {what} not fit; choose with --columns, or see all with --vertical"));
    }
}

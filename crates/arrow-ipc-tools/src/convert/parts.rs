//! Writes rows to several outputs, either by the values of columns, or by a number of rows or bytes.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    io::{self, Write},
    num::NonZero,
    sync::Arc,
};

use arrow_array::{ArrayError, ColumnText, TextStyle};
use arrow_data::RecordBatch;
use arrow_ipc::{IpcErrorKind, IpcSchema, WriteOptions};
use arrow_schema::{DataType, Field, Metadata, QuotedName, Schema};
use arrow_select::Select;

use super::{
    Conversion,
    decode::RowsWriter,
    joiner::CastRows,
    losses::{NamedLoss, is_metadata_lost},
    options::ConvertOptions,
    reshape::Reshaping,
    writer::Writer,
};
use crate::{
    columns::{ColumnNames, first_of},
    count::CountedMetadata,
    error::{InputContext, ToolError, ToolErrorKind, loss::Loss, name::InputName},
    input::Input,
    observer::Observer,
    rows::{Rows, accumulator::WaitingRows, row_keys::KeyReader, row_window::RowWindow},
};

/// The columns whose values choose the output of a row.
pub(super) struct PartitionColumns<'a> {
    /// The columns, in the order of nested folders.
    pub(super) columns: &'a ColumnNames,
    /// The maximal number of outputs. All outputs stay open until the end.
    pub(super) max_parts: usize,
}

/// The name of the folder for rows in which the column is null. Other programs that write partitioned data sets use
/// the same name.
const NULL: &str = "__HIVE_DEFAULT_PARTITION__";

const BATCH_ROWS: NonZero<u64> = NonZero::new(1 << 16).unwrap();

/// All waiting rows are written when they have more than this number of bytes in all outputs together, or when the
/// dictionaries of earlier batches since the last time have.
const WAITING_BYTES: u64 = 64 << 20;

/// Writes the selected rows to an output for each combination of values of some columns, without these columns.
/// `open` receives the folder path of each output, such as `day=2026-01-01/city=Oslo`, which readers of data sets
/// parse. All batches are decoded, so the options must have a reshaping.
pub(super) fn write<W: Write>(
    conversion: Conversion,
    by: &PartitionColumns<'_>,
    open: &mut dyn FnMut(&str) -> io::Result<W>,
    observer: &mut dyn Observer,
) -> Result<(Vec<W>, Vec<NamedLoss>), ToolError> {
    let name = conversion.name.clone();
    let schema = conversion.schema.clone();
    let fields = schema.schema();
    let columns = folder_columns(by.columns, fields).in_input(&name)?;
    check_changes(conversion.options.reshaping.as_ref(), &columns, fields).in_input(&name)?;
    let others: Vec<usize> =
        (0..fields.fields().len()).filter(|position| !columns.contains(position)).collect();
    let lost = |error| ToolErrorKind::Columns { error, schema: Arc::clone(fields) };
    let written = fields.project(&others).map_err(lost).in_input(&name)?;
    let mut names = HashSet::new();
    if let Some(field) = fields.fields().iter().find(|field| !names.insert(field.name())) {
        // Readers of data sets make a column from each folder name, so no column in the files may have the same name.
        return Err(ToolError::new(&name, ToolErrorKind::RepeatedName { name: field.name().to_owned() }));
    }
    let n_batch_rows = conversion.options.n_batch_rows.unwrap_or(BATCH_ROWS);
    let options = ConvertOptions { n_batch_rows: Some(n_batch_rows), ..conversion.options.clone() };
    let whole = ConvertOptions { n_batch_rows: None, writes_statistics: false, ..conversion.options.clone() };
    let mut sink = PartSink {
        name: name.clone(),
        writing: conversion.writing.clone(),
        columns,
        others,
        max_parts: by.max_parts,
        schema: IpcSchema::from(Arc::new(written)),
        options,
        open,
        known: HashMap::new(),
        parts: Vec::new(),
        n_waiting_bytes: 0,
        dictionaries: WaitingRows::default(),
        n_lost: 0,
    };
    let conversion = Conversion { options: whole, ..conversion };
    let mut losses = conversion.each_batch(&mut |batch, metadata| sink.take(batch, metadata), observer)?;
    sink.rest()?;
    let folders = sink.columns.iter().filter_map(|position| fields.field(*position));
    losses.extend(folders.filter(|field| !field.metadata().is_empty()).map(|field| {
        let (column, metadata) = (field.name().to_owned(), field.metadata().clone());
        (name.clone(), Loss::FolderMetadata { column, metadata })
    }));
    if sink.n_lost > 0 {
        losses.push((name.clone(), Loss::BatchMetadata { n_batches: sink.n_lost }));
    }
    let outputs = sink.parts.into_iter().map(|part| part.finish(&name, observer));
    Ok((outputs.collect::<Result<Vec<W>, ToolError>>()?, losses))
}

fn folder_columns(names: &ColumnNames, schema: &Arc<Schema>) -> Result<Vec<usize>, ToolErrorKind> {
    let mut columns: Vec<usize> = Vec::new();
    for path in names.paths_in(schema)? {
        let refused = |why| ToolErrorKind::FolderColumn { column: path.to_string(), why };
        let found = if path.steps().len() == 1 { first_of(&path) } else { None };
        let column = found.ok_or_else(|| refused("it is a field of another column"))?;
        let field = schema.field(column);
        if let Some((_, zone)) = field.and_then(|field| field.data_type().as_timestamp()) {
            return Err(refused(match zone {
                None => "it has times of day, and --cast COLUMN=date32 --lossy makes days of them",
                Some(_) => {
                    "it has times of day, and --cast COLUMN=date32 --lossy makes days of its time zone of them"
                }
            }));
        }
        if !field.is_some_and(has_texts) {
            return Err(refused("its type must be an integer, utf8, date32, bool, or a dictionary of these"));
        }
        if field.is_none_or(|field| field.name().is_empty()) {
            return Err(refused("its name is empty"));
        }
        if columns.contains(&column) {
            return Err(refused("it is named twice"));
        }
        columns.push(column);
    }
    Ok(columns)
}

/// # Errors
/// If the metadata of a folder column changes. No file has this column.
fn check_changes(
    reshaping: Option<&Reshaping>,
    columns: &[usize],
    schema: &Schema,
) -> Result<(), ToolErrorKind> {
    let Some(reshaping) = reshaping else { return Ok(()) };
    let position = reshaping.columns_with_changes(schema).find(|position| columns.contains(position));
    match position.and_then(|position| schema.field(position)) {
        Some(field) => {
            let column = QuotedName(field.name()).to_string();
            Err(ToolErrorKind::FolderColumn { column, why: "its metadata changes, and no file has it" })
        }
        None => Ok(()),
    }
}

/// Whether each value of this type has a short, unique text for the name of a folder.
fn has_texts(field: &Field) -> bool {
    let data_type = field.data_type();
    let data_type = data_type.as_dictionary().map_or(data_type, |dictionary| dictionary.value());
    data_type.is_integer() || data_type.is_text() || [DataType::Date32, DataType::Boolean].contains(data_type)
}

/// Writes each row to the output for its values. Each output has its own dictionaries; their messages have no custom
/// metadata.
struct PartSink<'a, W> {
    name: InputName,
    columns: Vec<usize>,
    /// The positions of the columns that are written: all except `columns`.
    others: Vec<usize>,
    schema: IpcSchema,
    options: ConvertOptions,
    writing: WriteOptions,
    max_parts: usize,
    open: &'a mut dyn FnMut(&str) -> io::Result<W>,
    /// The index of the output for each combination of values.
    known: HashMap<Vec<u8>, usize>,
    parts: Vec<RowsWriter<Writer<W>>>,
    /// The number of bytes of the rows that wait in all outputs.
    n_waiting_bytes: u64,
    /// The dictionaries of the batches since waiting rows were last written.
    dictionaries: WaitingRows,
    /// The number of batches whose metadata is missing in an output that has rows of them.
    n_lost: usize,
}

impl<W: Write> PartSink<'_, W> {
    fn take(&mut self, batch: &RecordBatch, metadata: &Metadata) -> Result<(), ToolError> {
        let name = self.name.clone();
        let lost = |error| ToolErrorKind::Columns { error, schema: Arc::clone(batch.schema()) };
        let project = |positions: &[usize]| batch.project(positions).map_err(lost).in_input(&name);
        let keys = project(&self.columns)?;
        let values = project(&self.others)?;
        let mut reader = KeyReader::try_new(&keys).map_err(ArrayError::from).in_input(&name)?;
        let mut key = Vec::new();
        let mut last = Vec::new();
        let mut part = None;
        let mut rows_of: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for row in 0..batch.n_rows() {
            reader.read(row, &mut key).map_err(ArrayError::from).in_input(&name)?;
            let found = match part {
                Some(found) if key == last => found,
                Some(_) | None => self.part(&keys, row, &key).in_input(&name)?,
            };
            part = Some(found);
            std::mem::swap(&mut key, &mut last);
            rows_of.entry(found).or_default().push(row);
        }
        // The metadata of a batch without rows is in no output.
        let mut is_lost = rows_of.is_empty() && is_metadata_lost(metadata, None);
        for (part, rows) in rows_of {
            let first = rows.first().copied().unwrap_or(0);
            let n_rows = rows.len();
            let is_range = rows.last().is_some_and(|last| last - first + 1 == n_rows);
            let rows = if is_range {
                values.slice(first, n_rows)
            } else {
                values.take(&rows).map_err(ArrayError::from).in_input(&name)?
            };
            if let Some(part) = self.parts.get_mut(part) {
                let rows = (rows, metadata.clone());
                self.n_waiting_bytes = self.n_waiting_bytes.saturating_sub(part.joiner.n_waiting_bytes());
                is_lost |= part.take(&name, CastRows { rows, is_last: true })?;
                self.n_waiting_bytes = self.n_waiting_bytes.saturating_add(part.joiner.n_waiting_bytes());
            }
        }
        self.n_lost = self.n_lost.saturating_add(is_lost.into());
        let mut last = WaitingRows::default();
        last.add_dictionaries(&values);
        self.dictionaries.add_dictionaries(&values);
        let n_earlier_bytes = self.dictionaries.n_bytes().saturating_sub(last.n_bytes());
        if self.n_waiting_bytes.max(n_earlier_bytes) > WAITING_BYTES { self.rest() } else { Ok(()) }
    }

    /// Writes the rows that wait to be joined with later rows, in all outputs.
    fn rest(&mut self) -> Result<(), ToolError> {
        self.n_waiting_bytes = 0;
        self.dictionaries = WaitingRows::default();
        self.parts.iter_mut().try_for_each(|part| part.rest(&self.name))
    }

    /// The index of the output for a row. Opens a new output if the values are new.
    fn part(&mut self, keys: &RecordBatch, row: usize, key: &[u8]) -> Result<usize, ToolErrorKind> {
        if let Some(part) = self.known.get(key) {
            return Ok(*part);
        }
        if self.parts.len() >= self.max_parts {
            return Err(ToolErrorKind::TooManyParts { max: self.max_parts });
        }
        let folder = folder_of(keys, row)?;
        let output = (self.open)(&folder).map_err(IpcErrorKind::Write);
        let output = output.map_err(|error| ToolErrorKind::Output(error.into()))?;
        let part = RowsWriter::begin(output, &self.options, &self.schema, self.writing.clone());
        self.parts.push(part.map_err(ToolErrorKind::Output)?);
        self.known.insert(key.to_vec(), self.parts.len() - 1);
        Ok(self.parts.len() - 1)
    }
}

/// The path of folders for the values of a row: `day=2026-01-01/city=Oslo`.
fn folder_of(keys: &RecordBatch, row: usize) -> Result<String, ToolErrorKind> {
    let mut folders = Vec::with_capacity(keys.n_columns());
    for (field, column) in keys.schema().fields().iter().zip(keys.columns()) {
        let only = RecordBatch::try_from_columns([("key", column.clone())]);
        let is_null = KeyReader::try_new(&only.map_err(ArrayError::from)?)
            .and_then(|mut key| key.read(row, &mut Vec::new()));
        let value = if is_null.map_err(ArrayError::from)? {
            NULL.to_owned()
        } else {
            let text = ColumnText::try_new(column, TextStyle::Plain)?;
            let text = text.value(row).to_string();
            if text == NULL {
                let column = QuotedName(field.name()).to_string();
                let why = "a value is __HIVE_DEFAULT_PARTITION__, which stands for null";
                return Err(ToolErrorKind::FolderColumn { column, why });
            }
            escaped(&text)
        };
        // Programs that read data sets skip names that begin with these characters.
        let name = match field.name().strip_prefix(['.', '_']) {
            Some(rest) if field.name().starts_with('.') => format!("%2E{}", escaped(rest)),
            Some(rest) => format!("%5F{}", escaped(rest)),
            None => escaped(field.name()),
        };
        folders.push(format!("{name}={value}"));
    }
    Ok(folders.join("/"))
}

/// Escapes a text for the name of a folder. Replaces characters with a special meaning by `%` and two hexadecimal
/// digits.
fn escaped(text: &str) -> String {
    let mut name = String::with_capacity(text.len());
    for char in text.chars() {
        if char.is_ascii_control() || "\"#%'*/:<=>?[\\]^{|}".contains(char) {
            name.push_str(&format!("%{:02X}", u32::from(char)));
        } else {
            name.push(char);
        }
    }
    name
}

/// How an input is cut into parts of consecutive rows.
#[derive(Debug, Clone, Copy)]
pub enum RowDivision {
    /// The number of parts. The parts differ by at most one row. If there are fewer rows than parts, each part has
    /// one row.
    Parts(NonZero<u64>),
    /// The number of rows of each part. The last part may have fewer rows.
    Rows(NonZero<u64>),
    /// The approximate number of bytes of the batches in each part.
    Bytes(NonZero<u64>),
}

/// The parts of an input.
pub(super) struct RowParts {
    /// The row range of each part, with the name of its file without extension, such as `part-07`.
    pub(super) windows: Vec<(String, RowWindow)>,
    /// The rows, and what else the metadata of the messages says.
    pub(super) count: CountedMetadata,
}

/// Divides an input into parts. Calls `open` several times to read the input. An input without rows is one part.
///
/// # Errors
/// If the input cannot be read, there would be more parts than `max_parts`, or the observer stops the work.
pub(super) fn parts_of_rows(
    open: &dyn Fn() -> Result<Input, ToolError>,
    by: RowDivision,
    max_parts: usize,
    observer: &mut dyn Observer,
) -> Result<RowParts, ToolError> {
    let input = open()?;
    let name = input.name().clone();
    let count = CountedMetadata::try_new(input, observer)?;
    let n_rows = count.rows.n_rows;
    let allowed = |n_parts: u64| match usize::try_from(n_parts) {
        Ok(n) if n <= max_parts => Ok(n_parts),
        _ => Err(ToolError::new(&name, ToolErrorKind::TooManyParts { max: max_parts })),
    };
    let cuts = match by {
        RowDivision::Bytes(n_bytes) => cuts_by_bytes(open()?, n_bytes, n_rows, max_parts)?,
        RowDivision::Parts(n_parts) => {
            let n_parts = allowed(n_parts.get().min(n_rows.max(1)))?;
            // No overflow: the result is at most the number of rows.
            let cut = |part: u64| (u128::from(n_rows) * u128::from(part) / u128::from(n_parts)) as u64;
            (0..=n_parts).map(cut).collect()
        }
        RowDivision::Rows(n_each) => {
            let n_parts = allowed(n_rows.div_ceil(n_each.get()).max(1))?;
            (0..=n_parts).map(|part| part.saturating_mul(n_each.get()).min(n_rows)).collect()
        }
    };
    let n_digits = cuts.len().saturating_sub(2).to_string().len();
    let parts = cuts.iter().zip(cuts.iter().skip(1)).enumerate();
    let named = parts.map(|(part, (start, stop))| {
        (format!("part-{part:0n_digits$}"), RowWindow::from_rows(*start..*stop))
    });
    Ok(RowParts { windows: named.collect(), count })
}

/// The rows at which an input of `n_rows` rows is cut, so that the batches of each part have about `n_bytes` bytes.
/// The first number is 0, and the last is `n_rows`.
fn cuts_by_bytes(
    input: Input,
    n_bytes: NonZero<u64>,
    n_rows: u64,
    max_parts: usize,
) -> Result<Vec<u64>, ToolError> {
    let name = input.name().clone();
    let mut sizes = Vec::new();
    match Rows::open_schema(input)? {
        Rows::File { reader } => {
            let counts = reader.n_rows_of_each(0..reader.n_batches()).in_input(&name)?;
            let blocks = reader.footer().batches().iter().map(|block| block.n_body_bytes());
            sizes.extend(counts.into_iter().zip(blocks));
        }
        // The lengths of a stream's batches are not known before they are read, so the whole stream counts as one
        // batch.
        Rows::Streams(streams) => sizes.push((n_rows, streams.n_bytes().unwrap_or(0))),
    }
    let mut cuts = vec![0];
    let mut last_cut = 0;
    let mut n_left = n_bytes.get();
    let mut start = 0_u64;
    for (n_batch_rows, n_batch_bytes) in sizes {
        let mut before = 0_u64;
        while n_left < n_batch_bytes.saturating_sub(before) {
            before = before.saturating_add(n_left);
            let [rows, of, to] = [n_batch_rows, n_batch_bytes, before].map(u128::from);
            let row = rows * to / of;
            // No overflow: the row is one of the batch.
            let cut = start.saturating_add(row as u64);
            if cut > last_cut && cut < n_rows {
                last_cut = cut;
                cuts.push(cut);
                if cuts.len() > max_parts {
                    return Err(ToolError::new(&name, ToolErrorKind::TooManyParts { max: max_parts }));
                }
            }
            // Cuts before the end of this row would be the same. So the rows bound the number of steps, however few
            // bytes a part has.
            let row_end = if rows == 0 { of } else { ((row + 1) * of).div_ceil(rows) };
            let n_parts = (row_end as u64).saturating_sub(before).div_ceil(n_bytes.get());
            n_left = n_parts.saturating_mul(n_bytes.get());
        }
        n_left = n_left.saturating_sub(n_batch_bytes.saturating_sub(before));
        start = start.saturating_add(n_batch_rows);
    }
    // An input without rows becomes one part.
    cuts.push(n_rows);
    Ok(cuts)
}

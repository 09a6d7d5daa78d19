//! The metadata of a Feather file: tables of its published flatbuffers schema, `feather.fbs`, in checked types.

use std::{borrow::Cow, ops::Range};

use arrow_buffer::Budget;
use arrow_ipc::{FormatErrorKind, IpcError, Limits, error::UnsupportedPart};
use arrow_ipc_format::{
    flatbuffer::{Slot, Table, TypedTable},
    not_negative,
};
use arrow_schema::{DataType, DictionaryOrder, DictionaryType, Field, IndexType, Metadata, Schema, TimeUnit};

const DESCRIPTION: Slot = slot("CTable", "description", 0);
const N_ROWS: Slot = slot("CTable", "num_rows", 1);
const COLUMNS: Slot = slot("CTable", "columns", 2);
const VERSION: Slot = slot("CTable", "version", 3);
const METADATA: Slot = slot("CTable", "metadata", 4);

const NAME: Slot = slot("Column", "name", 0);
const VALUES: Slot = slot("Column", "values", 1);
const TYPE_METADATA_TAG: Slot = slot("Column", "metadata_type", 2);
const TYPE_METADATA: Slot = slot("Column", "metadata", 3);
const USER_METADATA: Slot = slot("Column", "user_metadata", 4);

const TYPE: Slot = slot("PrimitiveArray", "type", 0);
const ENCODING: Slot = slot("PrimitiveArray", "encoding", 1);
const OFFSET: Slot = slot("PrimitiveArray", "offset", 2);
const LENGTH: Slot = slot("PrimitiveArray", "length", 3);
const NULL_COUNT: Slot = slot("PrimitiveArray", "null_count", 4);
const N_BYTES: Slot = slot("PrimitiveArray", "total_bytes", 5);

const LEVELS: Slot = slot("CategoryMetadata", "levels", 0);
const IS_ORDERED: Slot = slot("CategoryMetadata", "ordered", 1);
const TIMESTAMP_UNIT: Slot = slot("TimestampMetadata", "unit", 0);
const TIMEZONE: Slot = slot("TimestampMetadata", "timezone", 1);
const TIME_UNIT: Slot = slot("TimeMetadata", "unit", 0);

const fn slot(table: &'static str, field: &'static str, index: usize) -> Slot {
    Slot { table, field, index, default: 0 }
}

/// The version of the metadata since Feather 0.3.0 of May 2016. Before, buffers had no padding.
const CURRENT_VERSION: i32 = 2;

/// The least bytes of metadata of a column: a reference, and tables of the column and of its values.
const COLUMN_BYTES: u64 = 24;

/// The stored types, by their numbers.
const STORED_TYPES: [DataType; 19] = [
    DataType::Boolean,
    DataType::Int8,
    DataType::Int16,
    DataType::Int32,
    DataType::Int64,
    DataType::UInt8,
    DataType::UInt16,
    DataType::UInt32,
    DataType::UInt64,
    DataType::Float32,
    DataType::Float64,
    DataType::Utf8,
    DataType::Binary,
    // Writers store categories, timestamps, dates and times as integers, and say in `TypeMetadata` what they are.
    DataType::Null,
    DataType::Null,
    DataType::Null,
    DataType::Null,
    DataType::LargeUtf8,
    DataType::LargeBinary,
];

/// The metadata of a file.
pub(super) struct StoredTable {
    pub(super) schema: Schema,
    pub(super) columns: Vec<StoredColumn>,
    pub(super) n_rows: usize,
}

/// A column of the file.
pub(super) struct StoredColumn {
    pub(super) data_type: DataType,
    pub(super) values: StoredArray,
    /// The values of a category.
    pub(super) levels: Option<StoredArray>,
}

/// An array without children, in one page of the file.
pub(super) struct StoredArray {
    pub(super) data_type: DataType,
    pub(super) n_slots: usize,
    pub(super) null_count: usize,
    pub(super) page: Range<u64>,
}

impl StoredColumn {
    /// The pages of the column.
    pub(super) fn pages(&self) -> impl Iterator<Item = Range<u64>> {
        [Some(&self.values), self.levels.as_ref()].into_iter().flatten().map(|array| array.page.clone())
    }
}

/// What columns may take of the metadata and of the pages, so that they share none.
struct Shares {
    metadata: Budget,
    pages: Budget,
    /// The offset of the metadata, where pages end.
    n_page_bytes: u64,
}

impl StoredTable {
    /// Decodes the metadata, which begins at the offset `start` of the file.
    ///
    /// # Errors
    /// If it is malformed or unsupported.
    pub(super) fn decode(bytes: &[u8], start: u64) -> Result<StoredTable, IpcError> {
        let table = Table::root(bytes)?;
        let version = table.number(&VERSION, 0_i32)?;
        if version != CURRENT_VERSION {
            return Err(unsupported("CTable.version", version.into()));
        }
        let n_rows = count(&table, &N_ROWS)?;
        let metadata = Budget::new(bytes.len() as u64);
        let mut shares = Shares { metadata, pages: Budget::new(start), n_page_bytes: start };
        let mut fields = Vec::new();
        let mut columns = Vec::new();
        if let Some(tables) = table.tables::<Table<'_>>(&COLUMNS)? {
            Limits::default().check_fields(tables.len() as u64)?;
            for table in tables.iter() {
                let (field, column) = decode_column(&table?, &mut shares)?;
                if column.values.n_slots != n_rows {
                    let found = i64::try_from(column.values.n_slots).unwrap_or(i64::MAX);
                    let allowed = "the number of rows of the table";
                    return Err(FormatErrorKind::OutOfRange {
                        what: "the length of a column",
                        found,
                        allowed,
                    }
                    .into());
                }
                fields.push(field);
                columns.push(column);
            }
        }
        let texts = [("description", &DESCRIPTION), ("metadata", &METADATA)];
        let metadata = shares.metadata(&table, &texts)?;
        Ok(StoredTable { schema: Schema::new(fields).with_metadata(metadata), columns, n_rows })
    }
}

impl Shares {
    fn text<'a>(&mut self, table: &Table<'a>, slot: &'static Slot) -> Result<Cow<'a, str>, IpcError> {
        let text = table.text(slot)?.unwrap_or_default();
        self.metadata.spend("bytes of metadata", text.len() as u64)?;
        Ok(text)
    }

    /// The texts of a table that are not empty, by their keys.
    fn metadata(
        &mut self,
        table: &Table<'_>,
        texts: &[(&'static str, &'static Slot)],
    ) -> Result<Metadata, IpcError> {
        let mut metadata = Metadata::new();
        for (key, slot) in texts {
            let text = self.text(table, slot)?;
            if !text.is_empty() {
                metadata = metadata.with(*key, text);
            }
        }
        Ok(metadata)
    }

    /// The range of a page in the file.
    fn page(&mut self, table: &Table<'_>) -> Result<Range<u64>, IpcError> {
        let start = table.number(&OFFSET, 0_i64)?;
        let n_bytes = table.number(&N_BYTES, 0_i64)?;
        let body_bytes = self.n_page_bytes;
        let outside = || FormatErrorKind::BufferOutOfBody { start, n_bytes, body_bytes };
        let found = u64::try_from(start).ok().zip(u64::try_from(n_bytes).ok());
        let (from, length) = found.ok_or_else(outside)?;
        let end = from.checked_add(length).filter(|end| *end <= body_bytes).ok_or_else(outside)?;
        self.pages.spend("bytes of columns", length)?;
        Ok(from..end)
    }
}

fn decode_column(table: &Table<'_>, shares: &mut Shares) -> Result<(Field, StoredColumn), IpcError> {
    shares.metadata.spend("bytes of metadata", COLUMN_BYTES)?;
    let name = shares.text(table, &NAME)?;
    let values = table.table::<Table<'_>>(&VALUES)?;
    let values = decode_array(&table.required(&VALUES, values)?, shares)?;
    let type_metadata = || {
        let found = table.table::<Table<'_>>(&TYPE_METADATA)?;
        table.required(&TYPE_METADATA, found)
    };
    let mut levels = None;
    let data_type = match table.number(&TYPE_METADATA_TAG, 0_u8)? {
        0 => values.data_type.clone(),
        1 => {
            let category = type_metadata()?;
            let stored = category.table::<Table<'_>>(&LEVELS)?;
            let stored = decode_array(&category.required(&LEVELS, stored)?, shares)?;
            let is_ordered = category.number(&IS_ORDERED, false)?;
            let order = if is_ordered { DictionaryOrder::Ordered } else { DictionaryOrder::Unordered };
            let index = IndexType::try_from(&values.data_type)?;
            let value = stored.data_type.clone();
            levels = Some(stored);
            DataType::from(DictionaryType::try_new(index, value, order)?)
        }
        2 => {
            let timestamp = type_metadata()?;
            let zone = shares.text(&timestamp, &TIMEZONE)?;
            let zone = (!zone.is_empty()).then(|| zone.into());
            stored_as(&values, &[DataType::Int64])?;
            DataType::Timestamp(unit(&timestamp, &TIMESTAMP_UNIT)?, zone)
        }
        3 => {
            stored_as(&values, &[DataType::Int32])?;
            DataType::Date32
        }
        4 => {
            let data_type = DataType::time(unit(&type_metadata()?, &TIME_UNIT)?);
            // Writers in R store seconds in 64 bits.
            let narrow = matches!(data_type, DataType::Time32(_)).then_some(DataType::Int32);
            let stored: Vec<_> = [DataType::Int64].into_iter().chain(narrow).collect();
            stored_as(&values, &stored)?;
            data_type
        }
        tag => return Err(unsupported("Column.metadata_type", tag.into())),
    };
    let metadata = shares.metadata(table, &[("user_metadata", &USER_METADATA)])?;
    let field = Field::new(&*name, data_type.clone()).with_metadata(metadata);
    Ok((field, StoredColumn { data_type, values, levels }))
}

fn decode_array(table: &Table<'_>, shares: &mut Shares) -> Result<StoredArray, IpcError> {
    let number = table.number(&TYPE, 0_i8)?;
    let stored = usize::try_from(number).ok().and_then(|number| STORED_TYPES.get(number));
    let data_type = stored.filter(|stored| **stored != DataType::Null);
    let data_type = data_type.ok_or_else(|| unsupported("PrimitiveArray.type", number.into()))?.clone();
    let encoding = table.number(&ENCODING, 0_i8)?;
    if encoding != 0 {
        return Err(unsupported("PrimitiveArray.encoding", encoding.into()));
    }
    let n_slots = count(table, &LENGTH)?;
    let null_count = count(table, &NULL_COUNT)?;
    Ok(StoredArray { data_type, n_slots, null_count, page: shares.page(table)? })
}

fn count(table: &Table<'_>, slot: &'static Slot) -> Result<usize, IpcError> {
    let found = not_negative(table.number(slot, 0_i64)?, slot.field)?;
    Ok(Limits::fit(slot.field, found, usize::MAX as u64)?)
}

fn unit(table: &Table<'_>, slot: &'static Slot) -> Result<TimeUnit, IpcError> {
    let number = table.number(slot, 0_i8)?;
    let unit = usize::try_from(number).ok().and_then(|number| TimeUnit::ALL.get(number));
    unit.copied().ok_or_else(|| unsupported(slot.field, number.into()))
}

/// # Errors
/// If the values are not stored as one of these types.
fn stored_as(values: &StoredArray, types: &[DataType]) -> Result<(), IpcError> {
    if types.contains(&values.data_type) {
        return Ok(());
    }
    Err(FormatErrorKind::Missing { what: "an integer type that fits dates, times or timestamps" }.into())
}

fn unsupported(what: &'static str, found: i64) -> IpcError {
    FormatErrorKind::Unsupported { what: UnsupportedPart::EnumValue { what, found } }.into()
}

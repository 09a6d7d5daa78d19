//! Types, values and rows.

use std::slice;

use libduckdb_sys as sys;

use super::taken_text;

/// A type of DuckDB.
pub(crate) struct LogicalType(pub(super) sys::duckdb_logical_type);

impl LogicalType {
    pub(crate) fn text() -> LogicalType {
        LogicalType(duckdb!(duckdb_create_logical_type(sys::DUCKDB_TYPE_DUCKDB_TYPE_VARCHAR)))
    }

    pub(crate) fn boolean() -> LogicalType {
        LogicalType(duckdb!(duckdb_create_logical_type(sys::DUCKDB_TYPE_DUCKDB_TYPE_BOOLEAN)))
    }

    pub(crate) fn int64() -> LogicalType {
        LogicalType(duckdb!(duckdb_create_logical_type(sys::DUCKDB_TYPE_DUCKDB_TYPE_BIGINT)))
    }

    pub(crate) fn any() -> LogicalType {
        LogicalType(duckdb!(duckdb_create_logical_type(sys::DUCKDB_TYPE_DUCKDB_TYPE_ANY)))
    }

    pub(crate) fn map_of(keys: &LogicalType, values: &LogicalType) -> LogicalType {
        LogicalType(duckdb!(duckdb_create_map_type(keys.0, values.0)))
    }

    fn id(&self) -> sys::duckdb_type {
        duckdb!(duckdb_get_type_id(self.0))
    }

    /// The names and types of a struct; `None` for other types.
    pub(crate) fn fields(&self) -> Option<Vec<(String, LogicalType)>> {
        if self.id() != sys::DUCKDB_TYPE_DUCKDB_TYPE_STRUCT {
            return None;
        }
        let n_fields = duckdb!(duckdb_struct_type_child_count(self.0));
        let field = |position| {
            let name = taken_text(duckdb!(duckdb_struct_type_child_name(self.0, position)));
            (name, LogicalType(duckdb!(duckdb_struct_type_child_type(self.0, position))))
        };
        Some((0..n_fields).map(field).collect())
    }

    /// The types inside of it.
    fn children(&self) -> Vec<LogicalType> {
        match self.id() {
            sys::DUCKDB_TYPE_DUCKDB_TYPE_LIST => {
                vec![LogicalType(duckdb!(duckdb_list_type_child_type(self.0)))]
            }
            sys::DUCKDB_TYPE_DUCKDB_TYPE_ARRAY => {
                vec![LogicalType(duckdb!(duckdb_array_type_child_type(self.0)))]
            }
            sys::DUCKDB_TYPE_DUCKDB_TYPE_MAP => vec![
                LogicalType(duckdb!(duckdb_map_type_key_type(self.0))),
                LogicalType(duckdb!(duckdb_map_type_value_type(self.0))),
            ],
            sys::DUCKDB_TYPE_DUCKDB_TYPE_UNION => {
                let n_fields = duckdb!(duckdb_union_type_member_count(self.0));
                let field = |position| LogicalType(duckdb!(duckdb_union_type_member_type(self.0, position)));
                (0..n_fields).map(field).collect()
            }
            _ => self.fields().unwrap_or_default().into_iter().map(|(_, field)| field).collect(),
        }
    }

    /// Whether values of this type are values of another type, as they are. Not known of types with names of values or fields in them,
    /// except structs.
    pub(crate) fn is_same(&self, other: &LogicalType) -> bool {
        let names = |of: &LogicalType| of.fields().map(|fields| fields.into_iter().map(|(name, _)| name));
        let own_parts = self.id() == other.id()
            && match self.id() {
                sys::DUCKDB_TYPE_DUCKDB_TYPE_ENUM | sys::DUCKDB_TYPE_DUCKDB_TYPE_UNION => false,
                sys::DUCKDB_TYPE_DUCKDB_TYPE_DECIMAL => {
                    duckdb!(duckdb_decimal_width(self.0)) == duckdb!(duckdb_decimal_width(other.0))
                        && duckdb!(duckdb_decimal_scale(self.0)) == duckdb!(duckdb_decimal_scale(other.0))
                }
                sys::DUCKDB_TYPE_DUCKDB_TYPE_ARRAY => {
                    duckdb!(duckdb_array_type_array_size(self.0))
                        == duckdb!(duckdb_array_type_array_size(other.0))
                }
                sys::DUCKDB_TYPE_DUCKDB_TYPE_STRUCT => {
                    names(self).into_iter().flatten().eq(names(other).into_iter().flatten())
                }
                _ => true,
            };
        let (own, others) = (self.children(), other.children());
        own_parts
            && own.len() == others.len()
            && own.iter().zip(&others).all(|(own, other)| own.is_same(other))
    }

    /// The name of a type, here or inside, whose values DuckDB changes when it makes Arrow data of them.
    pub(crate) fn changed_by_arrow(&self) -> Option<&'static str> {
        match self.id() {
            sys::DUCKDB_TYPE_DUCKDB_TYPE_UHUGEINT => Some("uhugeint"),
            sys::DUCKDB_TYPE_DUCKDB_TYPE_TIME_TZ => Some("time with time zone"),
            _ => self.children().iter().find_map(LogicalType::changed_by_arrow),
        }
    }
}

impl Drop for LogicalType {
    fn drop(&mut self) {
        duckdb!(duckdb_destroy_logical_type(&mut self.0));
    }
}

/// A value: an argument or an option.
pub(crate) struct Value(pub(super) sys::duckdb_value);

impl Value {
    /// `None` for no value, and for null.
    pub(super) fn new(value: sys::duckdb_value) -> Option<Value> {
        if value.is_null() {
            return None;
        }
        let value = Value(value);
        (!duckdb!(duckdb_is_null_value(value.0))).then_some(value)
    }

    pub(crate) fn text(text: &str) -> Value {
        Value(duckdb!(duckdb_create_varchar_length(text.as_ptr().cast(), text.len() as u64)))
    }

    pub(crate) fn int64(number: i64) -> Value {
        Value(duckdb!(duckdb_create_int64(number)))
    }

    pub(crate) fn null() -> Value {
        Value(duckdb!(duckdb_create_null_value()))
    }

    /// A text with all its characters, also NUL; of another value, the text that DuckDB makes of it.
    pub(crate) fn to_text(&self) -> String {
        if !self.is_text() {
            return taken_text(duckdb!(duckdb_get_varchar(self.0)));
        }
        // `duckdb_get_varchar` says no length, and a text may have a NUL.
        let own = LogicalType::text();
        let mut column = duckdb!(duckdb_create_vector(own.0, 1));
        duckdb!(duckdb_vector_reference_value(column, self.0));
        let first = duckdb!(duckdb_vector_get_data(column)).cast::<sys::duckdb_string_t>();
        // SAFETY: the column has texts, and shows this one, which is not null, in its first row.
        let text = unsafe { first.as_mut() }.map(|text| {
            let n_bytes = usize::try_from(duckdb!(duckdb_string_t_length(*text))).unwrap_or_default();
            let bytes = duckdb!(duckdb_string_t_data(text)).cast::<u8>();
            // SAFETY: DuckDB has so many bytes there while the column lives.
            let bytes = unsafe { slice::from_raw_parts(bytes, n_bytes) };
            String::from_utf8_lossy(bytes).into_owned()
        });
        duckdb!(duckdb_destroy_vector(&mut column));
        text.unwrap_or_default()
    }

    pub(crate) fn to_bool(&self) -> bool {
        duckdb!(duckdb_get_bool(self.0))
    }

    /// The type, which lives as long as the value.
    fn id(&self) -> sys::duckdb_type {
        duckdb!(duckdb_get_type_id(duckdb!(duckdb_get_value_type(self.0))))
    }

    pub(crate) fn is_text(&self) -> bool {
        self.id() == sys::DUCKDB_TYPE_DUCKDB_TYPE_VARCHAR
    }

    /// The items of a list, or the value itself.
    pub(crate) fn items(self) -> Vec<Option<Value>> {
        if self.id() != sys::DUCKDB_TYPE_DUCKDB_TYPE_LIST {
            return vec![Some(self)];
        }
        let n_items = duckdb!(duckdb_get_list_size(self.0));
        (0..n_items).map(|index| Value::new(duckdb!(duckdb_get_list_child(self.0, index)))).collect()
    }

    /// The keys and values of a map.
    pub(crate) fn entries(&self) -> Vec<(Option<Value>, Option<Value>)> {
        let n_entries = duckdb!(duckdb_get_map_size(self.0));
        let entry = |index| {
            let key = Value::new(duckdb!(duckdb_get_map_key(self.0, index)));
            (key, Value::new(duckdb!(duckdb_get_map_value(self.0, index))))
        };
        (0..n_entries).map(entry).collect()
    }

    /// The names and texts of a struct or a map; `None` for other values, and if one is null.
    pub(crate) fn named_texts(&self) -> Option<Vec<(String, String)>> {
        match self.id() {
            sys::DUCKDB_TYPE_DUCKDB_TYPE_STRUCT => {
                let fields = self.fields().into_iter();
                fields.map(|(name, value)| Some((name, value?.to_text()))).collect()
            }
            sys::DUCKDB_TYPE_DUCKDB_TYPE_MAP => {
                let entries = self.entries().into_iter();
                entries.map(|(name, value)| Some((name?.to_text(), value?.to_text()))).collect()
            }
            _ => None,
        }
    }

    /// The names and values of a struct.
    pub(crate) fn fields(&self) -> Vec<(String, Option<Value>)> {
        if self.id() != sys::DUCKDB_TYPE_DUCKDB_TYPE_STRUCT {
            return Vec::new();
        }
        // Lives as long as the value.
        let own = duckdb!(duckdb_get_value_type(self.0));
        let n_fields = duckdb!(duckdb_struct_type_child_count(own));
        let field = |position| {
            let name = taken_text(duckdb!(duckdb_struct_type_child_name(own, position)));
            (name, Value::new(duckdb!(duckdb_get_struct_child(self.0, position))))
        };
        (0..n_fields).map(field).collect()
    }
}

impl Drop for Value {
    fn drop(&mut self) {
        duckdb!(duckdb_destroy_value(&mut self.0));
    }
}

/// Rows of DuckDB that a callback fills or reads.
pub(crate) struct ChunkRef(pub(super) sys::duckdb_data_chunk);

impl ChunkRef {
    /// The argument of a callback.
    pub(crate) fn from_callback(chunk: sys::duckdb_data_chunk) -> ChunkRef {
        ChunkRef(chunk)
    }

    pub(crate) fn set_n_rows(&self, n_rows: usize) {
        duckdb!(duckdb_data_chunk_set_size(self.0, n_rows as u64));
    }

    fn column(&self, position: usize) -> sys::duckdb_vector {
        duckdb!(duckdb_data_chunk_get_vector(self.0, position as u64))
    }

    /// Makes a column share the memory of one of another chunk, which must have its type.
    pub(crate) fn share(&self, position: usize, from: &Chunk, source: usize) {
        let source = duckdb!(duckdb_data_chunk_get_vector(from.0, source as u64));
        duckdb!(duckdb_vector_reference_vector(self.column(position), source));
    }

    /// Gives a column the same value in all rows.
    pub(crate) fn fill(&self, position: usize, value: &Value) {
        duckdb!(duckdb_vector_reference_value(self.column(position), value.0));
    }
}

/// Rows that were converted.
pub(crate) struct Chunk(pub(super) sys::duckdb_data_chunk);

impl Chunk {
    pub(crate) fn column_type(&self, position: usize) -> LogicalType {
        let column = duckdb!(duckdb_data_chunk_get_vector(self.0, position as u64));
        LogicalType(duckdb!(duckdb_vector_get_column_type(column)))
    }
}

impl Drop for Chunk {
    fn drop(&mut self) {
        duckdb!(duckdb_destroy_data_chunk(&mut self.0));
    }
}

/// The number of rows that a chunk may have.
pub(crate) fn max_rows() -> usize {
    usize::try_from(duckdb!(duckdb_vector_size())).unwrap_or(1).max(1)
}

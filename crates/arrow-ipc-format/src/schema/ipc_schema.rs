//! The schema of a stream or file. Columns of unknown types are separate, so readers can read the supported columns.

use std::{
    collections::{HashMap, HashSet},
    fmt,
    sync::Arc,
};

use arrow_schema::{DataType, Field, FieldPath, Metadata, PathStep, Schema, is_not_utf8};

use crate::{
    error::{FormatError, FormatErrorKind, Result, UnsupportedPart},
    protocol::{Endianness, Feature, MetadataVersion},
    schema::SharedList,
};

/// The schema of a stream or file, with dictionary ids, metadata version and byte order.
///
/// Readers return an `IpcSchema`, and writers accept one. A program that passes it on keeps the dictionary ids, so
/// fields that share a dictionary still share it. If you convert a plain schema, each dictionary gets its own id,
/// counted from 0 in the order of the fields.
///
/// ```
/// use arrow_ipc_format::{IpcSchema, MetadataVersion};
/// use arrow_schema::{DataType, Field, IndexType, Schema};
///
/// let words = DataType::dictionary(IndexType::Int8, DataType::Utf8)?;
/// let schema = Schema::new([Field::new("from", words.clone()), Field::new("to", words)]);
/// assert_eq!(IpcSchema::from(schema.clone()).dictionary_ids(), [0, 1]);
///
/// // Both fields share one dictionary.
/// let schema = IpcSchema::try_with_dictionary_ids(schema, [7, 7])?;
/// assert_eq!(schema.version(), MetadataVersion::V5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IpcSchema {
    schema: Arc<Schema>,
    dictionary_ids: SharedList<i64>,
    version: MetadataVersion,
    endianness: Endianness,
    features: SharedList<Feature>,
    unsupported: SharedList<UnsupportedColumn>,
    irregularities: SharedList<SchemaIrregularity>,
}

/// A form of a schema that the format does not allow, and that is read by what it can only mean. Other readers refuse it; it is not written.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SchemaIrregularity {
    /// There is no list of fields. It is read as an empty one.
    NoFields,
    /// A dictionary has no index type. It is read as int32.
    NoIndexType {
        /// The path to the field of the dictionary.
        field: FieldPath,
    },
    /// The entries or the keys of a map are nullable. They are read as not nullable.
    NullableMap {
        /// The path to the field of the map.
        field: FieldPath,
    },
}

impl IpcSchema {
    /// A schema with these dictionary ids, one for each dictionary-encoded field in pre-order. The id of a dictionary
    /// comes before the ids of dictionaries inside its values. Fields with the same id share a dictionary.
    ///
    /// # Errors
    /// If the number of ids differs from the number of dictionary-encoded fields.
    pub fn try_with_dictionary_ids(
        schema: impl Into<Arc<Schema>>,
        ids: impl Into<Arc<[i64]>>,
    ) -> Result<IpcSchema> {
        let (schema, dictionary_ids): (_, Arc<[i64]>) = (schema.into(), ids.into());
        let needed = n_dictionaries(&schema);
        let requested = dictionary_ids.len();
        if needed != requested {
            return Err(FormatErrorKind::DictionaryIds { needed, requested }.into());
        }
        Ok(IpcSchema::from_ids(schema, dictionary_ids.into()))
    }

    /// Replaces the columns and their dictionary ids. Version, byte order and features stay the same, and unsupported
    /// columns are removed.
    ///
    /// # Errors
    /// If the number of ids differs from the number of dictionary-encoded fields.
    pub fn try_with_columns(
        &self,
        schema: impl Into<Arc<Schema>>,
        ids: impl Into<Arc<[i64]>>,
    ) -> Result<IpcSchema> {
        let schema = IpcSchema::try_with_dictionary_ids(schema, ids)?;
        let version = self.version;
        let endianness = self.endianness;
        let features = self.features.clone();
        Ok(IpcSchema { version, endianness, features, ..schema })
    }

    /// Makes a schema with these dictionary ids. Does not check the number of ids.
    pub fn from_ids(schema: Arc<Schema>, dictionary_ids: SharedList<i64>) -> IpcSchema {
        IpcSchema {
            schema,
            dictionary_ids,
            version: MetadataVersion::default(),
            endianness: Endianness::NATIVE,
            features: SharedList::default(),
            unsupported: SharedList::default(),
            irregularities: SharedList::default(),
        }
    }

    /// The schema with an id that no other dictionary has in place of each negative id: the least that is free. Arrow C++ refuses the id −1.
    pub fn with_non_negative_ids(self) -> IpcSchema {
        if self.dictionary_ids.iter().all(|id| *id >= 0) {
            return self;
        }
        let unsupported_ids = self.unsupported.iter().flat_map(|column| &column.dictionary_ids);
        let used: HashSet<i64> = self.dictionary_ids.iter().chain(unsupported_ids).copied().collect();
        let mut free = (0..).filter(|id| !used.contains(id));
        let mut new_ids = HashMap::new();
        // Fields that share an id still share it.
        let new_id = |id: &i64| match *id {
            0.. => *id,
            _ => *new_ids.entry(*id).or_insert_with(|| free.next().unwrap_or(*id)),
        };
        let dictionary_ids: Vec<i64> = self.dictionary_ids.iter().map(new_id).collect();
        IpcSchema { dictionary_ids: dictionary_ids.into(), ..self }
    }

    /// The schema with this metadata version.
    pub fn with_version(self, version: MetadataVersion) -> IpcSchema {
        IpcSchema { version, ..self }
    }

    /// The schema with this byte order of bodies.
    pub fn with_endianness(self, endianness: Endianness) -> IpcSchema {
        IpcSchema { endianness, ..self }
    }

    /// The schema with these features.
    pub fn with_features(self, features: Vec<Feature>) -> IpcSchema {
        IpcSchema { features: features.into(), ..self }
    }

    /// The names, types and metadata of the columns, without the
    /// [`unsupported_columns`](IpcSchema::unsupported_columns).
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// The ids of the dictionary-encoded fields, in pre-order. Fields with the same id share a dictionary.
    pub fn dictionary_ids(&self) -> &[i64] {
        &self.dictionary_ids
    }

    /// The metadata version of the schema message or the footer.
    pub fn version(&self) -> MetadataVersion {
        self.version
    }

    /// The byte order of the bodies of all batches.
    pub fn endianness(&self) -> Endianness {
        self.endianness
    }

    /// The features that the schema declares, in the order in which it lists them. The format requires readers to
    /// support these features, but readers of this library ignore the list.
    pub fn features(&self) -> &[Feature] {
        &self.features
    }
}

fn n_dictionaries(schema: &Schema) -> usize {
    schema.fields_in_pre_order().filter(|field| is_dictionary(field)).count()
}

fn is_dictionary(field: &Field) -> bool {
    field.data_type().as_dictionary().is_some()
}

impl From<Arc<Schema>> for IpcSchema {
    fn from(schema: Arc<Schema>) -> IpcSchema {
        let n_ids = i64::try_from(n_dictionaries(&schema)).unwrap_or(i64::MAX);
        IpcSchema::from_ids(schema, (0..n_ids).collect::<Vec<i64>>().into())
    }
}

impl From<&Arc<Schema>> for IpcSchema {
    fn from(schema: &Arc<Schema>) -> IpcSchema {
        Arc::clone(schema).into()
    }
}

impl From<Schema> for IpcSchema {
    fn from(schema: Schema) -> IpcSchema {
        Arc::new(schema).into()
    }
}

impl From<&Schema> for IpcSchema {
    fn from(schema: &Schema) -> IpcSchema {
        schema.clone().into()
    }
}

impl From<&IpcSchema> for IpcSchema {
    fn from(schema: &IpcSchema) -> IpcSchema {
        schema.clone()
    }
}

impl fmt::Display for IpcSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.schema.fmt(f)
    }
}

/// A top-level column with an unknown type, or with an unknown type inside its type. It cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnsupportedColumn {
    /// The index of the column among all top-level fields.
    pub position: usize,
    /// The path of the field with the unknown type.
    pub path: FieldPath,
    /// What is not supported.
    pub what: UnsupportedPart,
    /// The number of nodes of the column in a batch: one for the column, and one for each field inside it, except
    /// inside dictionaries.
    pub n_nodes: u64,
    /// The number of supported columns before this one.
    pub n_before: usize,
    /// The ids of its dictionaries.
    pub dictionary_ids: Vec<i64>,
}

impl UnsupportedColumn {
    /// The index of the column among all top-level fields, including unsupported ones.
    pub fn position(&self) -> usize {
        self.position
    }

    /// The name of the top-level column.
    pub fn name(&self) -> &str {
        match self.path.steps().first() {
            Some(PathStep::Child { name, .. }) => name,
            Some(PathStep::Dictionary) | None => "",
        }
    }

    /// The path of the field with the unknown type: the column, or a field inside it.
    pub fn path(&self) -> &FieldPath {
        &self.path
    }

    /// What this library does not support, such as the type of the field.
    pub fn reason(&self) -> &UnsupportedPart {
        &self.what
    }

    /// Returns the error that a reader returns if its projection selects this column.
    ///
    /// # Errors
    /// Always, since the column has an unsupported type.
    pub fn refuse(&self) -> Result<()> {
        let what = self.what.clone();
        Err(FormatError::from(FormatErrorKind::Unsupported { what }).in_field(&|| self.path.clone()))
    }

    /// Whether the nodes and buffers of the column are known although its type is unknown. This is so for wide
    /// integers, which have 16 bytes for each slot.
    pub fn has_known_entries(&self) -> bool {
        let is_alone = self.path.steps().len() == 1 && self.n_nodes == 1 && self.dictionary_ids.is_empty();
        is_alone && matches!(self.what, UnsupportedPart::WideInteger { .. })
    }

    /// Whether `path` selects this column or a field inside it. For the syntax see
    /// [`Schema::path`](arrow_schema::Schema::path).
    pub fn is_in_path(&self, path: &str) -> bool {
        let mut column = self.path.clone();
        column.truncate(1);
        let rest = path.strip_prefix(&*column.to_string());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }
}

impl IpcSchema {
    /// The top-level columns with unknown types, which [`schema`](IpcSchema::schema) leaves out.
    ///
    /// A reader accepts such a schema only if its projection selects other columns. Writers refuse it.
    pub fn unsupported_columns(&self) -> &[UnsupportedColumn] {
        &self.unsupported
    }

    /// The forms of the schema, as it was read, that the format does not allow; of each kind the first.
    pub fn irregularities(&self) -> &[SchemaIrregularity] {
        &self.irregularities
    }

    pub(super) fn with_irregularities(self, irregularities: Vec<SchemaIrregularity>) -> IpcSchema {
        IpcSchema { irregularities: irregularities.into(), ..self }
    }

    /// The schema with these unsupported columns.
    pub(super) fn with_unsupported(self, unsupported: Vec<UnsupportedColumn>) -> IpcSchema {
        IpcSchema { unsupported: unsupported.into(), ..self }
    }

    /// # Errors
    /// If the schema has unsupported columns.
    pub fn check_supported(&self) -> Result<()> {
        let Some(column) = self.unsupported.first() else { return Ok(()) };
        // For a column between two columns of unknown types, it is unknown which buffers belong to it.
        let mut unknown = self.unsupported.iter().filter(|column| !column.has_known_entries());
        let fields = self.schema.fields();
        let first = unknown.next();
        let n_readable = first.map_or(fields.len(), |first| {
            let last = unknown.next_back().unwrap_or(first);
            first.n_before + fields.get(last.n_before..).map_or(0, <[Field]>::len)
        });
        let what = UnsupportedPart::Column { what: Box::new(column.what.clone()), n_readable };
        Err(FormatError::from(FormatErrorKind::Unsupported { what }).in_field(&|| column.path.clone()))
    }

    /// # Errors
    /// If one of these names belongs to an unsupported column.
    pub fn check_names(&self, names: &[Arc<str>]) -> Result<()> {
        if self.unsupported.is_empty() {
            return Ok(());
        }
        let names: HashSet<&str> = names.iter().map(|name| &**name).collect();
        let is_named = |column: &&UnsupportedColumn| names.contains(column.name());
        self.unsupported.iter().find(is_named).map_or(Ok(()), UnsupportedColumn::refuse)
    }

    /// # Errors
    /// If one of these paths leads to an unsupported column, or into it.
    pub fn check_paths(&self, paths: &[Arc<str>]) -> Result<()> {
        let is_named = |column: &&UnsupportedColumn| paths.iter().any(|path| column.is_in_path(path));
        self.unsupported.iter().find(is_named).map_or(Ok(()), UnsupportedColumn::refuse)
    }
}

impl IpcSchema {
    /// Checks that all names, time zones and custom metadata are UTF-8. The format requires it, but readers
    /// [escape](arrow_schema::decode_text) what is not, unless they are strict.
    ///
    /// # Errors
    /// For the first text that is not UTF-8.
    pub fn check_utf8(&self) -> Result<()> {
        let schema = self.schema();
        let Some(what) = schema.fields_in_pre_order().find_map(part_not_utf8) else {
            return check_metadata_utf8(schema.metadata());
        };
        let path =
            || schema.path_of_first(|field| part_not_utf8(field).is_some()).unwrap_or_else(FieldPath::root);
        Err(FormatError::from(FormatErrorKind::NotUtf8 { what }).in_field(&path))
    }
}

/// Checks that all keys and values are UTF-8.
///
/// # Errors
/// If one is not.
pub fn check_metadata_utf8(metadata: &Metadata) -> Result<()> {
    if metadata.is_utf8() { Ok(()) } else { Err(FormatErrorKind::NotUtf8 { what: METADATA }.into()) }
}

const METADATA: &str = "custom metadata";

fn part_not_utf8(field: &Field) -> Option<&'static str> {
    if is_not_utf8(field.name()) {
        return Some("the name");
    }
    if let DataType::Timestamp(_, Some(zone)) = field.data_type().value_type()
        && is_not_utf8(zone)
    {
        return Some("the time zone");
    }
    (!field.metadata().is_utf8()).then_some(METADATA)
}

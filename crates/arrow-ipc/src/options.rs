//! What a caller may choose when reading and writing.

use std::{collections::HashMap, sync::Arc};

use arrow_data::Level;
use arrow_schema::{FieldPath, LookupError, Metadata, Schema};

use crate::{
    columns::SchemaColumns,
    dictionary::DictionaryPolicy,
    error::{Context, IpcError, IpcErrorKind, Result},
    ipc_schema::{Endianness, Framing, MetadataVersion},
    limits::Limits,
};

mod compression;

pub use self::compression::Compression;

/// How to read.
///
/// ```
/// use arrow_ipc::{Projection, ReadOptions, Validation};
///
/// let options = ReadOptions::new()
///     .with_validation(Validation::Deferred)
///     .with_projection(Projection::names(["id", "name"]));
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ReadOptions {
    /// How far data is checked. Default [`Validation::Content`].
    pub validation: Validation,
    /// The most that the input may ask for.
    pub limits: Limits,
    /// Which columns are decoded, and read from files. Default all.
    pub projection: Projection,
    /// Ranges of a file that are needed are read at once when the gap between them is at most this many bytes.
    /// Default 4 KiB.
    pub merge_gap_bytes: u64,
}

impl ReadOptions {
    /// The defaults.
    pub fn new() -> ReadOptions {
        ReadOptions::default()
    }

    /// Checks data this far.
    #[must_use]
    pub fn with_validation(self, validation: Validation) -> ReadOptions {
        ReadOptions { validation, ..self }
    }

    /// Lets the input ask for no more than this.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> ReadOptions {
        ReadOptions { limits, ..self }
    }

    /// Decodes these columns only.
    #[must_use]
    pub fn with_projection(self, projection: Projection) -> ReadOptions {
        ReadOptions { projection, ..self }
    }

    /// Reads over gaps of this many bytes instead of asking twice.
    #[must_use]
    pub fn with_merge_gap_bytes(self, merge_gap_bytes: u64) -> ReadOptions {
        ReadOptions { merge_gap_bytes, ..self }
    }
}

impl Default for ReadOptions {
    fn default() -> ReadOptions {
        ReadOptions {
            validation: Validation::default(),
            limits: Limits::default(),
            projection: Projection::default(),
            merge_gap_bytes: 4 << 10,
        }
    }
}

/// How far data is checked when it is read. The structure of arrays is sound in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
#[non_exhaustive]
pub enum Validation {
    /// Content is checked: offsets, text, views, indices, type ids, run ends, null counts.
    #[default]
    Content,
    /// Content is checked when a typed array is made of a column, or when the caller validates it.
    /// Values of dictionaries with deltas are checked when they are read: joining them looks at them.
    Deferred,
    /// Also what producers are known to violate: see [`Level::Strict`].
    Strict,
}

impl Validation {
    pub(crate) fn level(self) -> Level {
        match self {
            Validation::Content => Level::Content,
            Validation::Deferred => Level::Structure,
            Validation::Strict => Level::Strict,
        }
    }
}

/// Few names are looked up one by one.
const N_LOOKED_UP: usize = 8;

/// A choice of columns.
///
/// Paths lead through structs and lists of all kinds: of what they lead through, only what is wanted is read and left
/// in the type. Nulls of the parents stay where they are; extension types of fields that are not left whole go. Maps,
/// unions, runs and dictionaries are taken whole.
///
/// ```
/// use arrow_ipc::{Projection, ReadOptions};
///
/// // Of `address` only two of its fields.
/// let projection = Projection::paths(["id", "address.city", "address.zip"]);
/// let options = ReadOptions::new().with_projection(projection);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Projection {
    /// All columns.
    #[default]
    All,
    /// The columns at these positions, in this order.
    Positions(Vec<usize>),
    /// The columns of these names, in this order.
    Names(Vec<Arc<str>>),
    /// The fields at these paths, as [`Schema::path`] reads them. Columns are in the order in which they are first
    /// mentioned, what is inside of them in that of the schema.
    Paths(Vec<Arc<str>>),
    /// The same, by position.
    FieldPaths(Vec<FieldPath>),
}

/// A projection whose names have been looked up.
#[derive(Debug)]
pub(crate) enum ProjectedColumns {
    All,
    Positions(Vec<usize>),
    Paths(Vec<FieldPath>),
}

impl Projection {
    /// The columns of these names, in this order.
    pub fn names<N: Into<Arc<str>>>(names: impl IntoIterator<Item = N>) -> Projection {
        Projection::Names(names.into_iter().map(Into::into).collect())
    }

    /// The fields at these paths, such as `address.zip`.
    pub fn paths<P: Into<Arc<str>>>(paths: impl IntoIterator<Item = P>) -> Projection {
        Projection::Paths(paths.into_iter().map(Into::into).collect())
    }

    /// Looks names up.
    pub(crate) fn resolve(&self, schema: &Schema) -> std::result::Result<ProjectedColumns, LookupError> {
        match self {
            Projection::All => Ok(ProjectedColumns::All),
            Projection::Positions(positions) => Ok(ProjectedColumns::Positions(positions.clone())),
            Projection::Paths(paths) => {
                let paths = paths.iter().map(|path| schema.path(path));
                paths.collect::<std::result::Result<_, _>>().map(ProjectedColumns::Paths)
            }
            Projection::FieldPaths(paths) => Ok(ProjectedColumns::Paths(paths.clone())),
            Projection::Names(names) if names.len() <= N_LOOKED_UP => names
                .iter()
                .map(|name| schema.index_of(name))
                .collect::<std::result::Result<_, _>>()
                .map(ProjectedColumns::Positions),
            Projection::Names(names) => {
                // One pass over the schema instead of one for each name. A name that is not there once is looked up
                // for its error.
                let mut positions: HashMap<&str, Option<usize>> = HashMap::new();
                for (position, field) in schema.fields().iter().enumerate() {
                    let first = positions.entry(field.name()).or_insert(Some(position));
                    *first = first.filter(|first| *first == position);
                }
                let find = |name: &Arc<str>| match positions.get(&**name) {
                    Some(Some(position)) => Ok(*position),
                    Some(None) | None => schema.index_of(name),
                };
                names.iter().map(find).collect::<std::result::Result<_, _>>().map(ProjectedColumns::Positions)
            }
        }
    }
}

/// How to write. What cannot go together, or what the version cannot carry, is refused by the writer that is made with it:
/// framing of old and compressed bodies with a version that has none, types that are younger than V4.
///
/// ```
/// use arrow_ipc::{Compression, Framing, IpcErrorKind, MetadataVersion, StreamWriter, WriteOptions};
/// use arrow_schema::{DataType, Field, Schema};
///
/// let schema = Schema::new([Field::new("text", DataType::Utf8View)]);
/// let options = WriteOptions::new().with_compression(Compression::lz4().with_min_savings_percent(10));
/// # #[cfg(feature = "lz4")]
/// assert!(StreamWriter::new(Vec::new(), schema.clone(), options).is_ok());
///
/// let old = WriteOptions::new().with_version(MetadataVersion::V4).with_framing(Framing::Legacy);
/// let error = StreamWriter::new(Vec::new(), schema, old).unwrap_err();
/// assert!(matches!(error.kind(), IpcErrorKind::NotInVersion { .. }));
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct WriteOptions {
    /// Metadata of the whole file or stream, which the schema has its own beside: written as custom metadata of the
    /// schema message, and in the footer of a file.
    pub file_metadata: Metadata,
    /// The version of the metadata. Default [`MetadataVersion::V5`]; V4 is for readers from before Arrow 1.0.
    pub version: MetadataVersion,
    /// What stands before each message. Default [`Framing::Current`]; the legacy form is for readers from before
    /// Arrow 0.15, and needs version V4.
    pub framing: Framing,
    /// The byte order of bodies. Default that of this machine; with the other one, all numbers are copied.
    pub endianness: Endianness,
    /// How bodies are compressed. Default: not at all.
    pub compression: Option<Compression>,
    /// What is written below nulls. Default: what is there.
    pub null_slots: NullSlots,
    /// What is done when a dictionary changes. Default [`DictionaryPolicy::Replace`], which files refuse.
    pub dictionaries: DictionaryPolicy,
}

/// What is written for values of which a bitmap says that they are null. Readers do not look at it; but it may be what
/// was in memory before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum NullSlots {
    /// What the arrays hold, without a copy.
    #[default]
    AsTheyAre,
    /// Zeros, in copies of the buffers that have nulls; see
    /// [`with_blank_nulls`](arrow_data::ArrayData::with_blank_nulls).
    Zeros,
}

impl WriteOptions {
    /// The defaults.
    pub fn new() -> WriteOptions {
        WriteOptions::default()
    }

    /// Writes this metadata of the whole file or stream.
    #[must_use]
    pub fn with_file_metadata(self, file_metadata: Metadata) -> WriteOptions {
        WriteOptions { file_metadata, ..self }
    }

    /// Compresses bodies like this; not at all for `None`.
    #[must_use]
    pub fn with_compression(self, compression: impl Into<Option<Compression>>) -> WriteOptions {
        WriteOptions { compression: compression.into(), ..self }
    }

    /// Writes metadata of this version.
    #[must_use]
    pub fn with_version(self, version: MetadataVersion) -> WriteOptions {
        WriteOptions { version, ..self }
    }

    /// Writes this before each message.
    #[must_use]
    pub fn with_framing(self, framing: Framing) -> WriteOptions {
        WriteOptions { framing, ..self }
    }

    /// Writes bodies in this byte order.
    #[must_use]
    pub fn with_endianness(self, endianness: Endianness) -> WriteOptions {
        WriteOptions { endianness, ..self }
    }

    /// Writes this below nulls.
    #[must_use]
    pub fn with_null_slots(self, null_slots: NullSlots) -> WriteOptions {
        WriteOptions { null_slots, ..self }
    }

    /// Does this when a dictionary changes.
    #[must_use]
    pub fn with_dictionaries(self, dictionaries: DictionaryPolicy) -> WriteOptions {
        WriteOptions { dictionaries, ..self }
    }

    /// Refuses what the version cannot carry: readers of it would take it for something else.
    pub(crate) fn check_version(&self, columns: &SchemaColumns) -> Result<()> {
        match (self.version, self.framing) {
            (MetadataVersion::V5, Framing::Current) => return Ok(()),
            (MetadataVersion::V5, Framing::Legacy) => {
                let (what, version) = ("framing without the continuation marker", self.version);
                return Err(IpcErrorKind::NotInVersion { what, version }.into());
            }
            (MetadataVersion::V4, _) => {}
        }
        if self.compression.is_some() {
            let (what, version) = ("a compressed body", self.version);
            return Err(IpcErrorKind::NotInVersion { what, version }.into());
        }
        match columns.first_since_v5() {
            None => Ok(()),
            Some((path, what)) => {
                let kind = IpcErrorKind::NotInVersion { what, version: self.version };
                Err(IpcError::from(kind)).in_field(|| path)
            }
        }
    }
}

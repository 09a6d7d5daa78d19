//! Data types, fields and schemas of Apache Arrow.
//!
//! This crate describes the columns of a table: their names, their logical types, their nullability, and the metadata
//! of an application. It does not contain values or read bytes: columns are in `arrow-data`, typed arrays and builders
//! in `arrow-array`, files and streams in `arrow-ipc`.
//!
//! ```
//! use arrow_schema::{DataType, Field, Schema, TimeUnit};
//!
//! let schema = Schema::new([
//!     Field::new("id", DataType::Int64).required(),
//!     Field::new("seen", DataType::timestamp_with_zone(TimeUnit::Microsecond, "UTC")),
//!     Field::new("tags", DataType::list(Field::new("item", DataType::Utf8))),
//! ]);
//! assert_eq!(
//!     schema.to_string(),
//!     "id: int64 not null\nseen: timestamp(us, \"UTC\")\ntags: list<item: utf8>"
//! );
//! assert_eq!(schema.index_of("tags"), Ok(2));
//! ```
//!
//! A [`FieldPath`] names a field inside other fields; [`Schema::check_same_columns`] reports the first difference of
//! two schemas, and [`Schema::try_merge`] makes one schema from several. [`Metadata`] keeps the order of its pairs.
//! [`Extension`] is the metadata that names an extension type; [`CanonicalExtension`] interprets the names that the
//! Arrow project defines, and an implementation of [`ExtensionType`] interprets the names that an application defines.
//!
//! # Text form
//!
//! `Display` of [`DataType`], [`Field`] and [`Schema`] is one grammar, which is readable and unambiguous. The text has
//! no metadata, except for the alternate form of a schema, `{:#}`, which has sections of metadata.
//!
//! ```text
//! schema = { field newline }, printed without the last newline; lines that begin with "#" are comments
//! field  = name ": " type [ " not null" ]
//! name   = letter or "_", then letters, digits and "_" (ASCII)  |  quoted
//! quoted = a JSON string; control characters, line separators and bidirectional controls as \uXXXX,
//!          as are others that cannot be seen where it is printed
//! type   = "null" | "bool" | "int8" … "uint64" | "float16" | "float32" | "float64"
//!        | "decimal32(" precision ", " scale ")" …        also decimal64, decimal128, decimal256
//!        | "date32" | "date64" | "time32(" unit ")" | "time64(" unit ")" | "duration(" unit ")"
//!        | "timestamp(" unit [ ", " quoted time zone ] ")"
//!        | "interval(" ( "year_month" | "day_time" | "month_day_nano" ) ")"
//!        | "fixed_size_binary(" size ")" | "binary" | "large_binary" | "binary_view"
//!        | "utf8" | "large_utf8" | "utf8_view"
//!        | "list<" field ">" …                            also large_list, list_view, large_list_view
//!        | "fixed_size_list<" field "; " size ">"
//!        | "struct<" [ field { ", " field } ] ">"
//!        | "map<" field [ ", sorted" ] ">"
//!        | ( "sparse_union" | "dense_union" ) "<" [ type id "=" field { ", " type id "=" field } ] ">"
//!        | "dictionary<" index type ", " type [ ", ordered" ] ">"
//!        | "run_end_encoded<" field ", " field ">"
//! unit   = "s" | "ms" | "us" | "ns"
//! newline = line feed; read also: carriage return, line feed
//!
//! schema with metadata = schema newline { newline section }
//! section = heading ":" newline  { "  " ( quoted | "null" ) ": " ( quoted | "null" ) newline }
//! heading = "metadata of the schema" | "metadata of field " path [ at ] | "metadata of field" at
//!         | "metadata of the whole"                        of a file or stream, which is no part of the schema
//! at      = " at " position { "." position }
//! ```
//!
//! The paths in these sections have the form that [`FieldPath`] prints. If the names of a path do not select one field,
//! contain ` at ` or begin with `at `, its positions follow. If the names have more than 256 bytes, only the positions
//! are there.
//!
//! The entries of a map are a struct of key and value: `map<entries: struct<key: utf8 not null, value: int64> not null>`.
//!
//! Precision, scale, size and type id are whole numbers in decimal digits. A negative scale starts with "-".
//!
//! [`str::parse`] is the inverse: parsing printed text gives the same value again, without the metadata that was left
//! out. The parser accepts only the form that `Display` writes: spaces only where the grammar has them, no quotes
//! around a name that needs none, no leading zeros in numbers. There are two exceptions. Quoted text may use any escape
//! of JSON. The lines of a schema may end in a carriage return, and the last line may have a line break. If the text
//! has a type name of another system, the error contains the name to write. Types may be at most 64 levels deep;
//! [`TextParser`] can set a lower limit.
//!
//! ```
//! use arrow_schema::{DataType, Schema};
//!
//! let text = "id: int64 not null\n\"odd name\": list<item: utf8>";
//! let schema: Schema = text.parse()?;
//! assert_eq!(schema.fields()[1].name(), "odd name");
//! assert_eq!(schema.to_string(), text);
//!
//! let error = "list<item: int23>".parse::<DataType>().unwrap_err();
//! assert_eq!(error.to_string(), r#"byte 11: unknown type "int23""#);
//! let error = "list<item: string>".parse::<DataType>().unwrap_err();
//! assert_eq!(error.to_string(), r#"byte 11: unknown type "string"; write "utf8""#);
//! # Ok::<(), arrow_schema::ParseError>(())
//! ```
//!
//! # Depth
//!
//! Types may nest to any depth. Comparing, hashing, printing and dropping a type recurse once per level, so code that
//! builds types from foreign input has to limit [`DataType::depth`]. The readers of this workspace and the parser of
//! the text form have a limit.

#![forbid(unsafe_code)]
#![deny(clippy::wildcard_enum_match_arm)] // docs/STYLE.md, rule 4. Tests may pick out one variant.

mod data_type;
mod error;
mod extension;
mod field;
mod hidden;
mod metadata;
mod name;
mod not_utf8;
mod parse;
mod path;
mod quote;
mod schema;
mod similar;
mod work;

pub use crate::data_type::{
    DataType, DictionaryOrder, DictionaryType, FixedSize, IndexType, IntervalUnit, KeyOrder, MapType,
    Precision, RunEndEncodedType, RunEndType, Time32Unit, Time64Unit, TimeUnit, UnionMode, UnionType,
};
pub use crate::error::{LookupError, TypeError};
pub use crate::extension::{
    Bool8, CanonicalExtension, ExtensionError, ExtensionErrorKind, ExtensionType, FixedShapeTensor, Json,
    Opaque, ParquetVariant, TimestampWithOffset, Uuid, VariableShapeTensor,
};
pub use crate::field::{EXTENSION_METADATA_KEY, EXTENSION_NAME_KEY, Extension, Field, Nullability};
pub use crate::hidden::{HiddenChars, write_escape, write_json_escape};
pub use crate::metadata::{Metadata, MetadataIter};
pub use crate::name::Name;
pub use crate::not_utf8::{NOT_UTF8_MARK, decode_text, encode_text, is_not_utf8};
pub use crate::parse::{Excerpt, ExpectedText, ParseError, ParseErrorKind, TextParser};
pub use crate::path::{FieldPath, PathStep};
pub use crate::quote::{QuotedName, QuotedOrNull, QuotedText};
pub use crate::schema::{
    DifferenceRule, MergeError, MergeErrorKind, MergeOptions, MetadataRule, MissingFieldRule, PreOrder,
    Schema, SchemaDifference, SchemaDifferenceKind, WiderType,
};
pub use crate::similar::{did_you_mean, is_similar_name};

// Plumbing of the crates of this workspace: looking up a child, and counting work in tests.
#[cfg(feature = "count-work")]
pub use crate::work::work_done;
#[doc(hidden)]
pub use crate::{schema::field_index, work::visit};

arrow_error::error_class! {
    ExtensionError => Misuse,
    LookupError => Misuse,
    MergeError => Misuse,
    ParseError => Malformed,
    TypeError => Misuse,
}

/// The examples of the README are compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

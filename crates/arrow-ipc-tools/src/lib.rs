//! The functions of the program `arrow-ipc`, for Arrow IPC files and streams.
//!
//! **Invariant:** nothing is printed here, and nothing opens an output.
//!
//! - [`validate`] reads and checks a whole input.
//! - [`inspect`] shows every message and the footer, also of damaged files.
//! - [`explain`] describes an input: its layout, the size of its columns, its oddities, and the commands that fix
//!   these.
//! - [`diff`] compares schema, metadata and rows of two inputs in any encoding.
//! - [`count_rows`] counts rows, and reads only metadata.
//! - [`Import`] reads CSV and lines of JSON and writes a stream or file (feature `json`).
//! - [`summarize`] describes the values of each column, and how many bytes the column takes.
//! - [`convert`] rewrites an input as a stream or file, and lists the losses. [`Conversion`] writes several inputs as
//!   one, or a part of an input.
//! - [`recover`] copies every complete batch of a damaged input, and lists the losses with their positions.
//! - [`append`] and [`append_in_place`] write the rows of inputs to the end of a file.
//! - [`Rows`] returns the batches of a file or of several streams; a [`RowCursor`] returns only the rows in a
//!   [`RowWindow`].
//!
//! An [`Input`] is a file, bytes in memory, anything that is read by position, or a pipe. A [`ToolError`] names the
//! input, and its [`ToolErrorKind`] is the cause. An [`Observer`] receives progress, and may stop the work.
//!
//! # Features
//!
//! - `json`, off by default: reads text, data sets, and inputs that are compressed as a whole. Converts schemas,
//!   tensors and the results of [`inspect`] to `serde_json::Value`s. Plans streams and files from shapes: see
//!   [`shapes_from_json`] and [`shapes_of`].
//! - `lz4`, `zstd` and `mmap`, on by default, and `rayon`, off by default, are passed on to `arrow-ipc`.
#![forbid(unsafe_code)]
#![deny(clippy::wildcard_enum_match_arm)] // docs/STYLE.md, rule 4. Tests may pick out one variant.

mod agreement;
mod ahead;
mod append;
mod before_footer;
mod bytes_read;
mod columns;
mod compact;
#[cfg(feature = "json")]
pub mod compressed;
mod convert;
mod count;
mod cursor;
mod describe;
mod diff;
mod error;
mod escape;
mod explain;
mod following;
mod foreign;
mod identity;
#[cfg(feature = "json")]
mod import;
mod input;
#[cfg(feature = "json")]
mod input_set;
mod inspect;
#[cfg(feature = "json")]
mod json;
mod large;
mod limited_text;
mod made_rows;
#[cfg(feature = "json")]
mod malformed_text;
mod name;
mod numbers;
mod observer;
mod other_names;
#[cfg(feature = "json")]
mod page;
mod parts;
mod pending;
#[cfg(feature = "json")]
mod recorded;
mod recover;
mod relay;
mod row_keys;
mod row_window;
mod rows;
#[cfg(feature = "json")]
mod shapes;
mod source;
mod streams;
mod summary;
mod tensors;
mod trailing;
mod validate;
mod walk;

pub use crate::{
    ahead::BatchCounts,
    append::{append_in_place, codec_of_last, with_version_of},
    before_footer::BytesBeforeFooter,
    bytes_read::{BytesRead, CountedRead},
    columns::{
        ColumnName, ColumnNames, MatchCondition, RowQuery, Selection, columns_in_order, unsupported_note,
    },
    compact::{CompactReport, FIRST_MANIFEST, compact_set},
    convert::{
        AppendOutput, AppendReport, Conversion, ConvertOptions, CutBy, EndOfFile, FileSplit, Loss, PartPath,
        PartStore, Reshaping, SplitBy, append, cast_of, continue_statistics, convert, split_files,
    },
    count::{Outline, RowCount, add_rows, count_rows, outline},
    cursor::{NumberedRows, RowCursor, RowNumbers},
    describe::{dense_note, feature_name, sparse_note, writer_of},
    diff::{
        Comparison, DiffOptions, DiffReport, DiffSummary, Difference, MetadataOf, RowLabel, Side, Sides,
        ValueDifference, Verdict, diff,
    },
    error::{Contradiction, InInput, ToolError, ToolErrorKind},
    escape::{Escaped, EscapedJson},
    explain::{ColumnCost, Explanation, Finding, Prose, Remedy, explain, explain_columns},
    following::{Following, following},
    foreign::Foreign,
    identity::{FileIdentity, is_same_file},
    input::Input,
    inspect::{
        CompressedBody, End, FooterView, InspectItem, InspectOptions, InspectReport, Inspected, Length,
        Listing, MessageView, WantedFields, inspect,
    },
    large::SpooledBatch,
    name::{InputName, as_argument, name_of_option, quoted},
    numbers::{Counted, Grouped, incomplete, percent_of, ratio_of},
    observer::{LostStatistics, Note, NoteKind, Observer, Progress, Unit},
    other_names::{or_first_row, other_names},
    pending::RowMemory,
    recover::{DamagedInput, RecoverAdvice, RecoverLoss, RecoverOptions, RecoverReport, recover},
    row_window::RowWindow,
    rows::Rows,
    source::SharedSource,
    streams::{StreamItem, Streams},
    summary::{ColumnSize, ColumnSummary, Summary, SummaryOptions, count_matching, summarize},
    tensors::{TensorDescription, Tensors, tensor_descriptions},
    trailing::TrailingBytes,
    validate::{PortabilityNote, ValidateOptions, Validated, validate},
};
#[cfg(feature = "json")]
pub use crate::{
    import::{
        FoundText, GivenForm, Import, ImportOptions, OptionsReading, SkippedSoFar, TextEncoding, TextFormat,
        advice_on_json, column_of_large_number, form_of_name, is_marked_arrow, mixed_column, options_reading,
        type_that_takes,
    },
    input_set::{InputSet, validate_part},
    json::{
        JsonLine, JsonLinesReport, JsonReport, diff_summary_as_json, difference_as_json, explanation_as_json,
        schema_as_json, summary_as_json, tensor_as_json,
    },
    malformed_text::MalformedText,
    page::HtmlReport,
    shapes::{
        Shapes, ShapesError, ShapesErrorKind, schema_from_json, shapes_from_json, shapes_from_json_for,
        shapes_of,
    },
    summary::{StatsTable, cells_of, dictionary_advice, headline, table_of},
};
pub use arrow_ipc_dataset::threads::{Give, by_threads, in_order};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

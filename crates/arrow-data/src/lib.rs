//! The layouts of Apache Arrow as one table, and what walks it: arrays, record batches and their validation.
//!
//! - [`layout`] says for every [`DataType`](arrow_schema::DataType) which buffers an array has and what must
//!   hold of them. All else in this workspace walks that table.
//! - [`ArrayData`] is one column of any type: sound in structure by construction, cheap to clone and slice.
//! - [`RecordBatch`] is columns of equal length with their schema.
//! - [`Level`] names how far data has been checked: structure, content, strict.
//!
//! Typed access to values is in `arrow-array`; reading and writing in `arrow-ipc`.
#![forbid(unsafe_code)]
#![deny(clippy::wildcard_enum_match_arm)] // docs/STYLE.md, rule 4. Tests may pick out one variant.

mod array;
mod at_path;
mod batch;
mod compare;
mod dump;
mod error;
mod layout;
mod positions;
mod select;
mod validate;

pub use crate::{
    array::{ArrayData, ArrayParts},
    batch::RecordBatch,
    compare::{Comparer, Difference, DifferenceKind},
    dump::Dump,
    error::{DataError, DataErrorKind},
    layout::{BufferSpec, ChildLen, Content, Count, Layout, Nulls, Role, Strict, Swap, layout},
    select::{SlotIndex, concat},
    validate::{Level, Repairs},
};

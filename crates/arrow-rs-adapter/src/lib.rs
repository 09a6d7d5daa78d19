//! Passes arrays, batches, schemas and readers to the crate `arrow` of arrow-rs and back. Both libraries share the
//! memory.
//!
//! - [`ToArrowRs::to_arrow_rs`] makes arrow-rs's value of ours: of a `DataType`, `Field`, `Schema`, `ArrayData`,
//!   `RecordBatch` or `Buffer`.
//! - [`FromArrowRs::try_from_arrow_rs`] makes our value of theirs.
//! - [`ArrowRsReader`] is a `RecordBatchReader` of arrow-rs that returns the batches of one of our readers.
//!   [`ArrowRsBatches`] returns the batches of a `RecordBatchReader` as ours. [`BatchConverter`] passes on batches of one
//!   schema that come in another way.
//! - An [`AdapterError`] has the path of the field and the cause. It becomes an `ArrowError` by `?`,
//!   and with the feature `facade` an `arrow::Error`.
//!
//! # What is checked
//!
//! Code of arrow-rs trusts its arrays. So `to_arrow_rs` checks the content of an array that has not been checked, once
//! for each call: [validate](arrow_data::ArrayData::validate) arrays that you pass more than once. Readers of
//! `arrow-ipc` have checked what they return, unless you chose otherwise. arrow-rs also trusts text and views in null
//! slots, where the format allows any bytes. If these are invalid, the slots are filled with zeros.
//!
//! The opposite direction is safe code. `try_from_arrow_rs` checks the structure, as for arrays from anywhere; the
//! content is checked when a column becomes a typed array.
//!
//! # What is copied
//!
//! No buffer is copied, with two exceptions. Numbers that are not aligned as arrow-rs needs them are copied to aligned
//! memory: of 16 bytes for `decimal128`, of the size of the number for most others. Text or views with invalid bytes in
//! null slots are copied with zeros there.
//!
//! # What is lost
//!
//! The metadata of arrow-rs has each key once, and no null values: of ours, the first value of each key is passed on.
//! Decimals with a scale outside of -128 to 127 are errors. An array alone does not know whether its dictionary is
//! ordered, since arrow-rs has that in the field; fields, schemas and batches keep it.
//!
//! # Versions of arrow-rs
//!
//! Types of arrow-rs are part of the interface of this crate. So there is a module with the same code for each
//! supported version:
//!
//! - `v60`, with the feature `arrow-60`, which is on by default. The root of the crate re-exports its items.
//! - `v59`, with the feature `arrow-59`. DataFusion 55 uses this version.
#![deny(unsafe_code)]
#![deny(clippy::wildcard_enum_match_arm)] // docs/STYLE.md, rule 4. Tests may pick out one variant.
#![allow(clippy::duplicate_mod)] // The same code for each version of arrow-rs: one source, two modules.

mod error;
#[cfg(feature = "arrow-59")]
pub mod v59;
#[cfg(feature = "arrow-60")]
pub mod v60;

pub use crate::error::{AdapterError, AdapterErrorKind};
#[cfg(feature = "arrow-60")]
pub use crate::v60::{ArrowRsBatches, ArrowRsReader, BatchConverter, FromArrowRs, ToArrowRs};

/// The examples of the README are compiled and run as tests.
#[cfg(all(doctest, feature = "arrow-60", feature = "facade"))]
#[doc = include_str!("../README.md")]
mod readme {}

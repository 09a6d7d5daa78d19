//! Reads and writes Apache Arrow IPC files in object stores: S3, Google Cloud Storage, Azure, HTTP servers and folders,
//! with the crate `object_store`.
//!
//! - [`ObjectSource`] reads an object by ranges. It is an `AsyncSource` of `arrow-ipc-async`; the readers of that crate
//!   decide which ranges they need. Opening a file takes one request.
//! - [`Chunks`] returns the bytes of a whole object as they arrive, for reading streams.
//! - [`ObjectUpload`] writes an object: the output of an encoder of `arrow-ipc`, or the bytes of a plan. It uploads
//!   parts of equal size, and copies nothing.
//! - `ObjectFiles`, with the feature `dataset`, opens the objects of a store as files of data sets for
//!   `arrow-ipc-dataset`. The reading threads block until answers arrive. `BlockingObject` is one such file.
//! - [`ObjectOptions`] and [`UploadOptions`] are the options. An [`ObjectError`] has the path, the range and a cause.
//!
//! If an object changes while it is read, reading returns an error instead of a mixture of two versions: see [`ObjectSource`].
//!
//! # Versions of object_store
//!
//! Types of `object_store` are part of the interface of this crate. So the crate has a module for each supported
//! version of `object_store`. All modules have the same code:
//!
//! - `v0_14`, with the feature `object-store-0-14`, which is on by default. The root of the crate re-exports the items
//!   of this module.
//! - `v0_13`, with the feature `object-store-0-13`. DataFusion 55 uses this version.
//!
//! # Features
//!
//! - `dataset`: `ObjectFiles` and `BlockingObject`, for data sets whose files are objects.
//! - `aws`, `azure`, `fs`, `gcp` and `http` enable the features of `object_store` with the same names.
#![forbid(unsafe_code)]
#![deny(clippy::wildcard_enum_match_arm)] // docs/STYLE.md, rule 4. Tests may pick out one variant.
#![allow(clippy::duplicate_mod)] // The same code for each version of `object_store`: one source, two modules.

mod error;
mod options;
#[cfg(feature = "object-store-0-13")]
pub mod v0_13;
#[cfg(feature = "object-store-0-14")]
pub mod v0_14;

#[cfg(all(feature = "object-store-0-14", feature = "dataset"))]
pub use crate::v0_14::{BlockingObject, ObjectFiles};
#[cfg(feature = "object-store-0-14")]
pub use crate::v0_14::{Chunks, ObjectSource, ObjectUpload};
pub use crate::{
    error::{ObjectError, ObjectErrorKind, Tag},
    options::{ObjectOptions, UploadOptions},
};

/// The examples of the README are compiled and run as tests.
#[cfg(all(doctest, feature = "object-store-0-14"))]
#[doc = include_str!("../README.md")]
mod readme {}

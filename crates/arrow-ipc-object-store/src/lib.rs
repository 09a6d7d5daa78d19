//! Reads and writes Apache Arrow IPC files in object stores: S3, Google Cloud Storage, Azure, HTTP servers and folders,
//! with the crate `object_store`.
//!
//! - `ObjectSource` reads ranges of an object. It is an `AsyncSource` for the readers of `arrow-ipc-async`, which
//!   decide which ranges they need. Opening a file takes one request.
//! - `Chunks` returns the bytes of a whole object as they arrive, for streams.
//! - `ObjectUpload` writes an object: the output of an encoder of `arrow-ipc`, or the bytes of a plan. It uploads
//!   parts of equal size, and copies nothing.
//! - `ObjectFiles`, with the feature `dataset`, opens objects as files of a data set of `arrow-ipc-dataset`. The
//!   threads that read block until answers arrive. `BlockingObject` is one such file.
//! - [`ObjectOptions`] and [`UploadOptions`] are the options. An [`ObjectError`] has the path, the range and the cause.
//!
//! If an object changes while you read it, the next request fails, so you do not get a mixture of two versions: see
//! `ObjectSource`.
//!
//! # Versions of object_store
//!
//! Types of `object_store` are part of the interface of this crate. So there is a module with the same code for each
//! supported version of `object_store`, of which none is on by default:
//!
//! - `v0_14`, with the feature `object-store-0-14`. The root of the crate re-exports its items.
//! - `v0_13`, with the feature `object-store-0-13`. DataFusion 55 uses this version.
//!
//! # Features
//!
//! - `dataset`: `ObjectFiles` and `BlockingObject`, for data sets of objects.
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

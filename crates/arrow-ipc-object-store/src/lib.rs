//! Apache Arrow IPC files in object stores, by the crate `object_store`: S3, Google Cloud Storage, Azure, HTTP servers, folders.
//!
//! - [`ObjectSource`] reads an object by ranges. It is an `AsyncSource` of `arrow-ipc-async`, whose readers decide which ranges
//!   they need. Opening a file is one request.
//! - [`Chunks`] are the bytes of a whole object as they arrive: for streams.
//! - [`ObjectUpload`] writes an object: what an encoder of `arrow-ipc` gives, or the image of a plan, in parts of one size, and
//!   without a copy.
//! - `ObjectFiles`, with the feature `dataset`, are the objects of a store as files of data sets: `arrow-ipc-dataset` reads them, by threads
//!   that wait. `BlockingObject` is one of them.
//! - [`ObjectOptions`] and [`UploadOptions`] say how. An [`ObjectError`] has the path, the range and a cause.
//!
//! An object that changes while it is read is an error, and never a mix of two versions: see [`ObjectSource`].
//!
//! # Versions of object_store
//!
//! Types of `object_store` are in this crate's interface, so it has a module for each version, both of the same code:
//!
//! - `v0_14` with the feature `object-store-0-14`, on by default. The items of the root are those of this module.
//! - `v0_13` with the feature `object-store-0-13`: DataFusion 55 takes this version.
//!
//! # Features
//!
//! - `dataset`: data sets whose files are objects.
//! - `aws`, `azure`, `fs`, `gcp` and `http`: those of `object_store`, in the versions that are chosen.
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

/// The examples of the README are compiled and run.
#[cfg(all(doctest, feature = "object-store-0-14"))]
#[doc = include_str!("../README.md")]
mod readme {}

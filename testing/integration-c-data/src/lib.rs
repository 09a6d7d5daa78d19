//! The shared library for Arrow's integration tests of the C data interface. It exports JSON documents as structures of
//! the interface, and compares structures with documents.
//!
//! All functions get the path of a document. They return null, or the text of an error, which the caller must pass to
//! [`arrow_c_data_integration_free_error`]. `num_batch` counts from 0. Structures are exported to memory of the caller.
//! Imported structures are released, even if there is an error.
//!
//! | function | does |
//! |---|---|
//! | [`arrow_c_data_integration_export_schema_from_json`] | fills a schema |
//! | [`arrow_c_data_integration_import_schema_and_compare_to_json`] | takes a schema |
//! | [`arrow_c_data_integration_export_batch_from_json`] | fills an array with a batch |
//! | [`arrow_c_data_integration_import_batch_and_compare_to_json`] | takes an array |
//! | [`arrow_c_data_integration_bytes_allocated`] | returns the number of allocated bytes; after a release it is that before the export |
//! | [`arrow_c_data_integration_free_error`] | takes a text back |
//!
//! The harness calls the library of another Rust implementation by the names `arrow_rs_cdata_integration_…` and
//! `arrow_rs_free_error`. This library also has these names, so that it can be tested in place of the other one.

mod allocated;
mod entry;

pub use crate::entry::{
    arrow_c_data_integration_bytes_allocated, arrow_c_data_integration_export_batch_from_json,
    arrow_c_data_integration_export_schema_from_json, arrow_c_data_integration_free_error,
    arrow_c_data_integration_import_batch_and_compare_to_json,
    arrow_c_data_integration_import_schema_and_compare_to_json,
};

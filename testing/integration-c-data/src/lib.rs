//! The shared library that Arrow's integration tests load: a document of JSON to structures of the C data interface, and
//! structures compared with a document.
//!
//! All functions take the path of a document. They return null, or a text that says what is wrong, which
//! [`arrow_c_data_integration_free_error`] takes back. `num_batch` counts from 0. Structures are exported to memory of the caller; imported ones
//! are released, on errors too.
//!
//! | function | does |
//! |---|---|
//! | [`arrow_c_data_integration_export_schema_from_json`] | fills a schema |
//! | [`arrow_c_data_integration_import_schema_and_compare_to_json`] | takes a schema |
//! | [`arrow_c_data_integration_export_batch_from_json`] | fills an array with a batch |
//! | [`arrow_c_data_integration_import_batch_and_compare_to_json`] | takes an array |
//! | [`arrow_c_data_integration_bytes_allocated`] | tells how much memory the library has: as much after a release as before an export |
//! | [`arrow_c_data_integration_free_error`] | takes a text back |
//!
//! The harness knows the library of another implementation in Rust by the names `arrow_rs_cdata_integration_…` and
//! `arrow_rs_free_error`; those lead here too, so that it can be tested in that place.

mod allocated;
mod entry;

pub use crate::entry::{
    arrow_c_data_integration_bytes_allocated, arrow_c_data_integration_export_batch_from_json,
    arrow_c_data_integration_export_schema_from_json, arrow_c_data_integration_free_error,
    arrow_c_data_integration_import_batch_and_compare_to_json,
    arrow_c_data_integration_import_schema_and_compare_to_json,
};

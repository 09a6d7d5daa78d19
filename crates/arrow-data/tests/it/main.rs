//! Tests of arrays, batches, the layout table and validation through the public API.

mod at_path;
mod batch;
mod chunked;
mod compare;
mod content;
mod corruption;
mod differences;
mod dump;
mod errors;
mod garbage;
mod hidden;
mod layout;
mod logical;
mod positions;
mod slicing;
mod strict;
mod structure;
mod table;

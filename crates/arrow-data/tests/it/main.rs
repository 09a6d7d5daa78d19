//! Tests of arrays, batches, the layout table and validation, from outside.

mod at_path;
mod batch;
mod blank;
mod chunked;
mod compare;
mod content;
mod corruption;
mod deep;
mod differences;
mod disguise;
mod dump;
mod errors;
mod garbage;
mod grow;
mod layout;
mod logical;
mod make;
mod positions;
mod select;
mod select_budget;
mod select_dictionaries;
mod slicing;
mod strict;
mod structure;
mod table;
mod value_bytes;

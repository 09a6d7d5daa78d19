//! Flatbuffers, the encoding of metadata: checked tables and vectors for readers. `generated.rs` has the tables of the
//! format.

mod error;
mod read;
mod vector;

pub(crate) use self::read::{enumeration, part, typed_table};
pub use self::{
    error::{FlatbufferCause, FlatbufferError},
    read::{Enumeration, Inline, Result, Slot, Table, TypedTable, Union},
    vector::{Tables, Vector, VectorSpan},
};

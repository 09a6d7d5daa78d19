//! Flatbuffers, the encoding of metadata: checked tables and vectors for readers. `generated.rs` has the tables of the
//! format.

mod error;
mod read;
mod vector;
mod wire;

pub(crate) use self::read::{enumeration, part, typed_table};
pub use self::wire::{
    ListPlace, ROOT_BYTES, TableLayout, TableResult, ValuePlace, WireTable, back, distance, located,
    n_text_bytes, not_negative, put, put_reference, put_vtable, required, root_table, two_numbers, word,
};
pub use self::{
    error::{FlatbufferCause, FlatbufferError},
    read::{Enumeration, Inline, Result, Slot, Table, TypedTable, Union},
    vector::{Tables, Vector, VectorSpan},
};

//! Flatbuffers, the encoding of metadata: checked tables and vectors for readers, and a writer. [`tables`](crate::tables)
//! has the tables of the format.

mod error;
mod read;
mod vector;
mod write;

pub(crate) use self::read::{enumeration, part, typed_table};
pub(crate) use self::write::put_vtable;
pub use self::{
    error::{FlatbufferCause, FlatbufferError},
    read::{Enumeration, InlineValue, Result, Slot, Table, TypedTable, Union},
    vector::{Tables, Vector, VectorSpan},
    write::{
        FlatbufferWriter, ROOT_BYTES, TableHandle, TableLayout, Value, back, distance, n_text_bytes, put,
        put_reference, word,
    },
};

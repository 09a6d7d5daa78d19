//! Types as documents name them, and how documents write values of each.
//!
//! Only the files below `types/` match on [`DataType`](arrow_schema::DataType).

mod notation;
mod read;
mod write;

pub(crate) use self::{
    notation::{Notation, notation},
    read::{index_type, read_type},
    write::{write_index_type, write_type},
};

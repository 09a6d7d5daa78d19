//! Schemas as documents have them, with the ids of dictionaries.

mod read;
mod tree;
mod write;

pub(crate) use self::{
    read::read_schema,
    tree::{Node, tree},
    write::write_schema,
};

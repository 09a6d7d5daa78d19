//! Plans of streams and files: the exact position of each byte, computed from the lengths of columns and buffers
//! without their values.
//!
//! A [`Plan`] is built from a [`BatchShape`] for each batch. A plan knows the length of the
//! stream or file, and which header, buffer or padding is at each position. When you read bytes from a plan, a
//! [`BufferProvider`] supplies the content of buffers.
//!
//! **Invariant:** plans and writers compute lengths, offsets, headers and footers with the same functions.

mod from_arrays;
mod lists;
mod nesting;
mod pack;
mod shape;
mod shapes;
mod varint;

mod builder;
mod image;
mod parts;
mod pieces;
mod provider;
mod segments;

pub use self::{
    builder::PlanBuilder,
    image::Plan,
    parts::PlanParts,
    pieces::{PlannedBuffer, PlannedPart, PlannedPiece},
    provider::{BufferProvider, PlannedSource},
    segments::{PlanSegment, PlannedData},
    shape::{BatchShape, ColumnShape},
};

//! Totals of an inspection: batches by their state, and the buffers of each field.

mod batches;
mod fields;
mod padding;
mod span;

pub(crate) use self::{
    batches::BatchTotals,
    fields::{BufferFields, FieldTotals},
    span::{BufferSpan, SpanRole},
};

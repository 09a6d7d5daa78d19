//! Tensors, dense and sparse: those of other libraries, what is written, what is in them, and among record batches.

mod content;
mod golden;
mod messages;
mod random;
mod text;

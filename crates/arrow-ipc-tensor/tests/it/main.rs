//! Tensors, dense and sparse: tensors of other libraries, written tensors, their content, and tensors among record
//! batches.

mod content;
mod golden;
mod messages;
mod random;
mod text;

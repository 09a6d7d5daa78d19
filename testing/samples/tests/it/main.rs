//! Tests of the samples that other implementations are shown.

mod built;
mod variants;

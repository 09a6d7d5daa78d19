//! Tests of the samples that other implementations read.

mod built;
mod variants;

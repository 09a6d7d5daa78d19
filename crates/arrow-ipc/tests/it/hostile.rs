//! Input that breaks a rule, or follows one that few producers use: files of `testing/corpus/hostile`, and messages
//! made here by hand.

mod corpus;
mod crafted;
mod deltas;
mod documented;
mod envelopes;
#[cfg(feature = "zstd")]
mod kept;
mod old_versions;
mod readers;
mod tensors;
mod unknown_types;
mod wire;

//! Input that breaks a rule, or that uses a rule which few producers use: files of `testing/corpus/hostile`, and
//! messages made by hand.

mod corpus;
mod crafted;
mod deltas;
#[cfg(feature = "zstd")]
mod dictionary_memory;
mod documented;
mod envelopes;
mod extra_validity;
mod old_versions;
mod readers;
mod tensors;
mod unknown_types;
mod wire;

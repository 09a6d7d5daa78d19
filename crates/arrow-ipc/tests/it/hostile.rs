//! Input that breaks a rule, or that uses a rule which few producers use: files of `testing/corpus/hostile`, and
//! messages made by hand.

mod corpus;
mod crafted;
mod deltas;
mod documented;
mod envelopes;
mod extra_validity;
#[cfg(feature = "zstd")]
mod kept;
mod old_versions;
mod readers;
mod tensors;
mod unknown_types;
mod wire;

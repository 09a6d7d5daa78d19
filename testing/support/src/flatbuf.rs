//! Verifies metadata with the verifier of the official `flatbuffers` crate.
//!
//! The verifier needs descriptions of the tables, which `cargo xtask codegen` makes from the schemas of the format. They
//! are stricter than those of the official compiler: see [`strict`].

#[allow(dead_code, clippy::all, clippy::pedantic)]
#[rustfmt::skip]
mod generated;
mod strict;

use flatbuffers::{ForwardsUOffset, InvalidFlatbuffer, Verifiable, Verifier, VerifierOptions};

/// The greatest depth of tables: a message, its schema, 64 fields, which is the default limit of readers, and the
/// dictionary and index type of the last field. The default limit of the verifier is 64.
const MAX_DEPTH: usize = 68;

/// Verifies the metadata of a message: the flatbuffer without the prefix, with or without its padding.
///
/// ```
/// use testing_support::verify_message;
///
/// // An empty table has no version, which has a default, and no header, which need not be there.
/// let mut metadata = vec![8, 0, 0, 0, 4, 0, 4, 0, 4, 0, 0, 0];
/// assert_eq!(verify_message(&metadata), Ok(()));
/// // A vtable past the end.
/// metadata[8] = 0xf0;
/// assert!(verify_message(&metadata).is_err());
/// ```
///
/// # Errors
/// The error of the verifier.
pub fn verify_message(metadata: &[u8]) -> Result<(), InvalidFlatbuffer> {
    verify::<generated::Message>(metadata)
}

/// Verifies the footer of a file: the flatbuffer without the length and the magic after it.
///
/// # Errors
/// The error of the verifier.
pub fn verify_footer(footer: &[u8]) -> Result<(), InvalidFlatbuffer> {
    verify::<generated::Footer>(footer)
}

fn verify<T: Verifiable>(bytes: &[u8]) -> Result<(), InvalidFlatbuffer> {
    let options = VerifierOptions { max_depth: MAX_DEPTH, ..VerifierOptions::default() };
    ForwardsUOffset::<T>::run_verifier(&mut Verifier::new(&options, bytes), 0)
}

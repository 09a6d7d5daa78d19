//! The text form, read back; and fields found by the text of their paths.

mod familiar;
mod hostile;
mod paths;
mod random;
mod refused;
mod round_trip;

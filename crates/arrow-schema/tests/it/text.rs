//! Tests of the text form, and of fields that are found by the text of their paths.

mod familiar;
mod hostile;
mod paths;
mod random;
mod refused;
mod round_trip;

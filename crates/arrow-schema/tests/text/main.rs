//! The text form, read back.

mod hostile;
mod random;
mod refused;
mod round_trip;

//! Numbers for which Rust has no stable type, or only a type that needs more alignment than buffers have.

pub(crate) mod decimal;
pub(crate) mod f16;
pub(crate) mod i128;
pub(crate) mod i256;
pub(crate) mod interval;
pub(crate) mod notation;
pub(crate) mod view;

//! Numbers that Rust has no stable type for, or only one that asks for more alignment than buffers have.

pub(crate) mod decimal;
pub(crate) mod f16;
pub(crate) mod i128;
pub(crate) mod i256;
pub(crate) mod interval;
pub(crate) mod view;

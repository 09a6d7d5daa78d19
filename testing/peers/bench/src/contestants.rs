//! The implementations that are compared.

mod arrow_rs;
mod floor;
mod ours;
mod polars;
mod python;

pub use self::{
    arrow_rs::ArrowRs,
    floor::Floor,
    ours::Ours,
    polars::Polars,
    python::{Library, Python},
};

//! The conversions of this crate for arrow-rs 59.

#[path = "convert/array.rs"]
#[allow(unsafe_code)] // Makes arrays of content that was checked.
mod array;
#[path = "convert/batches.rs"]
mod batches;
#[path = "convert/schema.rs"]
mod schema;
#[path = "convert/traits.rs"]
mod traits;

use arrow_59 as arrow;

pub use self::{
    batches::{ArrowRsBatches, ArrowRsReader, BatchConverter},
    traits::{FromArrowRs, ToArrowRs},
};

//! Receives the differences of a comparison.

use std::ops::ControlFlow;

use super::difference::Difference;
use crate::observer::Observer;

/// Receives each difference. A `Vec` collects them.
pub trait DiffSink: Observer {
    /// Receives a difference. [`Break`](ControlFlow::Break) ends the comparison.
    fn difference(&mut self, difference: Difference) -> ControlFlow<()>;
}

impl Observer for Vec<Difference> {}

impl DiffSink for Vec<Difference> {
    fn difference(&mut self, difference: Difference) -> ControlFlow<()> {
        self.push(difference);
        ControlFlow::Continue(())
    }
}

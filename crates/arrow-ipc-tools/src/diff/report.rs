//! The output of a comparison: each difference, a summary, and the result.

use std::ops::ControlFlow;

use super::{difference::Difference, summary::DiffSummary};
use crate::observer::Observer;

/// The result of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The inputs are equal.
    Same,
    /// The inputs differ.
    Different,
    /// What was read is equal, but other bytes follow a stream.
    Unknown,
}

/// Receives each difference. A `Vec` collects them.
pub trait DiffReport: Observer {
    /// Receives a difference. [`Break`](ControlFlow::Break) ends the comparison with the result [`Verdict::Different`].
    fn difference(&mut self, difference: Difference) -> ControlFlow<()>;

    /// Receives the summary of the comparison, after the last difference. This is not called if the comparison fails,
    /// or if [`difference`](DiffReport::difference) ended it.
    fn summary(&mut self, summary: &DiffSummary) {
        let _ = summary;
    }
}

impl Observer for Vec<Difference> {}

impl DiffReport for Vec<Difference> {
    fn difference(&mut self, difference: Difference) -> ControlFlow<()> {
        self.push(difference);
        ControlFlow::Continue(())
    }
}

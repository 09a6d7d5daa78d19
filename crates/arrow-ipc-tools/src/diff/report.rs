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
    /// The rows are equal, but an input has trailing bytes after its last stream, which were not compared.
    Unknown,
}

/// Receives each difference. A `Vec` collects them.
pub trait DiffSink: Observer {
    /// Receives a difference. [`Break`](ControlFlow::Break) ends the comparison with the result [`Verdict::Different`].
    fn difference(&mut self, difference: Difference) -> ControlFlow<()>;

    /// Receives the summary of the comparison, after the last difference. This method is not called after an error, or
    /// after [`difference`](DiffSink::difference) has ended the comparison.
    fn summary(&mut self, summary: &DiffSummary) {
        let _ = summary;
    }
}

impl Observer for Vec<Difference> {}

impl DiffSink for Vec<Difference> {
    fn difference(&mut self, difference: Difference) -> ControlFlow<()> {
        self.push(difference);
        ControlFlow::Continue(())
    }
}

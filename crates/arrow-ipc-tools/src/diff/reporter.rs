//! Passes differences, progress and notes of a comparison to its report, and counts the differences.

use std::ops::ControlFlow;

use arrow_array::ArrayError;
use arrow_select::{PairOrder, sort_pairs};

use super::{DiffSink, difference::Difference, options::DiffOptions, side::SideRows, summary::DiffSummary};
use crate::{
    error::{ToolError, ToolErrorKind, name::InputName},
    observer::{Note, NoteKind, Progress, Unit},
};

pub(super) struct DiffReporter<'a> {
    /// The name of the first input, for errors that concern both inputs.
    a: InputName,
    pub(super) options: &'a DiffOptions,
    /// A mask of the hash bits that are compared.
    pub(super) hash_bits: u64,
    report: &'a mut dyn DiffSink,
    pub(super) summary: DiffSummary,
    has_differences: bool,
    /// Whether an input has bytes after its last stream, which are not compared.
    is_incomplete: bool,
    /// The last progress that was reported.
    last: Option<(InputName, Progress)>,
}

/// Why a comparison ends before the end of the inputs.
#[derive(Debug)]
pub(super) enum ComparisonEnd {
    /// The report has ended the comparison, after a difference.
    Decided,
    Failed(ToolError),
}

impl<'a> DiffReporter<'a> {
    pub(super) fn new(
        a: InputName,
        options: &'a DiffOptions,
        report: &'a mut dyn DiffSink,
    ) -> DiffReporter<'a> {
        let summary = DiffSummary::default();
        DiffReporter {
            a,
            options,
            hash_bits: u64::MAX,
            report,
            summary,
            has_differences: false,
            is_incomplete: false,
            last: None,
        }
    }

    /// The error of comparing two invalid values.
    pub(super) fn invalid(&self, error: impl Into<ArrayError>) -> ComparisonEnd {
        self.failed(ToolErrorKind::Values(error.into()))
    }

    /// The error of comparing two values. The comparison does not say which input is at fault, so the error names the
    /// first input.
    pub(super) fn failed(&self, kind: ToolErrorKind) -> ComparisonEnd {
        ToolError::new(&self.a, kind).into()
    }

    /// Counts a difference, and passes it to the report.
    ///
    /// # Errors
    /// If the report ends the comparison.
    pub(super) fn difference(&mut self, difference: Difference) -> Result<(), ComparisonEnd> {
        self.has_differences = true;
        self.summary.count(&difference);
        match self.report.difference(difference) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(ComparisonEnd::Decided),
        }
    }

    /// Reports the progress of a pass over an input.
    ///
    /// # Errors
    /// If the observer stops the work.
    pub(super) fn progress(
        &mut self,
        input: &InputName,
        (unit, n_total): (Unit, Option<u64>),
        n_done: u64,
    ) -> Result<(), ComparisonEnd> {
        self.last = Some((input.clone(), Progress { unit, n_done, n_total }));
        self.same_progress()
    }

    /// Reports the last progress again, so that the observer can stop the work.
    ///
    /// # Errors
    /// If the observer stops the work.
    pub(super) fn same_progress(&mut self) -> Result<(), ComparisonEnd> {
        let Some((input, progress)) = &self.last else { return Ok(()) };
        match self.report.progress(*progress) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(ToolError::new(input, ToolErrorKind::Stopped).into()),
        }
    }

    /// Sorts pairs.
    ///
    /// # Errors
    /// If the observer stops the work.
    pub(super) fn sort(&mut self, pairs: &mut [[u64; 2]], order: PairOrder) -> Result<(), ComparisonEnd> {
        let mut stopped = Ok(());
        let _ = sort_pairs(pairs, order, &mut || {
            stopped = self.same_progress();
            if stopped.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        stopped
    }

    /// Reports a note about an input, such as trailing bytes that were not compared.
    pub(super) fn note(&mut self, note: &Note) {
        self.is_incomplete |= matches!(note.kind, NoteKind::TrailingBytes(_));
        self.report.note(note);
    }

    /// Sends notes about the parts of the inputs that the comparison ignores. Call this after both inputs have been
    /// read to their ends.
    ///
    /// # Errors
    /// If bytes before a footer cannot be read.
    pub(super) fn not_compared(&mut self, sides: [&SideRows; 2]) -> Result<(), ToolError> {
        for side in sides {
            side.not_compared()?.iter().for_each(|note| self.note(note));
        }
        Ok(())
    }

    pub(super) fn into_summary(self) -> DiffSummary {
        let is_same = if self.has_differences { Some(false) } else { (!self.is_incomplete).then_some(true) };
        DiffSummary { is_same, ..self.summary }
    }
}

impl From<ToolError> for ComparisonEnd {
    fn from(error: ToolError) -> ComparisonEnd {
        ComparisonEnd::Failed(error)
    }
}

//! Passes results to a report, and progress to an observer.

use arrow_ipc::Container;

use super::view::{InspectItem, InspectSink};
use crate::{
    error::ToolError,
    input::Input,
    observer::{Observer, Pass, Unit},
};

pub(super) struct ProgressSink<'a> {
    report: &'a mut dyn InspectSink,
    pass: Pass<'a>,
}

impl<'a> ProgressSink<'a> {
    /// Begins to report on an input.
    ///
    /// # Errors
    /// If the observer stops the work.
    pub(super) fn begin(
        report: &'a mut dyn InspectSink,
        observer: &'a mut dyn Observer,
        input: &Input,
    ) -> Result<ProgressSink<'a>, ToolError> {
        let pass = Pass::begin(observer, input.name(), (Unit::Bytes, input.n_bytes()))?;
        Ok(ProgressSink { report, pass })
    }

    /// Passes a result to the report. After a message, also reports progress to the observer.
    ///
    /// # Errors
    /// If the report or the observer stops the inspection.
    pub(super) fn observe(&mut self, item: InspectItem<'_>) -> Result<(), ToolError> {
        if self.report.item(item).is_break() {
            return Err(self.pass.stopped());
        }
        let InspectItem::Message(view) = item else { return Ok(()) };
        self.pass.set(view.message.body_position().saturating_add(view.message.n_body_bytes()))
    }
}

/// Copies a file from a pipe, so that it can be read by position before the inspection begins. Returns streams
/// unchanged.
///
/// # Errors
/// If the copy cannot be made.
pub(super) fn positioned(input: Input) -> Result<Input, ToolError> {
    if input.container() != Container::File {
        return Ok(input);
    }
    let [input, _] = input.twice()?;
    Ok(input)
}

//! Passes results to a report, and tells an observer how many bytes were looked at.

use std::ops::ControlFlow;

use arrow_ipc::{Container, IpcSchema};

use super::view::{End, FooterView, InspectReport, MessageView};
use crate::{
    error::ToolError,
    input::Input,
    observer::{Observer, Pass, Unit},
};

/// Passes everything on to a report, and progress to an observer.
pub(super) struct Observed<'a> {
    report: &'a mut dyn InspectReport,
    pass: Pass<'a>,
}

impl<'a> Observed<'a> {
    /// # Errors
    /// If the observer stops the work.
    pub(super) fn begin(
        report: &'a mut dyn InspectReport,
        observer: &'a mut dyn Observer,
        input: &Input,
    ) -> Result<Observed<'a>, ToolError> {
        let pass = Pass::begin(observer, input.name(), (Unit::Bytes, input.n_bytes()))?;
        Ok(Observed { report, pass })
    }
}

/// The input as a file that is read by position. A pipe is copied before a pass over it begins.
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

impl InspectReport for Observed<'_> {
    fn container(&mut self, container: Container, n_bytes: Option<u64>) -> ControlFlow<()> {
        self.report.container(container, n_bytes)
    }

    fn footer_schema(&mut self, schema: &IpcSchema) -> ControlFlow<()> {
        self.report.footer_schema(schema)
    }

    fn message(&mut self, view: &MessageView<'_>) -> ControlFlow<()> {
        self.report.message(view)?;
        let end = view.message.body_position().saturating_add(view.message.n_body_bytes());
        match self.pass.set(end) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }

    fn end(&mut self, end: End) -> ControlFlow<()> {
        self.report.end(end)
    }

    fn footer(&mut self, view: FooterView<'_>) -> ControlFlow<()> {
        self.report.footer(view)
    }
}

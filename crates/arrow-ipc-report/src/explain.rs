//! Describes an input from its metadata and a few bytes of its bodies: its container, its layout, the size of its
//! columns, and its oddities.

mod explanation;
mod facts;
mod finding;
mod rules;

pub(crate) use self::facts::Facts;

pub use self::{
    explanation::{ColumnCost, Explanation, StatisticsSize},
    finding::{Change, Finding, FindingKind, Remedy},
};
use arrow_ipc_tools::{
    ColumnNames, Input, InputContext, InspectOptions, InspectReport, Observer, ToolError, inspect,
};

/// Explains an input. With `columns`, reports the sizes of only these columns; a path of a nested field selects its whole column. Damage does not end the explanation. [`InspectReport`] lists damage and notes, and a finding has
/// the number of errors.
///
/// ```
/// use arrow_ipc::StreamWriter;
/// use arrow_ipc_report::{explain, explain::{FindingKind, Remedy}};
/// use arrow_ipc_tools::Input;
///
/// let schema = "id: int64".parse::<arrow_schema::Schema>()?;
/// let mut stream = StreamWriter::try_new(Vec::new(), schema)?.finish()?;
/// stream.truncate(stream.len() - 8);
/// let input = Input::try_from_buffer("stream", stream.into())?;
/// let (explanation, _) = explain(input, None, &mut ())?;
/// let [finding] = &explanation.findings[..] else { panic!("there is one") };
/// assert_eq!(finding.kind, FindingKind::NoEndMarker);
/// assert_eq!(finding.remedy, Some(Remedy::Convert(Vec::new())));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the input cannot be read, or lacks a column. If the observer stops the work.
pub fn explain(
    input: Input,
    columns: Option<&ColumnNames>,
    observer: &mut dyn Observer,
) -> Result<(Explanation, InspectReport), ToolError> {
    let name = input.name().clone();
    let mut facts = Facts::default();
    let options = columns.cloned().into_iter().fold(InspectOptions::new(), InspectOptions::with_buffers_of);
    let options = options.with_unused_bytes();
    let inspected = inspect(input, &options, &mut facts, observer)?;
    if let Some(columns) = columns {
        facts.select(columns).in_input(name)?;
    }
    Ok((facts.explained(&inspected), inspected))
}

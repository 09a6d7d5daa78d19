//! `recover`: copies the complete batches of a damaged file or stream to a valid one.

use arrow_ipc::{ErrorClass, IpcSchema};
use arrow_ipc_tools::{
    RecoverOptions, ToolErrorKind,
    recover::{DamagedInput, RecoverAdvice},
};
use arrow_text::format::Counted;
use pyo3::{prelude::*, types::PyDict};

use super::{open::open_damaged, report, watcher::Watcher};
use crate::{
    error::{Failure, Result},
    hints::SCHEMA_HINT,
    options,
    schema::Schema,
    sink::{self, Sink},
    source,
};

/// Copies every complete batch of a damaged file or stream to a valid one, with its dictionaries. Returns a report of
/// the losses.
///
/// Each batch is checked, and copied unchanged. `source` is as for `open`, and `progress` as for `count`. `container` is "file" or "stream". By default, the name of `dest`
/// decides: .arrows is a stream; .arrow, .feather and .ipc are files. `schema` replaces the schema of the source. `dest` must be another file than `source`. With
/// `keep_dictionaries`, batches of a stream are copied even if damaged bytes may have replaced their dictionaries. If
/// they have, these batches have wrong values.
///
/// Returns a report: `n_batches` and `n_rows` count the recovered batches and rows; `lost` lists, as texts, each loss
/// with its position and reason; `hint` names an argument with which more may be recovered, or is `None`. Raises an error without a readable or given schema, if no batch fits the schema, or if
/// dictionaries are replaced that one dictionary of a file cannot hold. The output has no statistics in its footer.
///
/// >>> with open("people.arrow", "rb") as file:
/// ...     cut = file.read()[:-100]
/// >>> found = arrow_ipc.recover(cut, "rescued.arrow")
/// >>> found.n_rows, arrow_ipc.open("rescued.arrow").num_rows
/// (3, 3)
#[pyfunction]
#[pyo3(signature = (source, dest, *, container = None, schema = None, keep_dictionaries = false, progress = None))]
pub(crate) fn recover<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    dest: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = options::word_or_none)] container: Option<&str>,
    schema: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = options::flag)] keep_dictionaries: bool,
    progress: Option<&Bound<'py, PyAny>>,
) -> Result<Bound<'py, PyAny>> {
    let container = options::container_of(container, dest)?;
    let options = RecoverOptions {
        keeps_dictionaries: keep_dictionaries,
        schema: schema.map(Schema::from_object).transpose()?.map(IpcSchema::from),
        ..RecoverOptions::new(container)
    };
    sink::refuse_source(source, dest)?;
    if let Some(schema) = schema {
        sink::refuse_source(schema, dest)?;
    }
    let source = source::Input::try_new(source)?;
    let mut watcher = Watcher::try_new(progress)?;
    let opened = py.detach(|| {
        DamagedInput::open(open_damaged(source)?, &options).map_err(|error| {
            let is_schema = options.schema.is_none()
                && matches!(error.kind(), ToolErrorKind::Input(cause) if matches!(cause.class(), ErrorClass::Malformed | ErrorClass::Truncated));
            if is_schema { Failure::from(error).with_hint(SCHEMA_HINT) } else { Failure::from(error) }
        })
    })?;
    // The destination is opened after a schema has been found.
    let sink = Sink::try_new(dest)?;
    let found = py.detach(|| {
        let written = opened.write_to(sink, &mut watcher);
        let (sink, found) = watcher.or(written).map_err(|failure| failure.with_dictionary_hint(HINT))?;
        sink.finish()?;
        Result::Ok(found)
    })?;
    let lost = found.losses.iter().map(ToString::to_string).collect();
    let (said, mut text) = copy_report(py, "recovered", (found.n_batches, found.n_rows), lost)?;
    let hint = match found.advice {
        Some(RecoverAdvice::KeepDictionaries) => Some(KEEP_DICTIONARIES_HINT),
        Some(RecoverAdvice::Schema) => Some(SCHEMA_HINT),
        Some(_) | None => None,
    };
    if let Some(hint) = hint {
        text += &format!("\nhint: {hint}");
    }
    said.set_item("hint", hint)?;
    report("RecoverReport", said, text)
}

/// The members and the text of a report about copied batches and rows.
pub(super) fn copy_report<'py>(
    py: Python<'py>,
    done: &str,
    (n_batches, n_rows): (u64, u64),
    lost: Vec<String>,
) -> Result<(Bound<'py, PyDict>, String)> {
    let text = format!("{done}: {} in {}", Counted(n_rows, "row"), Counted(n_batches, "batch"));
    let text = lost.iter().fold(text, |lines, loss| format!("{lines}\n{loss}"));
    let said = PyDict::new(py);
    said.set_item("n_batches", n_batches)?;
    said.set_item("n_rows", n_rows)?;
    said.set_item("lost", lost)?;
    Ok((said, text))
}

const KEEP_DICTIONARIES_HINT: &str = "keep_dictionaries=True also copies the batches whose dictionary may have been in the damaged bytes: they are right if no \
                       dictionary was replaced there";

/// A hint for dictionaries that cannot be unified in a file.
const HINT: &str = "container=\"stream\": streams may replace dictionaries";

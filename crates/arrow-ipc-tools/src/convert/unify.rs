//! Unifies the dictionaries of all batches, by reading the inputs once before they are written.

use std::collections::HashSet;

use arrow_ipc::{
    DictionaryPolicy, IpcError, IpcSchema, Projection, UnusedValues, WriteOptions, WrittenContainer,
    dictionary::DictionaryUnifier, message::Header,
};

use super::{
    file_dictionaries::has_same_dictionaries,
    input::{ConvertInput, messages_of},
    options::ConvertOptions,
    read::{ReadItem, RowForm},
    reshape::open_reshaped,
};
use crate::{
    columns::dictionary_columns,
    error::{InputContext, ToolError, ToolErrorKind, name::InputName},
    input::Input,
    observer::{Observer, Pass},
    rows::Rows,
};

/// Reads the dictionaries of all selected rows, after columns have been changed. Returns the inputs, ready to be read
/// again, and a policy with the unified dictionaries.
///
/// # Errors
/// If an input cannot be read or reshaped. If the dictionaries cannot be unified: this is an error of the output,
/// because the input was read without an error. If the observer stops the work.
pub(super) fn unify(
    inputs: Vec<Input>,
    options: &ConvertOptions,
    observer: &mut dyn Observer,
) -> Result<(Vec<Input>, DictionaryPolicy), ToolError> {
    let is_one = inputs.len() == 1;
    let mut values: Option<(InputName, DictionaryUnifier)> = None;
    let mut selected = options.selected();
    let mut reopened = Vec::with_capacity(inputs.len());
    for input in inputs {
        let name = input.name().clone();
        let [input, next] = input.twice()?;
        reopened.push(next);
        let (mut rows, caster) = open_reshaped(input, options.reshaping.as_ref())?;
        let projected = match &mut rows {
            Rows::File { reader } if is_one && caster.is_none() => {
                let found = columns_with_dictionaries(reader.ipc_schema());
                let (columns, schema) = found.map_err(ToolErrorKind::Output).in_input(&name)?;
                *reader = reader.project(&columns).map_err(ToolErrorKind::Output).in_input(&name)?;
                Some(schema)
            }
            Rows::File { .. } | Rows::Streams(_) => None,
        };
        let (_, unifier) = match &mut values {
            Some(values) => values,
            None => {
                let writing = options.without_values_of_others(options.writing.clone().unwrap_or_default());
                let schema = match (&projected, &caster) {
                    (Some(schema), _) => schema,
                    (None, Some(caster)) => caster.written(),
                    (None, None) => rows.ipc_schema(),
                };
                let unifier = writing.dictionary_unifier(schema.clone().with_non_negative_ids());
                values.insert((name.clone(), unifier.map_err(ToolErrorKind::Output).in_input(&name)?))
            }
        };
        let mut pass = Pass::begin(observer, &name, rows.work())?;
        let form = RowForm { caster: caster.as_ref(), has_pieces: true };
        form.read(&mut rows, &mut selected, &mut pass, |part, _| match part {
            ReadItem::Rows(rows) => {
                unifier.observe(&rows.rows.0).map_err(ToolErrorKind::Output).in_input(&name)
            }
            ReadItem::Dictionary { .. } | ReadItem::Tensor(..) => Ok(()),
        })?;
    }
    let Some((name, values)) = values else { return Ok((reopened, DictionaryPolicy::default())) };
    let unified = values.finish().map_err(ToolErrorKind::Output).in_input(&name)?;
    Ok((reopened, DictionaryPolicy::Unify(unified)))
}

/// Whether the output of these inputs would need several dictionaries for one id. A file has one for all batches. Fields that
/// share a dictionary have one in each batch, also if each field alone would leave out other values. Remote streams are not
/// read to find this out.
pub(super) fn dictionaries_change(
    inputs: &[ConvertInput],
    writing: &WriteOptions,
    options: &ConvertOptions,
) -> bool {
    let Some((first, others)) = inputs.split_first() else { return false };
    let ids = first.written.dictionary_ids();
    if writing.unused_values() == UnusedValues::Remove && has_repeated(ids) {
        return true;
    }
    if ids.is_empty() || options.container == WrittenContainer::Stream {
        return false;
    }
    let is_one_batch = |input: &ConvertInput| {
        let is_divided = |n_rows: u64| options.n_batch_rows.is_some_and(|n| n.get() < n_rows);
        let reader = input.rows.reader().filter(|reader| reader.n_batches() < 2);
        reader.is_some_and(|reader| reader.n_rows().is_ok_and(|n_rows| !is_divided(n_rows)))
    };
    let has_other_values =
        writing.unused_values() != UnusedValues::Keep && !(others.is_empty() && is_one_batch(first));
    has_other_values
        || inputs.iter().any(replaces_dictionaries)
        || !others.iter().all(|input| has_same_dictionaries(input, first).is_ok_and(|is_same| is_same))
}

/// Whether several fields have the dictionary with the same id.
fn has_repeated(ids: &[i64]) -> bool {
    let mut known = HashSet::new();
    !ids.iter().all(|id| known.insert(id))
}

/// Whether a stream has two dictionary messages with the same id that are not deltas. A file has only one.
fn replaces_dictionaries(input: &ConvertInput) -> bool {
    let stream = input.source.as_ref().filter(|source| input.rows.reader().is_none() && !source.is_far());
    let messages = stream.and_then(|source| messages_of(None, source, 0..0).ok().zip(Some(source)));
    let Some((messages, source)) = messages else { return false };
    let mut ids = HashSet::new();
    // A malformed message is an error when it is read.
    messages.map_while(Result::ok).any(|message| match message.header(source.limits()) {
        Ok(Header::DictionaryBatch { id, is_delta: false, .. }) => !ids.insert(id),
        _ => false,
    })
}

/// The columns with dictionaries, and their schema with all dictionary ids. Other columns have no ids, so the ids
/// stay in the same order.
fn columns_with_dictionaries(schema: &IpcSchema) -> Result<(Projection, IpcSchema), IpcError> {
    let positions = dictionary_columns(schema.schema());
    let columns = schema.schema().project(&positions)?;
    let schema = IpcSchema::try_with_dictionary_ids(columns, schema.dictionary_ids())?;
    Ok((Projection::Positions(positions), schema))
}

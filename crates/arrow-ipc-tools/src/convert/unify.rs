//! Unifies the dictionaries of all batches, by reading the inputs once before they are written.

use arrow_data::RecordBatch;
use arrow_ipc::{
    DictionaryPolicy, IpcError, IpcSchema, Projection, Unused, WriteOptions, dictionary::DictionaryUnifier,
};
use arrow_schema::{Field, Schema};

use super::{
    options::ConvertOptions,
    read::{ReadInPieces, ReadItem, RowForm},
    reshape::open_reshaped,
};
use crate::{
    error::{InInput, ToolError, ToolErrorKind},
    input::Input,
    name::InputName,
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
    let mut values: Option<(InputName, UnifiedValues)> = None;
    let mut selected = options.selected();
    let mut again = Vec::with_capacity(inputs.len());
    for input in inputs {
        let name = input.name().clone();
        let [input, next] = input.twice()?;
        again.push(next);
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
        let (_, values) = match &mut values {
            Some(values) => values,
            None => {
                let unifier = match (&projected, &caster) {
                    (Some(schema), _) => DictionaryUnifier::try_new(schema),
                    (None, Some(caster)) => DictionaryUnifier::try_new(caster.schema()),
                    (None, None) => DictionaryUnifier::try_new(rows.ipc_schema()),
                };
                let writing = options.without_values_of_others(options.writing.clone().unwrap_or_default());
                let unifier = unifier.map_err(ToolErrorKind::Output).in_input(&name)?;
                values.insert((name.clone(), UnifiedValues { unifier, writing }))
            }
        };
        let mut pass = Pass::begin(observer, &name, rows.work())?;
        let form = RowForm { caster: caster.as_ref(), pieces: ReadInPieces::Large };
        form.read(&mut rows, &mut selected, &mut pass, |part, _| match part {
            ReadItem::Rows(rows) => {
                values.look_at(&rows.rows.0).map_err(ToolErrorKind::Output).in_input(&name)
            }
            ReadItem::Dictionary { .. } | ReadItem::Tensor(..) => Ok(()),
        })?;
    }
    let Some((name, values)) = values else { return Ok((again, DictionaryPolicy::default())) };
    let unified = values.unifier.finish().map_err(ToolErrorKind::Output).in_input(&name)?;
    Ok((again, DictionaryPolicy::Unify(unified)))
}

/// The values of all dictionaries up to now.
struct UnifiedValues {
    unifier: DictionaryUnifier,
    writing: WriteOptions,
}

impl UnifiedValues {
    /// Adds the dictionaries of a batch, except values that the writer leaves out.
    fn look_at(&mut self, batch: &RecordBatch) -> Result<(), IpcError> {
        let (items, values) = (self.writing.unused_items(), self.writing.unused_values());
        let items = if items == Unused::LeftOut { items } else { Unused::Kept };
        self.unifier.look_at(&batch.with_used_items(items)?.with_used_values(values)?)
    }
}

/// The columns with dictionaries, and their schema with all dictionary ids. Other columns have no ids, so the ids
/// stay in the same order.
fn columns_with_dictionaries(schema: &IpcSchema) -> Result<(Projection, IpcSchema), IpcError> {
    let fields = schema.schema().fields().iter().enumerate();
    let has_dictionaries = |field: &Field| {
        let column = Schema::new([field.clone()]);
        column.fields_in_pre_order().any(|field| field.data_type().is_dictionary())
    };
    let positions = fields.filter(|(_, field)| has_dictionaries(field)).map(|(position, _)| position);
    let positions: Vec<usize> = positions.collect();
    let columns = schema.schema().project(&positions)?;
    let schema = IpcSchema::try_with_dictionary_ids(columns, schema.dictionary_ids())?;
    Ok((Projection::Positions(positions), schema))
}

//! Unifies the dictionaries of all batches, which takes a first pass over the input.

use arrow_data::RecordBatch;
use arrow_ipc::{
    DictionaryPolicy, IpcError, IpcSchema, Limits, Projection, Unused, WriteOptions,
    dictionary::DictionaryUnifier,
};
use arrow_schema::{Field, Schema};

use super::{
    ConvertOptions,
    reshape::{CastRows, Caster, ReadInPieces, Reshaping, cast_by, cast_large, each_cast, open_reshaped},
};
use crate::{
    error::{ToolError, ToolErrorKind},
    input::Input,
    name::InputName,
    observer::{Observer, Pass},
    row_window::RowWindow,
    rows::Rows,
    streams::Part,
};

/// Reads the dictionaries of all batches as they will be written. The returned input is at its start again.
///
/// # Errors
/// If the input cannot be read or reshaped, or its dictionaries cannot be unified. If the observer stops the work.
pub(super) fn unify(
    input: Input,
    options: &ConvertOptions,
    observer: &mut dyn Observer,
) -> Result<(Input, DictionaryPolicy), ToolError> {
    let name = input.name().clone();
    let failed = |error| failed(&name, error);
    let [input, again] = input.twice()?;
    let (mut rows, reshaper) = open_reshaped(input, options.reshaping.as_ref(), &options.limits)?;
    let unifier = match (&mut rows, &reshaper) {
        (_, Some(reshaper)) => DictionaryUnifier::try_new(reshaper.schema()),
        (Rows::File { reader, .. }, None) => {
            let (columns, schema) = columns_with_dictionaries(reader.ipc_schema()).map_err(failed)?;
            *reader = reader.project(&columns).map_err(failed)?;
            DictionaryUnifier::try_new(&schema)
        }
        (Rows::Streams(streams), None) => DictionaryUnifier::try_new(streams.ipc_schema()),
    }
    .map_err(failed)?;
    let caster = reshaper.as_ref().map(|reshaper| &**reshaper.caster());
    let mut values = UnifiedValues { unifier, writing: options.writing.clone() };
    look_at_all((rows, caster, options.rows), &name, &mut values, observer)?;
    let unified = values.unifier.finish().map_err(failed)?;
    Ok((again, DictionaryPolicy::Unify(unified)))
}

/// As [`unify`], for several inputs that are written with the columns of the first.
///
/// # Errors
/// As [`unify`].
pub(crate) fn unify_all(
    inputs: Vec<Input>,
    (reshaping, limits, writing): (Option<&Reshaping>, &Limits, &WriteOptions),
    observer: &mut dyn Observer,
) -> Result<(Vec<Input>, DictionaryPolicy), ToolError> {
    let mut values: Option<(InputName, UnifiedValues)> = None;
    let mut again = Vec::with_capacity(inputs.len());
    for input in inputs {
        let name = input.name().clone();
        let [input, next] = input.twice()?;
        again.push(next);
        let (rows, reshaper) = open_reshaped(input, reshaping, limits)?;
        let (_, values) = match &mut values {
            Some(values) => values,
            None => {
                let made = match &reshaper {
                    None => DictionaryUnifier::try_new(rows.ipc_schema()),
                    Some(reshaper) => DictionaryUnifier::try_new(reshaper.schema()),
                };
                let unifier = made.map_err(|error| failed(&name, error))?;
                values.insert((name.clone(), UnifiedValues { unifier, writing: writing.clone() }))
            }
        };
        let caster = reshaper.as_ref().map(|reshaper| &**reshaper.caster());
        look_at_all((rows, caster, RowWindow::ALL), &name, values, observer)?;
    }
    let Some((name, values)) = values else { return Ok((again, DictionaryPolicy::default())) };
    let unified = values.unifier.finish().map_err(|error| failed(&name, error))?;
    Ok((again, DictionaryPolicy::Unify(unified)))
}

/// The values of dictionaries so far.
struct UnifiedValues {
    unifier: DictionaryUnifier,
    writing: WriteOptions,
}

impl UnifiedValues {
    /// Adds the dictionaries of a batch, without values that the writer will remove.
    fn look_at(&mut self, batch: &RecordBatch) -> Result<(), IpcError> {
        let (items, values) = (self.writing.unused_items(), self.writing.unused_values());
        let items = if items == Unused::LeftOut { items } else { Unused::Kept };
        self.unifier.look_at(&batch.with_used_items(items)?.with_used_values(values)?)
    }
}

/// Reads the selected rows of an input once, with the final columns.
fn look_at_all(
    (rows, caster, mut window): (Rows, Option<&Caster>, RowWindow),
    name: &InputName,
    values: &mut UnifiedValues,
    observer: &mut dyn Observer,
) -> Result<(), ToolError> {
    let failed = |error| failed(name, error);
    let mut pass = Pass::begin(observer, name, rows.work())?;
    match rows {
        Rows::File { reader, .. } => {
            let mut n_done = 0;
            each_cast(&reader, (caster, &mut window, ReadInPieces::Large), |rows| {
                let CastRows { rows: (rows, _), is_last } =
                    rows.map_err(|kind| ToolError::new(name.clone(), kind))?;
                values.look_at(&rows).map_err(failed)?;
                n_done += u64::from(is_last);
                pass.set(n_done)
            })?;
        }
        Rows::Streams(mut streams) => {
            streams.keep_large_batches_apart();
            while !window.is_done()
                && let Some(part) = streams.next_part()?
            {
                match part {
                    Part::Batch(batch, _) => {
                        if let Some(batch) = window.take(batch) {
                            let batch = cast_by(caster, (batch, streams.n_bytes_of_part()));
                            let batch = batch.map_err(|kind| ToolError::new(name.clone(), kind))?;
                            values.look_at(&batch).map_err(failed)?;
                        }
                    }
                    Part::Large(batch) => {
                        let wanted = (caster, &mut window, ReadInPieces::Large);
                        cast_large(&batch, wanted, |rows| values.look_at(&rows.rows.0).map_err(failed))?;
                    }
                    Part::Dictionary { .. } | Part::Tensor(..) => {}
                }
                pass.set(streams.n_bytes_consumed())?;
            }
        }
    }
    Ok(())
}

/// Only these columns of a file are read. Ids are listed in the order of the fields, and other columns have none. So the
/// ids of these columns are those of the whole schema.
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

/// An input that can be read, but not unified, cannot be written with unified dictionaries.
fn failed(name: &InputName, error: IpcError) -> ToolError {
    ToolError::new(name.clone(), ToolErrorKind::Output(error))
}

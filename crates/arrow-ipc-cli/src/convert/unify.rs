//! Unifies the dictionaries of all batches, which takes a first pass over the input.

use arrow_ipc::{DictionaryPolicy, DictionaryUnifier, IpcError, IpcSchema, Projection, UnifiedDictionaries};
use arrow_ipc_tools::{Input, Rows, ToolError, ToolErrorKind, Unit};
use arrow_schema::{Field, Schema};

use crate::{args::ConvertArgs, exit::Failure, progress::Progress};

/// Reads the dictionaries of all batches. The returned input is at its start again.
///
/// # Errors
/// If the input cannot be read, or its dictionaries cannot be unified.
pub(super) fn unify(args: &ConvertArgs, input: Input) -> Result<(Input, DictionaryPolicy), Failure> {
    let [input, again] = input.twice()?;
    let unified = match Rows::open(input)? {
        Rows::File { reader, .. } => {
            let (columns, schema) =
                columns_with_dictionaries(reader.ipc_schema()).map_err(|error| failed(args, error))?;
            let reader = reader.project(&columns).map_err(|error| failed(args, error))?;
            let mut unifier = begin(args, &schema)?;
            let mut progress = Progress::new(Unit::Batches, Some(reader.n_batches() as u64));
            for batch_idx in 0..reader.n_batches() {
                let batch = reader.batch(batch_idx);
                let kind = |error| ToolErrorKind::Batch { batch_idx, error };
                let batch = batch.map_err(|error| ToolError::new((&args.input).into(), kind(error)))?;
                unifier.look_at(&batch).map_err(|error| failed(args, error))?;
                progress.set(batch_idx as u64 + 1);
            }
            finish(args, unifier)?
        }
        Rows::Streams(mut streams) => {
            let mut unifier = begin(args, streams.ipc_schema())?;
            let mut progress = Progress::new(Unit::Bytes, streams.n_bytes());
            while let Some(batch) = streams.next_batch()? {
                unifier.look_at(&batch).map_err(|error| failed(args, error))?;
                progress.set(streams.n_bytes_consumed());
            }
            finish(args, unifier)?
        }
    };
    Ok((again, DictionaryPolicy::Unify(unified)))
}

/// Of a file no other columns are read. Ids are listed in the order of the fields, and other columns have none, so
/// those of the whole schema are those of these columns.
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

fn begin(args: &ConvertArgs, schema: &IpcSchema) -> Result<DictionaryUnifier, Failure> {
    DictionaryUnifier::try_new(schema).map_err(|error| failed(args, error))
}

fn finish(args: &ConvertArgs, unifier: DictionaryUnifier) -> Result<UnifiedDictionaries, Failure> {
    unifier.finish().map_err(|error| failed(args, error))
}

/// An input that can be read, but not unified, cannot be written with `unify`.
fn failed(args: &ConvertArgs, error: IpcError) -> Failure {
    Failure::Encode { name: args.output.clone(), error }
}

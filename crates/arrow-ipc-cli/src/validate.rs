//! `validate`: reads and checks everything in files and streams.

use std::sync::Arc;

use arrow_ipc::{Container, FileReader, ReadOptions, Validation};

use crate::{
    agreement::check_agreement,
    args::ValidateArgs,
    exit::{Failure, Status},
    input::Input,
    names::InputName,
    progress::{Progress, Unit},
    rows::Streams,
    tensors::Tensors,
};

/// Continues after an invalid input; returns the worst status.
pub(crate) fn run(args: &ValidateArgs) -> Result<Status, Failure> {
    let n_times = args.files.iter().filter(|name| **name == InputName::Stdin).count();
    if n_times > 1 {
        return Err(Failure::RepeatedStdin { n_times });
    }
    let validation = if args.strict { Validation::Strict } else { Validation::Content };
    let options = ReadOptions::new().with_validation(validation);
    let statuses = args.files.iter().map(|name| match validate(name, &options) {
        Ok(()) => Status::Fine,
        Err(failure) => failure.report_line(),
    });
    Ok(statuses.max().unwrap_or(Status::Fine))
}

fn validate(name: &InputName, options: &ReadOptions) -> Result<(), Failure> {
    let mut input = Input::open(name)?;
    match input.container() {
        Container::File => validate_file(input, options),
        _ if input.holds_tensors_alone()? => validate_tensors(input, options),
        _ => validate_streams(input, options),
    }
}

/// Checks all dictionaries, whether or not a column uses them, and tensors between the batches. Later streams may have
/// other columns.
fn validate_streams(input: Input, options: &ReadOptions) -> Result<(), Failure> {
    let mut streams = Streams::open_any(input, options)?;
    let mut progress = Progress::new(Unit::Bytes, streams.n_bytes());
    while streams.next()?.is_some() {
        progress.set(streams.n_bytes_consumed());
    }
    drop(progress);
    streams.check_rest()
}

fn validate_tensors(input: Input, options: &ReadOptions) -> Result<(), Failure> {
    let mut tensors = Tensors::open(input, options)?;
    while tensors.next()?.is_some() {}
    tensors.check_rest()
}

fn validate_file(input: Input, options: &ReadOptions) -> Result<(), Failure> {
    let name = input.name().clone();
    let failed = |error| Failure::Input { name: name.clone(), error };
    let file = Arc::new(input.into_file()?);
    let reader = FileReader::try_from_source(Arc::clone(&file), options.clone()).map_err(failed)?;
    reader.check_dictionaries().map_err(failed)?;
    let mut progress = Progress::new(Unit::Batches, Some(reader.n_batches() as u64));
    for batch_idx in 0..reader.n_batches() {
        let batch = reader.batch(batch_idx);
        batch.map_err(|error| Failure::Batch { name: name.clone(), batch_idx, error })?;
        progress.set(batch_idx as u64 + 1);
    }
    match check_agreement(&file, reader.footer(), options.limits()).map_err(failed)? {
        None => Ok(()),
        Some(what) => Err(Failure::Contradiction { name, what }),
    }
}

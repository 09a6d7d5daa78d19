//! `convert`: rewrites a stream or file as a stream or file, and keeps its metadata.

mod losses;
mod metadata;
mod options;
mod unify;

use std::{collections::HashSet, ffi::OsStr};

use arrow_data::RecordBatch;
use arrow_ipc::{AnyTensor, FileReader, FileWriter, IpcError, IpcSchema, StreamWriter, WriteOptions};
use arrow_ipc_tools::{InputName, Part, Rows, SharedSource, ToolError, ToolErrorKind, Unit};
use arrow_schema::Metadata;

use self::{
    losses::{Kept, Losses},
    metadata::WholeMetadata,
    options::options_of,
    unify::unify,
};
use crate::{
    args::{ConvertArgs, Dictionaries, Target},
    exit::{Failure, Status},
    names::OutputName,
    output::Output,
    progress::Progress,
    terminal::is_stdout_terminal,
};

pub(crate) fn run(args: &ConvertArgs) -> Result<Status, Failure> {
    let Some(target) = args.to.or_else(|| target_of(&args.output)) else {
        return Err(Failure::UnknownTarget { name: args.output.clone() });
    };
    if args.output == OutputName::Stdout && is_stdout_terminal() {
        return Err(Failure::Terminal { name: args.output.clone() });
    }
    let mut options = options_of(&args.writing)?;
    let mut input = args.input.open()?;
    let name = input.name().clone();
    if args.writing.dictionaries == Dictionaries::Unify {
        let policy;
        (input, policy) = unify(args, input)?;
        options = options.with_dictionaries(policy);
    }
    let rows = Rows::open(input)?;
    let repeats = match (&rows, args.writing.dictionaries) {
        (Rows::Streams(_), Dictionaries::Replace | Dictionaries::Delta) => Repeats::Yes,
        _ => Repeats::No,
    };
    let begin = |schema: &IpcSchema, metadata: WholeMetadata| {
        let features = schema.features().iter().copied();
        let options = metadata.into_options(target, options).with_features(features);
        Writer::begin(&args.output, (target, repeats), schema, options)
    };
    let mut losses = Losses::default();
    match rows {
        Rows::File { reader, file } => {
            losses.look_at_file(&name, &file, reader.footer())?;
            let failed = |error| ToolError::new(name.clone(), ToolErrorKind::Input(error));
            let metadata = WholeMetadata::of_file(&reader).map_err(failed)?;
            losses.whole(&metadata, target);
            let mut writer = begin(reader.ipc_schema(), metadata)?;
            let dictionaries = reader.dictionaries();
            for dictionary in dictionaries.map_err(failed)? {
                losses.dictionary(writer.dictionary(dictionary.id, dictionary.metadata));
            }
            copy_file(&name, &reader, &mut writer)?;
            writer.finish()?;
        }
        Rows::Streams(mut streams) => {
            let mut writer = begin(streams.ipc_schema(), WholeMetadata::of_stream(streams.metadata()))?;
            let mut progress = Progress::new(Unit::Bytes, streams.n_bytes());
            while let Some(part) = streams.next_part()? {
                copy_part(part, &mut writer, &mut losses)?;
                progress.set(streams.n_bytes_consumed());
            }
            drop(progress);
            writer.finish()?;
            losses.look_at_streams(&streams);
        }
    }
    Ok(losses.report(&name))
}

/// The container by the extension of a name, in upper or lower case.
fn target_of(name: &OutputName) -> Option<Target> {
    let OutputName::Path(path) = name else { return None };
    let extension = path.extension().and_then(OsStr::to_str)?.to_ascii_lowercase();
    match extension.as_str() {
        "arrows" => Some(Target::Stream),
        "arrow" | "feather" | "ipc" => Some(Target::File),
        _ => None,
    }
}

fn copy_file(
    name: &InputName,
    reader: &FileReader<SharedSource>,
    writer: &mut Writer,
) -> Result<(), Failure> {
    let mut progress = Progress::new(Unit::Batches, Some(reader.n_batches() as u64));
    for batch_idx in 0..reader.n_batches() {
        let batch = reader.batch_with_metadata(batch_idx);
        let batch =
            batch.map_err(|error| ToolError::new(name.clone(), ToolErrorKind::Batch { batch_idx, error }))?;
        writer.write(&batch.batch, &batch.metadata)?;
        progress.set(batch_idx as u64 + 1);
    }
    Ok(())
}

/// Writes a batch, tensor or dictionary metadata of a stream.
fn copy_part(part: Part, writer: &mut Writer, losses: &mut Losses) -> Result<(), Failure> {
    match part {
        Part::Batch(batch, metadata) => writer.write(&batch, &metadata)?,
        Part::Dictionary { id, metadata } => losses.dictionary(writer.dictionary(id, metadata)),
        Part::Tensor(tensor, metadata) => losses.tensor(writer.write_tensor(&tensor, &metadata)?),
    }
    Ok(())
}

/// Writes to a file that appears when it is complete.
struct Writer {
    name: OutputName,
    sink: Sink,
    /// The ids of the dictionaries read so far.
    dictionaries: HashSet<i64>,
    /// Whether a dictionary may be written more than once.
    repeats: Repeats,
}

/// Whether a dictionary may be written more than once: not in a file, and not with `unify`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Repeats {
    Yes,
    No,
}

enum Sink {
    Stream(Box<StreamWriter<Output>>),
    File(Box<FileWriter<Output>>),
}

impl Writer {
    fn begin(
        name: &OutputName,
        way: (Target, Repeats),
        schema: &IpcSchema,
        options: WriteOptions,
    ) -> Result<Writer, Failure> {
        let name = name.clone();
        let output = Output::create(&name)?;
        let (target, repeats) = way;
        let sink = match target {
            Target::Stream => {
                StreamWriter::try_new(output, schema, options).map(|it| Sink::Stream(Box::new(it)))
            }
            Target::File => FileWriter::try_new(output, schema, options).map(|it| Sink::File(Box::new(it))),
        };
        match sink {
            Ok(sink) => Ok(Writer { name, sink, dictionaries: HashSet::new(), repeats }),
            Err(error) => Err(Failure::Encode { name, error }),
        }
    }

    fn write(&mut self, batch: &RecordBatch, metadata: &Metadata) -> Result<(), Failure> {
        let written = match &mut self.sink {
            Sink::Stream(writer) => writer.write_with_metadata(batch, metadata),
            Sink::File(writer) => writer.write_with_metadata(batch, metadata),
        };
        written.map_err(|error| self.failed(error))
    }

    /// Sets the metadata of the next message of this dictionary.
    fn dictionary(&mut self, id: i64, metadata: Metadata) -> Kept {
        let is_first = self.dictionaries.insert(id);
        if metadata.is_empty() {
            return Kept::Yes;
        }
        if !is_first && self.repeats == Repeats::No {
            return Kept::No;
        }
        let kept = match &mut self.sink {
            Sink::Stream(writer) => writer.set_dictionary_metadata(id, metadata),
            Sink::File(writer) => writer.set_dictionary_metadata(id, metadata),
        };
        if kept.is_ok() { Kept::Yes } else { Kept::No }
    }

    /// Only streams have a place for tensors.
    fn write_tensor(&mut self, tensor: &AnyTensor, metadata: &Metadata) -> Result<Kept, Failure> {
        match &mut self.sink {
            Sink::Stream(writer) => match writer.write_tensor(tensor, metadata) {
                Ok(()) => Ok(Kept::Yes),
                Err(error) => Err(self.failed(error)),
            },
            Sink::File(_) => Ok(Kept::No),
        }
    }

    fn finish(self) -> Result<(), Failure> {
        let finished = match self.sink {
            Sink::Stream(writer) => writer.finish(),
            Sink::File(writer) => writer.finish(),
        };
        match finished {
            Ok(output) => output.keep(&self.name),
            Err(error) => Err(Failure::Encode { name: self.name, error }),
        }
    }

    fn failed(&self, error: IpcError) -> Failure {
        Failure::Encode { name: self.name.clone(), error }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_they_hold() {
        let cases = [
            ("a.arrows", Some(Target::Stream)),
            ("a.arrow", Some(Target::File)),
            ("b/a.feather", Some(Target::File)),
            ("a.ipc", Some(Target::File)),
            ("A.ARROWS", Some(Target::Stream)),
            ("a.parquet", None),
            ("arrow", None),
            ("a.arrow/b", None),
        ];
        for (name, expected) in cases {
            assert_eq!(target_of(&OutputName::Path(name.into())), expected, "{name}");
        }
        assert_eq!(target_of(&OutputName::Stdout), None);
    }
}

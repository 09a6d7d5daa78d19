//! `convert`: a stream or file rewritten as either of them, with all that it says beside its rows.

use std::{ffi::OsStr, fs::File, sync::Arc};

use arrow_ipc::{
    BatchWithMetadata, FileReader, FileWriter, Footer, IpcError, IpcSchema, Limits, MessageScan, ReadOptions,
    StreamReader, StreamWriter, WriteOptions,
};
use arrow_schema::Metadata;

use crate::{
    args::{ConvertArgs, Target},
    cat::note_bytes_behind,
    exit::{Failure, Status, note},
    input::{Input, InputName, Rows, StreamSource},
    output::{Output, OutputName},
    progress::{Progress, Unit},
    walk::MAGIC_BYTES,
};

pub(crate) fn run(args: &ConvertArgs) -> Result<Status, Failure> {
    let Some(target) = args.to.or_else(|| target_of(&args.output)) else {
        return Err(Failure::UnknownTarget { name: args.output.clone() });
    };
    match Input::open(&args.input)?.into_rows(ReadOptions::default(), None)? {
        Rows::File { reader, file } => {
            let lost = metadata_outside_of_footer(&file, reader.footer());
            let mut writer = Writer::begin(args, target, reader.ipc_schema(), reader.metadata().clone())?;
            copy_file(&args.input, &reader, &mut writer)?;
            writer.finish()?;
            if lost.is_empty() {
                return Ok(Status::Fine);
            }
            let name = &args.input;
            note(&format!(
                "{name}: the metadata {lost} of the schema's message is not in the footer, and lost"
            ));
            Ok(Status::DataLost)
        }
        Rows::Stream { mut reader, metadata, n_bytes } => {
            let mut writer = Writer::begin(args, target, reader.ipc_schema(), metadata)?;
            copy_stream(&args.input, &mut reader, &mut writer, n_bytes)?;
            writer.finish()?;
            Ok(if note_bytes_behind(&args.input, *reader) { Status::DataLost } else { Status::Fine })
        }
    }
}

/// What a name says about its content; the case of letters does not matter.
fn target_of(name: &OutputName) -> Option<Target> {
    let OutputName::Path(path) = name else { return None };
    let extension = path.extension().and_then(OsStr::to_str)?.to_ascii_lowercase();
    match extension.as_str() {
        "arrows" => Some(Target::Stream),
        "arrow" | "feather" | "ipc" => Some(Target::File),
        _ => None,
    }
}

fn copy_file(name: &InputName, reader: &FileReader<Arc<File>>, writer: &mut Writer) -> Result<(), Failure> {
    let mut progress = Progress::new(Unit::Batches, Some(reader.n_batches() as u64));
    for batch_idx in 0..reader.n_batches() {
        let batch = reader.batch_with_metadata(batch_idx);
        let batch = batch.map_err(|error| Failure::Batch { name: name.clone(), batch_idx, error })?;
        writer.write(&batch)?;
        progress.set(batch_idx as u64 + 1);
    }
    Ok(())
}

fn copy_stream(
    name: &InputName,
    reader: &mut StreamReader<StreamSource>,
    writer: &mut Writer,
    n_bytes: Option<u64>,
) -> Result<(), Failure> {
    let mut progress = Progress::new(Unit::Bytes, n_bytes);
    loop {
        let next = reader.next_batch();
        let next = next.map_err(|error| Failure::Input { name: name.clone(), error })?;
        let Some(batch) = next else { return Ok(()) };
        writer.write(&batch)?;
        progress.set(reader.n_bytes_consumed());
    }
}

/// The metadata of a whole file is in its footer and in the message of its schema. Both are written from the footer,
/// so what only the message has is lost.
fn metadata_outside_of_footer(file: &File, footer: &Footer) -> Metadata {
    let first = MessageScan::new(file, MAGIC_BYTES..footer.position(), Limits::default())
        .and_then(|mut scan| scan.next_message())
        .and_then(|message| message.map(|message| message.custom_metadata()).transpose());
    // A message that cannot be read has nothing to lose: the file is read by its footer.
    let metadata = first.ok().flatten().unwrap_or_default();
    let is_kept = |pair| footer.metadata().iter().any(|kept| kept == pair);
    let lost = metadata.iter().filter(|pair| !is_kept(*pair));
    Metadata::from_pairs(lost.map(|(key, value)| (key.map(Into::into), value.map(Into::into))).collect())
}

/// Writes to a file that is not there until it is finished.
struct Writer {
    name: OutputName,
    sink: Sink,
}

enum Sink {
    Stream(Box<StreamWriter<Output>>),
    File(Box<FileWriter<Output>>),
}

impl Writer {
    fn begin(
        args: &ConvertArgs,
        target: Target,
        schema: &IpcSchema,
        metadata: Metadata,
    ) -> Result<Writer, Failure> {
        let name = args.output.clone();
        let output = Output::create(&name)?;
        let mut options = WriteOptions::default();
        options.file_metadata = metadata;
        let sink = match target {
            Target::Stream => StreamWriter::new(output, schema, options).map(|it| Sink::Stream(Box::new(it))),
            Target::File => FileWriter::new(output, schema, options).map(|it| Sink::File(Box::new(it))),
        };
        match sink {
            Ok(sink) => Ok(Writer { name, sink }),
            Err(error) => Err(Failure::Encode { name, error }),
        }
    }

    fn write(&mut self, next: &BatchWithMetadata) -> Result<(), Failure> {
        let written = match &mut self.sink {
            Sink::Stream(writer) => writer.write_with_metadata(&next.batch, &next.metadata),
            Sink::File(writer) => writer.write_with_metadata(&next.batch, &next.metadata),
        };
        written.map_err(|error| self.failed(error))
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

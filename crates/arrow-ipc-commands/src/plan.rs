//! `plan`: computes the length of a stream or file, and the position of each message and buffer, from the lengths of
//! columns, before anything is written.

use std::{
    fs,
    io::{self, Read, Write},
};

use arrow_ipc::{EncodedMessage, IpcError, MessageKind, error::BlockIndex, plan::Plan};
use arrow_ipc_tools::{InInput, Loss, Shapes, shapes_from_json, shapes_of};

use crate::{
    args::{PlanArgs, RoleArg},
    exit::{Failure, Status, note},
    names::InputArg,
    output::{Escapes, buffered_stdout, not_written, text_stdout},
    plan_report::{LocatedBuffer, MessageRun, Report},
    watcher::Watcher,
    write_options::options_of,
};

pub(crate) fn run(args: &PlanArgs) -> Result<Status, Failure> {
    let (name, (text, losses)) = match (&args.of, &args.shapes) {
        (Some(name), _) => (name, shapes_of(name.open()?, &mut Watcher::default())?),
        (None, Some(name)) => (name, (read_text(name)?, Vec::new())),
        // Clap requires one of these arguments, so this is not reached.
        (None, None) => return Ok(Status::Usage),
    };
    let status = show_all(args, name, &text)?;
    losses.iter().for_each(|loss| note(&format!("{name}: {}", left_out(loss))));
    Ok(if losses.is_empty() { status } else { status.max(Status::DataLost) })
}

/// A note about something in the input that a plan leaves out.
fn left_out(loss: &Loss) -> String {
    match loss {
        Loss::Tensors { n_tensors: 1 } => "a tensor between the batches is not planned".to_owned(),
        Loss::Tensors { n_tensors } => format!("{n_tensors} tensors between the batches are not planned"),
        loss => loss.to_string(),
    }
}

/// Prints the shapes, or the plan.
fn show_all(args: &PlanArgs, name: &InputArg, text: &str) -> Result<Status, Failure> {
    let options = options_of(&args.writing(), args.to)?;
    if args.print_shapes {
        let mut out = text_stdout(Escapes::Json);
        let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        written.map_err(not_written)?;
        return Ok(Status::Fine);
    }
    let shapes_failure = |error| Failure::Shapes { name: name.into(), error };
    let shapes = shapes_from_json(text).map_err(shapes_failure)?;
    show(&shapes.plan(options, args.to).map_err(shapes_failure)?, &shapes, args)
}

fn read_text(name: &InputArg) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let read = match name {
        InputArg::Stdin => io::stdin().read_to_end(&mut bytes).map(|_| bytes),
        InputArg::Path(path) => fs::read(path),
        InputArg::Url(_) => {
            Err(io::Error::new(io::ErrorKind::Unsupported, "shapes are read from a file or standard input"))
        }
    };
    let bytes = read.in_input(name)?;
    String::from_utf8(bytes).map_err(|error| {
        let position = error.utf8_error().valid_up_to();
        Failure::NotText { name: name.into(), position }
    })
}

/// Prints the plan, after all of it has been computed.
fn show(plan: &Plan, shapes: &Shapes, args: &PlanArgs) -> Result<Status, Failure> {
    let planned = |error: IpcError| Failure::Asked { error };
    let runs = runs_of(plan, shapes)?;
    let last_end = runs.last().map_or(0, |run| run.end());
    let mut end_pieces = Vec::new();
    let mut byte = last_end;
    while byte < plan.len() {
        let piece = plan.at(byte).map_err(planned)?;
        byte = piece.range.end;
        end_pieces.push(piece);
    }
    let located = args.locate.chunks_exact(3).map(|place| locate(plan, place));
    let located = located.collect::<Result<Vec<_>, _>>()?;
    let found = args.at.iter().map(|byte| Ok((*byte, plan.at(*byte).map_err(planned)?)));
    let found = found.collect::<Result<Vec<_>, Failure>>()?;

    let mut report = Report::new(buffered_stdout(), args);
    let written = report.container(plan).and_then(|()| {
        runs.iter().try_for_each(|run| report.run(run))?;
        end_pieces.iter().try_for_each(|piece| report.end_piece(piece))?;
        located.iter().try_for_each(|located| report.located(located))?;
        found.iter().try_for_each(|(byte, piece)| report.at(*byte, piece))?;
        report.finish()
    });
    written.map_err(not_written)?;
    Ok(Status::Fine)
}

/// The messages of the plan in order, with equal batches joined into runs.
fn runs_of(plan: &Plan, shapes: &Shapes) -> Result<Vec<MessageRun>, Failure> {
    let planned = |error: IpcError| Failure::Asked { error };
    let mut runs: Vec<MessageRun> =
        plan.messages().take(1).map(|schema| MessageRun::new(&schema, 0, 1)).collect();
    for dictionary_idx in 0..plan.n_dictionaries() {
        let message = plan.message(BlockIndex::Dictionary(dictionary_idx)).map_err(planned)?;
        runs.push(MessageRun::new(&message, dictionary_idx, 1));
    }
    let mut first = 0usize;
    for &count in shapes.batch_counts().iter().filter(|count| **count > 0) {
        let message = plan.message(BlockIndex::RecordBatch(first)).map_err(planned)?;
        runs.push(MessageRun::new(&message, first, count));
        first = first.saturating_add(count);
    }
    runs.sort_by_key(|run| run.position);
    runs.dedup_by(|next, run| run.take_equal(next));
    Ok(runs)
}

impl MessageRun {
    fn new(message: &EncodedMessage, first: usize, count: usize) -> MessageRun {
        MessageRun {
            kind: message.kind(),
            first,
            count,
            position: message.position(),
            n_metadata_bytes: message.n_metadata_bytes(),
            n_body_bytes: message.n_body_bytes(),
        }
    }

    /// The end of the last message of the run. All messages are inside the planned output, so the sum does not
    /// overflow.
    fn end(&self) -> u64 {
        let n_bytes = self.n_metadata_bytes.saturating_add(self.n_body_bytes);
        self.position.saturating_add(n_bytes.saturating_mul(self.count as u64))
    }

    /// Adds the next messages to this run, if all are batches of the same length. Returns whether it has added them.
    fn take_equal(&mut self, next: &MessageRun) -> bool {
        let sizes = |run: &MessageRun| (run.n_metadata_bytes, run.n_body_bytes);
        let is_equal = next.kind == MessageKind::RecordBatch
            && self.kind == next.kind
            && sizes(self) == sizes(next)
            && self.end() == next.position;
        self.count = if is_equal { self.count.saturating_add(next.count) } else { self.count };
        is_equal
    }
}

fn locate(plan: &Plan, place: &[String]) -> Result<LocatedBuffer, Failure> {
    let [batch, field, role] = place else {
        return Err(Failure::Locate { found: place.join(" "), expected: "a batch, a field and a role" });
    };
    let wrong = |found: &str, expected| Failure::Locate { found: found.to_owned(), expected };
    let batch_idx = batch.parse().map_err(|_| wrong(batch, "the position of a batch, from 0"))?;
    let role: RoleArg = role.parse().map_err(|expected| wrong(role, expected))?;
    let path = plan.schema().schema().path(field).map_err(|error| Failure::Asked { error: error.into() })?;
    let range = plan.locate_in(BlockIndex::RecordBatch(batch_idx), &path, role.0, role.1);
    let range = range.map_err(|error| Failure::Asked { error })?;
    Ok(LocatedBuffer { batch_idx, field: path.to_string(), role, range })
}

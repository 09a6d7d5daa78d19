//! Prints the results of `plan`, as aligned lines or JSON.

use std::{
    io::{self, Write},
    ops::Range,
};

use arrow_data::Role;
use arrow_ipc::{
    MessageKind, WrittenContainer,
    plan::{Plan, PlannedPiece},
};
use arrow_ipc_tools::{Counted, Escaped, JsonLine};
use serde_json::{Value, json};

use crate::args::{PlanArgs, RoleArg};

pub(crate) struct Report<W> {
    out: W,
    is_json: bool,
}

/// Consecutive messages of the same kind and length.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MessageRun {
    pub(crate) kind: MessageKind,
    /// The index of the first message, among all messages of this kind.
    pub(crate) first: usize,
    pub(crate) count: usize,
    pub(crate) position: u64,
    pub(crate) n_metadata_bytes: u64,
    pub(crate) n_body_bytes: u64,
}

/// A buffer that `--locate` selects.
pub(crate) struct LocatedBuffer {
    pub(crate) batch_idx: usize,
    pub(crate) field: String,
    pub(crate) role: RoleArg,
    pub(crate) range: Range<u64>,
}

impl<W: Write> Report<W> {
    pub(crate) fn new(out: W, args: &PlanArgs) -> Report<W> {
        Report { out, is_json: args.json }
    }

    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    fn line(&mut self, object: impl FnOnce() -> Value, text: impl FnOnce() -> String) -> io::Result<()> {
        if self.is_json {
            writeln!(self.out, "{}", JsonLine(&object()))
        } else {
            writeln!(self.out, "{}", Escaped(&text()))
        }
    }

    pub(crate) fn container(&mut self, plan: &Plan) -> io::Result<()> {
        let name = if plan.container() == WrittenContainer::File { "file" } else { "stream" };
        let (n_bytes, n_batches, n_dictionaries) = (plan.len(), plan.n_batches(), plan.n_dictionaries());
        self.line(
            || {
                json!({"what": "plan", "container": name, "n_bytes": n_bytes, "n_batches": n_batches,
                    "n_dictionaries": n_dictionaries})
            },
            || format!("an Arrow IPC {name} of {}", Counted(n_bytes, "byte")),
        )?;
        if self.is_json {
            return Ok(());
        }
        let (count, position, kind, metadata, body) = ("count", "position", "kind", "metadata", "body");
        writeln!(self.out, "\n{count:>11}  {position:>15}  {kind:<24}  {metadata:>8}  {body:>15}")
    }

    pub(crate) fn run(&mut self, run: &MessageRun) -> io::Result<()> {
        let MessageRun { kind, first, count, position, n_metadata_bytes, n_body_bytes } = *run;
        let index = (kind != MessageKind::Schema).then_some(first);
        self.line(
            || {
                json!({"what": "messages", "kind": kind.to_string(), "index": index, "count": count,
                    "position": position, "n_metadata_bytes": n_metadata_bytes, "n_body_bytes": n_body_bytes})
            },
            || {
                let kind = index.map_or(kind.to_string(), |first| format!("{kind} {first}"));
                format!("{count:>11}  {position:>15}  {kind:<24}  {n_metadata_bytes:>8}  {n_body_bytes:>15}")
            },
        )
    }

    /// Writes what follows the messages: the end marker, the footer, its length or the magic.
    pub(crate) fn end_piece(&mut self, piece: &PlannedPiece<'_>) -> io::Result<()> {
        let (position, n_bytes) = position_of(&piece.range);
        self.line(
            || json!({"what": "end", "part": piece.part.to_string(), "position": position, "n_bytes": n_bytes}),
            || format!("{:>11}  {position:>15}  {:<24}  {n_bytes:>8}", "", piece.part.to_string()),
        )
    }

    pub(crate) fn located(&mut self, located: &LocatedBuffer) -> io::Result<()> {
        let LocatedBuffer { batch_idx, field, role, range } = located;
        let (position, n_bytes) = position_of(range);
        let data_buffer = (role.0 == Role::Variadic).then_some(role.1);
        self.line(
            || {
                json!({"what": "buffer", "batch": batch_idx, "field": field, "role": role.0.to_string(),
                    "data_buffer": data_buffer, "position": position, "n_bytes": n_bytes})
            },
            || {
                let number = data_buffer.map(|idx| format!(" {idx}")).unwrap_or_default();
                let place = match n_bytes {
                    0 => "no bytes".to_owned(),
                    _ => format!("bytes {}..{}", range.start, range.end),
                };
                format!("{}{number} of `{field}` in record batch {batch_idx}: {place}", role.0)
            },
        )
    }

    pub(crate) fn at(&mut self, byte: u64, piece: &PlannedPiece<'_>) -> io::Result<()> {
        let (position, n_bytes) = position_of(&piece.range);
        self.line(
            || {
                json!({"what": "byte", "byte": byte, "part": piece.part.to_string(), "position": position,
                    "n_bytes": n_bytes})
            },
            || format!("byte {byte}: {piece}"),
        )
    }
}

fn position_of(range: &Range<u64>) -> (u64, u64) {
    (range.start, range.end.saturating_sub(range.start))
}

//! A copy of what is sound in a damaged file or stream, in pieces.

use arrow_buffer::Buffer;
use arrow_ipc::{OwnedEncoded, ReadOptions};
use arrow_ipc_format::{Container, WrittenContainer};
use arrow_ipc_tools::{
    RecoverOptions, ToolErrorKind,
    recover::{RecoverCopy, RecoverCopyStep},
};
use arrow_schema::QuotedText;

use crate::failure::Result;

/// The losses whose text is kept. A hostile file may have one for every few bytes.
const MAX_LOSSES: usize = 1000;

/// The sound messages of an input, which are copied to another one.
pub(crate) struct SoundCopy {
    copy: RecoverCopy,
    n_bytes: u64,
    /// The container of the output; `None` for that of the input.
    container: Option<WrittenContainer>,
    n_losses: u64,
    losses: Vec<String>,
    /// The last bytes of the output. They share the bodies of messages.
    piece: OwnedEncoded,
}

/// What follows a step.
pub(crate) enum CopyStep {
    /// This range of the input is needed.
    Need(std::ops::Range<u64>),
    /// There is a [piece](SoundCopy::piece) of the output.
    Piece,
    End,
}

impl SoundCopy {
    pub(crate) fn new(n_bytes: u64) -> SoundCopy {
        SoundCopy {
            copy: copy_of(n_bytes),
            n_bytes,
            container: None,
            n_losses: 0,
            losses: Vec::new(),
            piece: OwnedEncoded::default(),
        }
    }

    pub(crate) fn provide(&mut self, start: u64, bytes: Buffer) -> Result<()> {
        let end = start.saturating_add(bytes.len() as u64);
        Ok(self.copy.provide(start..end, bytes)?)
    }

    /// The addresses and lengths of the last bytes of the output, until the next step.
    pub(crate) fn piece(&self) -> Vec<f64> {
        let slices = self.piece.slices(usize::MAX);
        slices.flat_map(|bytes| [bytes.as_ptr().addr() as f64, bytes.len() as f64]).collect()
    }

    pub(crate) fn step(&mut self) -> Result<CopyStep> {
        self.piece = OwnedEncoded::default();
        loop {
            let step = match self.copy.step() {
                Ok(step) => step,
                // A file cannot replace an ordered dictionary by one whose order does not agree with it. A stream can.
                Err(ToolErrorKind::Output(_)) if self.is_unwritten_file() => {
                    *self = SoundCopy {
                        container: Some(WrittenContainer::Stream),
                        ..SoundCopy::new(self.n_bytes)
                    };
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            match step {
                RecoverCopyStep::Need(range) => return Ok(CopyStep::Need(range)),
                RecoverCopyStep::Schema(_) => {
                    let is_file = self.copy.recovery().container() == Some(Container::File);
                    let own = if is_file { WrittenContainer::File } else { WrittenContainer::Stream };
                    self.copy.set_container(self.container.unwrap_or(own));
                }
                RecoverCopyStep::Bytes(bytes) => {
                    // From now on the container cannot change.
                    self.container = Some(self.copy.container());
                    self.piece = bytes;
                    return Ok(CopyStep::Piece);
                }
                RecoverCopyStep::Lost(loss) => {
                    self.n_losses = self.n_losses.saturating_add(1);
                    if self.losses.len() < MAX_LOSSES {
                        self.losses.push(loss.to_string());
                    }
                }
                RecoverCopyStep::End => return Ok(CopyStep::End),
            }
        }
    }

    fn is_unwritten_file(&self) -> bool {
        self.container.is_none() && self.copy.container() == WrittenContainer::File
    }

    /// What was copied, and what was not, as JSON.
    pub(crate) fn report(&self) -> String {
        let container = match self.copy.container() {
            WrittenContainer::File => "file",
            WrittenContainer::Stream => "stream",
        };
        let listed = self.copy.recovery().footer().map(|footer| footer.n_batches().to_string());
        let losses: Vec<String> = self.losses.iter().map(|text| QuotedText(text).to_string()).collect();
        format!(
            "{{\"container\":\"{container}\",\"numBatches\":{},\"numRows\":{},\"listedBatches\":{},\"numLosses\":{},\"losses\":[{}]}}",
            self.copy.n_batches(),
            self.copy.n_rows(),
            listed.as_deref().unwrap_or("null"),
            self.n_losses,
            losses.join(","),
        )
    }
}

fn copy_of(n_bytes: u64) -> RecoverCopy {
    RecoverCopy::new(n_bytes, RecoverOptions::new(WrittenContainer::Stream), ReadOptions::new())
}

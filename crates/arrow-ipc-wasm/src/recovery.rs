//! A copy of what is sound in a damaged file or stream, in pieces.

use arrow_buffer::Buffer;
use arrow_ipc::{OwnedEncoded, ReadOptions, WrittenContainer};
use arrow_ipc_tools::{
    RecoverOptions,
    recover::{RecoverCopy, RecoverCopyStep},
};
use arrow_schema::QuotedText;

use crate::failure::Result;

/// The losses whose text is kept. A hostile file may have one for every few bytes.
const MAX_LOSSES: usize = 1000;

/// A [`RecoverCopy`] in the container of its input, with its last piece and its losses.
pub(crate) struct SoundCopy {
    copy: RecoverCopy,
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
            copy: RecoverCopy::new(n_bytes, RecoverOptions::as_input(), ReadOptions::new()),
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
            match self.copy.step()? {
                RecoverCopyStep::Need(range) => return Ok(CopyStep::Need(range)),
                RecoverCopyStep::Schema(_) => {}
                RecoverCopyStep::Bytes(bytes) => {
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

//! Writes the messages of an encoder to a sink.

use std::{
    future::poll_fn,
    io::{self, IoSlice},
    pin::Pin,
    task::{Context, Poll, ready},
};

use arrow_ipc::{Encoded, IpcErrorKind, OwnedEncoded, Result};
use tokio::io::AsyncWrite;

use super::pending::PendingMessages;

/// An encoder, a sink, and the messages that are not written yet. Futures only borrow this state, so dropping a future
/// loses no bytes.
#[derive(Debug)]
pub(super) struct Sending<E, W> {
    encoder: E,
    sink: W,
    pending: PendingMessages,
    state: SendingState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SendingState {
    Open,
    /// The end has been encoded.
    Finished,
    /// The sink has failed, and is not used again.
    Failed,
}

/// The maximum number of slices for one vectored write. Most messages have fewer.
const MAX_SLICES: usize = 64;

impl<E, W: AsyncWrite + Unpin> Sending<E, W> {
    /// `start` has the bytes before the first batch. Writes no bytes.
    pub(super) fn new(encoder: E, sink: W, start: OwnedEncoded) -> Sending<E, W> {
        Sending { encoder, sink, pending: PendingMessages::new(start), state: SendingState::Open }
    }

    /// Waits until all earlier bytes are written, and calls `encode`. Then writes as many bytes as the sink takes
    /// without waiting.
    pub(super) async fn put(&mut self, encode: impl FnOnce(&mut E) -> Result<Encoded<'_>>) -> Result<()> {
        poll_fn(|context| self.poll_written(context)).await?;
        self.pending = PendingMessages::new(encode(&mut self.encoder)?.into_owned());
        // Must not wait from here on: if the future were dropped, the caller would not know that the batch was
        // accepted.
        poll_fn(|context| match self.poll_written(context) {
            Poll::Ready(written) => Poll::Ready(written),
            Poll::Pending => Poll::Ready(Ok(())),
        })
        .await
    }

    pub(super) async fn flush(&mut self) -> Result<()> {
        poll_fn(|context| self.poll_flushed(context)).await
    }

    /// Writes the end that `encode` makes, unless it has been encoded, and flushes.
    pub(super) async fn finish(&mut self, encode: impl FnOnce(&mut E) -> Result<Encoded<'_>>) -> Result<()> {
        poll_fn(|context| self.poll_written(context)).await?;
        if self.state == SendingState::Open {
            self.pending = PendingMessages::new(encode(&mut self.encoder)?.into_owned());
            self.state = SendingState::Finished;
        }
        self.flush().await
    }

    fn poll_flushed(&mut self, context: &mut Context<'_>) -> Poll<Result<()>> {
        ready!(self.poll_written(context))?;
        let flushed = ready!(Pin::new(&mut self.sink).poll_flush(context));
        Poll::Ready(self.checked(flushed))
    }

    /// Writes all pending messages.
    fn poll_written(&mut self, context: &mut Context<'_>) -> Poll<Result<()>> {
        if self.state == SendingState::Failed {
            return Poll::Ready(Err(IpcErrorKind::AlreadyFailed { what: "writer" }.into()));
        }
        loop {
            let mut slices = [IoSlice::new(&[]); MAX_SLICES];
            let slices = self.pending.next_slices(&mut slices);
            if slices.is_empty() {
                // Drops the references to buffers of the caller.
                self.pending = PendingMessages::default();
                return Poll::Ready(Ok(()));
            }
            let n_given = slices.iter().map(|slice| slice.len()).fold(0, usize::saturating_add);
            let written = match ready!(Pin::new(&mut self.sink).poll_write_vectored(context, slices)) {
                Ok(0) => Err(io::ErrorKind::WriteZero.into()),
                // The sink claims to have written more bytes than it got.
                Ok(n_bytes) if n_bytes > n_given => Err(io::ErrorKind::InvalidData.into()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                written => written,
            };
            let n_bytes = self.checked(written)?;
            self.pending.advance(n_bytes);
        }
    }

    /// Records a failure of the sink.
    fn checked<T>(&mut self, written: io::Result<T>) -> Result<T> {
        written.map_err(|error| {
            self.state = SendingState::Failed;
            error.into()
        })
    }
}

impl<E, W> Sending<E, W> {
    pub(super) fn n_pending_bytes(&self) -> u64 {
        self.pending.n_bytes()
    }

    pub(super) fn encoder(&self) -> &E {
        &self.encoder
    }

    pub(super) fn encoder_mut(&mut self) -> &mut E {
        &mut self.encoder
    }

    pub(super) fn sink(&self) -> &W {
        &self.sink
    }

    pub(super) fn into_sink(self) -> W {
        self.sink
    }
}

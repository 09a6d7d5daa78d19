//! Detects what follows a stream in its input: nothing, another stream, or other bytes.

use std::io::Read;

use arrow_buffer::Buffer;
use arrow_ipc::{Container, ErrorClass, IpcError, Limits, MessageKind, MessageStep, Messages};

use crate::{
    error::trailing::TrailingBytes,
    input::{n_bytes_of, next_step},
};

/// What follows a stream.
#[derive(Debug)]
pub enum Continuation {
    /// The end of the input, or only padding: zeros and end markers.
    Nothing,
    /// Another stream.
    Stream {
        /// The byte offset of the stream in the input.
        start: u64,
        /// The first bytes of the stream, which were read to detect it.
        bytes: Vec<Buffer>,
    },
    /// Bytes that do not begin a stream, and are not all zero. If the length of the input is unknown, counts only the
    /// bytes that were read to see whether any follow.
    Other(TrailingBytes),
}

impl Continuation {
    /// Detects what follows a stream that ends at the byte offset `start` of the input. `bytes` are bytes after the
    /// stream that were already read. `n_bytes` is the length of the input; `None` if it is unknown.
    ///
    /// # Errors
    /// If the source cannot be read, or another stream begins with a malformed message.
    pub fn detect(
        mut start: u64,
        mut bytes: Vec<Buffer>,
        source: &mut impl Read,
        n_bytes: Option<u64>,
        limits: &Limits,
    ) -> Result<Continuation, IpcError> {
        let other = |start: u64, read: &[Buffer]| {
            let n_bytes = n_bytes.map_or_else(|| n_bytes_of(read), |n_bytes| n_bytes.saturating_sub(start));
            Ok(Continuation::Other(TrailingBytes::new(start, n_bytes)))
        };
        loop {
            start += skip_zeros(&mut bytes);
            let mut messages = Messages::new(limits.clone()).with_start_position(start);
            bytes.iter().for_each(|bytes| messages.feed(bytes.clone()));
            match next_step(&mut messages, source, |piece| bytes.push(piece.clone())) {
                Err(error) if error.class() == ErrorClass::Io => return Err(error),
                Ok(MessageStep::Message(message)) if message.kind() == MessageKind::Schema => {
                    return Ok(Continuation::Stream { start, bytes });
                }
                Ok(MessageStep::Message(_)) => return other(start, &bytes),
                Ok(_) if messages.has_end_marker() => {
                    start = messages.position();
                    bytes = messages.into_rest();
                }
                Ok(_) => return Ok(Continuation::Nothing),
                // The rest is only zeros, too short for an end marker.
                Err(_) if bytes.iter().all(|bytes| bytes.iter().all(|byte| *byte == 0)) => {
                    return Ok(Continuation::Nothing);
                }
                Err(error) => {
                    let first: Vec<u8> =
                        bytes.iter().flat_map(|bytes| bytes.iter().copied()).take(8).collect();
                    if Container::detect(&first) == Container::Stream {
                        return Err(error);
                    }
                    return other(start, &bytes);
                }
            }
        }
    }
}

/// Removes leading zeros, in groups of four: the length of an end marker in legacy framing. Returns the number of
/// removed bytes.
fn skip_zeros(bytes: &mut Vec<Buffer>) -> u64 {
    let Some(first) = bytes.first_mut() else { return 0 };
    let n_zeros = first.iter().position(|byte| *byte != 0).unwrap_or(first.len());
    let n_skipped = n_zeros - n_zeros % 4;
    if n_skipped == first.len() {
        bytes.remove(0);
    } else {
        *first = first.slice(n_skipped..first.len());
    }
    n_skipped as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARK: [u8; 8] = [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0];

    fn schema() -> Vec<u8> {
        let writer = arrow_ipc::StreamWriter::try_new(Vec::new(), arrow_schema::Schema::default());
        let stream = writer.unwrap().finish().unwrap();
        stream.strip_suffix(&MARK).unwrap().to_vec()
    }

    #[test]
    fn streams_are_found_after_padding() {
        let schema = schema();
        let cases: [(&[&[u8]], Option<u64>); 6] = [
            (&[], None),
            (&[&MARK], None),
            (&[&[0; 12], &MARK], None),
            (&[&schema], Some(100)),
            (&[&MARK, &[0; 16], &schema, b"more"], Some(124)),
            (&[&[0; 200_000], &schema], Some(200_100)),
        ];
        for (parts, expected) in cases {
            let bytes = parts.concat();
            // `detect` gets the first `n_before` bytes in memory, and reads the rest from the source.
            for n_before in [0, 5.min(bytes.len()), bytes.len()] {
                let before = vec![Buffer::copy_from(&bytes[..n_before])];
                let found =
                    Continuation::detect(100, before, &mut &bytes[n_before..], None, &Limits::default())
                        .unwrap();
                match (found, expected) {
                    (Continuation::Nothing, None) => {}
                    (Continuation::Stream { start, bytes: left, .. }, Some(expected)) => {
                        assert_eq!(start, expected);
                        let left: Vec<u8> = left.iter().flat_map(|piece| piece.to_vec()).collect();
                        assert!(left.starts_with(&schema));
                    }
                    _ => panic!("{n_before} of {bytes:?}"),
                }
            }
        }
    }

    #[test]
    fn a_foreign_input_differs_from_a_broken_stream() {
        let limits = Limits::default();
        let of = |bytes: &[u8]| Continuation::detect(8, Vec::new(), &mut &*bytes, None, &limits);
        assert!(
            matches!(of(b"some words"), Ok(Continuation::Other(rest)) if rest.start() == 8 && rest.n_bytes() == 10)
        );
        assert!(
            matches!(of(b"\0\n"), Ok(Continuation::Other(rest)) if rest.start() == 8 && rest.n_bytes() == 2)
        );
        for n_zeros in 0..9 {
            assert!(matches!(of(&[0; 9][..n_zeros]), Ok(Continuation::Nothing)), "{n_zeros}");
        }
        assert!(
            matches!(of(b"ARROW1\0\0"), Ok(Continuation::Other(rest)) if rest.start() == 8 && rest.n_bytes() == 8)
        );
        let schema = schema();
        assert!(of(&schema[..schema.len() - 1]).is_err());
        assert!(of(&[0xff; 8]).is_err());
    }
}

//! Text that is kept as it is read, to be read again.

use std::io::{self, BufRead, Read};

/// Keeps all bytes that are taken.
pub(crate) struct Recorded<R> {
    input: R,
    seen: Vec<u8>,
}

impl<R: BufRead> Recorded<R> {
    pub(crate) fn new(input: R) -> Recorded<R> {
        Recorded { input, seen: Vec::new() }
    }

    /// The bytes that were taken, and the reader of those that follow.
    pub(crate) fn into_parts(self) -> (Vec<u8>, R) {
        (self.seen, self.input)
    }
}

impl<R: BufRead> Read for Recorded<R> {
    fn read(&mut self, place: &mut [u8]) -> io::Result<usize> {
        let n_read = self.input.read(place)?;
        self.seen.extend_from_slice(place.get(..n_read).unwrap_or_default());
        Ok(n_read)
    }
}

impl<R: BufRead> BufRead for Recorded<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.input.fill_buf()
    }

    fn consume(&mut self, n_bytes: usize) {
        // What `fill_buf` gave before: without it there is nothing to take.
        if let Ok(available) = self.input.fill_buf() {
            self.seen.extend_from_slice(available.get(..n_bytes).unwrap_or(available));
        }
        self.input.consume(n_bytes);
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    #[test]
    fn what_is_taken_is_kept() {
        let text: Vec<u8> = (0..=255).collect();
        for n_taken in [0, 1, 7, 100, 256] {
            let mut recorded = Recorded::new(BufReader::with_capacity(8, &text[..]));
            let mut place = vec![0; n_taken / 2];
            recorded.read_exact(&mut place).unwrap();
            io::copy(&mut recorded.by_ref().take((n_taken - n_taken / 2) as u64), &mut io::sink()).unwrap();
            recorded.fill_buf().unwrap();
            let (mut seen, mut rest) = recorded.into_parts();
            assert_eq!(seen, text[..n_taken]);
            rest.read_to_end(&mut seen).unwrap();
            assert_eq!(seen, text);
        }
    }
}

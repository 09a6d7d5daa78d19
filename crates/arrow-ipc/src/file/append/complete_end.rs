//! Moves the end of a file (the footer, its length and the magic) in steps. The file has a complete end after each step.

use std::io::{self, SeekFrom};

use arrow_buffer::Buffer;

use super::append_file::{AppendFile, Durability};
use crate::file::footer::{Footer, TAIL_BYTES};
use arrow_ipc_format::{FILE_MAGIC, Limits, round_up};

/// The complete end of a file. It is not overwritten before it has been copied.
#[derive(Debug)]
pub(super) struct CompleteEnd {
    position: u64,
    /// In this order: the end marker of the stream (if it precedes the footer), the footer, its length, and the magic.
    bytes: Buffer,
    /// The number of bytes before the footer in `bytes`: the length of the end marker, or 0.
    n_bytes_before: u64,
}

/// A file, and the failures that written bytes must survive.
#[derive(Debug)]
pub(super) struct DurableFile<F> {
    pub(super) file: F,
    pub(super) durability: Durability,
}

/// The greatest distance by which one step moves the end. After a step, readers see a footer that also contains the bytes
/// between the old and the new position.
const MAX_HOP_BYTES: u64 = 16 << 20;

/// The alignment of the positions to which appending copies the end of the file: the end marker, the footer, its
/// length and the magic. The footer is then aligned in memory maps. The tail of a copy is aligned, too, so that it
/// lies in one sector and one page.
const ALIGNMENT: u64 = 64;

/// The last bytes of a file: the length of the footer, and the magic.
type EndBytes = [u8; TAIL_BYTES as usize];

impl CompleteEnd {
    /// The end that begins at `position`. The length in its last bytes determines where the footer begins.
    pub(super) fn new(position: u64, bytes: Buffer) -> CompleteEnd {
        let length =
            bytes.len().checked_sub(size_of::<EndBytes>()).and_then(|at| length_at(bytes.get(at..)?));
        let n_bytes_before =
            (bytes.len() as u64).saturating_sub(length.unwrap_or(0)).saturating_sub(TAIL_BYTES);
        CompleteEnd { position, bytes, n_bytes_before }
    }

    /// The same end, without bytes after its footer that an earlier appender has added to move the end.
    pub(super) fn shortened(self, limits: &Limits) -> CompleteEnd {
        let start = usize::try_from(self.n_bytes_before).unwrap_or(usize::MAX).min(self.bytes.len());
        let footer = self.bytes.slice(start..self.bytes.len());
        let is_tail = |(length, tail): &(usize, &[u8])| length_at(tail) == Some(*length as u64);
        let first = footer.windows(size_of::<EndBytes>()).enumerate().find(is_tail).map(|(length, _)| length);
        let is_whole =
            |length: &usize| Footer::parse(&footer.slice(0..*length), self.position, limits).is_ok();
        match first.filter(is_whole) {
            Some(length) => {
                CompleteEnd { bytes: self.bytes.slice(0..start + length + size_of::<EndBytes>()), ..self }
            }
            None => self,
        }
    }

    pub(super) fn position(&self) -> u64 {
        self.position
    }

    pub(super) fn bytes(&self) -> &Buffer {
        &self.bytes
    }

    pub(super) fn n_bytes(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// The position after the magic.
    pub(super) fn end(&self) -> u64 {
        self.position.saturating_add(self.n_bytes())
    }

    /// Moves the end to a position of at least `target`, after all `n_bytes` bytes of the file. Returns the new length of
    /// the file.
    ///
    /// The file would be incomplete while a copy is written at its end. But a footer may have unused bytes at its end. So
    /// this function first writes a length and the magic after the position of the copy. They extend the old footer up to
    /// this position. Then the function writes the copy into the unused bytes of the extended footer. Finally it writes
    /// another length, which makes the copy the footer.
    ///
    /// # Errors
    /// If the file fails. In this case, the end has not moved, and the file may be longer.
    pub(super) fn move_to<F: AppendFile>(
        &mut self,
        target: u64,
        mut n_bytes: u64,
        file: &mut DurableFile<F>,
    ) -> io::Result<u64> {
        let mut position = self.position;
        while position < target {
            let next = target.min(position.saturating_add(MAX_HOP_BYTES)).max(n_bytes);
            let next = round_up(next, ALIGNMENT);
            let tail_position = round_up(next.saturating_add(self.n_bytes()), ALIGNMENT);
            file.put(tail_position, &self.tail(position, tail_position)?)?;
            file.put(next, &self.bytes)?;
            position = next;
            n_bytes = tail_position.saturating_add(TAIL_BYTES);
        }
        file.put(n_bytes, &self.tail(position, n_bytes)?)?;
        self.position = position;
        Ok(n_bytes.saturating_add(TAIL_BYTES))
    }

    /// The length and magic to write at `position`, so that readers find the footer of the end at `end_position`.
    fn tail(&self, end_position: u64, position: u64) -> io::Result<EndBytes> {
        let length = position.saturating_sub(end_position.saturating_add(self.n_bytes_before));
        let length = i32::try_from(length).map_err(|_| io::ErrorKind::FileTooLarge)?;
        let mut tail = EndBytes::default();
        let (first, magic) = tail.split_at_mut(size_of::<i32>());
        first.copy_from_slice(&length.to_le_bytes());
        magic.copy_from_slice(FILE_MAGIC);
        Ok(tail)
    }
}

/// The length of the footer, if `tail` is a length and the magic.
fn length_at(tail: &[u8]) -> Option<u64> {
    let (length, magic) = tail.split_first_chunk()?;
    if magic != FILE_MAGIC {
        return None;
    }
    u64::try_from(i32::from_le_bytes(*length)).ok()
}

impl<F: AppendFile> DurableFile<F> {
    /// Writes bytes at a position, and calls [`synchronize`](DurableFile::synchronize).
    pub(super) fn put(&mut self, position: u64, bytes: &[u8]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(position))?;
        self.file.write_all(bytes)?;
        self.synchronize()
    }

    /// Truncates the file, and calls [`synchronize`](DurableFile::synchronize).
    pub(super) fn cut(&mut self, n_bytes: u64) -> io::Result<()> {
        self.file.set_len(n_bytes)?;
        self.synchronize()
    }

    /// With [`Durability::Power`], waits until the written bytes are on the disk, since later writes rely on them.
    pub(super) fn synchronize(&mut self) -> io::Result<()> {
        self.file.flush()?;
        match self.durability {
            Durability::Power => self.file.sync(),
            Durability::Process => Ok(()),
        }
    }
}

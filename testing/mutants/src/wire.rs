//! Finds the numbers of a stream or file, by a naive parser of its framing and flatbuffers.

mod flatbuffer;
mod tables;

use std::ops::Range;

use self::flatbuffer::{Root, Walk};

/// The role of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// A number of the format, such as the length of an array.
    Value,
    /// A position or length of flatbuffers, or of the framing.
    Structure,
}

/// A number of one, two, four or eight bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Number {
    pub(crate) at: usize,
    pub(crate) n_bytes: usize,
    pub(crate) role: Role,
}

/// A list of structs or numbers in metadata.
#[derive(Debug, Clone, Copy)]
pub(crate) struct List {
    /// The position of its length. The items follow.
    pub(crate) at: usize,
    pub(crate) n_items: usize,
    pub(crate) item_bytes: usize,
}

/// A message, with its prefix and body.
#[derive(Debug, Clone)]
pub(crate) struct Location {
    pub(crate) range: Range<usize>,
    pub(crate) body: Range<usize>,
}

/// The positions in an input. In a damaged input, only those that could be found.
#[derive(Debug, Default)]
pub(crate) struct Map {
    pub(crate) is_file: bool,
    /// Whether a body declares compression.
    pub(crate) is_compressed: bool,
    pub(crate) messages: Vec<Location>,
    pub(crate) numbers: Vec<Number>,
    pub(crate) lists: Vec<List>,
    /// The ranges of names and metadata.
    pub(crate) texts: Vec<Range<usize>>,
    /// The ranges of the buffers of bodies that are not empty.
    pub(crate) buffers: Vec<Range<usize>>,
}

pub(crate) const MAGIC: &[u8] = b"ARROW1";

impl Map {
    pub(crate) fn of(bytes: &[u8]) -> Map {
        let mut map = Map { is_file: bytes.starts_with(MAGIC), ..Map::default() };
        let mut at = if map.is_file { 8 } else { 0 };
        while let Some(location) = map.message(bytes, at) {
            at = location.range.end;
            map.messages.push(location);
        }
        if map.is_file {
            map.footer(bytes);
        }
        map
    }

    /// The message at a position; `None` at the end, or if there is no message.
    fn message(&mut self, bytes: &[u8], start: usize) -> Option<Location> {
        let mut at = start;
        if number(bytes, at, 4)? == 0xffff_ffff {
            self.numbers.push(Number { at, n_bytes: 4, role: Role::Structure });
            at += 4;
        }
        let n_bytes = usize::try_from(number(bytes, at, 4)?).ok().filter(|n_bytes| *n_bytes > 0)?;
        self.numbers.push(Number { at, n_bytes: 4, role: Role::Structure });
        at += 4;
        let end = at.checked_add(n_bytes).filter(|end| *end <= bytes.len())?;
        let found = Walk::over(bytes, at..end, Root::Message, self);
        let n_body_bytes = usize::try_from(found.n_body_bytes).ok()?;
        let body = end..end.checked_add(n_body_bytes).filter(|end| *end <= bytes.len())?;
        for (offset, n_bytes) in found.buffers {
            let buffer = body.start.checked_add(offset).and_then(|at| Some(at..at.checked_add(n_bytes)?));
            self.buffers.extend(buffer.filter(|buffer| !buffer.is_empty() && buffer.end <= body.end));
        }
        Some(Location { range: start..body.end, body })
    }

    fn footer(&mut self, bytes: &[u8]) -> Option<()> {
        let length_at = bytes.len().checked_sub(MAGIC.len() + 4)?;
        let n_bytes = usize::try_from(number(bytes, length_at, 4)?).ok()?;
        let start = length_at.checked_sub(n_bytes)?;
        self.numbers.push(Number { at: length_at, n_bytes: 4, role: Role::Structure });
        Walk::over(bytes, start..length_at, Root::Footer, self);
        Some(())
    }
}

/// A little-endian number; `None` if it is past the end.
pub(crate) fn number(bytes: &[u8], at: usize, n_bytes: usize) -> Option<u64> {
    let found = bytes.get(at..at.checked_add(n_bytes)?)?;
    Some(found.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

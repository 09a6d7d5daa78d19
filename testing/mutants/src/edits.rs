//! The changes that make a mutant. Each has a weight, which is its share of all changes.

use std::ops::Range;

use testing_support::Rng;

use crate::wire::{List, Location, Map, Number, Role, number};

/// The state for an edit.
pub(crate) struct Edit<'a> {
    pub(crate) bytes: &'a mut Vec<u8>,
    pub(crate) map: &'a Map,
    pub(crate) rng: &'a mut Rng,
    /// Another input. Its messages may be copied.
    pub(crate) other: &'a [u8],
}

/// Makes a change; `None` if there is nothing to change.
pub(crate) type Change = fn(&mut Edit<'_>) -> Option<()>;

pub(crate) const EDITS: &[(usize, Change)] = &[
    (24, body_number),
    (8, body_copy),
    (8, body_bit),
    (16, value),
    (4, structure),
    (4, text),
    (8, list_item),
    (3, list_length),
    (6, message_again),
    (4, message_gone),
    (4, message_moved),
    (5, message_of_other),
    (2, bytes_inserted),
    (2, bytes_removed),
    (2, truncated),
    (4, any_byte),
];

/// A number near the old one, or a number that often causes errors in lengths, offsets and tags.
fn other_number(rng: &mut Rng, old: u64, n_input_bytes: usize) -> u64 {
    let n_input_bytes = n_input_bytes as u64;
    match rng.below(16) {
        0 => old.wrapping_add(1),
        1 => old.wrapping_sub(1),
        2 => old.wrapping_add(8),
        3 => old.wrapping_sub(8),
        4 => old.wrapping_mul(2),
        5 => old / 2,
        6 => 0,
        7 => 1,
        8 => u64::MAX,
        9 => 0x7fff_ffff_ffff_ffff >> *rng.pick(&[0, 32, 48, 56]),
        10 => 1 << rng.below(64),
        11 => n_input_bytes,
        12 => rng.bits() % n_input_bytes.max(1),
        13 => old ^ (1 << rng.below(64)),
        14 => rng.bits(),
        _ => rng.bits() % 16,
    }
}

/// Replaces a number of `n_bytes` bytes by another one.
fn change(edit: &mut Edit<'_>, at: usize, n_bytes: usize) -> Option<()> {
    let old = number(edit.bytes, at, n_bytes)?;
    let new = other_number(edit.rng, old, edit.bytes.len()).to_le_bytes();
    edit.bytes.get_mut(at..at + n_bytes)?.copy_from_slice(&new[..n_bytes]);
    Some(())
}

/// A random position in a buffer for a number of `n_bytes` bytes, with the alignment of such numbers.
fn body_location(edit: &mut Edit<'_>, n_bytes: usize) -> Option<(usize, Range<usize>)> {
    let buffer = (!edit.map.buffers.is_empty()).then(|| edit.rng.pick(&edit.map.buffers).clone())?;
    // Offsets, sizes and views of the first slots are what other numbers rest on.
    let n_locations = (buffer.len() / n_bytes).min(if edit.rng.one_in(2) { 8 } else { usize::MAX });
    (n_locations > 0).then(|| (buffer.start + n_bytes * edit.rng.below(n_locations), buffer))
}

fn body_number(edit: &mut Edit<'_>) -> Option<()> {
    let n_bytes = *edit.rng.pick(&[1, 2, 4, 4, 4, 8]);
    let (at, _) = body_location(edit, n_bytes)?;
    change(edit, at, n_bytes)
}

/// Overwrites a number of a buffer with another number of the buffer.
fn body_copy(edit: &mut Edit<'_>) -> Option<()> {
    let n_bytes = *edit.rng.pick(&[1, 2, 4, 8, 16]);
    let (to, buffer) = body_location(edit, n_bytes)?;
    let from = buffer.start + n_bytes * edit.rng.below(buffer.len() / n_bytes);
    copy(edit.bytes, from, to, n_bytes)
}

fn body_bit(edit: &mut Edit<'_>) -> Option<()> {
    let (at, _) = body_location(edit, 1)?;
    *edit.bytes.get_mut(at)? ^= 1 << edit.rng.below(8);
    Some(())
}

fn number_of(edit: &mut Edit<'_>, role: Role) -> Option<()> {
    let numbers: Vec<&Number> = edit.map.numbers.iter().filter(|number| number.role == role).collect();
    let chosen = **(!numbers.is_empty()).then(|| edit.rng.pick(&numbers))?;
    change(edit, chosen.at, chosen.n_bytes)
}

fn value(edit: &mut Edit<'_>) -> Option<()> {
    number_of(edit, Role::Value)
}

fn structure(edit: &mut Edit<'_>) -> Option<()> {
    number_of(edit, Role::Structure)
}

fn text(edit: &mut Edit<'_>) -> Option<()> {
    let text = (!edit.map.texts.is_empty()).then(|| edit.rng.pick(&edit.map.texts).clone())?;
    let at = (!text.is_empty()).then(|| text.start + edit.rng.below(text.len()))?;
    *edit.bytes.get_mut(at)? = edit.rng.bits().to_le_bytes()[0];
    Some(())
}

fn list(edit: &mut Edit<'_>) -> Option<List> {
    (!edit.map.lists.is_empty()).then(|| *edit.rng.pick(&edit.map.lists))
}

/// Overwrites an item of a list with another item: a node, a buffer, a block or a number.
fn list_item(edit: &mut Edit<'_>) -> Option<()> {
    let list = list(edit).filter(|list| list.n_items > 1)?;
    let mut location = || list.at + 4 + list.item_bytes * edit.rng.below(list.n_items);
    let (from, to) = (location(), location());
    copy(edit.bytes, from, to, list.item_bytes)
}

fn list_length(edit: &mut Edit<'_>) -> Option<()> {
    let list = list(edit)?;
    change(edit, list.at, 4)
}

fn copy(bytes: &mut [u8], from: usize, to: usize, n_bytes: usize) -> Option<()> {
    let is_inside = from.max(to).checked_add(n_bytes)? <= bytes.len();
    is_inside.then(|| bytes.copy_within(from..from + n_bytes, to))
}

/// A random message after the schema. In files this is rare, since a change moves the messages and their footers do not
/// follow.
fn message(edit: &mut Edit<'_>) -> Option<Location> {
    if edit.map.messages.len() < 2 || edit.map.is_file && !edit.rng.one_in(4) {
        return None;
    }
    let first = usize::from(!edit.rng.one_in(10));
    Some(edit.rng.pick(&edit.map.messages[first..]).clone())
}

fn message_again(edit: &mut Edit<'_>) -> Option<()> {
    let (again, before) = (message(edit)?, message(edit)?);
    let again = edit.bytes.get(again.range)?.to_vec();
    insert(edit.bytes, before.range.start, &again)
}

fn message_gone(edit: &mut Edit<'_>) -> Option<()> {
    let gone = message(edit)?;
    (gone.range.end <= edit.bytes.len()).then(|| drop(edit.bytes.drain(gone.range)))
}

fn message_moved(edit: &mut Edit<'_>) -> Option<()> {
    let (moved, to) = (message(edit)?, message(edit)?);
    let bytes = edit.bytes.get(moved.range.clone())?.to_vec();
    edit.bytes.drain(moved.range.clone());
    // What came after the message is nearer to the start by now.
    let is_after = to.range.start >= moved.range.end;
    let at = if is_after { to.range.start - bytes.len() } else { to.range.start.min(moved.range.start) };
    insert(edit.bytes, at, &bytes)
}

/// Inserts a message of another input, or replaces a body by the body of such a message.
fn message_of_other(edit: &mut Edit<'_>) -> Option<()> {
    let before = message(edit)?;
    let others = Map::of(edit.other).messages;
    let other = (!others.is_empty()).then(|| edit.rng.pick(&others))?;
    if edit.rng.one_in(2) {
        let taken = edit.other.get(other.range.clone())?;
        return insert(edit.bytes, before.range.start, taken);
    }
    let taken = edit.other.get(other.body.clone())?;
    let to = edit.bytes.get_mut(before.body)?;
    to.iter_mut().zip(taken).for_each(|(to, from)| *to = *from);
    Some(())
}

fn insert(bytes: &mut Vec<u8>, at: usize, inserted: &[u8]) -> Option<()> {
    (at <= bytes.len()).then(|| drop(bytes.splice(at..at, inserted.iter().copied())))
}

/// A small number of bytes, usually a multiple of the alignment.
fn few(rng: &mut Rng) -> usize {
    *rng.pick(&[1, 4, 8, 8, 16, 64])
}

fn bytes_inserted(edit: &mut Edit<'_>) -> Option<()> {
    let at = edit.rng.below(edit.bytes.len() + 1) / 8 * 8;
    let inserted = if edit.rng.one_in(2) { vec![0; few(edit.rng)] } else { edit.rng.bytes(8) };
    insert(edit.bytes, at, &inserted)
}

fn bytes_removed(edit: &mut Edit<'_>) -> Option<()> {
    let at = edit.rng.below(edit.bytes.len()) / 8 * 8;
    let end = at.saturating_add(few(edit.rng)).min(edit.bytes.len());
    (at < end).then(|| drop(edit.bytes.drain(at..end)))
}

fn truncated(edit: &mut Edit<'_>) -> Option<()> {
    let n_bytes = edit.rng.below(edit.bytes.len());
    edit.bytes.truncate(n_bytes);
    Some(())
}

fn any_byte(edit: &mut Edit<'_>) -> Option<()> {
    let at = (!edit.bytes.is_empty()).then(|| edit.rng.below(edit.bytes.len()))?;
    *edit.bytes.get_mut(at)? = edit.rng.bits().to_le_bytes()[0];
    Some(())
}

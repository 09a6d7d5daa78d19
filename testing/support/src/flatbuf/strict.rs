//! Additional checks that the official compiler does not generate: numbers of enums and members of unions must be known,
//! and the fields of a table must be inside the table and must not overlap.

use std::{marker::PhantomData, ops::Range};

use flatbuffers::{InvalidFlatbuffer, SimpleToVerifyInSlice, Vector, Verifiable, Verifier};

/// A vector of an enum. Each number is checked.
pub(super) struct Numbers<T>(PhantomData<T>);

impl<T: SimpleToVerifyInSlice + Verifiable> Verifiable for Numbers<T> {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        Vector::<T>::run_verifier(v, pos)?;
        let n_elements = u32::from_le_bytes(number(v, pos)?) as usize;
        (0..n_elements).try_for_each(|idx| T::run_verifier(v, pos + 4 + idx * size_of::<T>()))
    }
}

/// The bytes of a number.
pub(super) fn number<const N: usize>(
    v: &mut Verifier<'_, '_>,
    pos: usize,
) -> Result<[u8; N], InvalidFlatbuffer> {
    let mut bytes = [0; N];
    for (idx, byte) in bytes.iter_mut().enumerate() {
        *byte = v.get_u8(pos.saturating_add(idx))?;
    }
    Ok(bytes)
}

/// The error for a number that is no member of an enum. The verifier itself has no such error.
pub(super) fn unknown(of: &str) -> Result<(), InvalidFlatbuffer> {
    InvalidFlatbuffer::new_missing_required(format!("a known member of {of}"))
}

/// Checks the positions of the fields of a visited table. Each field is its position in the vtable and its size.
pub(super) fn check_inside(
    v: &mut Verifier<'_, '_>,
    table: usize,
    fields: &[(usize, usize)],
) -> Result<(), InvalidFlatbuffer> {
    let to_vtable = i64::from(i32::from_le_bytes(number(v, table)?));
    let vtable = usize::try_from(table as i64 - to_vtable).expect("the table has been visited");
    let vtable_end = usize::from(u16::from_le_bytes(number(v, vtable)?));
    if vtable_end < 4 {
        return Err(out_of_bounds(vtable..vtable + 4));
    }
    let table_end = usize::from(u16::from_le_bytes(number(v, vtable + 2)?));
    v.range_in_buffer(table, table_end)?;
    let mut ranges = Vec::new();
    for (slot, n_bytes) in fields.iter().filter(|(slot, _)| *slot < vtable_end) {
        let start = usize::from(u16::from_le_bytes(number(v, vtable + slot)?));
        if start != 0 {
            ranges.push(start..start + n_bytes);
        }
    }
    ranges.sort_by_key(|range| range.start);
    // The position of the vtable comes before all fields.
    let mut end = 4;
    for range in ranges {
        if range.start < end || range.end > table_end {
            return Err(out_of_bounds(table + range.start..table + range.end));
        }
        end = range.end;
    }
    Ok(())
}

fn out_of_bounds(range: Range<usize>) -> InvalidFlatbuffer {
    InvalidFlatbuffer::RangeOutOfBounds { range, error_trace: Default::default() }
}

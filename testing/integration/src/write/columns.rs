//! Writes a column with the buffers that the table of layouts lists for its type.

use std::fmt::{Display, Write};

use arrow_buffer::{Bitmap, NativeType, View};
use arrow_data::{ArrayData, BufferSpec, ChildLen, Count, Role, layout};
use arrow_select::Select;

use super::{values, write_head};
use crate::{
    error::{DocumentError, Result},
    hex::write_hex,
    separated::separated,
    types::{Notation, notation},
};

/// Appends a column whose content has been checked.
pub(super) fn write_column(out: &mut String, name: &str, array: &ArrayData) -> Result<()> {
    // A document has no place for where runs begin.
    if array.offset() > 0 && array.layout().child_len() == ChildLen::Runs {
        return write_column(out, name, &whole_runs(array)?);
    }
    write_head(out, name, array.len());
    write_buffers(out, array)?;
    let children = array.data_type().children();
    if !children.is_empty() {
        out.push_str(",\"children\":[");
        for (idx, (field, child)) in children.iter().zip(array.children()).enumerate() {
            out.push_str(if idx == 0 { "" } else { "," });
            let written = write_column(out, field.name(), child);
            written.map_err(|error| error.in_item(idx).in_member("children"))?;
        }
        out.push(']');
    }
    out.push('}');
    Ok(())
}

fn whole_runs(array: &ArrayData) -> Result<ArrayData> {
    let slots: Vec<u64> = (0..array.len() as u64).collect();
    Ok(array.take(&slots)?)
}

#[inline(never)]
fn write_buffers(out: &mut String, array: &ArrayData) -> Result<()> {
    let layout = layout(array.data_type());
    if layout.has_validity() {
        out.push_str(",\"VALIDITY\":");
        separated(out, 0..array.len(), |out, slot| out.push(if array.is_valid(slot) { '1' } else { '0' }));
    }
    let notation = notation(array.data_type());
    let specs = layout.data_buffers();
    let has_bytes = specs.iter().any(|spec| spec.role == Role::Bytes);
    for (k, spec) in specs.iter().enumerate() {
        match spec.role {
            Role::Values => {
                out.push_str(",\"DATA\":");
                write_values(out, array, notation)?;
            }
            Role::Offsets if has_bytes => write_variable(out, array, spec, notation)?,
            Role::Offsets => write_integers(out, "OFFSET", array, k, spec)?,
            Role::Sizes => write_integers(out, "SIZE", array, k, spec)?,
            Role::TypeIds => write_integers(out, "TYPE_ID", array, k, spec)?,
            Role::Views => write_views(out, array, notation)?,
            Role::Bytes | Role::Validity | Role::Variadic => {}
        }
    }
    Ok(())
}

fn write_values(out: &mut String, array: &ArrayData, notation: Notation) -> Result<()> {
    if notation == Notation::Hex {
        let n_bytes = array.layout().data_buffers().first().map_or(0, BufferSpec::element_bytes);
        let n_bytes = usize::try_from(n_bytes).unwrap_or(usize::MAX);
        let values = array.buffer(0);
        separated(out, 0..array.len(), |out, slot| {
            let value =
                slot.checked_mul(n_bytes).and_then(|start| values.get(start..start.checked_add(n_bytes)?));
            out.push('"');
            write_hex(out, value.unwrap_or_default());
            out.push('"');
        });
        return Ok(());
    }
    if notation == Notation::Boolean {
        let bits = Bitmap::try_new(array.buffer(0).clone(), array.offset(), array.len());
        let bits = bits.unwrap_or_else(|_| Bitmap::new_unset(array.len()));
        separated(out, &bits, |out, bit| out.push_str(if bit { "true" } else { "false" }));
        return Ok(());
    }
    values::write_numbers(out, array, notation)
}

/// The first elements of a buffer as numbers.
pub(super) fn numbers<T: NativeType>(array: &ArrayData, k: usize) -> Vec<T> {
    // Buffers are aligned for their elements: that is sound structure.
    array.buffer(k).view::<T>().unwrap_or_default().to_vec()
}

/// Appends offsets, sizes or type ids. Numbers of 64 bits are strings.
fn write_integers(
    out: &mut String,
    member: &str,
    array: &ArrayData,
    k: usize,
    spec: &BufferSpec,
) -> Result<()> {
    let n_elements = array.len() + usize::from(spec.count == Count::PerSlotPlusOne);
    let _ = write!(out, ",\"{member}\":");
    match spec.bits {
        8 => write_all(out, &numbers::<i8>(array, k), n_elements, ""),
        64 => write_all(out, &numbers::<i64>(array, k), n_elements, "\""),
        _ => write_all(out, &numbers::<i32>(array, k), n_elements, ""),
    }
    Ok(())
}

/// Appends `n_elements` numbers. If the buffer is empty, a zero is written.
fn write_all<T: Display + Default + Copy>(out: &mut String, numbers: &[T], n_elements: usize, quote: &str) {
    let numbers = numbers.iter().copied().chain(std::iter::repeat(T::default())).take(n_elements);
    separated(out, numbers, |out, number| {
        let _ = write!(out, "{quote}{number}{quote}");
    });
}

/// Appends the values, and offsets that begin with 0. Null slots are empty.
fn write_variable(out: &mut String, array: &ArrayData, spec: &BufferSpec, notation: Notation) -> Result<()> {
    let is_wide = spec.bits == 64;
    let offsets: Vec<i64> = if is_wide {
        numbers(array, 0)
    } else {
        numbers::<i32>(array, 0).into_iter().map(i64::from).collect()
    };
    let value = |slot: usize| -> &[u8] {
        let at = |idx: usize| offsets.get(idx).and_then(|offset| usize::try_from(*offset).ok());
        let range = at(slot).and_then(|start| Some(start..at(slot + 1)?));
        let value = range.and_then(|range| array.buffer(1).get(range)).unwrap_or_default();
        if array.is_valid(slot) { value } else { &[] }
    };
    let mut end = 0_i64;
    let ends = (0..array.len()).map(|slot| {
        end = end.saturating_add(i64::try_from(value(slot).len()).unwrap_or(i64::MAX));
        end
    });
    let written: Vec<i64> = [0].into_iter().chain(ends).collect();
    out.push_str(",\"OFFSET\":");
    write_all(out, &written, written.len(), if is_wide { "\"" } else { "" });
    out.push_str(",\"DATA\":");
    separated(out, 0..array.len(), |out, slot| values::write_bytes(out, value(slot), notation));
    Ok(())
}

fn write_views(out: &mut String, array: &ArrayData, notation: Notation) -> Result<()> {
    let views: Vec<View> = numbers(array, 0);
    out.push_str(",\"VIEWS\":");
    separated(out, views.iter().take(array.len()).enumerate(), |out, (slot, view)| {
        let view = if array.is_valid(slot) { *view } else { View::default() };
        write_view(out, &view, notation);
    });
    out.push_str(",\"VARIADIC_DATA_BUFFERS\":");
    separated(out, array.variadic(), |out, data| {
        out.push('"');
        write_hex(out, data);
        out.push('"');
    });
    Ok(())
}

fn write_view(out: &mut String, view: &View, notation: Notation) {
    let _ = write!(out, "{{\"SIZE\":{},", view.n_bytes());
    match view.inline_bytes() {
        Some(value) => {
            out.push_str("\"INLINED\":");
            values::write_bytes(out, value, notation);
        }
        None => {
            out.push_str("\"PREFIX_HEX\":\"");
            write_hex(out, &view.prefix());
            let _ = write!(out, "\",\"BUFFER_INDEX\":{},\"OFFSET\":{}", view.buffer_idx(), view.offset());
        }
    }
    out.push('}');
}

/// An error in a value of `DATA`.
pub(super) fn in_data(error: DocumentError, slot: usize) -> DocumentError {
    error.in_item(slot).in_member("DATA")
}

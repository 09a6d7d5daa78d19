//! Text and bytes, with offsets, with views and of fixed size.

use arrow_array::{AnyArray, AnyBuilder, Builder, with_bytes, with_text};
use arrow_buffer::MemoryBudget;
use arrow_data::{ArrayData, OffsetType, Physical, layout};
use arrow_schema::DataType;

use super::{Cast, CastError, CastErrorKind, memory};

impl Cast<'_> {
    /// `None` if one of the types is neither text nor bytes.
    pub(super) fn bytes(self, array: &AnyArray, to: &DataType) -> Result<Option<ArrayData>, CastError> {
        if !(to.is_text() || to.is_binary()) {
            return Ok(None);
        }
        check_memory(array, to, self.budget)?;
        let mut builder = AnyBuilder::try_new(to)?;
        builder.reserve(array.len());
        let is_done = with_text!(
            array,
            texts => {
                texts.iter().for_each(|text| append_text(&mut builder, text));
                true
            },
            other => with_bytes!(
                other,
                values => {
                    for (slot, value) in values.iter().enumerate() {
                        append_bytes(&mut builder, value, slot)?;
                    }
                    true
                },
                _ => false
            )
        );
        Ok(if is_done { Some(builder.finish_data()?) } else { None })
    }
}

/// Slots may have no bytes, and views share theirs.
fn check_memory(array: &AnyArray, to: &DataType, budget: &MemoryBudget) -> Result<(), CastError> {
    let n_slot_bytes = match layout(to).physical() {
        Physical::Views => 16,
        Physical::Bytes(OffsetType::Int64) => 8,
        Physical::Bytes(OffsetType::Int32) => 4,
        Physical::Fixed(n_bytes) => n_bytes.as_usize() as u128,
        // No bytes or text.
        Physical::Null
        | Physical::Bits
        | Physical::List(_)
        | Physical::ListView(_)
        | Physical::FixedSizeList(_)
        | Physical::Struct
        | Physical::Union(_)
        | Physical::Runs(_)
        | Physical::Dictionary(_) => return Ok(()),
    };
    let n_bytes = array.len() as u128 * n_slot_bytes;
    memory::check_budget(budget, n_bytes)?;
    memory::check_room(n_bytes)?;
    if array.data().layout().physical() != Physical::Views {
        return Ok(());
    }
    let n_value_bytes: u128 = with_text!(
        array,
        texts => texts.iter().flatten().map(|text| text.len() as u128).sum(),
        other => with_bytes!(
            other,
            values => values.iter().flatten().map(|value| value.len() as u128).sum(),
            _ => 0
        )
    );
    let n_bytes = n_bytes.saturating_add(n_value_bytes);
    memory::check_budget(budget, n_bytes)?;
    memory::check_room(n_bytes)
}

fn append_text(builder: &mut AnyBuilder, text: Option<&str>) {
    if let AnyBuilder::Utf8(texts) = builder {
        texts.append(text);
    } else if let AnyBuilder::LargeUtf8(texts) = builder {
        texts.append(text);
    } else if let AnyBuilder::Utf8View(texts) = builder {
        texts.append(text);
    } else {
        append_raw(builder, text.map(str::as_bytes));
    }
}

fn append_raw(builder: &mut AnyBuilder, value: Option<&[u8]>) {
    if let AnyBuilder::Binary(values) = builder {
        values.append(value);
    } else if let AnyBuilder::LargeBinary(values) = builder {
        values.append(value);
    } else if let AnyBuilder::BinaryView(values) = builder {
        values.append(value);
    } else if let AnyBuilder::FixedSizeBinary(values) = builder {
        values.append(value);
    }
}

fn append_bytes(builder: &mut AnyBuilder, value: Option<&[u8]>, slot: usize) -> Result<(), CastError> {
    if !builder.data_type().is_text() {
        append_raw(builder, value);
        return Ok(());
    }
    let text = value.map(std::str::from_utf8).transpose();
    let text = text.map_err(|error| CastErrorKind::NotUtf8 { slot, position: error.valid_up_to() })?;
    append_text(builder, text);
    Ok(())
}

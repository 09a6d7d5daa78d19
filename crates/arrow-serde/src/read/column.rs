//! The columns of a batch as typed arrays, with what is below them: made once.

use std::sync::Arc;

use arrow_array::{AnyArray, ArrayError, ColumnText, TextStyle};
use arrow_buffer::Bitmap;
use arrow_data::ArrayData;
use arrow_schema::PathStep;

/// A column, or something below one.
#[derive(Debug)]
pub(super) struct TypedColumn {
    /// The last step of its path.
    pub(super) step: PathStep,
    pub(super) array: AnyArray,
    /// As the array says.
    pub(super) validity: Option<Bitmap>,
    /// Whether all slots are null without a bitmap that says so.
    pub(super) is_all_null: bool,
    /// Those of lists, structs and unions as the type has them, of maps keys and values, of dictionaries and runs the values.
    pub(super) children: Box<[TypedColumn]>,
    /// Of values that are strings in JSON rows, but no text.
    pub(super) text: Option<ColumnText>,
}

impl TypedColumn {
    /// Recurses once for each level of the type.
    pub(super) fn try_new(step: PathStep, data: &ArrayData) -> Result<TypedColumn, ArrayError> {
        // First what is below, so that little stack is taken for each level.
        let (array, below) = parts(data)?;
        let mut children = Vec::with_capacity(below.len());
        for (step, child) in below {
            children.push(TypedColumn::try_new(step, &child)?);
        }
        let data_type = data.data_type();
        let is_written = data_type.is_binary() || data_type.is_decimal() || data_type.is_temporal();
        let text = is_written.then(|| ColumnText::try_new(array.data(), TextStyle::Plain)).transpose()?;
        let is_all_null = matches!(array, AnyArray::Null(_));
        let validity = array.data().validity().cloned();
        Ok(TypedColumn { step, array, validity, is_all_null, children: children.into(), text })
    }

    /// Whether a slot is null, or out of bounds; dictionaries, runs and unions do not look at their values here.
    #[inline]
    pub(super) fn is_null(&self, slot: usize) -> bool {
        match &self.validity {
            Some(validity) => !validity.get(slot).unwrap_or(false),
            None => self.is_all_null,
        }
    }

    /// The name of the column, field or child.
    pub(super) fn name(&self) -> &str {
        match &self.step {
            PathStep::Child { position: _, name } => name,
            PathStep::Dictionary => "",
        }
    }
}

/// What is below an array, with the steps to it.
type ArraysBelow = Vec<(PathStep, ArrayData)>;

/// The typed array, and what is below it.
#[inline(never)]
fn parts(data: &ArrayData) -> Result<(AnyArray, ArraysBelow), ArrayError> {
    let array = AnyArray::try_new(data)?;
    // Validated, other than what was given.
    let data = array.data();
    let data_type = data.data_type();
    let below = if let Some(dictionary) = data.dictionary() {
        vec![(PathStep::Dictionary, ArrayData::clone(dictionary))]
    } else if data_type.is_run_end_encoded() {
        children(data).split_off(1)
    } else if let (true, [entries]) = (data_type.is_map(), data.children()) {
        children(entries)
    } else {
        children(data)
    };
    Ok((array, below))
}

fn children(data: &ArrayData) -> ArraysBelow {
    let fields = data.data_type().children().iter().enumerate().zip(data.children());
    let child = |((position, field), child): ((usize, &arrow_schema::Field), &ArrayData)| {
        let position = u32::try_from(position).unwrap_or(u32::MAX);
        (PathStep::Child { position, name: Arc::from(field.name()) }, child.clone())
    };
    fields.map(child).collect()
}

//! Reads tensors from nested lists.

use std::fmt;

use arrow_array::parse::{Expectation, SourceText};
use arrow_array::{AnyBuilder, TensorForm, TensorShape};
use serde_core::de::{Deserialize as _, DeserializeSeed, Deserializer, Error, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::{context::RowContext, slot::JsonSlot};
use crate::read::{
    error::RowErrorKind,
    node::{NodeShape, NullRule, ReadNode, in_list},
};

/// Appends a tensor to lists, or to structs with elements and a shape.
pub(super) fn append<'de, A: SeqAccess<'de>>(
    form: &TensorForm,
    node: &ReadNode,
    builder: &mut AnyBuilder,
    context: &mut RowContext<'_>,
    access: A,
) -> Result<(), A::Error> {
    let mut sizes = vec![None; form.n_dims()];
    if let TensorShape::OfAll(axes) = form.shape() {
        sizes.iter_mut().zip(axes.sizes()).for_each(|(known, size)| *known = Some(size));
    }
    let mut elements = Vec::new();
    NestedList { sizes: &mut sizes, elements: &mut elements, context: &mut *context }.visit_seq(access)?;
    let logical: Vec<usize> = sizes.into_iter().map(|size| size.unwrap_or(0)).collect();
    let sizes = form.stored_sizes(&logical);
    let Some(axes) = form.axes(&sizes) else {
        // An empty list does not show how many dimensions the tensor has.
        let expected = 1;
        let found = 0;
        let more = false;
        let unit = "items";
        return Err(context.fail(RowErrorKind::Count { expected, found, more, unit }));
    };
    let mut stored = elements.clone();
    for (position, element) in elements.iter().enumerate() {
        if let Some(slot) = stored.get_mut(axes.storage_index(position)) {
            *slot = element;
        }
    }
    match (&node.shape, form.shape(), builder) {
        (NodeShape::FixedSizeList(item, _), TensorShape::OfAll(_), lists) => {
            append_elements(item, &stored, lists, context)
        }
        (NodeShape::Struct(fields), TensorShape::OfEach { data, shape }, AnyBuilder::Struct(structs)) => {
            structs.try_append_with(|columns| {
                if let (Some(node), Some(lists)) = (fields.nodes.get(*data), columns.get_mut(*data))
                    && let NodeShape::List(item) = &node.shape
                {
                    append_elements(item, &stored, lists, context).inspect_err(|_| context.at(&node.step))?;
                }
                let Some(shapes) = columns.get_mut(*shape) else { return Ok(()) };
                in_list(shapes, |builder| {
                    sizes.iter().try_for_each(|size| {
                        let raw = size.to_string();
                        context
                            .values
                            .append(builder, SourceText { raw: &raw, string: None })
                            .map_err(|error| context.fail(error))
                    })
                })
            })
        }
        _ => unreachable!("a form, a node and a builder are made of the same field"),
    }
}

fn append_elements<E: Error>(
    item: &ReadNode,
    elements: &[&RawValue],
    lists: &mut AnyBuilder,
    context: &mut RowContext<'_>,
) -> Result<(), E> {
    in_list(lists, |builder| {
        elements.iter().try_for_each(|element| {
            let slot = JsonSlot { node: item, builder: &mut *builder, context: &mut *context };
            // The context has stored the error. This error only makes the parser stop.
            slot.deserialize(*element).map_err(|_| E::custom(""))
        })
    })
}

/// A list of lists that all have the same sizes, or a list of elements.
struct NestedList<'a, 'c, 'de> {
    /// The sizes of this list and of the lists in it, `None` before the first list is read.
    sizes: &'a mut [Option<usize>],
    elements: &'a mut Vec<&'de RawValue>,
    context: &'a mut RowContext<'c>,
}

impl<'de> DeserializeSeed<'de> for NestedList<'_, '_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let NestedList { sizes, elements, context } = self;
        if sizes.is_empty() {
            elements.push(<&RawValue>::deserialize(deserializer)?);
            return Ok(());
        }
        let list = NestedList { sizes, elements, context: &mut *context };
        deserializer.deserialize_seq(list).inspect_err(|_| context.note(Expectation::Array, NullRule::None))
    }
}

impl<'de> Visitor<'de> for NestedList<'_, '_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<(), A::Error> {
        let NestedList { sizes, elements, context } = self;
        let Some((size, below)) = sizes.split_first_mut() else { return Ok(()) };
        let mut n_items = 0_usize;
        let count = |found: usize, expected: usize| RowErrorKind::Count {
            expected: expected as u64,
            found: found.min(expected) as u64,
            more: found > expected,
            unit: "items",
        };
        while access
            .next_element_seed(NestedList {
                sizes: &mut *below,
                elements: &mut *elements,
                context: &mut *context,
            })?
            .is_some()
        {
            n_items = n_items.saturating_add(1);
            if let Some(expected) = size.filter(|expected| n_items > *expected) {
                return Err(context.fail(count(n_items, expected)));
            }
        }
        match *size.get_or_insert(n_items) {
            expected if expected == n_items => Ok(()),
            expected => Err(context.fail(count(n_items, expected))),
        }
    }
}

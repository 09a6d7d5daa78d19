//! Reads lists and maps.

use arrow_array::AnyBuilder;
use arrow_array::parse::Expectation;
use serde_core::de::{IgnoredAny, MapAccess, SeqAccess};

use super::{
    context::RowContext,
    members::{FirstPart, JsonPair},
    slot::JsonSlot,
};
use crate::read::{
    error::RowErrorKind,
    node::{MapNode, NullRule, ReadNode, in_list},
};

/// Appends a JSON array to lists without a fixed size.
pub(super) fn append_list<'de, A: SeqAccess<'de>>(
    item: &ReadNode,
    builder: &mut AnyBuilder,
    context: &mut RowContext<'_>,
    mut access: A,
) -> Result<(), A::Error> {
    in_list(builder, |builder| {
        while access.next_element_seed(JsonSlot { node: item, builder, context: &mut *context })?.is_some() {}
        Ok(())
    })
}

/// Appends a JSON array to lists of a fixed size.
pub(super) fn append_fixed_size_list<'de, A: SeqAccess<'de>>(
    item: &ReadNode,
    n_items: usize,
    builder: &mut AnyBuilder,
    context: &mut RowContext<'_>,
    mut access: A,
) -> Result<(), A::Error> {
    let count = |found: usize, more| RowErrorKind::Count {
        expected: n_items as u64,
        found: found as u64,
        more,
        unit: "items",
    };
    in_list(builder, |builder| {
        for found in 0..n_items {
            let slot = JsonSlot { node: item, builder: &mut *builder, context: &mut *context };
            if access.next_element_seed(slot)?.is_none() {
                return Err(context.fail(count(found, false)));
            }
        }
        match access.next_element::<IgnoredAny>()? {
            None => Ok(()),
            Some(_) => Err(context.fail(count(n_items, true))),
        }
    })
}

/// Appends a map from a JSON array of pairs.
pub(super) fn append_map<'de, A: SeqAccess<'de>>(
    map: &MapNode,
    builder: &mut AnyBuilder,
    context: &mut RowContext<'_>,
    mut access: A,
) -> Result<(), A::Error> {
    in_map(builder, |keys, values| {
        loop {
            let first = FirstPart::Key(&map.key, &mut *keys);
            let entry = JsonPair { first, node: &map.value, builder: &mut *values, context: &mut *context };
            match access.next_element_seed(entry) {
                Ok(Some(())) => {}
                Ok(None) => return Ok(()),
                Err(error) => {
                    context.note(Expectation::Map, NullRule::None);
                    context.at(&map.entries);
                    return Err(error);
                }
            }
        }
    })
}

/// Appends a map from a JSON object. The keys of the map are utf8.
pub(super) fn append_object<'de, A: MapAccess<'de>>(
    map: &MapNode,
    builder: &mut AnyBuilder,
    context: &mut RowContext<'_>,
    mut access: A,
) -> Result<(), A::Error> {
    in_map(builder, |keys, values| {
        loop {
            let key = JsonSlot { node: &map.key, builder: &mut *keys, context: &mut *context };
            let value = match access.next_key_seed(key) {
                Ok(Some(())) => {
                    let value = JsonSlot { node: &map.value, builder: &mut *values, context: &mut *context };
                    access.next_value_seed(value)
                }
                Ok(None) => return Ok(()),
                Err(error) => Err(error),
            };
            value.inspect_err(|_| context.at(&map.entries))?;
        }
    })
}

fn in_map<E>(
    builder: &mut AnyBuilder,
    fill: impl FnOnce(&mut AnyBuilder, &mut AnyBuilder) -> Result<(), E>,
) -> Result<(), E> {
    let AnyBuilder::Map(maps) = builder else {
        unreachable!("a node and its builder are made of the same type, here of maps")
    };
    let mut result = Ok(());
    maps.append_with(|keys, values| result = fill(keys, values));
    result
}

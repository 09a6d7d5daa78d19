//! Reads values of unions.

use arrow_array::parse::{Expectation, ValueError};
use arrow_array::{AnyBuilder, UnionBuilder};
use serde_core::de::{IgnoredAny, MapAccess, SeqAccess};
use serde_json::value::RawValue;

use super::{
    context::RowContext,
    members::{JsonName, end_of_pair, pair_of},
    slot::JsonSlot,
};
use crate::read::{
    error::RowErrorKind,
    node::{Members, ReadNode, UnionIds},
};

/// What reading a value of a union needs.
pub(super) struct Union<'a> {
    pub(super) children: &'a Members,
    pub(super) ids: &'a UnionIds,
    pub(super) node: &'a ReadNode,
}

impl Union<'_> {
    /// Charges the memory of the slots of one value. A sparse union has a slot in every child.
    fn spend(&self, context: &mut RowContext<'_>) -> Result<(), RowErrorKind> {
        if self.ids.is_sparse { context.budget.spend(self.node.null_bytes) } else { Ok(()) }
    }

    /// Appends one value to the union. `read` appends the value to the selected child.
    fn append<'c, T, E>(
        &self,
        builder: &mut UnionBuilder<Vec<AnyBuilder>>,
        context: &mut RowContext<'c>,
        position: usize,
        read: impl FnOnce(JsonSlot<'_, 'c>) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut result = None;
        builder.append_with(|builders| {
            let found = self.children.nodes.get(position).zip(builders.get_mut(position));
            result = found.map(|(node, builder)| read(JsonSlot { node, builder, context }));
        });
        result.unwrap_or_else(|| unreachable!("there is a builder for each node"))
    }
}

/// Appends a value from an object with one member.
pub(super) fn append_object<'de, A: MapAccess<'de>>(
    union: &Union<'_>,
    builder: &mut UnionBuilder<Vec<AnyBuilder>>,
    context: &mut RowContext<'_>,
    mut access: A,
) -> Result<(), A::Error> {
    let members = union.children;
    if members.names_repeat() {
        return Err(context.fail(ValueError::new(Expectation::UnionPair, "{…}")));
    }
    union.spend(context).map_err(|kind| context.fail(kind))?;
    let position = match access.next_key_seed(JsonName(|name: &str| members.find(name.as_bytes(), 0)))? {
        Some(Ok(position)) => position,
        Some(Err(name)) => return Err(context.fail(RowErrorKind::UnknownName { name })),
        None => return Err(context.fail(ValueError::new(Expectation::Union, "{}"))),
    };
    union.append(builder, context, position, |slot| access.next_value_seed(slot))?;
    match access.next_key::<IgnoredAny>()? {
        None => Ok(()),
        Some(_) => {
            Err(context.fail(RowErrorKind::Count { expected: 1, found: 1, more: true, unit: "member" }))
        }
    }
}

/// Appends a value from a pair of type id and value.
pub(super) fn append_pair<'de, A: SeqAccess<'de>>(
    union: &Union<'_>,
    builder: &mut UnionBuilder<Vec<AnyBuilder>>,
    context: &mut RowContext<'_>,
    mut access: A,
) -> Result<(), A::Error> {
    let members = union.children;
    if !members.names_repeat() {
        return Err(context.fail(ValueError::new(Expectation::Union, "[…]")));
    }
    union.spend(context).map_err(|kind| context.fail(kind))?;
    let Some(token) = access.next_element::<&RawValue>()?.map(RawValue::get) else {
        return Err(context.fail(pair_of(0)));
    };
    let type_id = token.parse::<i8>().ok();
    let position = type_id.and_then(|id| union.ids.type_ids.iter().position(|known| *known == id));
    let Some(position) = position else {
        return Err(context.fail_at(token, ValueError::new(Expectation::TypeId, token)));
    };
    if union.append(builder, context, position, |slot| access.next_element_seed(slot))?.is_none() {
        return Err(context.fail(pair_of(1)));
    }
    end_of_pair(&mut access, context)
}

//! Reads rows and structs, and their names.

use std::fmt;

use arrow_array::parse::{Expectation, ValueError, excerpt};
use arrow_array::{AnyBuilder, StructBuilder};
use serde_core::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::{context::RowContext, slot::JsonSlot};
use crate::read::{
    error::RowErrorKind,
    node::{Members, NullRule, ReadNode},
};

/// Reads a row into its columns.
pub(super) struct RowReader<'a, 'c> {
    pub(super) members: &'a Members,
    pub(super) rows: &'a mut StructBuilder<Vec<AnyBuilder>>,
    pub(super) context: &'a mut RowContext<'c>,
}

impl<'de> DeserializeSeed<'de> for RowReader<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let RowReader { members, rows, context } = self;
        let row = RowReader { members, rows, context: &mut *context };
        deserializer
            .deserialize_struct("", &[], row)
            .inspect_err(|_| context.note(expected(members), NullRule::None))
    }
}

impl<'de> Visitor<'de> for RowReader<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a row")
    }

    fn visit_map<A: MapAccess<'de>>(self, access: A) -> Result<(), A::Error> {
        let RowReader { members, rows, context } = self;
        append_object(members, rows, context, access)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, access: A) -> Result<(), A::Error> {
        let RowReader { members, rows, context } = self;
        if !members.names_repeat() {
            return Err(context.fail(RowErrorKind::ArrayOfRows));
        }
        append_pairs(members, rows, context, access)
    }
}

/// What an error says was expected instead of a struct.
pub(super) fn expected(members: &Members) -> Expectation {
    if members.names_repeat() { Expectation::Pairs } else { Expectation::Object }
}

/// Appends a struct from a JSON object.
pub(super) fn append_object<'de, A: MapAccess<'de>>(
    members: &Members,
    builder: &mut StructBuilder<Vec<AnyBuilder>>,
    context: &mut RowContext<'_>,
    access: A,
) -> Result<(), A::Error> {
    if members.names_repeat() {
        return Err(context.fail(ValueError::new(Expectation::Pairs, "{…}")));
    }
    JsonStruct::new(members, builder, context).read(access)
}

/// Appends a struct from a JSON array of pairs.
pub(super) fn append_pairs<'de, A: SeqAccess<'de>>(
    members: &Members,
    builder: &mut StructBuilder<Vec<AnyBuilder>>,
    context: &mut RowContext<'_>,
    access: A,
) -> Result<(), A::Error> {
    if !members.names_repeat() {
        return Err(context.fail(ValueError::new(Expectation::Object, "[…]")));
    }
    builder.try_append_with(|columns| pairs(members, columns, context, access))
}

/// A struct whose members are being appended. The time depends on the members in the text, not on the columns that get nulls.
pub(super) struct JsonStruct<'a, 'c> {
    members: &'a Members,
    structs: &'a mut StructBuilder<Vec<AnyBuilder>>,
    /// The number of slots that the columns had before this struct.
    n_before: usize,
    /// The number of members read so far that are not nullable.
    n_required: usize,
    /// The memory of nulls in all columns without a value so far.
    null_bytes: u128,
    context: &'a mut RowContext<'c>,
}

impl<'a, 'c> JsonStruct<'a, 'c> {
    pub(super) fn new(
        members: &'a Members,
        structs: &'a mut StructBuilder<Vec<AnyBuilder>>,
        context: &'a mut RowContext<'c>,
    ) -> JsonStruct<'a, 'c> {
        let n_before = structs.len();
        JsonStruct { members, structs, n_before, n_required: 0, null_bytes: members.null_bytes, context }
    }

    fn read<'de, A: MapAccess<'de>>(mut self, mut access: A) -> Result<(), A::Error> {
        let mut guess = 0;
        let members = self.members;
        while let Some(name) =
            access.next_key_seed(JsonName(|name: &str| members.find(name.as_bytes(), guess)))?
        {
            let position = match name {
                Ok(position) => position,
                Err(_) if self.context.ignores_unknown => {
                    access.next_value::<IgnoredAny>()?;
                    continue;
                }
                Err(name) => return Err(self.context.fail(RowErrorKind::UnknownName { name })),
            };
            guess = position.saturating_add(1);
            access.next_value_seed(self.slot(position)?)?;
            self.has_read(position);
        }
        self.fill_up()
    }

    /// The slot for the member at this position. An error if the member already has a value.
    pub(super) fn slot<E: Error>(&mut self, position: usize) -> Result<JsonSlot<'_, 'c>, E> {
        let found = self.members.nodes.get(position).zip(self.structs.column_mut(position));
        let Some((node, builder)) = found else { unreachable!("there is a builder for each node") };
        if builder.len() > self.n_before {
            return Err(self.context.fail_in(&node.step, RowErrorKind::Repeated));
        }
        Ok(JsonSlot { node, builder, context: &mut *self.context })
    }

    /// Counts the member at this position, after its value was appended.
    pub(super) fn has_read(&mut self, position: usize) {
        let Some(node) = self.members.nodes.get(position) else { return };
        self.n_required = self.n_required.saturating_add(usize::from(node.is_required));
        self.null_bytes = self.null_bytes.saturating_sub(u128::from(node.null_bytes));
    }

    /// Ends the struct. Members without a value become null.
    pub(super) fn fill_up<E: Error>(self) -> Result<(), E> {
        let is_complete = self.n_required == self.members.n_required;
        let n_bytes = u64::try_from(self.null_bytes).unwrap_or(u64::MAX);
        if is_complete && self.context.budget.spend(n_bytes).is_ok() {
            self.structs.close();
            return Ok(());
        }
        Err(self.refusal())
    }

    /// The error for the first missing member that is not nullable.
    #[cold]
    fn refusal<E: Error>(self) -> E {
        let JsonStruct { members, structs, n_before, context, .. } = self;
        let columns = members.nodes.iter().zip(structs.columns());
        let mut missing = columns.filter(|(_, column)| column.len() <= n_before).map(|(node, _)| node);
        let refused = missing.find_map(|node| Some((node, node.spend_missing(context.budget).err()?)));
        let Some((node, kind)) = refused else { unreachable!("each missing member was counted") };
        context.fail_in(&node.step, kind)
    }
}

/// Reads a struct as pairs in the order of its fields.
fn pairs<'de, A: SeqAccess<'de>>(
    members: &Members,
    columns: &mut [AnyBuilder],
    context: &mut RowContext<'_>,
    mut access: A,
) -> Result<(), A::Error> {
    let expected = members.nodes.len() as u64;
    let count = |found, more| RowErrorKind::Count { expected, found, more, unit: "pairs" };
    for (found, (node, builder)) in members.nodes.iter().zip(columns).enumerate() {
        let pair = JsonPair { first: FirstPart::Name, node, builder, context: &mut *context };
        match access.next_element_seed(pair) {
            Ok(Some(())) => {}
            Ok(None) => return Err(context.fail(count(found as u64, false))),
            Err(error) => {
                context.note(Expectation::Pairs, NullRule::None);
                return Err(error);
            }
        }
    }
    if access.next_element::<IgnoredAny>()?.is_some() {
        return Err(context.fail(count(expected, true)));
    }
    Ok(())
}

/// Reads `[name, value]` of a struct, or `[key, value]` of a map.
pub(super) struct JsonPair<'a, 'c> {
    pub(super) first: FirstPart<'a>,
    pub(super) node: &'a ReadNode,
    pub(super) builder: &'a mut AnyBuilder,
    pub(super) context: &'a mut RowContext<'c>,
}

/// What the first value of a pair must be: a name or a key.
pub(super) enum FirstPart<'a> {
    Name,
    Key(&'a ReadNode, &'a mut AnyBuilder),
}

impl<'de> DeserializeSeed<'de> for JsonPair<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for JsonPair<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a pair")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<(), A::Error> {
        let JsonPair { first, node, builder, context } = self;
        let found = match first {
            FirstPart::Key(node, builder) => {
                let key = JsonSlot { node, builder, context: &mut *context };
                access.next_element_seed(key)?.map(Ok)
            }
            FirstPart::Name => access
                .next_element_seed(JsonName(|name: &str| (name == node.name()).then_some(())))
                .inspect_err(|_| context.note(name_of(node), NullRule::None))?,
        };
        match found {
            Some(Ok(())) => {}
            Some(Err(found)) => return Err(context.fail(ValueError::new(name_of(node), &found))),
            None => return Err(context.fail(pair_of(0))),
        }
        if access.next_element_seed(JsonSlot { node, builder, context: &mut *context })?.is_none() {
            return Err(context.fail(pair_of(1)));
        }
        end_of_pair(&mut access, context)
    }
}

fn name_of(node: &ReadNode) -> Expectation {
    Expectation::Name { name: node.name().to_owned() }
}

/// The error for a pair that has `found` values instead of two.
pub(super) fn pair_of(found: u64) -> RowErrorKind {
    RowErrorKind::Count { expected: 2, found, more: false, unit: "parts of a pair" }
}

/// Returns an error if a pair has a third value.
pub(super) fn end_of_pair<'de, A: SeqAccess<'de>>(
    access: &mut A,
    context: &mut RowContext<'_>,
) -> Result<(), A::Error> {
    match access.next_element::<IgnoredAny>()? {
        None => Ok(()),
        Some(_) => Err(context.fail(RowErrorKind::Count {
            expected: 2,
            found: 2,
            more: true,
            unit: "parts of a pair",
        })),
    }
}

/// Reads a name, and returns the value that the function returns for it. If the function returns `None`, returns the name.
pub(super) struct JsonName<F>(pub(super) F);

impl<'de, T, F: FnOnce(&str) -> Option<T>> DeserializeSeed<'de> for JsonName<F> {
    type Value = Result<T, String>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<T, F: FnOnce(&str) -> Option<T>> Visitor<'_> for JsonName<F> {
    type Value = Result<T, String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        Ok((self.0)(name).ok_or_else(|| excerpt(name)))
    }
}

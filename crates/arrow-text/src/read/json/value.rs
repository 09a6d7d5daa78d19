//! Reads one value of any type into its slot.

use std::fmt;

use arrow_array::AnyBuilder;
use arrow_array::parse::{Expectation, ValueError};
use serde_core::de::{Deserialize as _, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::{lists, members, slot::JsonSlot, tensors, unions};
use crate::read::node::{NodeShape, NullRule, ReadNode, in_values};

impl<'de> DeserializeSeed<'de> for JsonSlot<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let JsonSlot { node, builder, context } = self;
        let slot = JsonSlot { node, builder, context: &mut *context };
        let result = match &node.shape {
            NodeShape::Leaf => {
                <&RawValue>::deserialize(deserializer).and_then(|token| slot.append_leaf(token.get()))
            }
            NodeShape::Encoded(values) => slot.encoded(values, deserializer),
            NodeShape::List(_)
            | NodeShape::FixedSizeList(..)
            | NodeShape::Struct(_)
            | NodeShape::Map(_)
            | NodeShape::Union(..) => match node.nulls {
                NullRule::Append | NullRule::Skip => deserializer.deserialize_option(slot),
                // If a null is an error, the parser reports its position.
                NullRule::Refuse | NullRule::None => slot.visit_some(deserializer),
            },
        };
        result.inspect_err(|_| {
            context.note(expected(node), node.nulls);
            context.at(&node.step);
        })
    }
}

impl JsonSlot<'_, '_> {
    fn encoded<'de, D: Deserializer<'de>>(self, values: &ReadNode, deserializer: D) -> Result<(), D::Error> {
        let JsonSlot { node, builder, context } = self;
        if let (NullRule::Skip, AnyBuilder::RunEndEncoded(runs)) = (node.nulls, &mut *builder) {
            // A missing value is a null of the dictionary index, even if the dictionary itself has no nulls.
            return runs.try_append_some(|builder| {
                JsonSlot { node: values, builder, context }.deserialize(deserializer)
            });
        }
        in_values(builder, |builder| JsonSlot { node: values, builder, context }.deserialize(deserializer))
    }
}

/// What an error says was expected instead of a value of this nested type.
#[inline(never)]
fn expected(node: &ReadNode) -> Expectation {
    match &node.shape {
        NodeShape::List(_) | NodeShape::FixedSizeList(..) => Expectation::Array,
        NodeShape::Struct(fields) => members::expected(fields),
        NodeShape::Map(map) if map.has_text_keys => Expectation::TextMap,
        NodeShape::Map(_) => Expectation::Map,
        NodeShape::Union(children, _) if children.names_repeat() => Expectation::UnionPair,
        NodeShape::Union(..) => Expectation::Union,
        // For these types, the parser must return any token.
        NodeShape::Leaf => Expectation::String,
        NodeShape::Encoded(values) => expected(values),
    }
}

impl<'de> Visitor<'de> for JsonSlot<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of the type")
    }

    fn visit_none<E: Error>(self) -> Result<(), E> {
        self.append_null()
    }

    /// Makes the parser expect a struct, so that it accepts an object or an array. Then it does not return numbers as objects,
    /// even if other crates of the program turn on features of the parser.
    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_struct("", &[], self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, access: A) -> Result<(), A::Error> {
        let JsonSlot { node, builder, context } = self;
        if let Some(form) = &node.tensor {
            return tensors::append(form, node, builder, context, access);
        }
        match (&node.shape, builder) {
            (NodeShape::List(item), builder) => lists::append_list(item, builder, context, access),
            (NodeShape::FixedSizeList(item, n_items), builder) => {
                lists::append_fixed_size_list(item, *n_items, builder, context, access)
            }
            (NodeShape::Map(map), builder) => lists::append_map(map, builder, context, access),
            (NodeShape::Struct(fields), AnyBuilder::Struct(structs)) => {
                members::append_pairs(fields, structs, context, access)
            }
            (NodeShape::Union(children, ids), AnyBuilder::Union(unions)) => {
                unions::append_pair(&unions::Union { children, ids, node }, unions, context, access)
            }
            (NodeShape::Leaf | NodeShape::Encoded(_) | NodeShape::Struct(_) | NodeShape::Union(..), _) => {
                Err(context.fail(ValueError::new(expected(node), "[…]")))
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, access: A) -> Result<(), A::Error> {
        let JsonSlot { node, builder, context } = self;
        match (&node.shape, builder) {
            (NodeShape::Struct(fields), AnyBuilder::Struct(structs)) => {
                members::append_object(fields, structs, context, access)
            }
            (NodeShape::Union(children, ids), AnyBuilder::Union(unions)) => {
                unions::append_object(&unions::Union { children, ids, node }, unions, context, access)
            }
            (NodeShape::Map(map), builder) if map.has_text_keys => {
                lists::append_object(map, builder, context, access)
            }
            (
                NodeShape::List(_)
                | NodeShape::FixedSizeList(..)
                | NodeShape::Map(_)
                | NodeShape::Leaf
                | NodeShape::Encoded(_)
                | NodeShape::Struct(_)
                | NodeShape::Union(..),
                _,
            ) => Err(context.fail(ValueError::new(expected(node), "{…}"))),
        }
    }
}

//! One value, into its builder.

use std::fmt;

use arrow_array::AnyBuilder;
use serde_core::de::{Deserialize as _, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::{Context, context::reason, lists, members, unions};
use crate::read::{
    error::RowErrorKind,
    leaf::{self, Text},
    node::{Node, Nulls, Shape, in_values},
    parse::{Expected, ValueError},
};

/// Reads a value into a builder.
///
/// Recurses once for each level of the type. What a level takes of the stack is what the parser takes and little more.
pub(super) struct Slot<'a, 'c> {
    pub(super) node: &'a Node,
    pub(super) builder: &'a mut AnyBuilder,
    pub(super) context: &'a mut Context<'c>,
}

impl<'de> DeserializeSeed<'de> for Slot<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let Slot { node, builder, context } = self;
        let slot = Slot { node, builder, context: &mut *context };
        let result = match &node.shape {
            Shape::Leaf => {
                <&RawValue>::deserialize(deserializer).and_then(|token| slot.append_leaf(token.get()))
            }
            Shape::Encoded(values) => slot.encoded(values, deserializer),
            Shape::List(_)
            | Shape::FixedSizeList(..)
            | Shape::Struct(_)
            | Shape::Map(_)
            | Shape::Union(..) => match node.nulls {
                Nulls::Append | Nulls::Skip => deserializer.deserialize_option(slot),
                // The parser says where the null is.
                Nulls::Refuse | Nulls::None => slot.visit_some(deserializer),
            },
        };
        result.inspect_err(|_| {
            context.note(expected(node), node.nulls);
            context.at(&node.step);
        })
    }
}

impl Slot<'_, '_> {
    fn append_leaf<E: Error>(self, token: &str) -> Result<(), E> {
        let Slot { node, builder, context } = self;
        let decoded;
        let string = match token.as_bytes() {
            b"null" => return append_null(node, builder, context),
            [b'"', ..] if !token.contains('\\') => token.get(1..token.len().saturating_sub(1)),
            [b'"', ..] => match serde_json::from_str::<String>(token) {
                Ok(text) => {
                    decoded = text;
                    Some(decoded.as_str())
                }
                Err(error) => {
                    return Err(context.fail_at(token, RowErrorKind::NotJson { reason: reason(&error) }));
                }
            },
            _ => None,
        };
        leaf::append(builder, Text { raw: token, string }, context.leaves)
            .map_err(|error| context.fail_at(token, error))
    }

    fn encoded<'de, D: Deserializer<'de>>(self, values: &Node, deserializer: D) -> Result<(), D::Error> {
        let Slot { node, builder, context } = self;
        if let (Nulls::Skip, AnyBuilder::RunEndEncoded(runs)) = (node.nulls, &mut *builder) {
            // What is nothing here is a null of the dictionary around it, also where the values have none.
            return runs.try_append_some(|builder| {
                Slot { node: values, builder, context }.deserialize(deserializer)
            });
        }
        in_values(builder, |builder| Slot { node: values, builder, context }.deserialize(deserializer))
    }
}

#[inline(never)]
fn append_null<E: Error>(node: &Node, builder: &mut AnyBuilder, context: &mut Context<'_>) -> Result<(), E> {
    let result = match node.nulls {
        Nulls::Append => context.budget.spend(node.null_bytes),
        Nulls::Skip | Nulls::Refuse | Nulls::None => Ok(()),
    };
    result.and_then(|()| node.append_null(builder)).map_err(|kind| context.fail(kind))
}

/// The form of a nested type.
#[inline(never)]
fn expected(node: &Node) -> Expected {
    match &node.shape {
        Shape::List(_) | Shape::FixedSizeList(..) => Expected::Array,
        Shape::Struct(fields) => members::expected(fields),
        Shape::Map(map) if map.has_text_keys => Expected::TextMap,
        Shape::Map(_) => Expected::Map,
        Shape::Union(children, _) if children.names_repeat() => Expected::UnionPair,
        Shape::Union(..) => Expected::Union,
        // Neither asks the parser for anything but a token.
        Shape::Leaf => Expected::String,
        Shape::Encoded(values) => expected(values),
    }
}

impl<'de> Visitor<'de> for Slot<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of the type")
    }

    fn visit_none<E: Error>(self) -> Result<(), E> {
        append_null(self.node, self.builder, self.context)
    }

    /// Asks for a struct, which is an object or an array: numbers are never shown as objects then, whatever features of the
    /// parser another crate of the program turns on.
    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_struct("", &[], self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, access: A) -> Result<(), A::Error> {
        let Slot { node, builder, context } = self;
        match &node.shape {
            Shape::List(item) => lists::append_list(item, builder, context, access),
            Shape::FixedSizeList(item, n_items) => {
                let list = lists::FixedSizeList { item, n_items: *n_items };
                list.append(builder, context, access)
            }
            Shape::Map(map) => lists::append_map(map, builder, context, access),
            Shape::Struct(fields) if let AnyBuilder::Struct(structs) = builder => {
                members::append_pairs(fields, structs, context, access)
            }
            Shape::Union(children, ids) if let AnyBuilder::Union(unions) = builder => {
                unions::append_pair(&unions::Union { children, ids, node }, unions, context, access)
            }
            Shape::Leaf | Shape::Encoded(_) | Shape::Struct(_) | Shape::Union(..) => {
                Err(context.fail(ValueError::new(expected(node), "[…]")))
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, access: A) -> Result<(), A::Error> {
        let Slot { node, builder, context } = self;
        match &node.shape {
            Shape::Struct(fields) if let AnyBuilder::Struct(structs) = builder => {
                members::append_object(fields, structs, context, access)
            }
            Shape::Union(children, ids) if let AnyBuilder::Union(unions) = builder => {
                unions::append_object(&unions::Union { children, ids, node }, unions, context, access)
            }
            Shape::Map(map) if map.has_text_keys => lists::append_object(map, builder, context, access),
            Shape::List(_)
            | Shape::FixedSizeList(..)
            | Shape::Map(_)
            | Shape::Leaf
            | Shape::Encoded(_)
            | Shape::Struct(_)
            | Shape::Union(..) => Err(context.fail(ValueError::new(expected(node), "{…}"))),
        }
    }
}

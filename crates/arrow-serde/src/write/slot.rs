//! Writes values that are not nested, and nulls.

use arrow_array::AnyBuilder;

use super::{
    context::WriteContext,
    leaf::{self, Value},
    node::{NullRule, WriteNode},
    open_value::OpenValue,
};
use crate::error::{Result, SerdeError, SerdeErrorKind};

/// Writes one value to a builder.
pub(super) struct SlotWriter<'a> {
    pub(super) node: &'a WriteNode,
    pub(super) builder: &'a mut AnyBuilder,
    pub(super) context: &'a WriteContext,
}

impl<'a> SlotWriter<'a> {
    #[inline(never)]
    pub(super) fn leaf(self, value: Value<'_>) -> Result<()> {
        let SlotWriter { node, builder, context } = self;
        match &*node.children {
            [values] if node.is_encoded => {
                in_values(node, builder, |builder| SlotWriter { node: values, builder, context }.leaf(value))
            }
            _ => leaf::append(builder, value),
        }
    }

    #[inline(never)]
    pub(super) fn null(self) -> Result<()> {
        let SlotWriter { node, builder, context } = self;
        match (node.nulls, &*node.children) {
            (NullRule::Refuse, _) => return Err(SerdeErrorKind::Null.into()),
            (NullRule::None, _) => return Err(SerdeErrorKind::NullUnion.into()),
            (NullRule::Skip, _) => {}
            (NullRule::Append, [values]) if node.is_encoded => {
                context.spend(node.null_bytes)?;
                return in_values(node, builder, |builder| {
                    SlotWriter { node: values, builder, context }.null()
                });
            }
            (NullRule::Append, _) => {
                context.spend(node.null_bytes)?;
                builder.append_null();
            }
        }
        Ok(())
    }

    /// Appends a null for a field that the row lacks. Returns an error if the field is not nullable.
    #[cold]
    pub(super) fn missing(self) -> Result<()> {
        let step = &self.node.step;
        let is_required = self.node.nulls == NullRule::Refuse;
        let result = if is_required { Err(SerdeErrorKind::Missing.into()) } else { self.null() };
        result.map_err(|error: SerdeError| error.in_step(step))
    }

    pub(super) fn open(self) -> OpenValue<'a> {
        let SlotWriter { node, builder, context } = self;
        OpenValue { node, builder, context, variant: None }
    }

    /// Starts the value of a variant in a child of a union.
    pub(super) fn variant(self, name: &'static str, variant_idx: u32) -> Result<OpenValue<'a>> {
        let mut open = self.open();
        open.select(name, usize::try_from(variant_idx).unwrap_or(usize::MAX))?;
        Ok(open)
    }
}

/// Calls `fill` with the builder of the values of a dictionary or of runs. After an error, an incomplete value may
/// remain in this builder.
fn in_values(
    node: &WriteNode,
    builder: &mut AnyBuilder,
    fill: impl FnOnce(&mut AnyBuilder) -> Result<()>,
) -> Result<()> {
    let mut result = Ok(());
    if let AnyBuilder::Dictionary(dictionary) = builder {
        dictionary.append_with(|values| result = fill(values));
    } else if let AnyBuilder::RunEndEncoded(runs) = builder {
        result = match node.nulls {
            // A missing value is a null of the dictionary index, even if the dictionary itself has no nulls.
            NullRule::Skip => runs.try_append_some(|values| fill(values)),
            NullRule::Append | NullRule::Refuse | NullRule::None => {
                runs.try_append_with(|values| fill(values))
            }
        };
    } else {
        unreachable!("a node and its builder are made of the same type, here of one that encodes values");
    }
    result
}

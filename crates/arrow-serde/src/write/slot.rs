//! Writes values that are not nested, and nulls.

use arrow_array::AnyBuilder;

use super::{
    context::WriteContext,
    leaf::{self, Value},
    node::{NullWriting, WriteNode},
    open::Open,
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
            (NullWriting::Refuse, _) => return Err(SerdeErrorKind::Null.into()),
            (NullWriting::None, _) => return Err(SerdeErrorKind::NullUnion.into()),
            (NullWriting::Skip, _) => {}
            (NullWriting::Append, [values]) if node.is_encoded => {
                context.spend(node.null_bytes)?;
                return in_values(node, builder, |builder| {
                    SlotWriter { node: values, builder, context }.null()
                });
            }
            (NullWriting::Append, _) => {
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
        let is_required = self.node.nulls == NullWriting::Refuse;
        let result = if is_required { Err(SerdeErrorKind::Missing.into()) } else { self.null() };
        result.map_err(|error: SerdeError| error.in_step(step))
    }

    pub(super) fn open(self) -> Open<'a> {
        let SlotWriter { node, builder, context } = self;
        Open { node, builder, context, variant: None }
    }

    /// Starts the value of a variant in a child of a union.
    pub(super) fn variant(self, name: &'static str, variant_idx: u32) -> Result<Open<'a>> {
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
            NullWriting::Skip => runs.try_append_some(|values| fill(values)),
            NullWriting::Append | NullWriting::Refuse | NullWriting::None => {
                runs.try_append_with(|values| fill(values))
            }
        };
    } else {
        unreachable!("a node and its builder are made of the same type, here of one that encodes values");
    }
    result
}

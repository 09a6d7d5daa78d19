//! A nested value whose items or fields are being written. The value may be inside dictionaries, runs and unions.

use arrow_array::AnyBuilder;

use arrow_schema::{PathStep, UnionMode};

use super::{
    context::{WriteContext, start_of},
    leaf,
    node::WriteNode,
};
use crate::error::{Result, SerdeError, SerdeErrorKind};

/// A nested value that is not complete.
pub(super) struct OpenValue<'a> {
    pub(super) node: &'a WriteNode,
    pub(super) builder: &'a mut AnyBuilder,
    pub(super) context: &'a WriteContext,
    /// The index of the child of a union, if the value is a variant of an enum.
    pub(super) variant: Option<usize>,
}

/// A field, and the builder of its values.
pub(super) type NodeBuilder<'n, 'b> = (&'n WriteNode, &'b mut AnyBuilder);

impl<'a> OpenValue<'a> {
    /// The node and builder inside dictionaries and runs, to which items and fields are appended.
    #[inline]
    pub(super) fn inner(&mut self) -> NodeBuilder<'a, '_> {
        under_encodings(self.outer())
    }

    /// The node and builder of the value, including the dictionaries and runs around it. For a variant, the node and
    /// builder of the child of the union.
    #[inline]
    pub(super) fn outer(&mut self) -> NodeBuilder<'a, '_> {
        let outer = (self.node, &mut *self.builder);
        match self.variant {
            None => outer,
            Some(position) => child(under_encodings(outer), position),
        }
    }

    /// Selects the child of a union by name. Compares with the name at `guess` first.
    pub(super) fn select(&mut self, name: &str, guess: usize) -> Result<()> {
        let context = self.context;
        let (node, builder) = self.inner();
        let Some(union) = builder.data_type().as_union() else {
            return Err(leaf::wrong(builder, "a variant of an enum that holds values"));
        };
        if union.mode() == UnionMode::Sparse {
            // In a sparse union, each child gets a slot.
            context.spend(node.null_bytes)?;
        }
        let position = node.find(name, guess);
        let unknown = || SerdeErrorKind::UnknownVariant { name: start_of(name) };
        self.variant = Some(position.ok_or_else(unknown)?);
        Ok(())
    }

    /// Adds the path of a field inside the value to an error.
    #[cold]
    pub(super) fn located(&self, error: SerdeError, step: &PathStep) -> SerdeError {
        self.in_variant(error.in_step(step))
    }

    #[cold]
    pub(super) fn in_variant(&self, error: SerdeError) -> SerdeError {
        let mut node = self.node;
        while let (true, [values]) = (node.is_encoded, &*node.children) {
            node = values;
        }
        match self.variant.and_then(|position| node.children.get(position)) {
            Some(variant) => error.in_step(&variant.step),
            None => error,
        }
    }

    /// Completes the value after its items or fields were appended.
    pub(super) fn close(mut self) {
        close(self.outer().1);
        if self.variant.is_some() {
            self.close_variant();
        }
    }

    /// Completes the union value after its child has a value.
    pub(super) fn close_variant(self) {
        close_variant(self.builder);
    }
}

/// The node and builder inside dictionaries and runs.
#[inline]
pub(super) fn under_encodings<'n, 'b>((node, builder): NodeBuilder<'n, 'b>) -> NodeBuilder<'n, 'b> {
    match (builder, &*node.children) {
        (AnyBuilder::Dictionary(dictionary), [values]) => under_encodings((values, dictionary.values_mut())),
        (AnyBuilder::RunEndEncoded(runs), [values]) => under_encodings((values, runs.values_mut())),
        (builder, _) => (node, builder),
    }
}

fn child<'n, 'b>((node, builder): NodeBuilder<'n, 'b>, position: usize) -> NodeBuilder<'n, 'b> {
    let AnyBuilder::Union(unions) = builder else {
        unreachable!("variants are of unions");
    };
    let found = node.children.get(position).zip(unions.children_mut().get_mut(position));
    found.unwrap_or_else(|| unreachable!("the position is that of a child"))
}

/// Completes a slot after its items or fields were appended to the builder.
fn close(builder: &mut AnyBuilder) {
    if let AnyBuilder::Struct(structs) = builder {
        structs.close();
    } else if let AnyBuilder::List(lists) = builder {
        lists.close();
    } else if let AnyBuilder::LargeList(lists) = builder {
        lists.close();
    } else if let AnyBuilder::ListView(lists) = builder {
        lists.close();
    } else if let AnyBuilder::LargeListView(lists) = builder {
        lists.close();
    } else if let AnyBuilder::FixedSizeList(lists) = builder {
        lists.close();
    } else if let AnyBuilder::Map(maps) = builder {
        maps.close();
    } else if let AnyBuilder::Dictionary(dictionary) = builder {
        close(dictionary.values_mut());
        dictionary.close();
    } else if let AnyBuilder::RunEndEncoded(runs) = builder {
        close(runs.values_mut());
        runs.close();
    }
}

fn close_variant(builder: &mut AnyBuilder) {
    if let AnyBuilder::Union(unions) = builder {
        unions.close();
    } else if let AnyBuilder::Dictionary(dictionary) = builder {
        close_variant(dictionary.values_mut());
        dictionary.close();
    } else if let AnyBuilder::RunEndEncoded(runs) = builder {
        close_variant(runs.values_mut());
        runs.close();
    }
}

/// The builder of the items, if `builder` is for lists.
#[inline]
pub(super) fn items_of(builder: &mut AnyBuilder) -> Option<&mut AnyBuilder> {
    if let AnyBuilder::List(lists) = builder {
        Some(lists.items_mut())
    } else if let AnyBuilder::LargeList(lists) = builder {
        Some(lists.items_mut())
    } else if let AnyBuilder::ListView(lists) = builder {
        Some(lists.items_mut())
    } else if let AnyBuilder::LargeListView(lists) = builder {
        Some(lists.items_mut())
    } else if let AnyBuilder::FixedSizeList(lists) = builder {
        Some(lists.items_mut())
    } else {
        None
    }
}

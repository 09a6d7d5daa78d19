//! The cells of one record, into their columns.

use arrow_array::AnyBuilder;

use super::header::Order;
use crate::read::{
    batches::{Budget, Target},
    error::{RowError, RowErrorKind},
    leaf::{self, Text},
    node::{Members, Node, Nulls, Shape, in_values},
    records::{Quotes, Record},
};

/// Whether all cells can be read.
#[cfg(feature = "json")]
pub(super) fn check(_columns: &Members) -> Result<(), RowError> {
    Ok(())
}

/// Whether all cells can be read.
#[cfg(not(feature = "json"))]
pub(super) fn check(columns: &Members) -> Result<(), RowError> {
    match columns.nodes.iter().find(|node| node.is_nested()) {
        Some(node) => {
            let what = "a CSV column of lists, structs, maps or unions";
            let kind = RowErrorKind::Unsupported { what, feature: "json" };
            Err(RowError::new(0, kind).in_step(&node.step))
        }
        None => Ok(()),
    }
}

/// Appends a row.
pub(super) fn append_row(record: &Record, order: &Order, target: &mut Target) -> Result<(), RowError> {
    let Target { members, rows, budget, scratch, again: _ } = target;
    let (expected, found) = (order.columns().len(), record.n_cells());
    if expected != found {
        let kind = RowErrorKind::Count {
            expected: expected as u64,
            found: found as u64,
            more: false,
            unit: "cells",
        };
        return Err(RowError::new(0, kind));
    }
    rows.try_append_with(|columns| {
        for (cell_idx, position) in order.columns().iter().enumerate() {
            let found = members.nodes.get(*position).zip(columns.get_mut(*position));
            // There are as many cells as columns, and as many builders.
            if let (Some((node, builder)), Some((text, quotes))) = (found, record.cell(cell_idx)) {
                let is_null = text.is_empty() && (quotes == Quotes::None || is_lone_null(node, members));
                let cell = if is_null { None } else { Some(text) };
                let mut column = Column { node, builder, budget, scratch };
                column.append(cell)?;
            }
        }
        Ok(())
    })
}

/// Whether a pair of quotes is a null, since a record of nothing would be a blank line.
fn is_lone_null(node: &Node, members: &Members) -> bool {
    members.nodes.len() == 1 && !node.has_empty_text
}

struct Column<'a> {
    node: &'a Node,
    builder: &'a mut AnyBuilder,
    budget: &'a mut Budget,
    scratch: &'a mut Vec<u8>,
}

impl Column<'_> {
    /// Appends what stands in a cell; None for null.
    fn append(&mut self, cell: Option<&str>) -> Result<(), RowError> {
        let Column { node, builder, budget, scratch } = self;
        match (cell, &node.shape) {
            (None, _) => self.append_null().map_err(|kind| RowError::new(0, kind).in_step(&self.node.step)),
            (Some(_), Shape::Encoded(values)) => {
                let result = in_values(builder, |builder| {
                    Column { node: values, builder, budget, scratch }.append(cell)
                });
                result.map_err(|error| error.in_step(&node.step))
            }
            (Some(text), Shape::Leaf) => {
                scratch.clear();
                let text = Text { raw: text, string: Some(text) };
                leaf::append(builder, text, scratch)
                    .map_err(|error| RowError::new(0, error).in_step(&node.step))
            }
            (
                Some(text),
                Shape::List(_)
                | Shape::FixedSizeList(..)
                | Shape::Struct(_)
                | Shape::Map(_)
                | Shape::Union(..),
            ) => self.append_nested(text),
        }
    }

    fn append_null(&mut self) -> Result<(), RowErrorKind> {
        match self.node.nulls {
            Nulls::Refuse => return Err(RowErrorKind::Missing),
            Nulls::None => return Err(RowErrorKind::MissingUnion),
            Nulls::Append | Nulls::Skip => {}
        }
        self.budget.spend(self.node.null_bytes)?;
        self.node.append_null(self.builder)
    }

    #[cfg(feature = "json")]
    fn append_nested(&mut self, text: &str) -> Result<(), RowError> {
        crate::read::json::append_cell(self.node, self.builder, self.budget, (text, self.scratch))
    }

    #[cfg(not(feature = "json"))]
    fn append_nested(&mut self, _text: &str) -> Result<(), RowError> {
        // `check` refuses such columns.
        Err(RowError::new(0, RowErrorKind::Missing).in_step(&self.node.step))
    }
}

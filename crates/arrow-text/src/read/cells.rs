//! Reads the cells of CSV records into the builders of columns.

use std::borrow::Cow;

use super::{
    batches::RowTarget,
    error::{RowError, RowErrorKind},
    node::{Members, NodeShape, ReadNode, in_values, text_of_cell},
    nulls::NullBudget,
    records::{BlockColumns, Record},
};
use crate::{
    csv_options::{CsvOptions, RaggedRows, unspaced},
    date_order::DateOrder,
};
use arrow_array::AnyBuilder;
use arrow_array::parse::{Expectation, ExtraDigits, SourceText, ValueError, ValueParser, excerpt};

/// The index of the column for each cell. Each column occurs once.
#[derive(Debug, Clone)]
pub(super) struct CellOrder(Vec<usize>);

impl CellOrder {
    pub(super) fn from_schema(columns: &Members) -> CellOrder {
        CellOrder((0..columns.nodes.len()).collect())
    }

    /// Finds the column of each name in the line of names. If names repeat, they must be in the order of the schema, since a
    /// repeated name does not identify a column.
    pub(super) fn from_names(record: &Record, columns: &Members) -> Result<CellOrder, RowError> {
        let names = (0..record.n_cells()).map_while(|idx| Some(record.cell(idx)?.0));
        if columns.names_repeat() && names.clone().eq(columns.nodes.iter().map(|node| node.name())) {
            return Ok(CellOrder::from_schema(columns));
        }
        let mut order = Vec::with_capacity(columns.nodes.len());
        let mut unknown = Vec::new();
        let mut is_there = vec![false; columns.nodes.len()];
        for (idx, name) in names.enumerate() {
            let position = columns.find(name.as_bytes(), idx);
            let found = position.and_then(|position| {
                Some((position, columns.nodes.get(position)?, is_there.get_mut(position)?))
            });
            let Some((position, node, is_there)) = found else {
                unknown.push(excerpt(name));
                continue;
            };
            if std::mem::replace(is_there, true) {
                return Err(RowError::new(0, RowErrorKind::Repeated).in_step(&node.step));
            }
            order.push(position);
        }
        // A column is only known to be missing if all names of the line are stored.
        let is_whole = order.len().saturating_add(unknown.len()) == record.n_cells();
        let missing = columns.nodes.iter().zip(&is_there).filter(|(_, is_there)| is_whole && !**is_there);
        let missing: Vec<String> = missing.map(|(node, _)| excerpt(node.name())).collect();
        if missing.is_empty() && unknown.is_empty() {
            Ok(CellOrder(order))
        } else {
            Err(RowError::new(0, RowErrorKind::OtherNames { missing, unknown }))
        }
    }

    pub(super) fn columns(&self) -> &[usize] {
        &self.0
    }
}

/// Checks that the columns can be read from cells. Nested columns need the feature `json`.
pub(super) fn check(columns: &Members) -> Result<(), RowError> {
    match columns.nodes.iter().find(|node| !cfg!(feature = "json") && node.is_nested()) {
        Some(node) => {
            let what = "a CSV column of lists, structs, maps or unions";
            let kind = RowErrorKind::Unsupported { what, feature: "json" };
            Err(RowError::new(0, kind).in_step(&node.step))
        }
        None => Ok(()),
    }
}

/// Compares the number of cells with the number of columns. Returns `false` if the record is skipped.
pub(super) fn is_row(record: &Record, n_columns: usize, options: &CsvOptions) -> Result<bool, RowErrorKind> {
    let found = record.n_cells();
    let is_empty = || found > n_columns && record.is_empty_from(n_columns);
    match options.ragged {
        _ if found == n_columns => Ok(true),
        _ if options.has_end_delimiters && found.saturating_sub(1) == n_columns && is_empty() => Ok(true),
        RaggedRows::Skip => Ok(false),
        RaggedRows::Pad if found < n_columns || is_empty() => Ok(true),
        RaggedRows::Pad | RaggedRows::Error => {
            let expected = n_columns as u64;
            let found = found as u64;
            if record.cell(0).is_some_and(|(text, is_quoted)| !is_quoted && text.starts_with('#')) {
                return Err(RowErrorKind::HashLine { expected, found });
            }
            if is_empty() {
                return Err(RowErrorKind::EmptyCells { expected, found });
            }
            Err(RowErrorKind::Count { expected, found, more: false, unit: "cells" })
        }
    }
}

pub(super) fn append_rows(
    block: BlockColumns<'_>,
    order: &CellOrder,
    options: &CsvOptions,
    target: &mut RowTarget,
) -> Result<(), RowError> {
    let RowTarget { members, rows, budget, parser, .. } = target;
    let are_plain = options.numbers.is_plain() && options.dates.is_none();
    rows.try_append_many_with(block.n_records(), |columns| {
        for (cell_idx, position) in order.columns().iter().enumerate() {
            let found = members.nodes.get(*position).zip(columns.get_mut(*position));
            let Some((node, builder)) = found else { unreachable!("there are as many builders as columns") };
            let is_plain = are_plain || !node.is_number && !node.has_date;
            let is_simple = is_plain && matches!(node.shape, NodeShape::Leaf);
            // In rows that are too short, this cell does not exist.
            for (text, is_quoted) in block.column(cell_idx) {
                let is_null = if is_quoted {
                    // For most types, an empty text in quotes is null.
                    text.is_empty() && !node.has_empty_text
                } else if node.has_empty_text {
                    options.is_null_text(text)
                } else {
                    options.is_null(text)
                };
                if is_simple && !is_null {
                    if let Err(error) = append_value(node, builder, text, parser) {
                        let error = failed(node, error);
                        CellColumn { node, builder, budget, parser, options }.append_unspaced(text, error)?;
                    }
                    continue;
                }
                let cell = if is_null { None } else { Some(text) };
                let mut column = CellColumn { node, builder, budget, parser, options };
                column
                    .append(cell)
                    .or_else(|error| column.append_unspaced(cell.unwrap_or_default(), error))?;
            }
        }
        Ok(())
    })
}

/// Appends a value that is neither nested nor null.
#[inline]
fn append_value(
    node: &ReadNode,
    builder: &mut AnyBuilder,
    text: &str,
    parser: &mut ValueParser,
) -> Result<(), ValueError> {
    // Inference takes a column of 0 and 1 for integers, so in an inferred boolean column, these are errors.
    let text = if node.digits == ExtraDigits::Keep { text } else { text_of_cell(builder, text) };
    parser.digits = node.digits;
    parser.notation = node.form;
    parser.append(builder, SourceText::from_cell(text))
}

/// Appends a date or timestamp whose date may be in the order `order`. A date alone is midnight if the type is a timestamp.
fn append_dated(column: &mut CellColumn<'_>, text: &str, order: DateOrder) -> Result<(), ValueError> {
    let CellColumn { node, builder, parser, .. } = column;
    let mut buffer = String::new();
    let iso = order.iso_of_any(text, &mut buffer);
    let is_midnight = matches!(builder, AnyBuilder::Timestamp(_)) && !iso.contains(':');
    let iso = if is_midnight { Cow::from([iso, " 00:00"].concat()) } else { iso.into() };
    append_value(node, builder, &iso, parser).map_err(|error| {
        use Expectation::{Date, DateOrTimestamp, Timestamp, ZonedTimestamp};
        let forms = [Date, DateOrTimestamp, Timestamp, ZonedTimestamp];
        let mut forms = forms.iter().zip(["", "", " 12:34:56", " 12:34:56Z"]);
        let found = forms.find(|(expected, _)| *expected == error.expected());
        let ordered = found.map(|(_, clock)| Expectation::OrderedDate {
            what: if clock.is_empty() { "date" } else { "timestamp" },
            example: format!("{}{clock}", order.example()),
        });
        let expected = ordered.unwrap_or_else(|| error.expected().clone());
        ValueError::new(expected, text)
    })
}

fn failed(node: &ReadNode, kind: impl Into<RowErrorKind>) -> RowError {
    RowError::new(0, kind).in_step(&node.step)
}

struct CellColumn<'a> {
    node: &'a ReadNode,
    builder: &'a mut AnyBuilder,
    budget: &'a mut NullBudget,
    parser: &'a mut ValueParser,
    options: &'a CsvOptions,
}

impl CellColumn<'_> {
    /// Appends the value of a cell, or a null for `None`.
    fn append(&mut self, cell: Option<&str>) -> Result<(), RowError> {
        let CellColumn { node, builder, budget, parser, options } = self;
        let options = *options;
        match (cell, &node.shape) {
            (None, _) => self.append_null().map_err(|kind| failed(self.node, kind)),
            (Some(_), NodeShape::Encoded(values)) => {
                let result = in_values(builder, |builder| {
                    let mut inner = CellColumn { node: values, builder, budget, parser, options };
                    inner.append(cell).or_else(|error| inner.append_unspaced(cell.unwrap_or_default(), error))
                });
                result.map_err(|error| error.in_step(&node.step))
            }
            (Some(text), NodeShape::Leaf) => {
                let mut buffer = String::new();
                let appended = match options.dates {
                    Some(order) if node.has_date => append_dated(self, text, order),
                    Some(_) | None if !node.is_number => append_value(node, builder, text, parser),
                    Some(_) | None => {
                        let expected = || Expectation::MarkedNumber { example: options.numbers.example() };
                        let plain = options.numbers.plain(text, &mut buffer);
                        let plain = plain.ok_or_else(|| ValueError::new(expected(), text));
                        plain.and_then(|plain| append_value(node, builder, plain, parser))
                    }
                };
                appended.map_err(|error| failed(self.node, error))
            }
            (
                Some(text),
                NodeShape::List(_)
                | NodeShape::FixedSizeList(..)
                | NodeShape::Struct(_)
                | NodeShape::Map(_)
                | NodeShape::Union(..),
            ) => self.append_nested(text),
        }
    }

    /// Appends the value of a cell after removing the spaces around it.
    ///
    /// # Errors
    /// Returns `error`, which is about the cell with its spaces, if the cell without spaces is not a value either.
    #[cold]
    fn append_unspaced(&mut self, text: &str, error: RowError) -> Result<(), RowError> {
        let value = unspaced(text);
        let keeps_spaces = self.node.has_empty_text || !matches!(self.node.shape, NodeShape::Leaf);
        if keeps_spaces || value.is_empty() || value.len() == text.len() {
            return Err(error);
        }
        self.append(Some(value)).map_err(|_| error)
    }

    fn append_null(&mut self) -> Result<(), RowErrorKind> {
        self.node.spend_missing(self.budget)?;
        self.node.append_null(self.builder)
    }

    #[cfg(feature = "json")]
    fn append_nested(&mut self, text: &str) -> Result<(), RowError> {
        super::json::append_cell(self.node, self.builder, self.budget, text, self.parser)
    }

    #[cfg(not(feature = "json"))]
    fn append_nested(&mut self, _text: &str) -> Result<(), RowError> {
        // This does not happen, since `check` rejects such columns.
        Err(RowError::new(0, RowErrorKind::Missing).in_step(&self.node.step))
    }
}

//! Which cell of a record belongs to which column.

use crate::read::{
    error::{RowError, RowErrorKind},
    node::Members,
    parse::excerpt,
    records::Record,
};

/// The columns, in the order of the cells: each of them once.
#[derive(Debug)]
pub(super) struct Order(Vec<usize>);

impl Order {
    pub(super) fn of_schema(columns: &Members) -> Order {
        Order((0..columns.nodes.len()).collect())
    }

    /// Finds each name among the columns. Where names repeat only their place tells which is which, so then all must
    /// be in the order of the schema.
    pub(super) fn of_names(record: &Record, columns: &Members) -> Result<Order, RowError> {
        let names = (0..record.n_cells()).map_while(|idx| Some(record.cell(idx)?.0));
        if columns.names_repeat() && names.clone().eq(columns.nodes.iter().map(|node| node.name())) {
            return Ok(Order::of_schema(columns));
        }
        let mut order = Vec::with_capacity(record.n_cells());
        let mut is_there = vec![false; columns.nodes.len()];
        for name in names {
            let position = columns.find(name, order.len());
            let found = position.and_then(|position| Some((position, is_there.get_mut(position)?)));
            let Some((position, is_there)) = found else {
                return Err(RowError::new(0, RowErrorKind::UnknownName { name: excerpt(name) }));
            };
            if std::mem::replace(is_there, true) {
                let error = RowError::new(0, RowErrorKind::Repeated);
                return Err(match columns.nodes.get(position) {
                    Some(node) => error.in_step(&node.step),
                    None => error,
                });
            }
            order.push(position);
        }
        match columns.nodes.iter().zip(&is_there).find(|(_, is_there)| !**is_there) {
            Some((node, _)) => Err(RowError::new(0, RowErrorKind::MissingColumn).in_step(&node.step)),
            None => Ok(Order(order)),
        }
    }

    /// The column of each cell.
    pub(super) fn columns(&self) -> &[usize] {
        &self.0
    }
}

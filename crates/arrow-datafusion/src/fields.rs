//! The fields of a file that expressions use: whole columns, or fields of structs.

use std::{collections::BTreeMap, sync::Arc};

use arrow_schema::{DataType, Field, FieldPath, Schema};
use datafusion::{
    common::tree_node::{TreeNode, TreeNodeRecursion},
    error::Result,
    functions::core::getfield::GetFieldFunc,
    physical_expr::{
        PhysicalExpr, ScalarFunctionExpr,
        expressions::{Column, Literal},
        projection::ProjectionExprs,
    },
};

/// The fields that a projection needs of a file with this schema, in the order of the columns. `positions` says where the
/// columns of the expressions are in the file.
pub(crate) fn needed_fields(
    projection: &ProjectionExprs,
    schema: &Schema,
    positions: &[usize],
) -> Result<Vec<FieldPath>> {
    let mut needed = NeededFields { schema, positions, of_columns: BTreeMap::new() };
    for column in projection.iter() {
        column.expr.apply(|expr| Ok(needed.visit(expr)))?;
    }
    Ok(needed.of_columns.into_values().flatten().collect())
}

struct NeededFields<'a> {
    schema: &'a Schema,
    positions: &'a [usize],
    /// The paths in each column. The path of the column stands for all of it, and is alone.
    of_columns: BTreeMap<usize, Vec<FieldPath>>,
}

impl NeededFields<'_> {
    fn visit(&mut self, expr: &Arc<dyn PhysicalExpr>) -> TreeNodeRecursion {
        if let Some(column) = expr.downcast_ref::<Column>() {
            if let Some((position, field)) = self.column(column) {
                self.of_columns.insert(position, vec![path_of(position, field.name())]);
            }
            return TreeNodeRecursion::Continue;
        }
        let Some((position, path)) = self.nested(expr) else { return TreeNodeRecursion::Continue };
        let known = self.of_columns.entry(position).or_default();
        let is_known = known.iter().any(|known| path.steps().starts_with(known.steps()));
        if !is_known {
            known.retain(|known| !known.steps().starts_with(path.steps()));
            known.push(path);
        }
        // The column below is not needed as a whole.
        TreeNodeRecursion::Jump
    }

    fn column(&self, column: &Column) -> Option<(usize, &Field)> {
        let position = *self.positions.get(column.index())?;
        Some((position, self.schema.field(position)?))
    }

    /// The field of a struct that an expression takes, if it is known by its name.
    fn nested(&self, expr: &Arc<dyn PhysicalExpr>) -> Option<(usize, FieldPath)> {
        let function = ScalarFunctionExpr::try_downcast_func::<GetFieldFunc>(expr.as_ref())?;
        let (source, names) = function.args().split_first()?;
        let (position, mut field) = self.column(source.downcast_ref::<Column>()?)?;
        let mut path = path_of(position, field.name());
        for name in names {
            let name = name.downcast_ref::<Literal>()?.value().try_as_str()??.to_owned();
            let DataType::Struct(children) = field.data_type() else { return None };
            // Of several fields with a name, the first is taken, here as there.
            let idx = children.iter().position(|child| child.name() == name)?;
            field = children.get(idx)?;
            path = path.child(u32::try_from(idx).ok()?, name);
        }
        Some((position, path))
    }
}

/// The path of a column.
pub(crate) fn path_of(position: usize, name: &str) -> FieldPath {
    FieldPath::root().child(u32::try_from(position).unwrap_or(u32::MAX), name)
}

//! Applies a projection: finds the columns to decode, and makes the schema of the batches.

use std::{collections::HashMap, ops::Range, sync::Arc};

use arrow_data::{ArrayData, ChildLen, RecordBatch, Validation};
use arrow_schema::{DataType, Field, FieldPath, LookupError, PathStep, Schema, visit};

use crate::{
    error::{Context, FormatErrorKind, IpcErrorKind, Result, UnsupportedPart},
    options::{ProjectedColumns, Projection},
};
use arrow_ipc_format::{
    IpcSchema,
    columns::{Column, Columns},
};

#[derive(Debug, Clone)]
pub(crate) struct ProjectedSchema {
    /// The top-level columns in the requested order.
    roots: Arc<[SelectedColumn]>,
    schema: Arc<Schema>,
}

#[derive(Debug, Clone)]
pub(crate) enum SelectedColumn {
    /// The column at a position, with all its children.
    Whole(usize),
    /// A column without some of its children.
    Pruned(Arc<PrunedColumn>),
}

/// A column without some of its descendants.
#[derive(Debug, Clone)]
pub(crate) struct PrunedColumn {
    pub(crate) position: usize,
    /// The type of the column, without the children that are not selected.
    pub(crate) data_type: DataType,
    pub(crate) children: Vec<SelectedColumn>,
}

impl SelectedColumn {
    pub(crate) fn position(&self) -> usize {
        match self {
            SelectedColumn::Whole(position) => *position,
            SelectedColumn::Pruned(pruned) => pruned.position,
        }
    }

    /// The type of the column, without the children that are not selected.
    pub(crate) fn data_type<'a>(&'a self, columns: &'a Columns) -> &'a DataType {
        match self {
            SelectedColumn::Whole(position) => &columns.at(*position).data_type,
            SelectedColumn::Pruned(pruned) => &pruned.data_type,
        }
    }

    pub(crate) fn children<'a>(
        &'a self,
        columns: &'a Columns,
    ) -> impl Iterator<Item = SelectedColumn> + use<'a> {
        let mut all = columns.children(self.position());
        let mut some = match self {
            SelectedColumn::Whole(_) => [].iter(),
            SelectedColumn::Pruned(pruned) => pruned.children.iter(),
        };
        std::iter::from_fn(move || match self {
            SelectedColumn::Whole(_) => all.next().map(SelectedColumn::Whole),
            SelectedColumn::Pruned(_) => some.next().cloned(),
        })
    }

    /// The positions of the column and its selected descendants, as ranges in ascending order.
    #[cfg(feature = "file")]
    pub(crate) fn ranges(&self, columns: &Columns) -> Vec<Range<usize>> {
        let mut ranges = Vec::new();
        self.add_ranges(columns, &mut ranges);
        ranges
    }

    fn add_ranges(&self, columns: &Columns, ranges: &mut Vec<Range<usize>>) {
        match self {
            SelectedColumn::Whole(position) => ranges.push(*position..columns.at(*position).end()),
            SelectedColumn::Pruned(pruned) => {
                ranges.push(pruned.position..pruned.position + 1);
                pruned.children.iter().for_each(|child| child.add_ranges(columns, ranges));
            }
        }
    }
}

impl ProjectedSchema {
    /// # Errors
    /// If a name or index is not in the schema, or if a path leads into a type that cannot be projected. If a column is
    /// unsupported, or lies between two unsupported columns.
    pub(crate) fn try_new(
        projection: &Projection,
        columns: &Columns,
        ipc_schema: &IpcSchema,
    ) -> Result<ProjectedSchema> {
        match projection {
            Projection::All => ipc_schema.check_supported()?,
            Projection::Names(names) => ipc_schema.check_names(names)?,
            Projection::Paths(paths) => ipc_schema.check_paths(paths)?,
            Projection::Positions(_) | Projection::FieldPaths(_) => {}
        }
        let selection = ProjectedSchema::resolved(projection, columns, ipc_schema.schema())?;
        match selection.roots.iter().find(|root| columns.has_unknown_entries(root.position())) {
            None => Ok(selection),
            Some(root) => {
                let what = UnsupportedPart::Part(
                    "column between two columns of unknown types: which buffers belong to it is unknown",
                );
                Err(FormatErrorKind::Unsupported { what }).in_field(|| columns.path(root.position()))
            }
        }
    }

    fn resolved(projection: &Projection, columns: &Columns, schema: &Arc<Schema>) -> Result<ProjectedSchema> {
        let paths = match projection.resolve(schema)? {
            ProjectedColumns::All => {
                let roots = columns.roots().iter().map(|root| SelectedColumn::Whole(*root)).collect();
                return Ok(ProjectedSchema { roots, schema: Arc::clone(schema) });
            }
            ProjectedColumns::Positions(positions) => {
                let projected = Arc::new(with_few_names(schema.project(&positions)?, schema));
                let roots = positions.iter().filter_map(|position| columns.roots().get(*position));
                let roots = roots.map(|root| SelectedColumn::Whole(*root)).collect();
                return Ok(ProjectedSchema { roots, schema: projected });
            }
            ProjectedColumns::Paths(paths) => paths,
        };
        let mut requested = RequestedPaths::default();
        paths.iter().try_for_each(|path| requested.add(path.steps(), path))?;
        let mut roots = Vec::new();
        let mut fields = Vec::new();
        for root_idx in paths.iter().filter_map(|path| path.steps().first()).filter_map(child_of) {
            // The first path into a column determines the position of the column. Later paths into the same column find
            // `None` here.
            let Some(below) = requested.children.remove(&root_idx) else { continue };
            let root = columns.roots().get(root_idx);
            let field = schema.field(root_idx);
            let (Some(root), Some(field)) = (root, field) else {
                let n_fields = schema.fields().len();
                return Err(LookupError::OutOfRange { position: root_idx, n_fields }.into());
            };
            let (selected, field) = below.select(columns, *root, field)?;
            roots.push(selected);
            fields.push(field);
        }
        let projected = Schema::new(fields).with_metadata(schema.metadata().clone());
        let projected = with_few_names(projected, schema);
        Ok(ProjectedSchema { roots: roots.into(), schema: projected.into() })
    }

    /// The projection to a range of the selected top-level columns.
    ///
    /// # Errors
    /// If the range is out of bounds.
    #[cfg(feature = "file")]
    pub(crate) fn part(&self, columns: Range<usize>) -> Result<ProjectedSchema> {
        if columns == (0..self.roots.len()) {
            return Ok(self.clone());
        }
        let positions: Vec<usize> = columns.clone().collect();
        let schema = Arc::new(with_few_names(self.schema.project(&positions)?, &self.schema));
        let roots = self.roots.get(columns).unwrap_or_default();
        Ok(ProjectedSchema { roots: roots.into(), schema })
    }

    pub(crate) fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// The selected top-level columns, in order.
    pub(crate) fn roots(&self) -> &[SelectedColumn] {
        &self.roots
    }

    /// The positions of all decoded columns, as ranges.
    pub(crate) fn ranges(&self, columns: &Columns) -> Vec<Range<usize>> {
        let mut ranges = Vec::new();
        self.roots.iter().for_each(|selected| selected.add_ranges(columns, &mut ranges));
        ranges
    }

    /// Makes a batch of checked columns.
    pub(super) fn record_batch(
        &self,
        arrays: Vec<ArrayData>,
        n_rows: usize,
        level: Validation,
    ) -> Result<RecordBatch> {
        let batch = RecordBatch::try_new_with_rows(Arc::clone(self.schema()), arrays, n_rows);
        let batch = batch.in_field(FieldPath::root)?;
        if level == Validation::Strict {
            batch.check_required_columns().in_field(FieldPath::root)?;
        }
        Ok(batch)
    }
}

/// The requested paths as a tree. Each node has the requests for one column and its descendants.
#[derive(Debug, Default)]
struct RequestedPaths<'a> {
    /// Whether a path requests the column with all its children.
    is_whole: bool,
    /// A requested path to a descendant of this column.
    example: Option<&'a FieldPath>,
    children: HashMap<usize, RequestedPaths<'a>>,
}

impl<'a> RequestedPaths<'a> {
    fn add(&mut self, steps: &[PathStep], path: &'a FieldPath) -> Result<()> {
        let Some((step, rest)) = steps.split_first() else {
            self.is_whole = true;
            return Ok(());
        };
        let Some(child_idx) = child_of(step) else {
            let path = path.clone();
            return Err(IpcErrorKind::CannotProject { path, kind: "a dictionary" }.into());
        };
        self.example = Some(path);
        visit(1);
        self.children.entry(child_idx).or_default().add(rest, path)
    }

    /// Selects the column at `position`, and makes its field, without the children that are not selected.
    fn select(&self, columns: &Columns, position: usize, field: &Field) -> Result<(SelectedColumn, Field)> {
        let column = columns.at(position);
        let example = match self.example {
            Some(example) if !self.is_whole => example,
            Some(_) | None => return Ok((SelectedColumn::Whole(position), field.clone())),
        };
        if let Some(kind) = read_whole(column) {
            return Err(IpcErrorKind::CannotProject { path: example.clone(), kind }.into());
        }
        let n_fields = column.data_type.children().len();
        if let Some(position) = self.children.keys().copied().filter(|child_idx| *child_idx >= n_fields).min()
        {
            return Err(LookupError::OutOfRange { position, n_fields }.into());
        }
        let mut children = Vec::new();
        let mut fields = Vec::new();
        let all = columns.children(position).zip(column.data_type.children());
        for (child_idx, (child, child_field)) in all.enumerate() {
            let Some(below) = self.children.get(&child_idx) else { continue };
            let (selected, child_field) = below.select(columns, child, child_field)?;
            children.push(selected);
            fields.push(child_field);
        }
        if fields.len() == n_fields && children.iter().all(is_whole) {
            return Ok((SelectedColumn::Whole(position), field.clone()));
        }
        let data_type = column.data_type.with_children(fields)?;
        // An extension type needs all children of its storage type, so a pruned column has no extension type.
        let field = field.clone().with_data_type(data_type.clone()).without_extension();
        Ok((SelectedColumn::Pruned(Arc::new(PrunedColumn { position, data_type, children })), field))
    }
}

/// The position of the child to which a step leads; `None` for the step to the values of a dictionary.
fn child_of(step: &PathStep) -> Option<usize> {
    match step {
        PathStep::Child { position, .. } => Some(usize::try_from(*position).unwrap_or(usize::MAX)),
        PathStep::Dictionary => None,
    }
}

/// Copies the names if few columns are selected. All names of a decoded schema share one text, which a single name would
/// keep in memory.
fn with_few_names(projected: Schema, all: &Schema) -> Schema {
    const FEW: usize = 8;
    if projected.fields().len() * FEW >= all.fields().len() {
        return projected;
    }
    let fields: Schema = projected.fields().iter().map(|field| field.clone().with_own_name()).collect();
    fields.with_metadata(projected.metadata().clone())
}

fn is_whole(selected: &SelectedColumn) -> bool {
    match selected {
        SelectedColumn::Whole(_) => true,
        SelectedColumn::Pruned(_) => false,
    }
}

/// The name of the type if it cannot be projected; `None` for structs and lists.
fn read_whole(column: &Column) -> Option<&'static str> {
    let data_type = &column.data_type;
    match column.layout.child_len() {
        _ if data_type.as_dictionary().is_some() => Some("a dictionary"),
        _ if data_type.as_union().is_some() => Some("a union"),
        _ if data_type.as_map().is_some() => Some("a map"),
        ChildLen::NoChildren => Some("a field without children"),
        ChildLen::Runs => Some("runs"),
        ChildLen::SameAsParent | ChildLen::Times(_) | ChildLen::FromData => None,
    }
}

//! Which columns are read, and which values inside them are shown.

use std::sync::Arc;

use arrow_buffer::Bitmap;
use arrow_compute::BoundPredicate;
use arrow_data::{ArrayData, DataError, DataErrorKind, RecordBatch};
use arrow_ipc::Projection;
use arrow_schema::{Field, FieldPath, Nullability, PathStep, Schema};
use arrow_select::Select;

use super::first_of;
use crate::error::ToolErrorKind;

/// The columns and rows that a [`RowQuery`](super::RowQuery) selects.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    projection: Projection,
    condition: Option<Arc<BoundPredicate>>,
    /// For each batch of the file: its number of rows if the batch is skipped, or `None` if it is read. Empty if no
    /// batch is skipped.
    skipped: Arc<[Option<u64>]>,
    /// The shown values; `None` if they are exactly the columns that are read.
    inside: Option<Arc<InsideColumns>>,
}

/// The shown values inside the columns that are read. Each column is read once, even if several of its fields are
/// shown.
#[derive(Debug, Clone)]
struct InsideColumns {
    /// The paths of the shown values in the columns that are read.
    paths: Vec<FieldPath>,
    schema: Arc<Schema>,
    /// The projection of the shown paths, without the columns of the condition.
    projection: Projection,
}

/// The limit for the names of all shown columns together, in bytes. If a field with a long name has many children,
/// their paths can take gigabytes, even if the schema has only a few MiB.
const MAX_NAME_BYTES: usize = 64 << 20;

pub(super) fn shown_schema(schema: &Schema, paths: &[FieldPath]) -> Result<Arc<Schema>, ToolErrorKind> {
    let n_name_bytes = |path: &FieldPath| match path.steps() {
        // A column that is shown whole has its own name, which adds no bytes.
        [_] => 0,
        steps => steps.iter().fold(0, |sum: usize, step| match step {
            PathStep::Child { name, .. } => sum.saturating_add(name.len()),
            PathStep::Dictionary => sum,
        }),
    };
    if paths.iter().map(n_name_bytes).fold(0, usize::saturating_add) > MAX_NAME_BYTES {
        return Err(ToolErrorKind::LongNames { max_bytes: MAX_NAME_BYTES as u64 });
    }
    let fields = paths.iter().map(|path| field_at(schema, path)).collect::<Result<Vec<_>, _>>()?;
    Ok(Arc::new(Schema::new(fields).with_metadata(schema.metadata().clone())))
}

impl Selection {
    /// Reads the columns at the paths `read`, and shows the fields at the paths `shown`. `inside` has the shown
    /// paths, relative to the columns that are read.
    ///
    /// # Errors
    /// If the names of the shown columns are too long in total.
    pub(super) fn from_paths(
        schema: &Schema,
        [read, shown]: [Vec<FieldPath>; 2],
        inside: Vec<FieldPath>,
    ) -> Result<Selection, ToolErrorKind> {
        let schema = shown_schema(schema, &shown)?;
        let projection = Projection::FieldPaths(shown);
        let columns = InsideColumns { paths: inside, schema, projection };
        let projection = Projection::FieldPaths(read);
        Ok(Selection { projection, inside: Some(Arc::new(columns)), ..Selection::default() })
    }

    /// Reads these columns.
    #[must_use]
    pub(super) fn with_projection(self, projection: Projection) -> Selection {
        Selection { projection, ..self }
    }

    /// Adds a condition on rows.
    #[must_use]
    pub(super) fn with_condition(self, condition: BoundPredicate) -> Selection {
        Selection { condition: Some(Arc::new(condition)), ..self }
    }

    /// Skips these batches.
    #[must_use]
    pub(super) fn with_skipped(self, skipped: Arc<[Option<u64>]>) -> Selection {
        Selection { skipped, ..self }
    }

    /// For each batch of the file: its number of rows if no row can match and the batch is skipped, or `None` if it
    /// is read. Batches after the end of the list are read.
    pub(crate) fn skipped(&self) -> &Arc<[Option<u64>]> {
        &self.skipped
    }

    /// The columns that are read, in the order of the schema; `None` if all columns are read.
    pub(crate) fn columns_read(&self) -> Option<Vec<usize>> {
        let mut columns: Vec<usize> = match &self.projection {
            Projection::Positions(columns) => columns.clone(),
            Projection::FieldPaths(paths) => paths.iter().filter_map(first_of).collect(),
            Projection::All | Projection::Names(_) | Projection::Paths(_) | _ => return None,
        };
        columns.sort_unstable();
        columns.dedup();
        Some(columns)
    }

    /// The projection for the reader; includes the columns that only the condition needs.
    pub fn projection(&self) -> &Projection {
        &self.projection
    }

    pub(crate) fn shown(&self) -> &Projection {
        self.inside.as_ref().map_or(&self.projection, |inside| &inside.projection)
    }

    /// Whether rows are filtered; if `false`, [`matching`](Selection::matching) returns `None`.
    pub fn has_condition(&self) -> bool {
        self.condition.is_some()
    }

    /// The rows of `batch` that match the condition. `None` if there is no condition.
    ///
    /// # Errors
    /// If there is not enough memory for the result.
    pub fn matching(&self, batch: &RecordBatch) -> Result<Option<Bitmap>, ToolErrorKind> {
        let matching = self.condition.as_ref().map(|condition| condition.matches(batch));
        matching.transpose().map_err(ToolErrorKind::Condition)
    }

    /// The schema of the shown columns. `read` is the schema of the columns that are read.
    pub fn schema<'a>(&'a self, read: &'a Arc<Schema>) -> &'a Arc<Schema> {
        self.inside.as_ref().map_or(read, |inside| &inside.schema)
    }

    /// The path of the shown column at `position`, relative to the columns that are read.
    pub(crate) fn path_of(&self, position: usize, field: &Field) -> FieldPath {
        let inside = self.inside.as_ref().and_then(|inside| inside.paths.get(position)).cloned();
        let position = u32::try_from(position).unwrap_or(u32::MAX);
        inside.unwrap_or_else(|| FieldPath::root().child(position, field.to_shared_name()))
    }

    /// Whether the shown values are inside the columns that are read, and must be extracted.
    pub(crate) fn is_inside(&self) -> bool {
        self.inside.is_some()
    }

    /// The shown columns of a batch, with only the rows that match the condition.
    ///
    /// # Errors
    /// If a parent has nulls, but the type of the selected child cannot store nulls.
    pub fn apply(&self, batch: RecordBatch) -> Result<RecordBatch, ToolErrorKind> {
        let matching = self.matching(&batch)?;
        let batch = self.columns_of(batch).map_err(ToolErrorKind::Path)?;
        match matching.filter(|rows| !rows.all_set()) {
            None => Ok(batch),
            Some(rows) => batch.filter(&rows).map_err(ToolErrorKind::Select),
        }
    }

    /// The shown columns of a batch, with all rows. Ignores the condition.
    ///
    /// # Errors
    /// If a parent has nulls, but the type of the selected child cannot store nulls.
    pub fn columns_of(&self, batch: RecordBatch) -> Result<RecordBatch, DataError> {
        let Some(inside) = &self.inside else { return Ok(batch) };
        let columns = inside.paths.iter().map(|path| batch.at_path(path)).collect::<Result<Vec<_>, _>>()?;
        RecordBatch::try_new_with_rows(Arc::clone(&inside.schema), columns, batch.n_rows())
    }
}

/// The field at a path, as a column. A nested field is named after its path.
fn field_at(schema: &Schema, path: &FieldPath) -> Result<Field, ToolErrorKind> {
    let missing = || ToolErrorKind::Path(DataErrorKind::NoPath.into());
    let column = first_of(path).and_then(|position| schema.field(position)).ok_or_else(missing)?;
    let below: FieldPath = path.steps().iter().skip(1).cloned().collect();
    if below.is_root() {
        return Ok(column.clone());
    }
    if let Some(at) = path.steps().iter().position(|step| *step == PathStep::Dictionary) {
        let mut encoded = path.clone();
        encoded.truncate(at);
        let data_type = schema.field_by_path(&encoded).ok_or_else(missing)?.data_type().clone();
        return Err(ToolErrorKind::Path(DataErrorKind::PathInto { data_type }.into()));
    }
    // The column is named after all fields on the path. If the path goes through lists, the column is the outermost
    // list, with the selected values as items.
    let positions: Vec<u32> = below.positions().collect();
    let Some(found) = field_below(column, &positions) else {
        // Selects from an empty array, to get the error with the reason.
        return Err(match ArrayData::new_empty(column.data_type()).at_path(&below) {
            Err(error) => ToolErrorKind::Path(error),
            Ok(_) => missing(),
        });
    };
    let mut whole = column;
    for position in &positions {
        if whole.data_type().is_list() {
            break;
        }
        let child = usize::try_from(*position).ok().and_then(|position| whole.children().get(position));
        whole = child.ok_or_else(missing)?;
    }
    let shown = found.with_name(path.to_string());
    // If a list has only some fields of its items left, its type no longer matches its extension type.
    Ok(if shown.data_type().same_type(whole.data_type()) { shown } else { shown.without_extension() })
}

/// The field at a path below another field, wrapped in the lists on the path. It has the type that
/// [`ArrayData::at_path`] returns. `None` if there is no field at the path; the caller then returns the error of
/// `at_path`.
fn field_below(field: &Field, positions: &[u32]) -> Option<Field> {
    let Some((position, rest)) = positions.split_first() else { return Some(field.clone()) };
    let child = field.children().get(usize::try_from(*position).ok()?)?;
    let data_type = field.data_type();
    if data_type.is_struct() {
        let found = field_below(child, rest)?;
        let is_nullable = field.is_nullable() || found.is_nullable();
        return Some(found.with_nullability(if is_nullable {
            Nullability::Nullable
        } else {
            Nullability::Required
        }));
    }
    if data_type.is_list() {
        let item = field_below(child, rest)?.with_name(child.to_shared_name());
        return Some(field.clone().with_data_type(data_type.with_children(vec![item]).ok()?));
    }
    None
}

#[cfg(test)]
mod tests {
    use arrow_schema::DataType;

    use super::*;
    use crate::columns::{ColumnName, ColumnNames};

    fn named(names: &str) -> ColumnNames {
        names.split(',').map(ColumnName::from).collect()
    }

    #[test]
    fn columns_are_shown_in_order() {
        let unit = [("unit", "mm")].into_iter().collect();
        let inner = DataType::struct_([
            Field::new("x", DataType::Int8).required().with_metadata(unit),
            Field::new("y", DataType::Int8),
        ]);
        let schema = Schema::new([
            Field::new("a", DataType::Utf8),
            Field::new("b", DataType::list(Field::new("item", inner.clone()).required())),
            Field::new("c", inner).required(),
        ]);
        let cases: [(&str, &str); 6] = [
            (
                "c,a,c",
                "c: struct<x: int8 not null, y: int8> not null\na: utf8\nc: struct<x: int8 not null, y: int8> not null",
            ),
            ("c.x", "\"c.x\": int8 not null"),
            ("c.y,a,c.x,a", "\"c.y\": int8\na: utf8\n\"c.x\": int8 not null\na: utf8"),
            ("c,c.x", "c: struct<x: int8 not null, y: int8> not null\n\"c.x\": int8 not null"),
            ("b.item.x", "\"b.item.x\": list<item: int8 not null>"),
            (
                "b.item.y,b.item",
                "\"b.item.y\": list<item: int8>\n\"b.item\": list<item: struct<x: int8 not null, y: int8> not null>",
            ),
        ];
        for (names, shown) in cases {
            let selection = named(names).select(&Arc::new(schema.clone())).unwrap();
            let read = if let Projection::Positions(positions) = selection.projection() {
                schema.project(positions).unwrap()
            } else {
                let paths = names.split(',').map(|path| schema.path(path).unwrap()).collect();
                assert_eq!(*selection.projection(), Projection::FieldPaths(paths));
                Schema::default()
            };
            assert_eq!(selection.schema(&Arc::new(read)).to_string(), shown, "{names}");
        }
        let selection = named("c.x").select(&Arc::new(schema.clone())).unwrap();
        let metadata = selection.schema(&Arc::default()).fields()[0].metadata().clone();
        assert_eq!(metadata.to_string(), "{\"unit\": \"mm\"}");
    }

    /// Adds the paths of a field and of all fields below it.
    fn paths_below(field: &Field, path: &FieldPath, found: &mut Vec<FieldPath>) {
        found.push(path.clone());
        for (position, child) in (0..).zip(field.children()) {
            paths_below(child, &path.clone().child(position, child.to_shared_name()), found);
        }
    }

    #[test]
    fn types_are_those_of_values() {
        let types = testing_support::all_types().into_iter().flat_map(|(_, data_type)| {
            let inside = Field::new("inside", data_type.clone()).required();
            let pair = DataType::struct_([Field::new("x", DataType::Int8), inside.clone()]);
            let list = DataType::list(Field::new("item", pair.clone()).required());
            [data_type, pair, DataType::fixed_size_list(Field::new("item", list), 2).unwrap()]
        });
        let mut n_found = 0;
        for data_type in types {
            let column = Field::new("c", data_type);
            let mut paths = Vec::new();
            paths_below(&column, &FieldPath::root(), &mut paths);
            for path in paths {
                let found = field_below(&column, &path.positions().collect::<Vec<_>>());
                let values = ArrayData::new_empty(column.data_type()).at_path(&path);
                let expected = values.map(|values| values.data_type().clone());
                assert_eq!(found.map(|found| found.data_type().clone()), expected.ok(), "{column}: {path}");
                n_found += 1;
            }
        }
        assert!(n_found > 1_000, "{n_found}");
    }

    #[test]
    fn parts_of_items_are_no_storage_of_an_extension_type() {
        let metadata: arrow_schema::Metadata =
            [("ARROW:extension:name", "example.pairs"), ("k", "v")].into_iter().collect();
        let inner = DataType::struct_([Field::new("x", DataType::Int8), Field::new("y", DataType::Int8)]);
        let pairs = Field::new("b", DataType::list(Field::new("item", inner))).with_metadata(metadata);
        let schema = Schema::new([pairs]);
        for (path, has_extension) in [("b", true), ("b.item", true), ("b.item.x", false)] {
            let selection = named(path).select(&Arc::new(schema.clone())).unwrap();
            let read = Arc::new(schema.clone());
            let shown = &selection.schema(&read).fields()[0];
            assert_eq!(shown.extension().is_some(), has_extension, "{path}");
            assert!(shown.metadata().iter().any(|pair| pair == (Some("k"), Some("v"))), "{path}");
        }
    }
}

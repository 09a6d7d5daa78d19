//! Inputs of different columns, read with the columns of all.

use std::{collections::HashMap, iter, sync::Arc};

use arrow_array::NullArray;
use arrow_buffer::MemoryBudget;
use arrow_compute::{Cast, Digits, wider_type};
use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::Limits;
use arrow_ipc_dataset::DatasetErrorKind;
use arrow_schema::{DataType, Field, MergeOptions, MetadataRule, Schema};

use crate::{
    columns::RowQuery,
    cursor::RowCursor,
    error::{ToolError, ToolErrorKind},
    input::Input,
    name::InputName,
    row_window::RowWindow,
};

impl Input {
    /// Opens inputs, and makes inputs of the same rows with the columns of all, whose schema it returns. The columns are in the
    /// order in which their names are first found. Columns that an input lacks are null. Columns of different types are cast to their
    /// [`wider_type`](arrow_compute::wider_type()). Metadata that differs is that of the first input with the key. An extension type
    /// stays if all inputs with the column have it, and no type is widened; columns of the null type do not count.
    ///
    /// # Errors
    /// If an input cannot be read. If an input has two columns of one name, or two columns of one name have no wider type. While
    /// rows are read: if a value is not exactly a value of the wider type.
    pub fn union(inputs: Vec<Input>) -> Result<(Arc<Schema>, Vec<Input>), ToolError> {
        let open = |input: Input| -> Result<(RowCursor, Limits), ToolError> {
            let limits = input.limits().clone();
            Ok((RowCursor::open(input, &RowQuery::new(), RowWindow::ALL)?, limits))
        };
        let opened = inputs.into_iter().map(open).collect::<Result<Vec<_>, ToolError>>()?;
        let schemas: Vec<&Schema> = opened.iter().map(|(cursor, _)| &**cursor.rows().schema()).collect();
        let widened = widened(&schemas);
        let options = MergeOptions::new().with_metadata(MetadataRule::KeepFirst);
        let merged = Schema::try_merge_with(&widened, options).map_err(|error| {
            let at_fault = opened.get(error.schema_idx()).or(opened.first());
            let name =
                at_fault.map_or_else(|| InputName::from("the inputs"), |(cursor, _)| cursor.name().clone());
            ToolError::new(name, ToolErrorKind::Set(DatasetErrorKind::Merge(error)))
        })?;
        let merged = Arc::new(merged);
        let united = opened.into_iter().map(|(cursor, limits)| {
            let filler = ColumnFiller::new(Arc::clone(&merged), cursor.rows().schema());
            let name = cursor.name().clone();
            let mut rows = WholeRows { cursor, filler };
            let batches = iter::from_fn(move || rows.next().transpose());
            Input::from_batches(name, Arc::clone(&merged), batches).with_limits(limits)
        });
        let united = united.collect();
        Ok((merged, united))
    }
}

/// What the inputs say together about a column.
struct CommonColumn<'a> {
    /// The first field that is not of the null type, which says nothing about values.
    first: &'a Field,
    /// The type that has the values of all inputs; `None` if they have the type of `first`.
    wider: Option<DataType>,
    /// Whether all inputs have the extension type of `first`.
    has_one_extension: bool,
}

impl<'a> CommonColumn<'a> {
    fn new(first: &'a Field) -> CommonColumn<'a> {
        CommonColumn { first, wider: None, has_one_extension: true }
    }

    fn data_type(&self) -> &DataType {
        self.wider.as_ref().unwrap_or(self.first.data_type())
    }

    fn add(&mut self, field: &'a Field) {
        if *field.data_type() == DataType::Null {
            return;
        }
        if *self.first.data_type() == DataType::Null {
            *self = CommonColumn::new(field);
            return;
        }
        self.has_one_extension &= self.first.extension() == field.extension();
        // The merge accepts types that differ in nullability alone, and reports those that have no wider type.
        if !self.data_type().same_values(field.data_type())
            && let Some(wider) = wider_type(self.data_type(), field.data_type())
        {
            self.wider = Some(wider);
        }
    }

    /// The field of one input, with the type of all. An extension type is that of all inputs, and of an unchanged type.
    fn field(&self, own: &Field) -> Field {
        let is_wider = wider_type(self.data_type(), own.data_type())
            .is_some_and(|wider| wider.same_values(self.data_type()));
        let data_type = if is_wider { self.data_type() } else { own.data_type() };
        let field = own.clone().with_data_type(data_type.clone());
        match self.first.extension() {
            Some(extension) if self.has_one_extension && self.wider.is_none() => {
                field.with_extension(extension)
            }
            _ => field.without_extension(),
        }
    }
}

/// The schemas with the widest type of each column, so that they can be merged.
fn widened(schemas: &[&Schema]) -> Vec<Schema> {
    let mut columns: HashMap<&str, CommonColumn<'_>> = HashMap::new();
    for field in schemas.iter().flat_map(|schema| schema.fields()) {
        columns.entry(field.name()).or_insert_with(|| CommonColumn::new(field)).add(field);
    }
    let common =
        |own: &Field| columns.get(own.name()).map_or_else(|| own.clone(), |column| column.field(own));
    let widened = |schema: &&Schema| {
        let fields: Vec<Field> = schema.fields().iter().map(common).collect();
        Schema::new(fields).with_metadata(schema.metadata().clone())
    };
    schemas.iter().map(widened).collect()
}

struct WholeRows {
    cursor: RowCursor,
    filler: ColumnFiller,
}

impl WholeRows {
    fn next(&mut self) -> Result<Option<RecordBatch>, ToolError> {
        loop {
            if let Some((rows, _)) = self.cursor.next_rows()? {
                let filled = self.filler.filled(&rows);
                return filled.map(Some).map_err(|kind| ToolError::new(self.cursor.name(), kind));
            }
            if !self.cursor.next_batch()? {
                return Ok(None);
            }
        }
    }
}

/// Gives batches of one schema the columns of another.
struct ColumnFiller {
    schema: Arc<Schema>,
    /// For each column of `schema`, the position of the old column, or `None` for nulls, and the cast.
    columns: Vec<(Option<usize>, Cast)>,
}

impl ColumnFiller {
    fn new(schema: Arc<Schema>, old: &Schema) -> ColumnFiller {
        let positions: HashMap<&str, usize> = old.fields().iter().map(Field::name).zip(0..).collect();
        let column = |field: &Field| {
            let position = positions.get(field.name()).copied();
            (position, Cast::new(field.data_type().clone(), Digits::Keep))
        };
        let columns = schema.fields().iter().map(column).collect();
        ColumnFiller { schema, columns }
    }

    fn filled(&self, rows: &RecordBatch) -> Result<RecordBatch, ToolErrorKind> {
        let budget = MemoryBudget::new(MemoryBudget::default_limit(rows.n_bytes()));
        let nulls = NullArray::new(rows.n_rows());
        let columns = self.columns.iter().zip(self.schema.fields()).map(|((position, cast), field)| {
            let old = position.and_then(|position| rows.column_at(position));
            cast.array(old.unwrap_or(nulls.data()), &budget).map_err(|error| ToolErrorKind::Cast {
                batch_idx: None,
                column: field.name().to_owned(),
                error,
            })
        });
        let columns = columns.collect::<Result<Vec<ArrayData>, ToolErrorKind>>()?;
        RecordBatch::try_new_with_rows(Arc::clone(&self.schema), columns, rows.n_rows())
            .map_err(|error| ToolErrorKind::Values(error.into()))
    }
}

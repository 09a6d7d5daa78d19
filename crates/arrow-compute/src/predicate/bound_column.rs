//! Columns of predicates that were found in a schema.

use arrow_array::ValueForm;
use arrow_data::{ArrayData, RecordBatch};
use arrow_schema::{DataType, Field, FieldPath, Schema};

use super::{PredicateError, PredicateErrorKind as Kind, Question, constant::BoundConstant};

pub(super) type BoundQuestion = Question<BoundConstant, OtherColumn>;

/// A column that was found in the schema.
#[derive(Debug, Clone)]
pub(super) struct BoundColumn {
    /// The name of the column, as the predicate writes it.
    pub(super) name: String,
    pub(super) path: FieldPath,
    pub(super) data_type: DataType,
}

/// The column on the right side of a comparison.
#[derive(Debug, Clone)]
pub(super) struct OtherColumn {
    pub(super) column: BoundColumn,
    /// The type in which the values of both columns are compared.
    pub(super) values: DataType,
}

impl BoundColumn {
    /// Finds a column by its name or path. Also returns the form of its values.
    pub(super) fn try_new(
        name: &str,
        schema: &Schema,
    ) -> Result<(BoundColumn, Option<ValueForm>), PredicateError> {
        let path = schema.column_or_path(name).map_err(Kind::Lookup)?;
        let field = field_inside_structs(schema, &path)?;
        let (data_type, form) = (field.data_type().clone(), ValueForm::from_field(field));
        Ok((BoundColumn { name: name.to_owned(), path, data_type }, form))
    }

    pub(super) fn values(&self, batch: &RecordBatch) -> Result<ArrayData, PredicateError> {
        let values = batch.at_path(&self.path)?;
        if !values.data_type().same_type(&self.data_type) {
            let (expected, found) = (self.data_type.clone(), values.data_type().clone());
            return Err(Kind::OtherType { expected, found }.into());
        }
        Ok(values)
    }
}

/// The field at a path that leads only through structs.
fn field_inside_structs<'a>(schema: &'a Schema, path: &FieldPath) -> Result<&'a Field, PredicateError> {
    let mut fields = schema.fields();
    let mut found = None;
    for position in path.positions() {
        if let Some(parent) = found.filter(|parent: &&Field| !parent.data_type().is_struct()) {
            let data_type = parent.data_type().clone();
            return Err(Kind::NotAStruct { data_type }.into());
        }
        found = usize::try_from(position).ok().and_then(|position| fields.get(position));
        fields = found.map(Field::children).unwrap_or_default();
    }
    let Some(found) = found else { unreachable!("a path that was found leads to a field") };
    Ok(found)
}

//! Finds the columns of predicates in schemas, converts their constants to the types of these columns, and tests the
//! rows of batches.

use std::convert::Infallible;

use arrow_array::{AnyArray, ValueForm};
use arrow_buffer::{Bitmap, MemoryBudget};
use arrow_data::{ArrayData, DataError, DataErrorKind, RecordBatch};
use arrow_schema::{DataType, Field, FieldPath, Schema};

use super::{
    ColumnTest, ComparisonOperator, Condition, JsonValues, Predicate, PredicateError,
    PredicateErrorKind as Kind, Question,
    answers::{self, Answers},
    bounds::{self, ColumnBounds, Matches, TruthValues},
    constant::{BoundConstant, Constant, QuoteMark},
    like::{MAX_SEARCHED_CHARS, n_searched_chars},
};
use crate::statistics::value_type;

/// A [`Predicate`] that is bound to a schema: its columns are positions, and its constants are values of their types.
#[derive(Debug, Clone)]
pub struct BoundPredicate {
    condition: Condition<BoundTest>,
}

/// A test, with the path of its column.
#[derive(Debug, Clone)]
pub(super) struct BoundTest {
    /// The name of the column, as the predicate writes it.
    column: String,
    path: FieldPath,
    data_type: DataType,
    question: Question<BoundConstant>,
}

impl Predicate {
    /// Finds the columns in a schema, and parses the constants as values of their types.
    ///
    /// # Errors
    /// If a column does not exist. If a constant is not a value of the type of its column. If this type does not support the
    /// comparison.
    pub fn bind(&self, schema: &Schema) -> Result<BoundPredicate, PredicateError> {
        let bind = &mut |test: &ColumnTest| {
            bound(test, schema, self.json).map_err(|error| error.in_column(&test.column))
        };
        Ok(BoundPredicate { condition: self.condition.try_map(bind)? })
    }
}

impl BoundPredicate {
    /// The indices of the columns that the predicate reads, in ascending order, each once.
    pub fn columns(&self) -> Vec<usize> {
        let mut positions = Vec::new();
        self.condition.for_each(&mut |test: &BoundTest| {
            positions
                .extend(test.path.positions().next().and_then(|position| usize::try_from(position).ok()));
        });
        positions.sort_unstable();
        positions.dedup();
        positions
    }

    /// The path of each test, in the order of the text. A path may occur several times.
    pub fn paths(&self) -> Vec<&FieldPath> {
        let mut paths = Vec::new();
        self.condition.for_each(&mut |test: &BoundTest| paths.push(&test.path));
        paths
    }

    /// Replaces each path by the result of `to`. Use this for batches with other column indices, such as those of a projection.
    #[must_use]
    pub fn moved(&self, mut to: impl FnMut(&FieldPath) -> FieldPath) -> BoundPredicate {
        let moved = &mut |test: &BoundTest| -> Result<BoundTest, Infallible> {
            Ok(BoundTest { path: to(&test.path), ..test.clone() })
        };
        match self.condition.try_map(moved) {
            Ok(condition) => BoundPredicate { condition },
            Err(never) => match never {},
        }
    }

    /// Finds the rows of a batch that match. The result has one bit for each row. Time and memory are in proportion to the
    /// columns that the predicate reads, plus two bits for each row and level of nesting. A batch of a few bytes can have any
    /// number of rows, so a batch may have at most 128 rows for each byte, or 2²⁵ rows if that is more.
    ///
    /// # Errors
    /// If the batch does not have the columns of the schema to which the predicate is bound. If the content of a column is
    /// invalid. If the batch has too many rows for its bytes.
    pub fn matches(&self, batch: &RecordBatch) -> Result<Bitmap, PredicateError> {
        let n_bytes = batch.columns().iter().map(ArrayData::n_bytes).fold(0, u64::saturating_add);
        let budget = MemoryBudget::new(MemoryBudget::default_limit(n_bytes));
        // A number for each row would take this many bytes.
        let n_row_bytes = (batch.n_rows() as u64).saturating_mul(8);
        let _charge =
            budget.try_charge(n_row_bytes).map_err(DataErrorKind::Memory).map_err(DataError::from)?;
        let answers = &mut |test: &BoundTest| -> Result<Answers, PredicateError> {
            test.answers(batch).map_err(|error| error.in_column(&test.column))
        };
        Ok(self.condition.truth(answers)?.into_true())
    }

    /// Decides from the bounds of columns whether rows can match. `known` returns the bounds of the column or field at a path.
    /// If these bounds are correct, [`Matches::None`] means that no row matches, and [`Matches::All`] means that all rows
    /// match.
    pub fn can_match(&self, mut known: impl FnMut(&FieldPath) -> ColumnBounds) -> Matches {
        let possible = &mut |test: &BoundTest| -> Result<TruthValues, Infallible> {
            Ok(bounds::possible(&known(&test.path).of_type(&test.data_type), &test.question))
        };
        match self.condition.truth(possible) {
            Ok(possible) => possible.into_matches(),
            Err(never) => match never {},
        }
    }
}

impl BoundTest {
    fn answers(&self, batch: &RecordBatch) -> Result<Answers, PredicateError> {
        let values = batch.at_path(&self.path)?;
        if !values.data_type().same_type(&self.data_type) {
            let (expected, found) = (self.data_type.clone(), values.data_type().clone());
            return Err(Kind::OtherType { expected, found }.into());
        }
        answers::of(&AnyArray::try_from(values)?, &self.question)
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

/// Converts a test of booleans to a test of the integers of `arrow.bool8`, in which 0 is false and any other integer is true.
/// `None` if the test does not compare with `true` or `false`.
fn of_bool8(question: &Question<Constant>) -> Option<Question<Constant>> {
    let is_true = match question {
        Question::IsTrue => true,
        Question::Compare(ComparisonOperator::Equal, Constant::Flag(flag)) => *flag,
        Question::Compare(ComparisonOperator::NotEqual, Constant::Flag(flag)) => !flag,
        Question::Compare(..) | Question::OneOf(_) | Question::Like(_) | Question::IsNull => return None,
    };
    let comparison = if is_true { ComparisonOperator::NotEqual } else { ComparisonOperator::Equal };
    Some(Question::Compare(comparison, Constant::Number("0".to_owned())))
}

fn bound(test: &ColumnTest, schema: &Schema, json: JsonValues) -> Result<BoundTest, PredicateError> {
    let path = schema.column_or_path(&test.column).map_err(Kind::Lookup)?;
    let field = field_inside_structs(schema, &path)?;
    let data_type = field.data_type().clone();
    let is_bool8 = ValueForm::of(field) == Some(ValueForm::Bool8);
    let of_flags = if is_bool8 { of_bool8(&test.question) } else { None };
    let values = value_type(&data_type);
    let has_none = |comparison: String, expected| {
        let data_type = data_type.clone();
        PredicateError::from(Kind::NoComparison { data_type, comparison, expected })
    };
    // In SQL, `a = "b"` compares two columns.
    let is_name = |name: &String| schema.fields().iter().any(|field| field.name() == name);
    for constant in test.question.constants() {
        if let Constant::Text(name, QuoteMark::Double) = constant
            && is_name(name)
        {
            let text = Constant::Text(name.clone(), QuoteMark::Single).to_string();
            return Err(Kind::ColumnAsText { name: name.clone(), text }.into());
        }
    }
    let is_null = *values == DataType::Null;
    let question = match of_flags.as_ref().unwrap_or(&test.question) {
        Question::Compare(comparison, constant) => {
            let value = constant.bind(values, json)?;
            if matches!(value, BoundConstant::Form(_)) && !comparison.is_equality() && !is_null {
                return Err(has_none(comparison.to_string(), "=, != or in"));
            }
            Question::Compare(*comparison, value)
        }
        Question::OneOf(constants) => {
            let bound = constants.iter().map(|constant: &Constant| constant.bind(values, json));
            let mut bound = bound.collect::<Result<Vec<BoundConstant>, _>>()?;
            bound.retain(BoundConstant::is_value);
            answers::sort(&mut bound)?;
            Question::OneOf(bound)
        }
        Question::Like(pattern) if values.is_text() || is_null => {
            let n_chars = n_searched_chars(pattern);
            if n_chars > MAX_SEARCHED_CHARS {
                return Err(Kind::LongPattern { n_chars, limit: MAX_SEARCHED_CHARS }.into());
            }
            Question::Like(pattern.clone())
        }
        Question::Like(_) => return Err(has_none("like".to_owned(), "text")),
        Question::IsTrue if *values == DataType::Boolean || is_null => Question::IsTrue,
        Question::IsTrue => {
            let expected = "a comparison, such as `= 1`";
            return Err(has_none("use alone".to_owned(), expected));
        }
        Question::IsNull => Question::IsNull,
    };
    Ok(BoundTest { column: test.column.clone(), path, data_type, question })
}

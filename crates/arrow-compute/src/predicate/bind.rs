//! Finds the columns of predicates in schemas, converts their constants to the types of these columns, and tests the
//! rows of batches.

use std::convert::Infallible;

use arrow_array::{AnyArray, ValueForm};
use arrow_buffer::{Bitmap, MemoryBudget};
use arrow_data::{ArrayData, DataError, DataErrorKind, RecordBatch};
use arrow_schema::{DataType, Field, FieldPath, Schema};

use super::{
    ColumnTest, ComparisonOperator, Condition, ConstantReading, LetterCase, Predicate, PredicateError,
    PredicateErrorKind as Kind, Question,
    answers::{self, Answers},
    bounds::{self, ColumnBounds, Matches, TruthValues},
    columns,
    constant::{BoundConstant, Constant, QuoteMark},
    like::{MAX_SEARCHED_CHARS, n_searched_chars},
    token,
};
use crate::{
    statistics::{has_order, value_type},
    wider_type,
};

/// A [`Predicate`] that is bound to a schema: its columns are positions, and its constants are values of their types.
#[derive(Debug, Clone)]
pub struct BoundPredicate {
    condition: Condition<BoundTest>,
}

/// A test, with its column.
#[derive(Debug, Clone)]
pub(super) struct BoundTest {
    column: BoundColumn,
    question: BoundQuestion,
}

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

impl Predicate {
    /// Finds the columns in a schema, and parses the constants as values of their types.
    ///
    /// # Errors
    /// If a column does not exist. If a constant is not a value of the type of its column. If this type does not support the
    /// comparison.
    pub fn bind(&self, schema: &Schema) -> Result<BoundPredicate, PredicateError> {
        let bind = &mut |test: &ColumnTest| {
            bound(test, schema, self.reading).map_err(|error| error.in_column(&test.column))
        };
        Ok(BoundPredicate { condition: self.condition.try_map(bind)? })
    }

    /// Like [`BoundPredicate::can_match`], of columns of which only some are known, such as those that names of folders have.
    /// Nothing is known of the others: `schema` lacks them. The result is never [`Matches::None`] if the predicate, bound to all columns,
    /// can match a row.
    pub fn can_match(&self, schema: &Schema, mut known: impl FnMut(&FieldPath) -> ColumnBounds) -> Matches {
        let possible = &mut |test: &ColumnTest| -> Result<TruthValues, Infallible> {
            // Binding the predicate to all columns returns the error of a test that does not fit its column.
            Ok(bound(test, schema, self.reading).map_or(TruthValues::ANY, |test| test.possible(&mut known)))
        };
        match self.condition.truth(possible) {
            Ok(possible) => possible.into_matches(),
            Err(never) => match never {},
        }
    }
}

impl BoundPredicate {
    /// The indices of the columns that the predicate reads, in ascending order, each once.
    pub fn columns(&self) -> Vec<usize> {
        let mut positions = Vec::new();
        self.condition.for_each(&mut |test: &BoundTest| {
            positions.extend(test.columns().filter_map(|column| {
                column.path.positions().next().and_then(|position| usize::try_from(position).ok())
            }));
        });
        positions.sort_unstable();
        positions.dedup();
        positions
    }

    /// The paths of the columns of each test, in the order of the text. A path may occur several times.
    pub fn paths(&self) -> Vec<&FieldPath> {
        let mut paths = Vec::new();
        self.condition
            .for_each(&mut |test: &BoundTest| paths.extend(test.columns().map(|column| &column.path)));
        paths
    }

    /// Replaces each path by the result of `to`. Use this for batches with other column indices, such as those of a projection.
    #[must_use]
    pub fn moved(&self, mut to: impl FnMut(&FieldPath) -> FieldPath) -> BoundPredicate {
        let moved = &mut |test: &BoundTest| -> Result<BoundTest, Infallible> {
            let mut test = test.clone();
            test.columns_mut().for_each(|column| column.path = to(&column.path));
            Ok(test)
        };
        match self.condition.try_map(moved) {
            Ok(condition) => BoundPredicate { condition },
            Err(never) => match never {},
        }
    }

    /// Finds the rows of a batch that match. The result has one bit for each row. Time and memory are in proportion to the
    /// columns that the predicate reads, plus two bits for each row and level of nesting. A batch of a few bytes can have any
    /// number of rows, so a batch may have at most 128 rows for each byte, or 2²⁵ rows if that is more. Texts of more than 4 KiB
    /// that rows share are read once; if they only overlap, at most 64 times the bytes of the column plus 16 MiB are read.
    ///
    /// # Errors
    /// If the batch does not have the columns of the schema to which the predicate is bound. If the content of a column is
    /// invalid. If the batch has too many rows for its bytes, or texts that overlap too often.
    pub fn matches(&self, batch: &RecordBatch) -> Result<Bitmap, PredicateError> {
        let n_bytes = batch.columns().iter().map(ArrayData::n_bytes).fold(0, u64::saturating_add);
        let budget = MemoryBudget::new(MemoryBudget::default_limit(n_bytes));
        // A number for each row would take this many bytes.
        let n_row_bytes = (batch.n_rows() as u64).saturating_mul(8);
        let _charge =
            budget.try_charge(n_row_bytes).map_err(DataErrorKind::Memory).map_err(DataError::from)?;
        let answers = &mut |test: &BoundTest| -> Result<Answers, PredicateError> {
            test.answers(batch, &budget).map_err(|error| error.in_column(&test.column.name))
        };
        Ok(self.condition.truth(answers)?.into_true())
    }

    /// Decides from the bounds of columns whether rows can match. `known` returns the bounds of the column or field at a path.
    /// If these bounds are correct, [`Matches::None`] means that no row matches, and [`Matches::All`] means that all rows
    /// match.
    pub fn can_match(&self, mut known: impl FnMut(&FieldPath) -> ColumnBounds) -> Matches {
        let possible =
            &mut |test: &BoundTest| -> Result<TruthValues, Infallible> { Ok(test.possible(&mut known)) };
        match self.condition.truth(possible) {
            Ok(possible) => possible.into_matches(),
            Err(never) => match never {},
        }
    }
}

impl BoundTest {
    fn columns(&self) -> impl Iterator<Item = &BoundColumn> {
        [Some(&self.column), self.question.other_column().map(|other| &other.column)].into_iter().flatten()
    }

    fn columns_mut(&mut self) -> impl Iterator<Item = &mut BoundColumn> {
        let other = match &mut self.question {
            Question::CompareColumn(_, other) => Some(&mut other.column),
            Question::Compare(..)
            | Question::OneOf(_)
            | Question::Like(..)
            | Question::IsNull
            | Question::IsTrue => None,
        };
        [Some(&mut self.column), other].into_iter().flatten()
    }

    fn possible(&self, known: &mut impl FnMut(&FieldPath) -> ColumnBounds) -> TruthValues {
        let known = known(&self.column.path).comparable_with(&self.column.data_type);
        bounds::possible(&known, &self.question)
    }

    fn answers(&self, batch: &RecordBatch, budget: &MemoryBudget) -> Result<Answers, PredicateError> {
        let values = self.column.values(batch)?;
        match &self.question {
            Question::CompareColumn(comparison, other) => {
                let others =
                    other.column.values(batch).map_err(|error| error.in_column(&other.column.name))?;
                columns::compared([&values, &others], *comparison, &other.values, budget)
            }
            question @ (Question::Compare(..)
            | Question::OneOf(_)
            | Question::Like(..)
            | Question::IsNull
            | Question::IsTrue) => answers::answer(&AnyArray::try_from(values)?, question),
        }
    }
}

/// Converts a test of booleans to a test of the integers of `arrow.bool8`, in which 0 is false and any other integer is true.
/// `None` if the test does not compare with `true` or `false`.
fn bool8_question(question: &Question<Constant, String>) -> Option<Question<Constant, String>> {
    let is_true = match question {
        Question::IsTrue => true,
        Question::Compare(ComparisonOperator::Equal, Constant::Flag(flag)) => *flag,
        Question::Compare(ComparisonOperator::NotEqual, Constant::Flag(flag)) => !flag,
        Question::Compare(..)
        | Question::OneOf(_)
        | Question::CompareColumn(..)
        | Question::Like(..)
        | Question::IsNull => return None,
    };
    let comparison = if is_true { ComparisonOperator::NotEqual } else { ComparisonOperator::Equal };
    Some(Question::Compare(comparison, Constant::Number("0".to_owned())))
}

fn bound(test: &ColumnTest, schema: &Schema, reading: ConstantReading) -> Result<BoundTest, PredicateError> {
    let (column, form) = BoundColumn::try_new(&test.column, schema)?;
    let data_type = column.data_type.clone();
    let is_bool8 = form == Some(ValueForm::Bool8);
    let bool_question = if is_bool8 { bool8_question(&test.question) } else { None };
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
            let as_column = token::quoted_if_needed(name.clone());
            let as_column = if as_column.starts_with('"') {
                "as a column, write it on the left side".to_owned()
            } else {
                format!("as a column, write {as_column}")
            };
            return Err(Kind::ColumnAsText { name: name.clone(), as_column, text }.into());
        }
    }
    let is_null = *values == DataType::Null;
    let question = match bool_question.as_ref().unwrap_or(&test.question) {
        Question::Compare(comparison, constant) => {
            let value = constant.bind(values, reading)?;
            if matches!(value, BoundConstant::Form(_)) && !comparison.is_equality() && !is_null {
                return Err(has_none(comparison.to_string(), "=, != or in"));
            }
            Question::Compare(*comparison, value)
        }
        Question::OneOf(constants) => {
            let bound = constants.iter().map(|constant: &Constant| constant.bind(values, reading));
            let mut bound = bound.collect::<Result<Vec<BoundConstant>, _>>()?;
            bound.retain(BoundConstant::is_value);
            answers::sort(&mut bound)?;
            Question::OneOf(bound)
        }
        Question::CompareColumn(comparison, name) => {
            let other = match BoundColumn::try_new(name, schema) {
                Ok((other, _)) => other,
                // Perhaps it is text.
                Err(error) if schema.column_or_path(name).is_err() && !name.contains('"') => {
                    let quoted = arrow_schema::QuotedText(name).to_string();
                    let Kind::Lookup(lookup) = error.kind().clone() else { return Err(error) };
                    return Err(Kind::NeitherColumnNorText { lookup, quoted }.into());
                }
                Err(error) => return Err(error),
            };
            let Some(values) = wider_type(&data_type, &other.data_type) else {
                let other = other.data_type;
                return Err(Kind::OtherColumnType { data_type: data_type.clone(), other }.into());
            };
            if !comparison.is_equality() && !has_order(&values) && values != DataType::Null {
                return Err(has_none(comparison.to_string(), "= or != between columns of this type"));
            }
            Question::CompareColumn(*comparison, OtherColumn { column: other, values })
        }
        Question::Like(pattern, case) if values.is_text() || is_null => {
            let n_chars = n_searched_chars(pattern);
            if n_chars > MAX_SEARCHED_CHARS {
                return Err(Kind::LongPattern { n_chars, limit: MAX_SEARCHED_CHARS }.into());
            }
            Question::Like(pattern.clone(), *case)
        }
        // `contains` is another way to write some patterns of `like`.
        Question::Like(_, LetterCase::Sensitive) => {
            return Err(has_none("`like` and `contains`".to_owned(), "text"));
        }
        Question::Like(_, LetterCase::Insensitive) => return Err(has_none("`ilike`".to_owned(), "text")),
        Question::IsTrue if *values == DataType::Boolean || is_null => Question::IsTrue,
        Question::IsTrue => {
            let expected = "a comparison, such as `= 1`";
            return Err(has_none("use alone".to_owned(), expected));
        }
        Question::IsNull => Question::IsNull,
    };
    Ok(BoundTest { column, question })
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

//! Conditions on rows: columns are compared with constants or columns, and comparisons are joined by `and`, `or` and `not`.

mod answers;
mod bind;
mod bounds;
mod columns;
mod constant;
mod display;
mod error;
mod like;
mod listed;
mod parse;
mod range_set;
mod token;
mod value_bounds;

use std::fmt;

use arrow_array::{Scalar, TimeZones};
use arrow_data::ArrayData;
use arrow_schema::DataType;

use self::constant::Constant;
pub use self::{
    bind::BoundPredicate,
    bounds::{ColumnBounds, Matches},
    error::{PredicateError, PredicateErrorKind},
};

/// A condition on rows: columns compared with constants or columns, joined by `and`, `or` and `not`.
///
/// Predicates are written as text, which [`str::parse`] reads and [`Display`](fmt::Display) writes:
///
/// ```text
/// amount > 100 and city in ("Oslo", "Rome") and not (note is null or name like "a%")
/// ```
///
/// - **Columns** are names, or paths into structs (`address.zip`). A name with characters other than letters, digits and `_` is
///   in quotes: `"first name"`, and so is a keyword. A quote inside of double quotes is doubled or has a backslash. A boolean column is a condition by itself.
/// - **Constants** are numbers, text in single or double quotes, `true` and `false`. Text that is also the name of a column
///   needs single quotes, except in patterns of `like`. Values of other types are written in quotes, in the text form of tables and CSV: `day >= '2024-02-29'`. Bytes are `x` and hexadecimal digits in
///   quotes: `key = x'00ff'`. Constants for integers, decimals and times are not rounded to the type of the column: `count > 1.5`
///   means `count >= 2`. For floating-point numbers, they are rounded to the nearest number of the type. Timestamps with a time zone
///   are compared with an offset, or `Z` for UTC: `at < '2024-03-31T02:30+01:00'`; see also
///   [`with_time_zones`](Predicate::with_time_zones).
/// - **Comparisons** are `=`, `!=` (or `<>`), `<`, `<=`, `>`, `>=`, `between … and …`, `in (…)`, `like`, `ilike`, `contains`
///   and `is null`. All but the signs also have a form with `not`. In the pattern of `like`, `%` stands for any text and `_` for
///   any character; a character after `\` stands for itself. `ilike` ignores the case of letters. `contains` searches a text:
///   `name contains 'a%'` is `name like '%a\%%'`.
/// - **Two columns** are compared by the signs and by `between`: `amount > paid`. The right column is a name or path without
///   double quotes. Both have the same type, or types with a [`wider_type`](crate::wider_type()), in which the values are
///   compared.
///
/// Nulls follow SQL: a comparison with a null is neither true nor false, and a row matches only if the condition is true.
/// Numbers compare by value: 0.0 equals -0.0; NaN equals NaN and is greater than all other numbers. Text and bytes compare byte
/// by byte. Dictionaries and runs are compared by their decoded values. Types without an order (intervals, lists, structs,
/// maps, unions) support only `=`, `!=` and `in`, with JSON in quotes: `tags = '[1, 2]'`. Inside them, 0.0 differs
/// from -0.0. In two columns, they are equal if their bits are, so that NaNs may differ there. Constants that are lists, structs,
/// maps or unions need [`with_json_values`](Predicate::with_json_values).
/// Null cannot be a constant, and cannot be in the list of `in`.
///
/// A predicate only names its columns. [`bind`](Predicate::bind) finds the columns in a schema and parses the constants as
/// values of their types. [`BoundPredicate::matches`] finds the matching rows of a batch, and [`BoundPredicate::can_match`]
/// uses the least and the greatest values of columns to decide whether any row can match.
///
/// ```
/// use arrow_array::{Int64Array, Utf8Array};
/// use arrow_compute::{ComparisonOperator, Predicate};
/// use arrow_data::RecordBatch;
/// use arrow_select::Select;
///
/// let amounts = Int64Array::from_iter([Some(50), Some(200), None]).into_data();
/// let cities = Utf8Array::try_from_iter(["Oslo", "Rome", "Rome"])?.into_data();
/// let batch = RecordBatch::try_from_columns([("amount", amounts), ("city", cities)])?;
///
/// let predicate: Predicate = "amount > 100 and city in ('Oslo', 'Rome')".parse()?;
/// let rows = predicate.bind(batch.schema())?.matches(&batch)?;
/// assert_eq!(batch.filter(&rows)?.n_rows(), 1);
///
/// let same = Predicate::compare("amount", ComparisonOperator::Greater, 100).and(Predicate::one_of("city", ["Oslo", "Rome"]));
/// assert_eq!(predicate, same);
/// assert_eq!(same.to_string(), "amount > 100 and city in ('Oslo', 'Rome')");
/// # Ok::<(), arrow_compute::PredicateError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Predicate {
    condition: Condition<ColumnTest>,
    reading: ConstantReading,
}

/// Reads a JSON value of a type, in an array of one slot. The error says why the text is not a value of the type.
pub type JsonParser = fn(&DataType, &str) -> Result<ArrayData, String>;

/// How constants are read as values of types. This is no part of the condition, so all are equal.
#[derive(Debug, Clone, Copy, Default)]
struct ConstantReading {
    /// Reads constants of nested types.
    json: Option<JsonParser>,
    /// The zones in which constants without an offset are local times.
    zones: Option<TimeZones>,
}

impl PartialEq for ConstantReading {
    fn eq(&self, _: &ConstantReading) -> bool {
        true
    }
}

impl ConstantReading {
    fn or(self, other: ConstantReading) -> ConstantReading {
        ConstantReading { json: self.json.or(other.json), zones: self.zones.or(other.zones) }
    }
}

/// The operator between a column and a constant, or between two columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ComparisonOperator {
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

impl ComparisonOperator {
    /// The six operators; `=` and `!=` are first.
    pub const ALL: [ComparisonOperator; 6] = [
        ComparisonOperator::Equal,
        ComparisonOperator::NotEqual,
        ComparisonOperator::Less,
        ComparisonOperator::LessOrEqual,
        ComparisonOperator::Greater,
        ComparisonOperator::GreaterOrEqual,
    ];
}

/// A test, or several conditions joined by `and` or `or`.
#[derive(Debug, Clone, PartialEq)]
enum Condition<T> {
    Test(T),
    Not(Box<Condition<T>>),
    /// True if all conditions are true. Has at least two conditions.
    All(Vec<Condition<T>>),
    /// True if one of the conditions is true. Has at least two conditions.
    Any(Vec<Condition<T>>),
}

#[derive(Debug, Clone, PartialEq)]
struct ColumnTest {
    /// The name or the path of the column, in the notation of predicates.
    column: String,
    question: Question<Constant, String>,
}

impl ColumnTest {
    /// The names or paths of the columns that the test reads.
    fn columns(&self) -> impl Iterator<Item = &str> {
        [Some(&self.column), self.question.other_column()].into_iter().flatten().map(String::as_str)
    }
}

/// The test that is applied to each value of a column. `C` is the type of constants, and `K` of other columns.
#[derive(Debug, Clone, PartialEq)]
enum Question<C, K> {
    Compare(ComparisonOperator, C),
    OneOf(Vec<C>),
    /// The comparison with the value of another column in the same row.
    CompareColumn(ComparisonOperator, K),
    Like(String, LetterCase),
    IsNull,
    IsTrue,
}

/// Whether upper and lower case letters are different in patterns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LetterCase {
    Sensitive,
    Insensitive,
}

impl<C, K> Question<C, K> {
    fn constants(&self) -> impl Iterator<Item = &C> {
        let constants = match self {
            Question::Compare(_, constant) => std::slice::from_ref(constant),
            Question::OneOf(constants) => constants,
            Question::CompareColumn(..) | Question::Like(..) | Question::IsNull | Question::IsTrue => &[],
        };
        constants.iter()
    }

    /// The column with which the tested column is compared.
    fn other_column(&self) -> Option<&K> {
        if let Question::CompareColumn(_, column) = self { Some(column) } else { None }
    }
}

/// Truth values, of one row or of many rows, with three-valued logic.
trait Logic: Sized {
    fn not(self) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
}

impl Predicate {
    fn test(column: impl Into<String>, question: Question<Constant, String>) -> Predicate {
        Predicate {
            condition: Condition::Test(ColumnTest {
                column: token::quoted_if_needed(column.into()),
                question,
            }),
            reading: ConstantReading::default(),
        }
    }

    /// Reads the constants of lists, structs, maps and unions with this function, such as `read_json_value` of `arrow-text`.
    /// Without it, [`bind`](Predicate::bind) refuses them.
    #[must_use]
    pub fn with_json_values(self, read: JsonParser) -> Predicate {
        Predicate { reading: ConstantReading { json: Some(read), ..self.reading }, ..self }
    }

    /// Reads constants without an offset from UTC as local times, if their column has a time zone among these. A date is the
    /// start of the day in that zone. A local time that clocks skip is between the instants before and after the change, so no
    /// instant equals it. A local time that clocks show twice is an error that names both instants.
    ///
    /// Without this, or if the zone is unknown, [`bind`](Predicate::bind) refuses such constants.
    #[must_use]
    pub fn with_time_zones(self, zones: TimeZones) -> Predicate {
        Predicate { reading: ConstantReading { zones: Some(zones), ..self.reading }, ..self }
    }

    /// Makes a condition that compares a column with a constant.
    ///
    /// `column` is a name. If no column has that name, it is a path in the notation of
    /// [`Schema::path`](arrow_schema::Schema::path).
    pub fn compare(
        column: impl Into<String>,
        comparison: ComparisonOperator,
        constant: impl Into<Scalar>,
    ) -> Predicate {
        let constant = Constant::from_scalar(&constant.into());
        Predicate::test(column, Question::Compare(comparison, constant))
    }

    /// Makes a condition that compares two columns. `left` and `right` are names or paths, as in
    /// [`compare`](Predicate::compare).
    pub fn compare_columns(
        left: impl Into<String>,
        comparison: ComparisonOperator,
        right: impl Into<String>,
    ) -> Predicate {
        let right = token::quoted_if_needed(right.into());
        Predicate::test(left, Question::CompareColumn(comparison, right))
    }

    /// Makes a condition that is true if the column equals one of the values. If the list is empty, no row matches.
    pub fn one_of(
        column: impl Into<String>,
        constants: impl IntoIterator<Item = impl Into<Scalar>>,
    ) -> Predicate {
        let constants = constants.into_iter().map(|constant| Constant::from_scalar(&constant.into()));
        Predicate::test(column, Question::OneOf(constants.collect()))
    }

    /// Makes a condition that is true if the text of the column matches a pattern. In the pattern, `%` stands for any text and
    /// `_` for any character; a character after `\` stands for itself.
    pub fn like(column: impl Into<String>, pattern: impl Into<String>) -> Predicate {
        Predicate::test(column, Question::Like(pattern.into(), LetterCase::Sensitive))
    }

    /// Like [`like`](Predicate::like), but ignores the case of letters: each is compared in its lower case, if that is one
    /// character.
    pub fn ilike(column: impl Into<String>, pattern: impl Into<String>) -> Predicate {
        Predicate::test(column, Question::Like(pattern.into(), LetterCase::Insensitive))
    }

    /// Makes a condition that is true if the text of the column contains another text.
    pub fn contains(column: impl Into<String>, text: &str) -> Predicate {
        Predicate::like(column, like::containing(text))
    }

    /// Makes a condition that is true if the column is null.
    pub fn is_null(column: impl Into<String>) -> Predicate {
        Predicate::test(column, Question::IsNull)
    }

    /// Makes a condition that is true if the column, which must be boolean, is true.
    pub fn is_true(column: impl Into<String>) -> Predicate {
        Predicate::test(column, Question::IsTrue)
    }

    /// Makes a condition that is true if both conditions are true.
    pub fn and(self, other: Predicate) -> Predicate {
        let reading = self.reading.or(other.reading);
        Predicate { condition: Condition::all([self.condition, other.condition]), reading }
    }

    /// Makes a condition that is true if one or both of the conditions are true.
    pub fn or(self, other: Predicate) -> Predicate {
        let reading = self.reading.or(other.reading);
        Predicate { condition: Condition::any([self.condition, other.condition]), reading }
    }

    /// Negates the condition. If a null makes the condition neither true nor false for a row, the negation is neither, too, and
    /// the row does not match.
    #[expect(
        clippy::should_implement_trait,
        reason = "`!` on a condition with nulls would promise two values"
    )]
    pub fn not(self) -> Predicate {
        Predicate { condition: self.condition.negated(), ..self }
    }

    /// The names and paths of the columns, in order of first use, each once.
    pub fn columns(&self) -> Vec<&str> {
        let mut columns = Vec::new();
        self.condition.for_each(&mut |test: &ColumnTest| {
            for column in test.columns() {
                if !columns.contains(&column) {
                    columns.push(column);
                }
            }
        });
        columns
    }
}

impl ComparisonOperator {
    /// The operator that is true where this one is false: `<` becomes `>=`. For a null, both are neither true nor false.
    #[must_use]
    pub fn negated(self) -> ComparisonOperator {
        match self {
            ComparisonOperator::Equal => ComparisonOperator::NotEqual,
            ComparisonOperator::NotEqual => ComparisonOperator::Equal,
            ComparisonOperator::Less => ComparisonOperator::GreaterOrEqual,
            ComparisonOperator::LessOrEqual => ComparisonOperator::Greater,
            ComparisonOperator::Greater => ComparisonOperator::LessOrEqual,
            ComparisonOperator::GreaterOrEqual => ComparisonOperator::Less,
        }
    }

    fn is_equality(self) -> bool {
        matches!(self, ComparisonOperator::Equal | ComparisonOperator::NotEqual)
    }

    /// The operator with its sides exchanged: `<` becomes `>`.
    fn flipped(self) -> ComparisonOperator {
        match self {
            ComparisonOperator::Equal | ComparisonOperator::NotEqual => self,
            ComparisonOperator::Less => ComparisonOperator::Greater,
            ComparisonOperator::LessOrEqual => ComparisonOperator::GreaterOrEqual,
            ComparisonOperator::Greater => ComparisonOperator::Less,
            ComparisonOperator::GreaterOrEqual => ComparisonOperator::LessOrEqual,
        }
    }
}

/// Writes the operator in the notation of predicates, such as `<=`.
impl fmt::Display for ComparisonOperator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ComparisonOperator::Equal => "=",
            ComparisonOperator::NotEqual => "!=",
            ComparisonOperator::Less => "<",
            ComparisonOperator::LessOrEqual => "<=",
            ComparisonOperator::Greater => ">",
            ComparisonOperator::GreaterOrEqual => ">=",
        })
    }
}

impl<T> Condition<T> {
    fn all(conditions: impl IntoIterator<Item = Condition<T>>) -> Condition<T> {
        let parts = conditions.into_iter().flat_map(|condition| match condition {
            Condition::All(conditions) => conditions,
            condition @ (Condition::Test(_) | Condition::Not(_) | Condition::Any(_)) => vec![condition],
        });
        only_or(parts.collect(), Condition::All)
    }

    fn any(conditions: impl IntoIterator<Item = Condition<T>>) -> Condition<T> {
        let parts = conditions.into_iter().flat_map(|condition| match condition {
            Condition::Any(conditions) => conditions,
            condition @ (Condition::Test(_) | Condition::Not(_) | Condition::All(_)) => vec![condition],
        });
        only_or(parts.collect(), Condition::Any)
    }

    fn negated(self) -> Condition<T> {
        match self {
            Condition::Not(condition) => *condition,
            condition @ (Condition::Test(_) | Condition::All(_) | Condition::Any(_)) => {
                Condition::Not(Box::new(condition))
            }
        }
    }

    fn negated_if(self, is_negated: bool) -> Condition<T> {
        if is_negated { self.negated() } else { self }
    }

    fn for_each<'a>(&'a self, call: &mut impl FnMut(&'a T)) {
        match self {
            Condition::Test(test) => call(test),
            Condition::Not(condition) => condition.for_each(call),
            Condition::All(conditions) | Condition::Any(conditions) => {
                conditions.iter().for_each(|condition| condition.for_each(call))
            }
        }
    }

    fn try_map<U, E>(&self, map: &mut impl FnMut(&T) -> Result<U, E>) -> Result<Condition<U>, E> {
        Ok(match self {
            Condition::Test(test) => Condition::Test(map(test)?),
            Condition::Not(condition) => Condition::Not(Box::new(condition.try_map(map)?)),
            Condition::All(conditions) => Condition::All(
                conditions.iter().map(|condition| condition.try_map(map)).collect::<Result<_, _>>()?,
            ),
            Condition::Any(conditions) => Condition::Any(
                conditions.iter().map(|condition| condition.try_map(map)).collect::<Result<_, _>>()?,
            ),
        })
    }

    /// Computes the truth value of the condition from the truth values that `test_truth` returns for the tests.
    fn truth<L: Logic, E>(&self, test_truth: &mut impl FnMut(&T) -> Result<L, E>) -> Result<L, E> {
        match self {
            Condition::Test(test) => test_truth(test),
            Condition::Not(condition) => Ok(condition.truth(test_truth)?.not()),
            Condition::All(conditions) => joined(conditions, test_truth, L::and),
            Condition::Any(conditions) => joined(conditions, test_truth, L::or),
        }
    }
}

/// Returns the only condition in `parts`, or joins several by `join`.
fn only_or<T>(parts: Vec<Condition<T>>, join: fn(Vec<Condition<T>>) -> Condition<T>) -> Condition<T> {
    match <[Condition<T>; 1]>::try_from(parts) {
        Ok([only]) => only,
        Err(parts) => join(parts),
    }
}

fn joined<T, L: Logic, E>(
    conditions: &[Condition<T>],
    test_truth: &mut impl FnMut(&T) -> Result<L, E>,
    join: impl Fn(L, L) -> L,
) -> Result<L, E> {
    let Some((first, rest)) = conditions.split_first() else { unreachable!("there are at least two") };
    rest.iter()
        .try_fold(first.truth(test_truth)?, |truth, condition| Ok(join(truth, condition.truth(test_truth)?)))
}

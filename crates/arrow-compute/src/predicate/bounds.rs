//! Decides from the bounds of columns whether rows can match.

use arrow_array::Scalar;

use super::{
    ComparisonOperator, LetterCase, Logic, Question, answers,
    bind::BoundQuestion,
    constant::BoundConstant,
    like::{escaped, prefix_of},
};

/// What is known about the values of a column, or of a field inside a column. By default, nothing is known.
#[derive(Debug, Clone, Default)]
pub struct ColumnBounds {
    /// The number of rows. `None` if unknown.
    pub n_rows: Option<u64>,
    /// The number of null rows. `None` if unknown.
    pub null_count: Option<u64>,
    /// A lower bound of all values, which need not be one of them. `None` if unknown. Has the type of the decoded values of
    /// dictionaries and runs. Text and bytes may have any layout.
    pub min: Option<Scalar>,
    /// An upper bound of all values, which need not be one of them. `None` if unknown, and also if a value may be NaN, which is
    /// greater than all numbers.
    pub max: Option<Scalar>,
    /// Whether `min` is one of the values.
    pub is_min_exact: bool,
    /// Whether `max` is one of the values.
    pub is_max_exact: bool,
}

/// How many rows can match a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Matches {
    /// No row matches.
    None,
    /// Some rows may match, but need not.
    Some,
    /// All rows match.
    All,
}

/// Which truth values the condition can have for rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TruthValues {
    is_true: bool,
    is_false: bool,
    /// Whether the condition can be neither true nor false for a row, because of a null.
    is_open: bool,
}

impl TruthValues {
    /// The condition can have any truth value.
    pub(super) const ANY: TruthValues = TruthValues { is_true: true, is_false: true, is_open: true };

    pub(super) fn into_matches(self) -> Matches {
        match self {
            TruthValues { is_true: false, .. } => Matches::None,
            TruthValues { is_false: false, is_open: false, .. } => Matches::All,
            TruthValues { .. } => Matches::Some,
        }
    }
}

impl Logic for TruthValues {
    fn not(self) -> TruthValues {
        TruthValues { is_true: self.is_false, is_false: self.is_true, is_open: self.is_open }
    }

    fn and(self, other: TruthValues) -> TruthValues {
        TruthValues {
            is_true: self.is_true && other.is_true,
            is_false: self.is_false || other.is_false,
            is_open: self.is_open || other.is_open,
        }
    }

    fn or(self, other: TruthValues) -> TruthValues {
        TruthValues {
            is_true: self.is_true || other.is_true,
            is_false: self.is_false && other.is_false,
            is_open: self.is_open || other.is_open,
        }
    }
}

pub(super) fn possible(known: &ColumnBounds, question: &BoundQuestion) -> TruthValues {
    let has_nulls = known.null_count != Some(0);
    let has_values = known.n_rows.is_none() || known.n_rows != known.null_count;
    if let Question::IsNull = question {
        return TruthValues { is_true: has_nulls, is_false: has_values, is_open: false };
    }
    let can = |comparison, value: &BoundConstant| can_compare(known, comparison, value);
    let (is_true, is_false) = match question {
        Question::Compare(comparison, value) => (can(*comparison, value), can(comparison.negated(), value)),
        Question::OneOf(values) => {
            // `bind` has sorted the constants, so only the first constant that is not less than the least value matters.
            let is_below = |value: &BoundConstant| !can_reach(known, value);
            let first = values.get(values.partition_point(is_below));
            let is_one = first.is_some_and(|value| can(ComparisonOperator::Equal, value));
            (is_one, first.is_none_or(|value| can(ComparisonOperator::NotEqual, value)))
        }
        Question::IsTrue => (
            can(ComparisonOperator::Equal, &BoundConstant::Flag(true)),
            can(ComparisonOperator::Equal, &BoundConstant::Flag(false)),
        ),
        Question::Like(pattern, LetterCase::Sensitive) => (can_begin(known, prefix_of(pattern)), true),
        // The bounds of one column say nothing about another one, or about letters of another case.
        Question::Like(_, LetterCase::Insensitive) | Question::CompareColumn(..) => (true, true),
        Question::IsNull => (has_nulls, has_values),
    };
    TruthValues { is_true: has_values && is_true, is_false: has_values && is_false, is_open: has_nulls }
}

/// Whether a constant can be a value. `false` only if it is less than the lower bound.
fn can_reach(known: &ColumnBounds, value: &BoundConstant) -> bool {
    let is_reached = |min| holds(min, ComparisonOperator::LessOrEqual, value).unwrap_or(true);
    known.min.as_ref().is_none_or(is_reached)
}

/// Whether the comparison can be true for a value within the bounds.
fn can_compare(known: &ColumnBounds, comparison: ComparisonOperator, value: &BoundConstant) -> bool {
    let holds_for = |bound: &Option<Scalar>, comparison| {
        bound.as_ref().is_none_or(|bound| holds(bound, comparison, value).unwrap_or(true))
    };
    match comparison {
        ComparisonOperator::Less | ComparisonOperator::LessOrEqual => holds_for(&known.min, comparison),
        ComparisonOperator::Greater | ComparisonOperator::GreaterOrEqual => holds_for(&known.max, comparison),
        ComparisonOperator::Equal => {
            // No value equals a constant that lies between two numbers of the type.
            value.is_value()
                && holds_for(&known.min, ComparisonOperator::LessOrEqual)
                && holds_for(&known.max, ComparisonOperator::GreaterOrEqual)
        }
        // If all values equal the constant, both bounds do.
        ComparisonOperator::NotEqual => {
            [&known.min, &known.max].into_iter().any(|bound| holds_for(bound, comparison))
        }
    }
}

/// Whether a text within the bounds can begin with a prefix. `false` if the upper bound is less than the prefix, or if the
/// lower bound is greater and does not begin with the prefix.
fn can_begin(known: &ColumnBounds, prefix: String) -> bool {
    let value = BoundConstant::Bytes(prefix.clone().into_bytes());
    let is_below =
        known.max.as_ref().is_some_and(|max| holds(max, ComparisonOperator::Less, &value) == Some(true));
    let is_above = known.min.as_ref().is_some_and(|min| {
        let begins =
            answers_of(min, &Question::Like(format!("{}%", escaped(&prefix)), LetterCase::Sensitive));
        holds(min, ComparisonOperator::Greater, &value) == Some(true) && begins == Some(false)
    });
    !is_below && !is_above
}

pub(super) fn holds(bound: &Scalar, comparison: ComparisonOperator, value: &BoundConstant) -> Option<bool> {
    answers_of(bound, &Question::Compare(comparison, value.clone()))
}

/// Whether the test is true for one value. `None` if the value is null or has another type.
fn answers_of(value: &Scalar, question: &BoundQuestion) -> Option<bool> {
    let answers = answers::answer(value.as_array(), question).ok()?;
    match (answers.is_true(0), answers.is_false(0)) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        (false, false) => None,
    }
}

//! Writes predicates in the notation that they are parsed from.

use std::fmt;

use super::{
    ColumnTest, Condition, LetterCase, Predicate, Question,
    constant::{Constant, QuoteMark},
};

impl LetterCase {
    pub(super) fn keyword(self) -> &'static str {
        match self {
            LetterCase::Sensitive => "like",
            LetterCase::Insensitive => "ilike",
        }
    }
}

/// Writes the notation that [`str::parse`] reads.
impl fmt::Display for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.condition.fmt(f)
    }
}

impl fmt::Display for Condition<ColumnTest> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Test(ColumnTest { column, question }) => write_test(f, column, question, ""),
            Condition::Not(condition) => match &**condition {
                Condition::Test(ColumnTest { column, question }) if has_not_inside(question) => {
                    write_test(f, column, question, "not ")
                }
                condition @ Condition::Test(_) => write!(f, "not {condition}"),
                condition @ (Condition::Not(_) | Condition::All(_) | Condition::Any(_)) => {
                    write!(f, "not ({condition})")
                }
            },
            Condition::All(conditions) => write_joined(f, conditions, " and "),
            Condition::Any(conditions) => write_joined(f, conditions, " or "),
        }
    }
}

impl Condition<ColumnTest> {
    /// How deep parentheses and `not` are nested in the written condition. A test alone has a depth of 1.
    pub(super) fn written_depth(&self) -> usize {
        match self {
            Condition::Test(_) => 1,
            Condition::Not(condition) => match &**condition {
                Condition::Test(test) if has_not_inside(&test.question) => 1,
                Condition::Test(_) => 2,
                condition @ (Condition::Not(_) | Condition::All(_) | Condition::Any(_)) => {
                    condition.written_depth().saturating_add(2)
                }
            },
            Condition::All(conditions) | Condition::Any(conditions) => {
                let depths = conditions.iter().map(|condition| match condition {
                    Condition::All(_) | Condition::Any(_) => condition.written_depth().saturating_add(1),
                    Condition::Test(_) | Condition::Not(_) => condition.written_depth(),
                });
                depths.max().unwrap_or(1)
            }
        }
    }
}

/// Whether `not` comes after the column, and not before it.
fn has_not_inside(question: &Question<Constant, String>) -> bool {
    matches!(question, Question::OneOf(_) | Question::Like(..) | Question::IsNull)
}

fn write_test(
    f: &mut fmt::Formatter<'_>,
    column: &str,
    question: &Question<Constant, String>,
    not: &str,
) -> fmt::Result {
    match question {
        Question::Compare(comparison, constant) => write!(f, "{column} {comparison} {constant}"),
        Question::OneOf(constants) => {
            write!(f, "{column} {not}in (")?;
            for (idx, constant) in constants.iter().enumerate() {
                write!(f, "{}{constant}", if idx == 0 { "" } else { ", " })?;
            }
            f.write_str(")")
        }
        Question::CompareColumn(comparison, other) => write!(f, "{column} {comparison} {other}"),
        Question::Like(pattern, case) => {
            let pattern = Constant::Text(pattern.clone(), QuoteMark::Single);
            write!(f, "{column} {not}{} {pattern}", case.keyword())
        }
        Question::IsNull => write!(f, "{column} is {not}null"),
        Question::IsTrue => f.write_str(column),
    }
}

fn write_joined(f: &mut fmt::Formatter<'_>, conditions: &[Condition<ColumnTest>], word: &str) -> fmt::Result {
    for (idx, condition) in conditions.iter().enumerate() {
        f.write_str(if idx == 0 { "" } else { word })?;
        match condition {
            Condition::Any(_) | Condition::All(_) => write!(f, "({condition})")?,
            Condition::Test(_) | Condition::Not(_) => write!(f, "{condition}")?,
        }
    }
    Ok(())
}

impl fmt::Display for Constant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Constant::Number(number) => f.write_str(number),
            Constant::Text(text, QuoteMark::Single) => write!(f, "'{}'", text.replace('\'', "''")),
            Constant::Text(text, QuoteMark::Double) => {
                write!(f, "\"{}\"", text.replace('\\', r"\\").replace('"', r#"\""#))
            }
            Constant::Bytes(digits) => write!(f, "x'{}'", digits.replace('\'', "''")),
            Constant::Flag(flag) => flag.fmt(f),
            Constant::Null => f.write_str("null"),
        }
    }
}

//! Names of columns as they are given on the command line.

use std::str::FromStr;

use arrow_ipc::Projection;
use arrow_schema::{LookupError, QuotedName, Schema};

/// Names of top-level columns, in the order in which they are wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ColumnNames(Vec<String>);

/// Why a list of names makes no sense.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ColumnNamesError {
    #[error("a name is missing; a column whose name is empty is written as \"\"")]
    EmptyName,
    #[error("a name in quotes is not finished, or holds what is no JSON text")]
    BrokenQuotes,
    #[error("a comma is missing behind a name in quotes")]
    MissingComma,
}

impl ColumnNames {
    /// The columns of these names.
    ///
    /// # Errors
    /// If the schema does not have one column of each name.
    pub(crate) fn projection(&self, schema: &Schema) -> Result<Projection, LookupError> {
        let positions = self.0.iter().map(|name| schema.index_of(name)).collect::<Result<_, _>>()?;
        Ok(Projection::Positions(positions))
    }
}

impl FromStr for ColumnNames {
    type Err = ColumnNamesError;

    /// Names with commas between them; those that begin with a double quote are JSON strings.
    fn from_str(text: &str) -> Result<ColumnNames, ColumnNamesError> {
        let mut names = Vec::new();
        let mut rest = text;
        loop {
            let (name, behind) = if rest.starts_with('"') { quoted(rest)? } else { bare(rest)? };
            names.push(name);
            match behind {
                None => return Ok(ColumnNames(names)),
                Some(behind) => rest = behind,
            }
        }
    }
}

type Name<'a> = (String, Option<&'a str>);

fn bare(text: &str) -> Result<Name<'_>, ColumnNamesError> {
    let (name, rest) = match text.split_once(',') {
        None => (text, None),
        Some((name, rest)) => (name, Some(rest)),
    };
    if name.is_empty() { Err(ColumnNamesError::EmptyName) } else { Ok((name.to_owned(), rest)) }
}

fn quoted(text: &str) -> Result<Name<'_>, ColumnNamesError> {
    let mut strings = serde_json::Deserializer::from_str(text).into_iter::<String>();
    let Some(Ok(name)) = strings.next() else { return Err(ColumnNamesError::BrokenQuotes) };
    match text.get(strings.byte_offset()..) {
        None | Some("") => Ok((name, None)),
        Some(rest) => match rest.strip_prefix(',') {
            Some(rest) => Ok((name, Some(rest))),
            None => Err(ColumnNamesError::MissingComma),
        },
    }
}

/// What to do about a name that was not found: similar names, or all there are.
pub(crate) fn advice(error: &LookupError, schema: &Schema) -> Option<String> {
    let name = match error {
        LookupError::Missing { name } => name,
        LookupError::Ambiguous { .. } => {
            return Some("columns of the same name cannot be chosen by it: leave out --columns".to_owned());
        }
        LookupError::OutOfRange { .. }
        | LookupError::NoPath(_)
        | LookupError::NoDictionary
        | LookupError::Within { .. } => return None,
    };
    let names = || schema.fields().iter().map(|field| field.name());
    let similar: Vec<&str> = names().filter(|other| is_similar(name, other)).take(MAX_SIMILAR).collect();
    if !similar.is_empty() {
        return Some(format!("similar names are: {}", list(&similar)));
    }
    let all: Vec<&str> = names().collect();
    match all.get(..MAX_LISTED) {
        None if all.is_empty() => Some("there are no columns".to_owned()),
        None => Some(format!("the columns are: {}", list(&all))),
        Some(first) => {
            let n_more = all.len().saturating_sub(first.len());
            Some(format!(
                "the columns are: {} and {n_more} more, which `arrow-ipc schema` shows",
                list(first)
            ))
        }
    }
}

const MAX_SIMILAR: usize = 5;
const MAX_LISTED: usize = 20;

/// Names as `--columns` takes them.
fn list(names: &[&str]) -> String {
    names.iter().map(|name| QuotedName(name).to_string()).collect::<Vec<_>>().join(", ")
}

/// Whether a slip of the finger could have made one name of the other.
fn is_similar(wanted: &str, other: &str) -> bool {
    let (wanted, other) = (wanted.to_lowercase(), other.to_lowercase());
    if wanted == other || (!wanted.is_empty() && other.starts_with(&wanted)) {
        return true;
    }
    let (wanted, other): (Vec<char>, Vec<char>) = (wanted.chars().collect(), other.chars().collect());
    const MAX_CHARS: usize = 64;
    if wanted.len().max(other.len()) > MAX_CHARS || wanted.len().abs_diff(other.len()) > 2 {
        return false;
    }
    n_edits(&wanted, &other) <= wanted.len().max(other.len()).div_ceil(3).min(2)
}

/// The number of characters to insert, remove or replace to get from one to the other.
fn n_edits(from: &[char], to: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (n_before, a) in from.iter().enumerate() {
        let mut diagonal = n_before;
        let mut left = n_before + 1;
        if let Some(first) = row.first_mut() {
            *first = left;
        }
        for (b, cell) in to.iter().zip(row.iter_mut().skip(1)) {
            let replaced = diagonal + usize::from(a != b);
            diagonal = *cell;
            left = replaced.min(diagonal + 1).min(left + 1);
            *cell = left;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use arrow_schema::{DataType, Field};

    use super::*;

    #[test]
    fn names_are_split_at_commas_outside_of_quotes() {
        let cases: &[(&str, Result<&[&str], ColumnNamesError>)] = &[
            ("a", Ok(&["a"])),
            ("a,b", Ok(&["a", "b"])),
            ("b,a,b", Ok(&["b", "a", "b"])),
            ("first name, x", Ok(&["first name", " x"])),
            ("a.b", Ok(&["a.b"])),
            ("\"a,b\",c", Ok(&["a,b", "c"])),
            ("\"say \\\"hi\\\"\\u000a\"", Ok(&["say \"hi\"\n"])),
            ("\"\"", Ok(&[""])),
            ("5\"", Ok(&["5\""])),
            ("", Err(ColumnNamesError::EmptyName)),
            ("a,", Err(ColumnNamesError::EmptyName)),
            ("a,,b", Err(ColumnNamesError::EmptyName)),
            ("\"a", Err(ColumnNamesError::BrokenQuotes)),
            ("\"a\"b", Err(ColumnNamesError::MissingComma)),
        ];
        for (text, expected) in cases {
            let found = text.parse::<ColumnNames>();
            let expected =
                expected.clone().map(|names| ColumnNames(names.iter().map(|n| (*n).to_owned()).collect()));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn advice_names_what_there_is() {
        let names = ["name", "Name 2", "amount", "x,y"];
        let schema: Schema = names.iter().map(|name| Field::new(*name, DataType::Int8)).collect();
        let cases = [
            ("nmae", "similar names are: name"),
            ("NAME", "similar names are: name, \"Name 2\""),
            ("amout", "similar names are: amount"),
            ("zzz", "the columns are: name, \"Name 2\", amount, \"x,y\""),
        ];
        for (name, expected) in cases {
            let error = schema.index_of(name).expect_err(name);
            assert_eq!(advice(&error, &schema).as_deref(), Some(expected), "{name}");
        }
        let error = Schema::default().index_of("a").expect_err("no columns");
        assert_eq!(advice(&error, &Schema::default()).as_deref(), Some("there are no columns"));
    }
}

//! Parses names of columns and paths to fields inside them, as in `--columns`.

use std::str::FromStr;

use arrow_ipc_tools::{ColumnNames, columns::ColumnName};

/// The value of `--columns`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ColumnsArg(pub(crate) ColumnNames);

/// The error of parsing a list of names.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ColumnNamesError {
    #[error("a name is missing; a column whose name is empty is written as \"\"")]
    EmptyName,
    #[error("a quoted name has no closing quote, or is not a valid JSON string")]
    BrokenQuotes,
    #[error("expected a comma or dot after a quoted name")]
    MissingComma,
}

impl ColumnsArg {
    /// The names of `columns` without those of `excluded`; `None` for all columns.
    pub(crate) fn without(
        columns: Option<&ColumnsArg>,
        excluded: Option<&ColumnsArg>,
    ) -> Option<ColumnNames> {
        let columns = columns.map(|columns| columns.0.clone());
        match excluded {
            Some(excluded) => Some(columns.unwrap_or_else(ColumnNames::all).without(excluded.0.clone())),
            None => columns,
        }
    }
}

impl FromStr for ColumnsArg {
    type Err = ColumnNamesError;

    /// Parses names and paths that are separated by commas. A double quote at the start of a name, or after a dot,
    /// begins a JSON string. In this string, `*` has no special meaning.
    fn from_str(text: &str) -> Result<ColumnsArg, ColumnNamesError> {
        let mut names = Vec::new();
        let mut rest = text;
        loop {
            let (name, after) = first_of(rest)?;
            names.push(name);
            match after {
                None => return Ok(ColumnsArg(names.into_iter().collect())),
                Some(after) => rest = after,
            }
        }
    }
}

/// Parses the first name or path of a list. Returns the text after the comma that follows it, if there is one.
fn first_of(text: &str) -> Result<(ColumnName, Option<&str>), ColumnNamesError> {
    let mut rest = text;
    let mut last_quoted = None;
    let mut has_dots = false;
    let mut has_quotes = false;
    let after = loop {
        if rest.starts_with('"') {
            let (name, after) = quoted(rest)?;
            last_quoted = Some(name);
            has_quotes = true;
            rest = after;
        } else {
            rest = rest.trim_start_matches(|char| char != ',' && char != '.');
        }
        let mut chars = rest.chars();
        match chars.next() {
            None => break None,
            Some(',') => break Some(chars.as_str()),
            Some('.') => {
                has_dots = true;
                rest = chars.as_str();
            }
            Some(_) => return Err(ColumnNamesError::MissingComma),
        }
    };
    let as_given = text.strip_suffix(rest).unwrap_or(text).to_owned();
    if !has_quotes && as_given.contains('*') {
        return Ok((ColumnName::Pattern(as_given), after));
    }
    let name = match last_quoted {
        Some(name) if !has_dots => ColumnName::Name(name),
        _ if as_given.is_empty() => return Err(ColumnNamesError::EmptyName),
        _ if !has_dots => ColumnName::Name(as_given),
        _ if has_quotes => ColumnName::Path(as_given),
        _ => ColumnName::NameOrPath(as_given),
    };
    Ok((name, after))
}

/// Parses the JSON string at the start of a text. Returns the text after it.
pub(crate) fn quoted(text: &str) -> Result<(String, &str), ColumnNamesError> {
    let mut strings = serde_json::Deserializer::from_str(text).into_iter::<String>();
    let Some(Ok(name)) = strings.next() else { return Err(ColumnNamesError::BrokenQuotes) };
    Ok((name, text.get(strings.byte_offset()..).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_at_commas_outside_of_quotes() {
        let name = |name: &str| ColumnName::Name(name.to_owned());
        let either = |text: &str| ColumnName::NameOrPath(text.to_owned());
        let path = |text: &str| ColumnName::Path(text.to_owned());
        let pattern = |text: &str| ColumnName::Pattern(text.to_owned());
        let cases: [(&str, Result<Vec<ColumnName>, ColumnNamesError>); 27] = [
            ("a", Ok(vec![name("a")])),
            ("a,b", Ok(vec![name("a"), name("b")])),
            ("b,a,b", Ok(vec![name("b"), name("a"), name("b")])),
            ("first name, x", Ok(vec![name("first name"), name(" x")])),
            ("a.b", Ok(vec![either("a.b")])),
            ("a.b.c,d", Ok(vec![either("a.b.c"), name("d")])),
            ("a..b,.", Ok(vec![either("a..b"), either(".")])),
            ("\"a.b\"", Ok(vec![name("a.b")])),
            ("\"a.b\".c,d", Ok(vec![path("\"a.b\".c"), name("d")])),
            ("a.\"b,c\",d", Ok(vec![path("a.\"b,c\""), name("d")])),
            ("a.\"b\".c", Ok(vec![path("a.\"b\".c")])),
            ("\"a,b\",c", Ok(vec![name("a,b"), name("c")])),
            ("\"say \\\"hi\\\"\\u000a\"", Ok(vec![name("say \"hi\"\n")])),
            ("\"\"", Ok(vec![name("")])),
            ("\"\",a", Ok(vec![name(""), name("a")])),
            ("5\"", Ok(vec![name("5\"")])),
            ("id,*", Ok(vec![name("id"), pattern("*")])),
            ("a.*_x,b", Ok(vec![pattern("a.*_x"), name("b")])),
            ("\"*\",\"a\".*", Ok(vec![name("*"), path("\"a\".*")])),
            ("", Err(ColumnNamesError::EmptyName)),
            ("a,", Err(ColumnNamesError::EmptyName)),
            ("a,,b", Err(ColumnNamesError::EmptyName)),
            ("\"a", Err(ColumnNamesError::BrokenQuotes)),
            ("a.\"b", Err(ColumnNamesError::BrokenQuotes)),
            ("\"a\"b", Err(ColumnNamesError::MissingComma)),
            ("a.\"b\"c", Err(ColumnNamesError::MissingComma)),
            ("\"\\x\"", Err(ColumnNamesError::BrokenQuotes)),
        ];
        for (text, expected) in cases {
            assert_eq!(
                text.parse::<ColumnsArg>(),
                expected.map(|names| ColumnsArg(names.into_iter().collect())),
                "{text}"
            );
        }
    }
}

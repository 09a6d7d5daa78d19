//! Parses arguments with a column name before an equals sign: `OLD=NEW` and `COLUMN=TYPE`.

use std::str::FromStr;

use arrow_schema::{Bool8, DataType, Field, IndexType, Json, TextParser, Uuid};

use crate::columns::quoted;

/// The old name of a column, and its new name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RenameArg(pub(crate) String, pub(crate) String);

/// The name of a column, and a field with its new type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TypeArg(pub(crate) String, pub(crate) Field);

impl FromStr for RenameArg {
    type Err = String;

    fn from_str(text: &str) -> Result<RenameArg, String> {
        let (old, new) = name_and_rest(text, "OLD=NEW")?;
        if new.is_empty() {
            return Err("the new name is empty; \"\" stands for an empty name".to_owned());
        }
        if !new.starts_with('"') {
            return Ok(RenameArg(old, new.to_owned()));
        }
        match quoted(new) {
            Ok((new, "")) => Ok(RenameArg(old, new)),
            Ok(_) => Err("expected nothing after a quoted name".to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }
}

impl FromStr for TypeArg {
    type Err = String;

    fn from_str(text: &str) -> Result<TypeArg, String> {
        let (column, data_type) = name_and_rest(text, "COLUMN=TYPE")?;
        let of_type = |data_type| Field::new(column.as_str(), data_type);
        let field = match data_type {
            "uuid" => of_type(Uuid.storage()).with_extension_type(&Uuid).map_err(|error| error.to_string()),
            "json" => of_type(DataType::Utf8).with_extension_type(&Json).map_err(|error| error.to_string()),
            "bool8" => of_type(DataType::Int8).with_extension_type(&Bool8).map_err(|error| error.to_string()),
            // The cast replaces the null type by the type of the column's values.
            "dictionary" => DataType::dictionary(IndexType::Int32, DataType::Null)
                .map(of_type)
                .map_err(|error| error.to_string()),
            text => {
                let data_type = TextParser::new().with_familiar_names().data_type(text);
                data_type.map(of_type).map_err(|error| error.to_string())
            }
        };
        field.map(|field| TypeArg(column, field))
    }
}

/// Splits a text at the equals sign after a name. The name may be quoted as in `--columns`.
fn name_and_rest<'a>(text: &'a str, expected: &str) -> Result<(String, &'a str), String> {
    let failed = || format!("expected {expected}");
    if !text.starts_with('"') {
        let (name, rest) = text.split_once('=').ok_or_else(failed)?;
        return Ok((name.to_owned(), rest));
    }
    let (name, rest) = quoted(text).map_err(|error| error.to_string())?;
    Ok((name, rest.strip_prefix('=').ok_or_else(failed)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_before_an_equals_sign_may_be_quoted() {
        let cases = [
            ("a=b", Some(("a", "b"))),
            ("a=b=c", Some(("a", "b=c"))),
            (r#""a,b"=ab"#, Some(("a,b", "ab"))),
            (r#""x=y"="a=\"b""#, Some(("x=y", "a=\"b"))),
            (r#"a"b=c"d"#, Some((r#"a"b"#, r#"c"d"#))),
            (r#"""="""#, Some(("", ""))),
            (r#"""="#, None),
            ("a", None),
            (r#""a"b=c"#, None),
            (r#""a=b"#, None),
            (r#"a="b"#, None),
            (r#"a="b"c"#, None),
        ];
        for (text, expected) in cases {
            let expected = expected.map(|(old, new)| RenameArg(old.to_owned(), new.to_owned()));
            assert_eq!(text.parse().ok(), expected, "{text}");
        }
        let cast = r#""x=y"=dictionary<int32, utf8>"#.parse::<TypeArg>().unwrap();
        assert_eq!((&*cast.0, &*cast.1.data_type().to_string()), ("x=y", "dictionary<int32, utf8>"));
    }
}

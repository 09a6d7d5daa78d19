//! Parses arguments with a name before an equals sign: `OLD=NEW`, `COLUMN=TYPE`, and changes of metadata.

use std::str::FromStr;

use arrow_schema::{Bool8, DataType, Field, IndexType, Json, TextParser, Uuid};

use crate::columns::quoted;

/// The old name of a column, and its new name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RenameArg(pub(crate) String, pub(crate) String);

/// The name of a column, and a field with its new type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TypeArg(pub(crate) String, pub(crate) Field);

/// A key of the metadata of the schema, and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MetadataArg(pub(crate) String, pub(crate) String);

/// A column, a key of its metadata, and the value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ColumnMetadataArg(pub(crate) String, pub(crate) MetadataArg);

/// A column, and a key of its metadata.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ColumnKeyArg(pub(crate) String, pub(crate) String);

/// Names of columns and their new names: the value of `--rename`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RenamesArg(pub(crate) Vec<RenameArg>);

impl FromStr for RenamesArg {
    type Err = String;

    fn from_str(text: &str) -> Result<RenamesArg, String> {
        let mut renames = Vec::new();
        let mut rest = Some(text);
        while let Some(text) = rest {
            let expected = if renames.is_empty() {
                "OLD=NEW"
            } else {
                "OLD=NEW after a comma; a name that has a comma is written in double quotes"
            };
            let (old, new) = name_and_rest(text, expected)?;
            let (new, after) = new_name(new)?;
            renames.push(RenameArg(old, new));
            rest = after;
        }
        Ok(RenamesArg(renames))
    }
}

/// The new name at the start of a text, and the text after the comma that follows it.
fn new_name(text: &str) -> Result<(String, Option<&str>), String> {
    if !text.starts_with('"') {
        let (name, after) = text.split_once(',').map_or((text, None), |(name, after)| (name, Some(after)));
        if name.is_empty() {
            return Err("the new name is empty; \"\" stands for an empty name".to_owned());
        }
        return Ok((name.to_owned(), after));
    }
    let (name, after) = quoted(text).map_err(|error| error.to_string())?;
    if after.is_empty() {
        return Ok((name, None));
    }
    match after.strip_prefix(',') {
        Some(after) => Ok((name, Some(after))),
        None => Err("expected a comma, or nothing, after a quoted name".to_owned()),
    }
}

impl FromStr for TypeArg {
    type Err = String;

    fn from_str(text: &str) -> Result<TypeArg, String> {
        let (column, data_type) = name_and_rest(text, "COLUMN=TYPE")?;
        let with_type = |data_type| Field::new(column.as_str(), data_type);
        let field = match data_type {
            "uuid" => with_type(Uuid.storage()).with_extension_type(&Uuid).map_err(|error| error.to_string()),
            "json" => with_type(DataType::Utf8).with_extension_type(&Json).map_err(|error| error.to_string()),
            "bool8" => {
                with_type(DataType::Int8).with_extension_type(&Bool8).map_err(|error| error.to_string())
            }
            // The cast replaces the null type by the type of the column's values.
            "dictionary" => DataType::dictionary(IndexType::Int32, DataType::Null)
                .map(with_type)
                .map_err(|error| error.to_string()),
            text => {
                let data_type = TextParser::new().with_familiar_names().data_type(text);
                data_type.map(with_type).map_err(|error| error.to_string())
            }
        };
        field.map(|field| TypeArg(column, field))
    }
}

impl FromStr for MetadataArg {
    type Err = String;

    fn from_str(text: &str) -> Result<MetadataArg, String> {
        let (key, value) = name_and_rest(text, "KEY=VALUE")?;
        Ok(MetadataArg(key, value.to_owned()))
    }
}

impl FromStr for ColumnMetadataArg {
    type Err = String;

    fn from_str(text: &str) -> Result<ColumnMetadataArg, String> {
        let (column, rest) = column_and_rest(text, "COLUMN:KEY=VALUE")?;
        let (key, value) = name_and_rest(rest, "COLUMN:KEY=VALUE")?;
        Ok(ColumnMetadataArg(column, MetadataArg(key, value.to_owned())))
    }
}

impl FromStr for ColumnKeyArg {
    type Err = String;

    fn from_str(text: &str) -> Result<ColumnKeyArg, String> {
        let (column, key) = column_and_rest(text, "COLUMN:KEY")?;
        Ok(ColumnKeyArg(column, key.to_owned()))
    }
}

/// Splits a text at the colon after a column or the path of a field. The names in it may be quoted as in `--columns`.
fn column_and_rest<'a>(text: &'a str, expected: &str) -> Result<(String, &'a str), String> {
    let failed = || format!("expected {expected}");
    let mut rest = text;
    loop {
        if rest.starts_with('"') {
            rest = quoted(rest).map_err(|error| error.to_string())?.1;
        } else {
            let end = rest.find([':', '.']).ok_or_else(failed)?;
            rest = rest.get(end..).unwrap_or_default();
        }
        match rest.split_at_checked(1) {
            Some((".", after)) => rest = after,
            Some((":", after)) => {
                let column = text.get(..text.len().saturating_sub(rest.len())).unwrap_or_default();
                // One name in quotes is that name. In paths, quotes stay.
                let name = quoted(column).ok().filter(|(_, after)| after.is_empty()).map(|(name, _)| name);
                return Ok((name.unwrap_or_else(|| column.to_owned()), after));
            }
            _ => return Err(failed()),
        }
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
            let rename = |(old, new): (&str, &str)| RenameArg(old.to_owned(), new.to_owned());
            let expected = expected.map(|expected| RenamesArg(vec![rename(expected)]));
            assert_eq!(text.parse().ok(), expected, "{text}");
        }
        let several = "a=b,\"c,d\"=\"e,f\",g=h".parse::<RenamesArg>().unwrap();
        let pairs: Vec<[&str; 2]> = several.0.iter().map(|RenameArg(old, new)| [&**old, &**new]).collect();
        assert_eq!(pairs, [["a", "b"], ["c,d", "e,f"], ["g", "h"]]);
        for text in ["a=b,", "a=b,c", "a=,c=d", "a=\"b\"c=d"] {
            assert!(text.parse::<RenamesArg>().is_err(), "{text}");
        }
        let set = |text: &str| {
            let found: Result<ColumnMetadataArg, String> = text.parse();
            found.ok().map(|ColumnMetadataArg(column, MetadataArg(key, value))| [column, key, value])
        };
        let cases = [
            ("a:b=c", Some(["a", "b", "c"])),
            ("a.b:ARROW:extension:name=x=y", Some(["a.b", "ARROW:extension:name", "x=y"])),
            (r#""a:b":c="#, Some(["a:b", "c", ""])),
            (r#""a.b":c=d"#, Some(["a.b", "c", "d"])),
            (r#"a."b:c".d:"k=1"=v"#, Some([r#"a."b:c".d"#, "k=1", "v"])),
            ("a=b:c", None),
            ("a:b", None),
            ("a", None),
            ("", None),
            (r#""a:b=c"#, None),
            (r#""a"b:c=d"#, None),
        ];
        for (text, expected) in cases {
            assert_eq!(set(text), expected.map(|parts| parts.map(str::to_owned)), "{text}");
        }
        let key = ColumnKeyArg("a".to_owned(), "b=c:d".to_owned());
        assert_eq!("a:b=c:d".parse(), Ok(key));
        assert!("a".parse::<ColumnKeyArg>().is_err() && "a".parse::<MetadataArg>().is_err());
        let cast = r#""x=y"=dictionary<int32, utf8>"#.parse::<TypeArg>().unwrap();
        assert_eq!((&*cast.0, &*cast.1.data_type().to_string()), ("x=y", "dictionary<int32, utf8>"));
    }
}

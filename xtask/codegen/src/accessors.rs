//! Typed accessors of tables, structs, enumerations and unions, over the checked reader of `arrow-ipc-format`. They contain
//! what the schemas state and nothing else: names, slots, types and defaults.

use std::fmt::Write as _;

use planus_types::{
    ast::{Docstrings, IntegerType},
    intermediate::{
        AssignMode, DeclarationIndex, DeclarationKind, Declarations, Enum, IntegerLiteral, Literal,
        SimpleType, Struct, Table, TableField, TypeKind, Union,
    },
};

use crate::Failure;

const HEAD: &str = "
//! The tables, structs, enumerations and unions of `format/*.fbs`, with checked accessors.

use std::borrow::Cow;

use crate::flatbuffer::{
    InlineValue, Result, Slot, Table, Tables, Union as UnionValue, Vector, enumeration, part, typed_table,
};
";

/// The code of the accessors, not formatted.
pub(super) fn accessors(declarations: &Declarations) -> Result<String, Failure> {
    let mut code = HEAD.to_owned();
    for (_, path, declaration) in declarations.iter_declarations() {
        let name = path.0.last().map_or("", String::as_str);
        let docs = doc_lines(&declaration.docstrings);
        let text = match &declaration.kind {
            // Nothing can be read of it.
            DeclarationKind::Table(it) if it.fields.is_empty() => continue,
            DeclarationKind::Table(it) => table(name, it, declarations)?,
            DeclarationKind::Struct(it) => structure(name, it)?,
            DeclarationKind::Enum(it) => {
                let members = it.variants.iter().map(|(number, member)| {
                    (member_name(&member.name), number.to_string(), doc_lines(&member.docstrings))
                });
                enumeration(&type_name(name), number_type(it), members)
            }
            DeclarationKind::Union(it) => union(name, it, declarations)?,
            DeclarationKind::RpcService(_) => return Err(no_accessor(name, "a service")),
        };
        let _ = write!(code, "\n{docs}{text}");
    }
    Ok(code)
}

fn table(name: &str, table: &Table, declarations: &Declarations) -> Result<String, Failure> {
    let type_name = type_name(name);
    let (mut slots, mut methods) = (String::new(), String::new());
    let mut slot = |constant: &str, field: &str, index: u32, default: &str| {
        let _ = writeln!(
            slots,
            "pub const {constant}: Slot = Slot {{ table: {name:?}, field: {field:?}, index: {index}, default: {default} }};"
        );
    };
    let mut method = |docs: &str, name: &str, result: &str, body: &str| {
        let _ = writeln!(methods, "{docs}#[inline]\npub fn {name}(self) -> Result<{result}> {{ {body} }}\n");
    };
    for (field, declared) in &table.fields {
        let (getter, constant, index) = (field_name(field), constant_name(field), declared.vtable_index);
        if let TypeKind::Union(union) = &declared.type_.kind {
            // A union has two entries: its tag, then its value.
            slot(&format!("{constant}_TAG"), field, index, "0");
            slot(&constant, field, index + 1, "0");
            let tag = format!("Option<{}Tag>", type_of(*union, declarations));
            method("", &tag_name(field), &tag, &format!("self.0.tag(&Self::{constant}_TAG)"));
        } else {
            slot(&constant, field, index, &default_of(&declared.assign_mode));
        }
        let (result, value) = access((name, field), declared, declarations)?;
        let docs = doc_lines(&declared.docstrings);
        match &declared.assign_mode {
            AssignMode::HasDefault(_) => method(&docs, &getter, &result, &value),
            AssignMode::Optional => method(&docs, &getter, &format!("Option<{result}>"), &value),
            AssignMode::Required => {
                let body = format!("let found = {value}?;\nself.0.required(&Self::{constant}, found)");
                method(&docs, &getter, &result, &body);
            }
        }
    }
    let (generics, lifetime) = if methods.contains("'a") { ("<'a>", "'a") } else { ("", "'_") };
    Ok(format!(
        "#[derive(Debug, Clone, Copy)]
        pub struct {type_name}<'a>(pub Table<'a>);\n
        typed_table!({type_name}, {name:?});\n
        impl{generics} {type_name}<{lifetime}> {{\n{slots}\n{methods}}}\n"
    ))
}

/// The default of a number; 0 for what may be absent.
fn default_of(mode: &AssignMode) -> String {
    match mode {
        AssignMode::HasDefault(Literal::Int(default) | Literal::EnumTag { value: default, .. }) => {
            default.to_string()
        }
        AssignMode::HasDefault(Literal::Bool(default)) => u8::from(*default).to_string(),
        AssignMode::HasDefault(_) | AssignMode::Required | AssignMode::Optional => "0".to_owned(),
    }
}

/// The type of a field that is there, and the expression that reads it.
fn access(
    (table, field): (&str, &str),
    declared: &TableField,
    declarations: &Declarations,
) -> Result<(String, String), Failure> {
    let (what, constant) = (format!("{table}.{field}"), constant_name(field));
    let default = match &declared.assign_mode {
        AssignMode::HasDefault(literal) => Some(literal),
        AssignMode::Required | AssignMode::Optional => None,
    };
    let read = |how: &str| format!("self.0.{how}(&Self::{constant})");
    Ok(match (&declared.type_.kind, default) {
        (TypeKind::SimpleType(SimpleType::Bool), Some(Literal::Bool(default))) => {
            ("bool".to_owned(), format!("self.0.number(&Self::{constant}, {default})"))
        }
        (TypeKind::SimpleType(SimpleType::Integer(integer)), Some(Literal::Int(default))) => {
            (rust_integer(*integer), format!("self.0.number(&Self::{constant}, {default})"))
        }
        (TypeKind::SimpleType(SimpleType::Enum(index)), Some(Literal::EnumTag { value, .. })) => {
            let name = type_of(*index, declarations);
            let member = member_of(*index, *value, declarations)
                .ok_or_else(|| no_accessor(&what, "such a default"))?;
            (name.clone(), format!("self.0.enumeration(&Self::{constant}, {name}::{member})"))
        }
        (TypeKind::SimpleType(SimpleType::Struct(index)), None) => {
            (type_of(*index, declarations), read("inline"))
        }
        (TypeKind::String, None) => ("Cow<'a, str>".to_owned(), read("text")),
        (TypeKind::Table(index), None) => (format!("{}<'a>", type_of(*index, declarations)), read("table")),
        (TypeKind::Union(index), None) => {
            let value = format!("self.0.union(&Self::{constant}, self.{}()?)", tag_name(field));
            (format!("{}<'a>", type_of(*index, declarations)), value)
        }
        (TypeKind::Vector(items), None) => match &items.kind {
            TypeKind::Table(index) => {
                (format!("Tables<'a, {}<'a>>", type_of(*index, declarations)), read("tables"))
            }
            TypeKind::SimpleType(SimpleType::Struct(index)) => {
                (format!("Vector<'a, {}>", type_of(*index, declarations)), read("vector"))
            }
            TypeKind::SimpleType(SimpleType::Integer(integer)) => {
                (format!("Vector<'a, {}>", rust_integer(*integer)), read("vector"))
            }
            // Numbers, since the caller decides what to do with those that it does not know.
            TypeKind::SimpleType(SimpleType::Enum(index)) => {
                match &declarations.get_declaration(*index).1.kind {
                    DeclarationKind::Enum(it) => (format!("Vector<'a, {}>", number_type(it)), read("vector")),
                    _ => return Err(no_accessor(&what, "no enumeration")),
                }
            }
            _ => return Err(no_accessor(&what, "such a vector")),
        },
        _ => return Err(no_accessor(&what, "this")),
    })
}

fn structure(name: &str, it: &Struct) -> Result<String, Failure> {
    let (mut fields, mut reads, mut writes) = (String::new(), String::new(), String::new());
    for (field, declared) in &it.fields {
        let SimpleType::Integer(integer) = declared.type_ else {
            return Err(no_accessor(&format!("{name}.{field}"), "no integer"));
        };
        let (integer, docs) = (rust_integer(integer), doc_lines(&declared.docstrings));
        let (field, start) = (field_name(field), declared.offset);
        let end = start + declared.size;
        let _ = writeln!(fields, "{docs}pub {field}: {integer},");
        let _ = writeln!(reads, "{field}: {integer}::from_le_bytes(part(bytes, {start})),");
        let _ = writeln!(writes, "bytes[{start}..{end}].copy_from_slice(&self.{field}.to_le_bytes());");
    }
    let (name, size, writes) = (type_name(name), it.size, writes.trim_end());
    Ok(format!(
        "#[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct {name} {{ {fields} }}\n
        impl {name} {{
            /// Reads the struct.
            #[inline]
            pub fn from_bytes(bytes: &[u8; {size}]) -> {name} {{ {name} {{ {reads} }} }}\n
            /// The struct as it is stored.
            #[inline]
            pub fn to_bytes(self) -> [u8; {size}] {{
                let mut bytes = [0; {size}];
                {writes}
                bytes
            }}
        }}\n
        impl InlineValue for {name} {{
            const N_BYTES: usize = {size};\n
            #[inline]
            fn read(bytes: &[u8], at: usize) -> Option<{name}> {{
                bytes.get(at..)?.first_chunk().map({name}::from_bytes)
            }}
        }}\n"
    ))
}

/// An enumeration of these members: name, number and documentation.
fn enumeration(
    name: &str,
    number: String,
    members: impl Iterator<Item = (String, String, String)>,
) -> String {
    let (mut variants, mut names) = (String::new(), Vec::new());
    for (member, value, docs) in members {
        let _ = writeln!(variants, "{docs}{member} = {value},");
        names.push(member);
    }
    let names = names.join(", ");
    format!(
        "#[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr({number})]
        pub enum {name} {{ {variants} }}\n
        enumeration!({name}: {number} {{ {names} }});\n"
    )
}

/// The first member has tag 1.
fn union(name: &str, union: &Union, declarations: &Declarations) -> Result<String, Failure> {
    let name = type_name(name);
    let (mut variants, mut arms, mut tags) = (String::new(), String::new(), Vec::new());
    for (idx, (member, declared)) in union.variants.iter().enumerate() {
        let TypeKind::Table(table) = &declared.type_.kind else {
            return Err(no_accessor(&format!("{name}::{member}"), "no table"));
        };
        let (member, typed) = (type_name(member), type_of(*table, declarations));
        let is_empty = match &declarations.get_declaration(*table).1.kind {
            DeclarationKind::Table(it) => it.fields.is_empty(),
            _ => false,
        };
        let (content, value) = match is_empty {
            true => ("Table".to_owned(), "table".to_owned()),
            false => (typed.clone(), format!("{typed}(table)")),
        };
        let _ = writeln!(variants, "{member}({content}<'a>),");
        let _ = writeln!(arms, "{name}Tag::{member} => {name}::{member}({value}),");
        tags.push((member, (idx + 1).to_string(), String::new()));
    }
    let tags = enumeration(&format!("{name}Tag"), "u8".to_owned(), tags.into_iter());
    Ok(format!(
        "#[derive(Debug, Clone, Copy)]
        pub enum {name}<'a> {{ {variants} }}\n
        /// The tags of the members of [`{name}`].
        {tags}
        impl<'a> UnionValue<'a> for {name}<'a> {{
            type Tag = {name}Tag;\n
            #[inline]
            fn from_table(tag: {name}Tag, table: Table<'a>) -> {name}<'a> {{
                match tag {{ {arms} }}
            }}
        }}\n"
    ))
}

fn doc_lines(docstrings: &Docstrings) -> String {
    docstrings.docstrings.iter().map(|docstring| format!("/// {}\n", docstring.value.trim())).collect()
}

fn number_type(it: &Enum) -> String {
    rust_integer(it.type_)
}

fn rust_integer(integer: IntegerType) -> String {
    let sign = if integer.flatbuffer_name().starts_with('u') { 'u' } else { 'i' };
    format!("{sign}{}", 8 * integer.byte_size())
}

fn type_of(index: DeclarationIndex, declarations: &Declarations) -> String {
    type_name(declarations.get_declaration(index).0.0.last().map_or("", String::as_str))
}

fn member_of(index: DeclarationIndex, number: IntegerLiteral, declarations: &Declarations) -> Option<String> {
    match &declarations.get_declaration(index).1.kind {
        DeclarationKind::Enum(it) => it.variants.get(&number).map(|member| member_name(&member.name)),
        _ => None,
    }
}

/// `SparseTensorIndexCOO` as `SparseTensorIndexCoo`, and `Struct_` as `Struct`.
fn type_name(name: &str) -> String {
    let name = name.trim_end_matches('_');
    let n_last = name.bytes().rev().take_while(u8::is_ascii_uppercase).count();
    let (start, last) = name.split_at(name.len() - n_last.saturating_sub(1));
    format!("{start}{}", last.to_lowercase())
}

/// `LZ4_FRAME` as `Lz4Frame`; `DenseArray` stays.
fn member_name(name: &str) -> String {
    if name.bytes().any(|byte| byte.is_ascii_lowercase()) {
        return name.to_owned();
    }
    name.split('_')
        .map(|word| word.chars().take(1).collect::<String>() + &word[1.min(word.len())..].to_lowercase())
        .collect()
}

/// `bodyLength` as `body_length`, and `type` as `type_`.
fn field_name(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    if snake == "type" { "type_".to_owned() } else { snake }
}

/// `typeIds` as `TYPE_IDS`.
fn constant_name(name: &str) -> String {
    field_name(name).trim_end_matches('_').to_uppercase()
}

/// The accessor of the tag of a union: `header_tag` of `header`.
fn tag_name(name: &str) -> String {
    format!("{}_tag", field_name(name).trim_end_matches('_'))
}

fn no_accessor(what: &str, is: &str) -> Failure {
    Failure::new(format!("format/*.fbs: {what} is {is}, for which codegen writes no accessor."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_rust() {
        for (name, wanted) in
            [("SparseTensorIndexCOO", "SparseTensorIndexCoo"), ("Struct_", "Struct"), ("Utf8", "Utf8")]
        {
            assert_eq!(type_name(name), wanted);
        }
        for (name, wanted) in
            [("LZ4_FRAME", "Lz4Frame"), ("V1", "V1"), ("HALF", "Half"), ("DenseArray", "DenseArray")]
        {
            assert_eq!(member_name(name), wanted);
        }
        for (name, wanted) in
            [("bodyLength", "body_length"), ("type", "type_"), ("non_zero_length", "non_zero_length")]
        {
            assert_eq!(field_name(name), wanted);
        }
    }
}

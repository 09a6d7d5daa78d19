//! Descriptions of tables, structs, unions and enums for the verifier of the official `flatbuffers` crate: types that
//! implement its `Verifiable`, as its own compiler writes them, but stricter where that is cheap.
//!
//! They judge what the bindings write, so they share little with them: where fields stand in vtables follows here from
//! their order.

use std::fmt::Write as _;

use planus_types::intermediate::{
    AssignMode, DeclarationIndex, DeclarationKind, Declarations, Enum, SimpleType, Struct, Table, TypeKind,
    Union,
};

use crate::Failure;

const IMPORTS: &str = "
use flatbuffers::{ForwardsUOffset, InvalidFlatbuffer, SimpleToVerifyInSlice, Vector, Verifiable, Verifier};

use super::strict::{Numbers, check_inside, number, unknown};
";

const RUN: &str =
    "fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {\n";

/// The code of the descriptions, not formatted.
pub(super) fn descriptions(declarations: &Declarations) -> Result<String, Failure> {
    let mut code = IMPORTS.to_owned();
    for (_, path, declaration) in declarations.iter_declarations() {
        let name = path.0.last().map_or("", String::as_str);
        let text = match &declaration.kind {
            DeclarationKind::Table(table) => describe_table(name, table, declarations)?,
            DeclarationKind::Struct(it) => describe_struct(name, it),
            DeclarationKind::Enum(it) => describe_enum(name, it),
            DeclarationKind::Union(union) => describe_union(name, union, declarations)?,
            DeclarationKind::RpcService(_) => return Err(no_description(name, "a service")),
        };
        code.push('\n');
        code.push_str(&text);
    }
    Ok(code)
}

fn describe_table(name: &str, table: &Table, declarations: &Declarations) -> Result<String, Failure> {
    let mut visits = String::new();
    let mut sizes = String::new();
    let mut n_entries = 0;
    for (field, declared) in &table.fields {
        if declared.vtable_index != n_entries {
            return Err(no_description(&format!("{name}.{field}"), "an order of its own"));
        }
        let slot = slot_of(n_entries);
        let is_required = matches!(declared.assign_mode, AssignMode::Required);
        let visit = if let TypeKind::Union(union) = &declared.type_.kind {
            // A union has two entries: which member it is, and where that is.
            n_entries += 1;
            let value_slot = slot_of(n_entries);
            let _ = write!(sizes, "({slot}, 1), ({value_slot}, 4), ");
            let union = name_of(*union, declarations);
            format!(
                ".visit_union::<u8, _>({:?}, {slot}, {field:?}, {value_slot}, {is_required}, {union}::run_verifier)?\n",
                format!("{field}_type"),
            )
        } else {
            let (visited, n_bytes) = visited(&format!("{name}.{field}"), &declared.type_.kind, declarations)?;
            let _ = write!(sizes, "({slot}, {n_bytes}), ");
            format!(".visit_field::<{visited}>({field:?}, {slot}, {is_required})?\n")
        };
        visits.push_str(&visit);
        n_entries += 1;
    }
    Ok(format!(
        "pub(super) struct {name};\n
        impl Verifiable for {name} {{
            {RUN} v.visit_table(pos)?\n{visits}.finish();\ncheck_inside(v, pos, &[{sizes}]) }}
        }}\n"
    ))
}

/// Where an entry stands in a vtable, behind the sizes of vtable and table.
fn slot_of(entry_idx: u32) -> u32 {
    4 + 2 * entry_idx
}

/// What stands in a table for a field: the type that visits it, and its size.
fn visited(field: &str, kind: &TypeKind, declarations: &Declarations) -> Result<(String, u32), Failure> {
    let behind_offset = |visited: String| Ok((format!("ForwardsUOffset<{visited}>"), 4));
    match kind {
        TypeKind::Table(table) => behind_offset(name_of(*table, declarations).to_owned()),
        TypeKind::String => behind_offset("&str".to_owned()),
        TypeKind::SimpleType(simple) => inline(field, *simple, declarations),
        TypeKind::Vector(items) => match &items.kind {
            TypeKind::SimpleType(simple @ SimpleType::Enum(_)) => {
                behind_offset(format!("Numbers<{}>", inline(field, *simple, declarations)?.0))
            }
            TypeKind::Table(_) | TypeKind::String | TypeKind::SimpleType(_) => {
                behind_offset(format!("Vector<'_, {}>", visited(field, &items.kind, declarations)?.0))
            }
            TypeKind::Vector(_) | TypeKind::Union(_) | TypeKind::Array(..) => {
                Err(no_description(field, "such a vector"))
            }
        },
        TypeKind::Union(_) | TypeKind::Array(..) => Err(no_description(field, "this")),
    }
}

/// What has a size of its own.
fn inline(field: &str, simple: SimpleType, declarations: &Declarations) -> Result<(String, u32), Failure> {
    Ok(match simple {
        SimpleType::Bool => ("bool".to_owned(), 1),
        SimpleType::Integer(integer) => {
            let n_bytes = integer.byte_size();
            let sign = if integer.flatbuffer_name().starts_with('u') { 'u' } else { 'i' };
            (format!("{sign}{}", 8 * n_bytes), n_bytes)
        }
        SimpleType::Struct(index) | SimpleType::Enum(index) => {
            let n_bytes = match &declarations.get_declaration(index).1.kind {
                DeclarationKind::Struct(it) => it.size,
                DeclarationKind::Enum(it) => it.type_.byte_size(),
                DeclarationKind::Table(_) | DeclarationKind::Union(_) | DeclarationKind::RpcService(_) => {
                    return Err(no_description(field, "this"));
                }
            };
            (name_of(index, declarations).to_owned(), n_bytes)
        }
        SimpleType::Float(_) => return Err(no_description(field, "a floating-point number")),
    })
}

/// The verifier compares the alignment with that of the Rust type.
fn describe_struct(name: &str, it: &Struct) -> String {
    let (size, alignment) = (it.size, it.alignment);
    format!(
        "#[repr(C, align({alignment}))]
        pub(super) struct {name}([u8; {size}]);\n
        impl SimpleToVerifyInSlice for {name} {{}}\n
        impl Verifiable for {name} {{
            {RUN} v.in_buffer::<{name}>(pos) }}
        }}\n"
    )
}

/// Numbers that no member has are refused, unlike by what the official compiler writes.
fn describe_enum(name: &str, it: &Enum) -> String {
    let sign = if it.type_.flatbuffer_name().starts_with('u') { 'u' } else { 'i' };
    let integer = format!("{sign}{}", 8 * it.type_.byte_size());
    let members: Vec<String> = it.variants.keys().map(ToString::to_string).collect();
    let members = members.join(" | ");
    format!(
        "#[repr(transparent)]
        pub(super) struct {name}({integer});\n
        impl SimpleToVerifyInSlice for {name} {{}}\n
        impl Verifiable for {name} {{
            {RUN} v.in_buffer::<{name}>(pos)?;
                match {integer}::from_le_bytes(number(v, pos)?) {{
                    {members} => Ok(()),
                    _ => unknown({name:?}),
                }}
            }}
        }}\n"
    )
}

/// The first member is number 1. Numbers without a member are refused here, too.
fn describe_union(name: &str, union: &Union, declarations: &Declarations) -> Result<String, Failure> {
    let mut arms = String::new();
    for (idx, (member, declared)) in union.variants.iter().enumerate() {
        let TypeKind::Table(table) = &declared.type_.kind else {
            return Err(no_description(&format!("{name}::{member}"), "no table"));
        };
        let table = name_of(*table, declarations);
        let _ = writeln!(
            arms,
            "{} => v.verify_union_variant::<ForwardsUOffset<{table}>>(\"{name}::{member}\", pos),",
            idx + 1
        );
    }
    Ok(format!(
        "pub(super) struct {name};\n
        impl {name} {{
            fn run_verifier(tag: u8, v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {{
                match tag {{\n{arms}_ => unknown({name:?}),\n}}
            }}
        }}\n"
    ))
}

fn name_of(index: DeclarationIndex, declarations: &Declarations) -> &str {
    declarations.get_declaration(index).0.0.last().map_or("", String::as_str)
}

fn no_description(what: &str, is: &str) -> Failure {
    Failure::new(format!("format/*.fbs: {what} is {is}, which codegen cannot describe to the verifier."))
}

//! Tests of types, fields, schemas, extension types and their text form through the public API.

mod extensions;
mod merge;
mod names;
mod same_values;
mod schema;
mod text;
mod type_rules;
mod type_text;

//! Tests of types, fields, schemas and extension types, and of their text, from outside.

mod extensions;
mod merge;
mod names;
mod same_values;
mod schema;
mod text;
mod type_rules;
mod type_text;

//! Random documents for the cases of the public harness, and for cases that it does not have.
//!
//! The documents are written as text, from their own descriptions. They use no array and no type of the libraries, so a
//! mistake in the libraries cannot hide itself.

mod cases;
mod columns;
mod extra_cases;
mod fields;
mod values;
mod views;

use self::{columns::Generator, fields::FieldSpec};
use crate::separated::separated;

/// A document, and its name, such as `generated_primitive`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedCase {
    /// The name, which is the start of the names of files in the harness.
    pub name: String,
    /// The document.
    pub text: String,
}

/// The description of a case.
struct CaseSpec {
    name: &'static str,
    fields: Vec<FieldSpec>,
    metadata: Vec<(String, String)>,
    /// The rows of each batch.
    n_rows: Vec<usize>,
}

/// All cases, with random values from this seed. Equal seeds give equal documents.
///
/// ```
/// let cases = integration::generated_cases(1);
/// assert!(cases.iter().any(|case| case.name == "generated_nested_dictionary"));
/// assert_eq!(cases, integration::generated_cases(1));
/// for case in &cases {
///     integration::Document::parse(&case.text).unwrap_or_else(|error| panic!("{}: {error}", case.name));
/// }
/// ```
pub fn generated_cases(seed: u64) -> Vec<GeneratedCase> {
    let cases = cases::cases().into_iter().chain(extra_cases::extra_cases());
    cases
        .enumerate()
        .map(|(idx, case)| {
            // Each case has numbers of its own, so a new one changes no other.
            let mut generator = Generator::new(seed.wrapping_mul(1_000).wrapping_add(idx as u64));
            GeneratedCase { name: format!("generated_{}", case.name), text: document(&case, &mut generator) }
        })
        .collect()
}

fn document(case: &CaseSpec, generator: &mut Generator) -> String {
    let mut out = String::from("{\"schema\":{\"fields\":");
    separated(&mut out, &case.fields, |out, field| field.write(out));
    fields::write_metadata(&mut out, &case.metadata);
    out.push('}');
    let mut dictionaries = Vec::new();
    for field in &case.fields {
        generator.write_dictionaries(field, &mut dictionaries);
    }
    if !dictionaries.is_empty() {
        out.push_str(",\"dictionaries\":");
        separated(&mut out, dictionaries, |out, dictionary: String| out.push_str(&dictionary));
    }
    out.push_str(",\"batches\":");
    separated(&mut out, &case.n_rows, |out, n_rows| {
        out.push_str(&format!("{{\"count\":{n_rows},\"columns\":"));
        separated(out, &case.fields, |out, field| generator.write_column(out, field, *n_rows));
        out.push('}');
    });
    out.push_str("}\n");
    out
}

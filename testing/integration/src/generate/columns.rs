//! Random columns, as text.

use std::{collections::HashMap, fmt::Write};

use testing_support::Rng;

use super::fields::{DictionarySpec, FieldSpec, Kind, quoted};
use crate::separated::separated;

/// Makes the columns of one document.
pub(super) struct Generator {
    pub(super) rng: Rng,
    /// The number of values of each dictionary, by id.
    n_values: HashMap<i64, usize>,
}

impl Generator {
    pub(super) fn new(seed: u64) -> Generator {
        Generator { rng: Rng::new(seed), n_values: HashMap::new() }
    }

    /// Appends the dictionaries of a field and of its children, inner dictionaries first, each id once.
    pub(super) fn write_dictionaries(&mut self, field: &FieldSpec, dictionaries: &mut Vec<String>) {
        for child in &field.children {
            self.write_dictionaries(child, dictionaries);
        }
        let Some(DictionarySpec { id, n_values, .. }) = field.dictionary else { return };
        if self.n_values.contains_key(&id) {
            return;
        }
        let name = format!("DICT{id}");
        let values = FieldSpec { name, nullable: true, dictionary: None, ..field.clone() };
        let mut out = format!("{{\"id\":{id},\"data\":{{\"count\":{n_values},\"columns\":[");
        self.write_column(&mut out, &values, n_values);
        out.push_str("]}}");
        dictionaries.push(out);
        self.n_values.insert(id, n_values);
    }

    /// Appends a column with `n` slots.
    pub(super) fn write_column(&mut self, out: &mut String, field: &FieldSpec, n: usize) {
        let _ = write!(out, "{{\"name\":{},\"count\":{n}", quoted(&field.name));
        match field.dictionary {
            Some(dictionary) => self.write_indices(out, field, dictionary, n),
            None => self.write_content(out, field, n),
        }
        out.push('}');
    }

    fn write_indices(&mut self, out: &mut String, field: &FieldSpec, dictionary: DictionarySpec, n: usize) {
        let n_values = self.n_values.get(&dictionary.id).copied().unwrap_or(0);
        let valid = if n_values == 0 { vec![false; n] } else { self.validity(field, n) };
        write_validity(out, &valid);
        let quote = if dictionary.n_bits == 64 { "\"" } else { "" };
        out.push_str(",\"DATA\":");
        separated(out, 0..n, |out, _| {
            let _ = write!(out, "{quote}{}{quote}", self.rng.below(n_values));
        });
    }

    fn write_content(&mut self, out: &mut String, field: &FieldSpec, n: usize) {
        match &field.kind {
            Kind::Null => {}
            Kind::List { n_bits } => self.write_list(out, field, *n_bits, n),
            Kind::Map { .. } => self.write_list(out, field, 32, n),
            Kind::ListView { n_bits } => self.write_list_view(out, field, *n_bits, n),
            Kind::FixedList(size) => {
                write_validity(out, &self.validity(field, n));
                self.write_children(out, field, |_| n * size);
            }
            Kind::Struct => {
                write_validity(out, &self.validity(field, n));
                if !field.children.is_empty() {
                    self.write_children(out, field, |_| n);
                }
            }
            Kind::Union { .. } => self.write_union(out, field, n),
            Kind::Runs => self.write_runs(out, field, n),
            Kind::View { .. } => {
                let valid = self.validity(field, n);
                write_validity(out, &valid);
                self.write_views(out, &field.kind, &valid);
            }
            _ => {
                let valid = self.validity(field, n);
                write_validity(out, &valid);
                self.write_values(out, &field.kind, &valid);
            }
        }
    }

    /// The valid slots: all of a field that is not nullable, otherwise some.
    fn validity(&mut self, field: &FieldSpec, n: usize) -> Vec<bool> {
        let has_nulls = field.nullable && !self.rng.one_in(8);
        (0..n).map(|_| !has_nulls || !self.rng.one_in(3)).collect()
    }

    /// Appends lists that follow one another. Null lists are empty.
    fn write_list(&mut self, out: &mut String, field: &FieldSpec, n_bits: u32, n: usize) {
        let valid = self.validity(field, n);
        let mut end = 0;
        let mut offsets = vec![0];
        for is_valid in &valid {
            end += if *is_valid { self.rng.below(5) } else { 0 };
            offsets.push(end);
        }
        write_validity(out, &valid);
        write_numbers(out, "OFFSET", &offsets, n_bits);
        self.write_children(out, field, |_| end);
    }

    /// Appends lists at any position in the items: unordered and overlapping. Null lists need not be empty.
    fn write_list_view(&mut self, out: &mut String, field: &FieldSpec, n_bits: u32, n: usize) {
        let n_items = if n == 0 { 0 } else { n + self.rng.below(n) };
        let offsets: Vec<usize> = (0..n).map(|_| self.rng.below(n_items + 1)).collect();
        let sizes: Vec<usize> =
            offsets.iter().map(|offset| self.rng.below((n_items - offset).min(5) + 1)).collect();
        write_validity(out, &self.validity(field, n));
        write_numbers(out, "OFFSET", &offsets, n_bits);
        write_numbers(out, "SIZE", &sizes, n_bits);
        self.write_children(out, field, |_| n_items);
    }

    fn write_union(&mut self, out: &mut String, field: &FieldSpec, n: usize) {
        let Kind::Union { dense, ids } = field.kind else { return };
        let chosen: Vec<usize> = (0..n).map(|_| self.rng.below(ids.len())).collect();
        out.push_str(",\"TYPE_ID\":");
        separated(out, &chosen, |out, child| {
            let _ = write!(out, "{}", ids[*child]);
        });
        if !dense {
            return self.write_children(out, field, |_| n);
        }
        let mut lengths = vec![0; ids.len()];
        let offsets: Vec<usize> = chosen
            .iter()
            .map(|child| {
                lengths[*child] += 1;
                lengths[*child] - 1
            })
            .collect();
        write_numbers(out, "OFFSET", &offsets, 32);
        self.write_children(out, field, |child| lengths[child]);
    }

    fn write_runs(&mut self, out: &mut String, field: &FieldSpec, n: usize) {
        let [run_ends, values] = &field.children[..] else { return };
        let mut ends = Vec::new();
        while ends.last().copied().unwrap_or(0) < n {
            ends.push((ends.last().copied().unwrap_or(0) + 1 + self.rng.below(4)).min(n));
        }
        let n_runs = ends.len();
        let _ = write!(out, ",\"children\":[{{\"name\":{},\"count\":{n_runs}", quoted(&run_ends.name));
        write_validity(out, &vec![true; n_runs]);
        let Kind::Int { n_bits, .. } = run_ends.kind else { return };
        write_numbers(out, "DATA", &ends, n_bits);
        out.push_str("},");
        self.write_column(out, values, n_runs);
        out.push(']');
    }

    fn write_children(&mut self, out: &mut String, field: &FieldSpec, n_slots: impl Fn(usize) -> usize) {
        out.push_str(",\"children\":");
        separated(out, field.children.iter().enumerate(), |out, (idx, child)| {
            self.write_column(out, child, n_slots(idx));
        });
    }
}

fn write_validity(out: &mut String, valid: &[bool]) {
    out.push_str(",\"VALIDITY\":");
    separated(out, valid, |out, is_valid| out.push(if *is_valid { '1' } else { '0' }));
}

/// Appends a member with numbers. Numbers of 64 bits are strings.
pub(super) fn write_numbers(out: &mut String, member: &str, numbers: &[usize], n_bits: u32) {
    let quote = if n_bits == 64 { "\"" } else { "" };
    let _ = write!(out, ",\"{member}\":");
    separated(out, numbers, |out, number| {
        let _ = write!(out, "{quote}{number}{quote}");
    });
}

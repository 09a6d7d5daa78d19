//! Differences between two schemas, and the pairing of their columns.

use std::collections::{BTreeSet, HashMap};

use arrow_schema::{DataType, Field, FieldPath};

use super::{
    metadata::compare_metadata,
    report::Report,
    show::{Both, Cut},
    side::Side,
};
use crate::exit::Failure;

/// A column of A and the column of B that it is compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) a: usize,
    pub(super) b: usize,
    /// Its name in A.
    pub(super) path: FieldPath,
}

/// Reports where schemas differ. Metadata of the schemas themselves is not compared.
///
/// Returns the pairs of columns whose types hold the same values, in any encoding.
///
/// # Errors
/// If the report cannot be written.
pub(super) fn compare_schemas([a, b]: [&Side; 2], report: &mut Report) -> Result<Vec<Pair>, Failure> {
    let fields = [a.schema().fields(), b.schema().fields()];
    let pairs = compare_by_name(fields, Parent::Schema(a), report)?;
    let (comparable, others): (Vec<Pair>, Vec<Pair>) = pairs.into_iter().partition(|pair| {
        let types = [fields[0].get(pair.a), fields[1].get(pair.b)].map(|field| field.map(Field::data_type));
        matches!(types, [Some(a), Some(b)] if a.same_values(b))
    });
    for pair in others {
        report.difference(format_args!("field {}: values of these types are not compared", pair.path))?;
    }
    Ok(comparable)
}

/// The parent of fields.
#[derive(Clone, Copy)]
enum Parent<'a> {
    /// Columns; this side has the names.
    Schema(&'a Side),
    Field(&'a FieldPath),
}

impl Parent<'_> {
    fn path_of(self, position: usize, field: &Field) -> FieldPath {
        match self {
            Parent::Schema(side) => side.path_of(position, field),
            Parent::Field(path) => {
                path.clone().child(u32::try_from(position).unwrap_or(u32::MAX), field.shared_name().clone())
            }
        }
    }
}

/// Columns, or children of structs and unions: paired by name.
fn compare_by_name(
    [a, b]: [&[Field]; 2],
    parent: Parent<'_>,
    report: &mut Report,
) -> Result<Vec<Pair>, Failure> {
    let (pairs, rest) = pairs_of([a, b], parent);
    for (side, fields, positions) in [("A", a, &rest.a), ("B", b, &rest.b)] {
        for (position, field) in positions.iter().filter_map(|at| Some((*at, fields.get(*at)?))) {
            let path = parent.path_of(position, field);
            let data_type = Cut(field.data_type());
            report.difference(format_args!("field {path}: {data_type}, only in {side}"))?;
        }
    }
    compare_order([a, b], &pairs, parent, report)?;
    for pair in &pairs {
        if let (Some(a), Some(b)) = (a.get(pair.a), b.get(pair.b)) {
            compare_fields([a, b], pair.path.clone(), report)?;
        }
    }
    Ok(pairs)
}

/// Fields without a partner.
struct Rest {
    a: Vec<usize>,
    b: Vec<usize>,
}

/// Pairs fields of the same name, repeated names in order. Then pairs fields at the same position that hold the same
/// values: one was renamed.
fn pairs_of([a, b]: [&[Field]; 2], parent: Parent<'_>) -> (Vec<Pair>, Rest) {
    let mut in_b: HashMap<(&str, usize), usize> = numbered(b).zip(0..).collect();
    let mut pairs = Vec::new();
    let mut rest_of_a = Vec::new();
    for (position, named) in numbered(a).enumerate() {
        match in_b.remove(&named) {
            Some(b) => pairs.push((position, b)),
            None => rest_of_a.push(position),
        }
    }
    let mut rest_of_b: BTreeSet<usize> = in_b.into_values().collect();
    rest_of_a.retain(|position| {
        let types = [a, b].map(|fields| fields.get(*position).map(Field::data_type));
        let is_renamed =
            rest_of_b.contains(position) && matches!(types, [Some(a), Some(b)] if a.same_values(b));
        if is_renamed {
            rest_of_b.remove(position);
            pairs.push((*position, *position));
        }
        !is_renamed
    });
    pairs.sort_unstable();
    let pair = |(at, b): (usize, usize)| Some(Pair { a: at, b, path: parent.path_of(at, a.get(at)?) });
    (pairs.into_iter().filter_map(pair).collect(), Rest { a: rest_of_a, b: rest_of_b.into_iter().collect() })
}

/// The names of fields, each with the number of fields before it that have the same name.
fn numbered(fields: &[Field]) -> impl Iterator<Item = (&str, usize)> {
    let mut n_before: HashMap<&str, usize> = HashMap::new();
    fields.iter().map(move |field| {
        let n = n_before.entry(field.name()).or_default();
        *n += 1;
        (field.name(), *n)
    })
}

/// Reports that common fields are in another order.
fn compare_order(
    [a, b]: [&[Field]; 2],
    pairs: &[Pair],
    parent: Parent<'_>,
    report: &mut Report,
) -> Result<(), Failure> {
    if pairs.is_sorted_by_key(|pair| pair.b) {
        return Ok(());
    }
    let mut in_b: Vec<usize> = pairs.iter().map(|pair| pair.b).collect();
    in_b.sort_unstable();
    // Without leading and trailing fields that are in place.
    let is_moved = |(pair, b): &(&Pair, &usize)| pair.b != **b;
    let first = pairs.iter().zip(&in_b).position(|pair| is_moved(&pair)).unwrap_or(0);
    let last = pairs.iter().zip(&in_b).rposition(|pair| is_moved(&pair)).unwrap_or(0);
    let names = |fields: &[Field], at: &mut dyn Iterator<Item = usize>| {
        let steps = at.filter_map(|at| Some(FieldPath::root().child(0, fields.get(at)?.name()).to_string()));
        steps.collect::<Vec<_>>().join(", ")
    };
    let n_moved = last.saturating_sub(first) + 1;
    let in_a = names(a, &mut pairs.iter().skip(first).take(n_moved).map(|pair| pair.a));
    let in_b = names(b, &mut in_b.into_iter().skip(first).take(n_moved));
    let what = match parent {
        Parent::Schema(_) => "columns".to_owned(),
        Parent::Field(path) => format!("children of field {path}"),
    };
    report.difference(format_args!("order of {what}: {}", Both::new(in_a, in_b)))
}

/// Compares two paired fields and their children.
fn compare_fields([a, b]: [&Field; 2], path: FieldPath, report: &mut Report) -> Result<(), Failure> {
    if a.name() != b.name() {
        let [a, b] = [a, b].map(|field| arrow_schema::Quoted(field.name()).to_string());
        report.difference(format_args!("field {path}: named {}", Both::new(a, b)))?;
    }
    if a.nullability() != b.nullability() {
        let both = Both::new(a.nullability(), b.nullability());
        report.difference(format_args!("field {path}: {both}"))?;
    }
    if !report.ignores_metadata {
        compare_metadata(format_args!("field {path}"), [a.metadata(), b.metadata()], report)?;
    }
    compare_types([a.data_type(), b.data_type()], path, report)
}

fn compare_types([a, b]: [&DataType; 2], path: FieldPath, report: &mut Report) -> Result<(), Failure> {
    if let (Some(a_values), Some(b_values)) = (a.as_dictionary(), b.as_dictionary()) {
        if (a_values.index(), a_values.order()) != (b_values.index(), b_values.order()) {
            say_types([a, b], &path, report)?;
        }
        return compare_types([a_values.value(), b_values.value()], path.dictionary(), report);
    }
    if !is_same_kind(a, b) {
        return say_types([a, b], &path, report);
    }
    let children = [a.children(), b.children()];
    if a.as_struct().is_some() {
        return compare_by_name(children, Parent::Field(&path), report).map(drop);
    }
    for (position, (a, b)) in a.children().iter().zip(b.children()).enumerate() {
        compare_fields([a, b], Parent::Field(&path).path_of(position, a), report)?;
    }
    Ok(())
}

/// Whether types are the same, except for their children.
fn is_same_kind(a: &DataType, b: &DataType) -> bool {
    a.with_children(b.children().to_vec()).is_ok_and(|with_children| with_children == *b)
}

fn say_types([a, b]: [&DataType; 2], path: &FieldPath, report: &mut Report) -> Result<(), Failure> {
    let note = if a.same_values(b) { ", which hold the same values" } else { "" };
    report.difference(format_args!("field {path}: {}{note}", Both::new(a, b)))
}

//! Compares two schemas, and pairs their columns.

use std::collections::{BTreeSet, HashMap};

use arrow_compute::wider_type;
use arrow_schema::{DataType, Field, FieldPath};

use super::{
    difference::{Difference, MetadataScope, Side},
    metadata::compare_metadata,
    reporter::{ComparisonEnd, DiffReporter},
    side::SideRows,
};

/// A column of A and its column of B, by position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ColumnPair {
    pub(super) a: usize,
    pub(super) b: usize,
    pub(super) path: FieldPath,
    /// The field in A, with the type in which values are compared. Its extension type determines how values are written as
    /// text.
    pub(super) field: Field,
    /// The type to which the values of both sides are cast; `None` if they are compared as they are.
    pub(super) wider: Option<DataType>,
}

impl ColumnPair {
    /// Whether the values are compared as floating-point numbers.
    pub(super) fn has_floats(&self) -> bool {
        self.field.data_type().to_decoded().is_floating_point()
    }

    /// Whether the columns are compared, because both have values of one type or of a wider type. Sets that type.
    fn is_comparable(&mut self, types: [Option<&DataType>; 2]) -> bool {
        let [Some(a), Some(b)] = types else { return false };
        if a.same_values(b) {
            return true;
        }
        self.wider = wider_type(a, b);
        if let Some(wider) = &self.wider {
            self.field = self.field.clone().with_data_type(wider.clone());
        }
        self.wider.is_some()
    }
}

/// Reports the differences between two schemas. The metadata of the schemas themselves is compared elsewhere.
///
/// Returns pairs of columns whose types can have equal values, in any encoding or width.
///
/// # Errors
/// If the report ends the comparison.
pub(super) fn compare_schemas(
    [a, b]: [&SideRows; 2],
    reporter: &mut DiffReporter<'_>,
) -> Result<Vec<ColumnPair>, ComparisonEnd> {
    let fields = [a.schema().fields(), b.schema().fields()];
    let pairs = compare_by_name(fields, Parent::Schema(a), reporter)?;
    let mut comparable = Vec::new();
    for mut pair in pairs {
        let types = [fields[0].get(pair.a), fields[1].get(pair.b)].map(|field| field.map(Field::data_type));
        if pair.is_comparable(types) {
            comparable.push(pair);
        } else {
            reporter.difference(Difference::NotCompared { path: pair.path })?;
        }
    }
    Ok(comparable)
}

#[derive(Clone, Copy)]
enum Parent<'a> {
    /// The columns of a schema. The input has their paths.
    Schema(&'a SideRows),
    Field(&'a FieldPath),
}

impl Parent<'_> {
    fn path_of(self, position: usize, field: &Field) -> FieldPath {
        match self {
            Parent::Schema(side) => side.path_of(position, field),
            Parent::Field(path) => {
                path.clone().child(u32::try_from(position).unwrap_or(u32::MAX), field.to_shared_name())
            }
        }
    }
}

/// Pairs columns, or the children of structs and unions, by name, and compares them.
fn compare_by_name(
    [a, b]: [&[Field]; 2],
    parent: Parent<'_>,
    reporter: &mut DiffReporter<'_>,
) -> Result<Vec<ColumnPair>, ComparisonEnd> {
    let (pairs, rest) = pairs_of([a, b], parent);
    for (side, fields, positions) in [(Side::A, a, &rest.a), (Side::B, b, &rest.b)] {
        for (position, field) in positions.iter().filter_map(|at| Some((*at, fields.get(*at)?))) {
            let path = parent.path_of(position, field);
            let data_type = field.data_type().clone();
            reporter.difference(Difference::OnlyIn { side, path, data_type })?;
        }
    }
    compare_order([a, b], &pairs, parent, reporter)?;
    for pair in &pairs {
        if let (Some(a), Some(b)) = (a.get(pair.a), b.get(pair.b)) {
            compare_fields([a, b], pair.path.clone(), reporter)?;
        }
    }
    Ok(pairs)
}

/// Positions of fields that have no field on the other side.
struct UnpairedFields {
    a: Vec<usize>,
    b: Vec<usize>,
}

/// Pairs fields of the same name. Several fields of one name are paired in order. Then pairs remaining fields at the
/// same position if their types can have equal values, because such a field was probably renamed.
fn pairs_of([a, b]: [&[Field]; 2], parent: Parent<'_>) -> (Vec<ColumnPair>, UnpairedFields) {
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
    let pair = |(at, b): (usize, usize)| {
        let field = a.get(at)?;
        Some(ColumnPair { a: at, b, path: parent.path_of(at, field), field: field.clone(), wider: None })
    };
    (
        pairs.into_iter().filter_map(pair).collect(),
        UnpairedFields { a: rest_of_a, b: rest_of_b.into_iter().collect() },
    )
}

/// The name of each field, and the number of fields of this name up to and including the field.
pub(super) fn numbered(fields: &[Field]) -> impl Iterator<Item = (&str, usize)> {
    let mut n_before: HashMap<&str, usize> = HashMap::new();
    fields.iter().map(move |field| {
        let n = n_before.entry(field.name()).or_default();
        *n += 1;
        (field.name(), *n)
    })
}

/// Reports if the paired fields have a different order.
fn compare_order(
    [a, b]: [&[Field]; 2],
    pairs: &[ColumnPair],
    parent: Parent<'_>,
    reporter: &mut DiffReporter<'_>,
) -> Result<(), ComparisonEnd> {
    if pairs.is_sorted_by_key(|pair| pair.b) {
        return Ok(());
    }
    let mut in_b: Vec<usize> = pairs.iter().map(|pair| pair.b).collect();
    in_b.sort_unstable();
    // Leading and trailing fields in the same order are left out of the report.
    let is_moved = |(pair, b): &(&ColumnPair, &usize)| pair.b != **b;
    let first = pairs.iter().zip(&in_b).position(|pair| is_moved(&pair)).unwrap_or(0);
    let last = pairs.iter().zip(&in_b).rposition(|pair| is_moved(&pair)).unwrap_or(0);
    let names = |fields: &[Field], at: &mut dyn Iterator<Item = usize>| {
        at.filter_map(|at| Some(fields.get(at)?.name().to_owned())).collect::<Vec<String>>()
    };
    let n_moved = last.saturating_sub(first) + 1;
    let in_a = names(a, &mut pairs.iter().skip(first).take(n_moved).map(|pair| pair.a));
    let in_b = names(b, &mut in_b.into_iter().skip(first).take(n_moved));
    let parent = match parent {
        Parent::Schema(_) => FieldPath::root(),
        Parent::Field(path) => path.clone(),
    };
    reporter.difference(Difference::Order { parent, a: in_a, b: in_b })
}

/// Compares two paired fields and their children.
fn compare_fields(
    [a, b]: [&Field; 2],
    path: FieldPath,
    reporter: &mut DiffReporter<'_>,
) -> Result<(), ComparisonEnd> {
    if a.name() != b.name() {
        let path = path.clone();
        let a = a.name().to_owned();
        let b = b.name().to_owned();
        reporter.difference(Difference::Name { path, a, b })?;
    }
    if a.nullability() != b.nullability() {
        let path = path.clone();
        let a = a.nullability();
        let b = b.nullability();
        reporter.difference(Difference::Nullability { path, a, b })?;
    }
    if !reporter.options.ignores_metadata {
        let of = MetadataScope::Field(path.clone());
        compare_metadata(of, [a.metadata(), b.metadata()], reporter)?;
    }
    compare_types([a.data_type(), b.data_type()], path, reporter)
}

fn compare_types(
    [a, b]: [&DataType; 2],
    path: FieldPath,
    reporter: &mut DiffReporter<'_>,
) -> Result<(), ComparisonEnd> {
    if let (Some(a_values), Some(b_values)) = (a.as_dictionary(), b.as_dictionary()) {
        if (a_values.index(), a_values.order()) != (b_values.index(), b_values.order()) {
            report_types([a, b], &path, reporter)?;
        }
        return compare_types([a_values.value(), b_values.value()], path.dictionary(), reporter);
    }
    if !is_same_kind(a, b) {
        return report_types([a, b], &path, reporter);
    }
    let children = [a.children(), b.children()];
    if a.as_struct().is_some() {
        return compare_by_name(children, Parent::Field(&path), reporter).map(drop);
    }
    for (position, (a, b)) in a.children().iter().zip(b.children()).enumerate() {
        compare_fields([a, b], Parent::Field(&path).path_of(position, a), reporter)?;
    }
    Ok(())
}

/// Whether two types are equal, except for their children.
fn is_same_kind(a: &DataType, b: &DataType) -> bool {
    a.with_children(b.children().to_vec()).is_ok_and(|with_children| with_children == *b)
}

fn report_types(
    [a, b]: [&DataType; 2],
    path: &FieldPath,
    reporter: &mut DiffReporter<'_>,
) -> Result<(), ComparisonEnd> {
    reporter.difference(Difference::Type { path: path.clone(), a: a.clone(), b: b.clone() })
}

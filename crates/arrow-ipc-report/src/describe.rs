//! Describes containers, features, tensors, shares and numbers of incomplete batches in a few words.

use arrow_ipc::{Container, Endianness, Feature};
use arrow_ipc_tensor::{AnyTensorHeader, SparseTensorHeader, SparseTensorIndex, TensorDim, TensorHeader};
use arrow_text::format::Grouped;

/// The name of a container in JSON: `file`, or `stream` for all others.
pub fn container_name(container: Container) -> &'static str {
    if container == Container::File { "file" } else { "stream" }
}

/// The name of a byte order in JSON.
pub(crate) fn endianness_name(endianness: Endianness) -> &'static str {
    match endianness {
        Endianness::Little => "little",
        Endianness::Big => "big",
    }
}

/// The name of a feature in reports, such as `compressed body`.
pub fn feature_name(feature: Feature) -> &'static str {
    match feature {
        Feature::DictionaryReplacement => "dictionary replacement",
        Feature::CompressedBody => "compressed body",
        Feature::Unused | _ => "unused",
    }
}

/// Describes type, shape and layout of a tensor in a few words.
pub fn tensor_note(tensor: &AnyTensorHeader) -> String {
    match tensor {
        AnyTensorHeader::Dense(tensor) => dense_note(tensor),
        AnyTensorHeader::Sparse(tensor) => sparse_note(tensor),
    }
}

/// Describes a dense tensor in a few words: `int32 [row: 3, column: 4], row-major`.
fn dense_note(tensor: &TensorHeader) -> String {
    let order = if tensor.is_row_major() {
        "row-major".to_owned()
    } else if tensor.is_column_major() {
        "column-major".to_owned()
    } else {
        format!("strides {:?}", tensor.strides())
    };
    format!("{} {}, {order}", tensor.data_type(), shape(tensor.shape()))
}

/// Describes a sparse tensor in a few words: `float64 [5, 7], COO of int64, canonical, 4 values`.
fn sparse_note(tensor: &SparseTensorHeader) -> String {
    let types = match tensor.index() {
        SparseTensorIndex::Coo { indices_type, is_canonical: true, .. } => {
            format!("{indices_type}, canonical")
        }
        SparseTensorIndex::Coo { indices_type, .. } => indices_type.to_string(),
        SparseTensorIndex::Csx { indptr_type, indices_type, .. }
        | SparseTensorIndex::Csf { indptr_type, indices_type, .. }
            if indptr_type == indices_type =>
        {
            indices_type.to_string()
        }
        SparseTensorIndex::Csx { indptr_type, indices_type, .. }
        | SparseTensorIndex::Csf { indptr_type, indices_type, .. } => {
            format!("{indptr_type} and {indices_type}")
        }
    };
    let axes = match tensor.index() {
        SparseTensorIndex::Csf { axis_order, .. } => format!(", axes {axis_order:?}"),
        SparseTensorIndex::Coo { .. } | SparseTensorIndex::Csx { .. } => String::new(),
    };
    let data_type = tensor.data_type();
    let shape = shape(tensor.shape());
    let index = tensor.index().name();
    let n_values = tensor.non_zero_length();
    let values = if n_values == 1 { "value" } else { "values" };
    format!("{data_type} {shape}, {index} of {types}{axes}, {n_values} {values}")
}

fn shape(dims: &[TensorDim]) -> String {
    let dims: Vec<String> = dims.iter().map(TensorDim::to_string).collect();
    format!("[{}]", dims.join(", "))
}

/// The text that follows a number of complete batches and gives the number of incomplete batches. Empty if there are
/// none.
pub fn incomplete(n_truncated: u64, n_unreadable: u64) -> String {
    let words = [(n_truncated, "truncated"), (n_unreadable, "unreadable")];
    let words = words.into_iter().filter(|(n, _)| *n > 0).map(|(n, word)| format!("{} {word}", Grouped(n)));
    match &words.collect::<Vec<_>>()[..] {
        [] => String::new(),
        words => format!(", and {}", words.join(" and ")),
    }
}

/// Formats a part of a whole in percent, rounded to one digit after the point.
pub(crate) fn percent_of(part: u64, whole: u64) -> String {
    let whole = u128::from(whole.max(1));
    let tenths = u128::from(part).saturating_mul(1000).saturating_add(whole / 2) / whole;
    format!("{}.{} %", tenths / 10, tenths % 10)
}

/// Formats the ratio of the whole to a part, rounded down to two digits after the point.
pub fn ratio_of(whole: u64, part: u64) -> String {
    let hundredths = u128::from(whole).saturating_mul(100) / u128::from(part.max(1));
    let times = u64::try_from(hundredths / 100).unwrap_or(u64::MAX);
    format!("{}.{:02} : 1", Grouped(times), hundredths % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn incomplete_batches_follow_complete_ones() {
        assert_eq!(incomplete(0, 0), "");
        assert_eq!(incomplete(1, 0), ", and 1 truncated");
        assert_eq!(incomplete(1, 2_000), ", and 1 truncated and 2,000 unreadable");
    }

    #[test]
    fn shares_have_one_digit() {
        let cases = [
            (1, 3, "33.3 %"),
            (2, 3, "66.7 %"),
            (6881, 10_154, "67.8 %"),
            (1, 1, "100.0 %"),
            (0, 0, "0.0 %"),
        ];
        for (part, whole, text) in cases {
            assert_eq!(percent_of(part, whole), text);
        }
    }
}

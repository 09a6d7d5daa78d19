//! Describes features, tensors and schemas in a few words.

use arrow_ipc::Feature;
use arrow_ipc_tensor::{AnyTensorHeader, SparseTensorHeader, SparseTensorIndex, TensorDim, TensorHeader};
use arrow_schema::{Metadata, Schema};

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
    let (data_type, shape, index) = (tensor.data_type(), shape(tensor.shape()), tensor.index().name());
    let n_values = tensor.non_zero_length();
    let values = if n_values == 1 { "value" } else { "values" };
    format!("{data_type} {shape}, {index} of {types}{axes}, {n_values} {values}")
}

fn shape(dims: &[TensorDim]) -> String {
    let dims: Vec<String> = dims.iter().map(TensorDim::to_string).collect();
    format!("[{}]", dims.join(", "))
}

/// Metadata keys of schemas that only one program writes, and the name of this program.
const OF_SCHEMAS: [(&str, &str); 4] = [
    ("pandas", "pandas, through pyarrow"),
    ("r", "the arrow package of R"),
    ("huggingface", "datasets of Hugging Face"),
    ("geo", "a GeoArrow writer"),
];

/// Prefixes of metadata keys of fields that only one program writes, and the name of this program.
const OF_FIELDS: [(&str, &str); 1] = [("_PL_", "polars")];

/// The program that wrote a schema, according to keys in its metadata; `None` for most files, which have no such
/// keys. A program that rewrites a file may copy the metadata, so the name may belong to an earlier writer.
///
/// ```
/// use arrow_ipc_tools::writer_of;
/// use arrow_schema::{Metadata, Schema};
///
/// let schema: Schema = "id: int64".parse()?;
/// assert_eq!(writer_of(&schema), None);
/// let schema = schema.with_metadata(Metadata::from_iter([("pandas", "{}")]));
/// assert_eq!(writer_of(&schema), Some("pandas, through pyarrow"));
/// # Ok::<(), arrow_schema::ParseError>(())
/// ```
pub fn writer_of(schema: &Schema) -> Option<&'static str> {
    let of_schema = OF_SCHEMAS.iter().find(|(key, _)| schema.metadata().get(key).is_some());
    let has_key = |metadata: &Metadata, start| {
        metadata.iter().any(|(key, _)| key.is_some_and(|key| key.starts_with(start)))
    };
    let of_fields = || {
        let mut fields = schema.fields_in_pre_order();
        fields.find_map(|field| OF_FIELDS.iter().find(|(start, _)| has_key(field.metadata(), start)))
    };
    of_schema.or_else(of_fields).map(|(_, writer)| *writer)
}

//! What to write where somebody expects a name that other libraries have.

use pyo3::{exceptions::PyAttributeError, prelude::*};

/// What is expected of a class, and what there is; in the words of its documentation.
const TABLE: [(&str, &[&str], &str); 21] = [
    ("File", &["to_polars"], "`polars.DataFrame(file)`"),
    (
        "File",
        &["to_pyarrow", "to_arrow", "to_table", "read_all", "read"],
        "`pyarrow.table(file)`, or `file[:]`, which is a batch",
    ),
    ("File", &["filter", "where", "query"], "`dataset(path, where=)`, which reads the rows of a condition"),
    ("File", &["columns", "names"], "`file.schema.names`, and `file[\"id\"]` for the values of one"),
    ("File", &["shape"], "`file.num_rows` and `len(file.schema)`"),
    ("File", &["nbytes"], "`explain(path)`, which tells what takes the bytes"),
    (
        "File",
        &["batches", "iter_batches", "to_batches", "num_record_batches", "get_batch"],
        "`for batch in file`, `file.num_batches`, `file.batch(0)`",
    ),
    (
        "Stream",
        &["to_pandas", "to_pylist", "to_pydict", "to_polars", "to_numpy", "head", "num_rows", "column"],
        "`concat(stream)` as a batch, which has them; other libraries take the stream itself",
    ),
    (
        "Stream",
        &["read_all", "read", "to_table", "read_pandas"],
        "`concat(stream)`, which is a batch, or `pyarrow.table(stream)`",
    ),
    ("Stream", &["read_next_batch", "batches", "iter_batches"], "`next(stream)` and `for batch in stream`"),
    ("Stream", &["select"], "`columns=` of the function that opens it"),
    ("Stream", &["filter", "where", "query"], "`convert(source, dest, where=)`, and then `open(dest)`"),
    ("RecordBatch", &["to_polars"], "`polars.DataFrame(batch)`"),
    ("RecordBatch", &["to_pyarrow", "to_arrow", "to_table"], "`pyarrow.record_batch(batch)`"),
    ("RecordBatch", &["shape"], "`batch.num_rows` and `batch.num_columns`"),
    ("RecordBatch", &["names"], "`batch.column_names`"),
    (
        "RecordBatch",
        &["filter", "where", "query"],
        "`convert(source, dest, where=)`, or what another library makes of the batch",
    ),
    (
        "Array",
        &["to_pandas", "to_polars", "to_pyarrow", "to_arrow"],
        "`pandas.Series.from_arrow(array)`, `polars.Series(array)`, `pyarrow.array(array)`",
    ),
    (
        "Array",
        &["sum", "mean", "min", "max", "std"],
        "`array.to_numpy()`, or `sum(array)` and the like of Python",
    ),
    ("Array", &["unique", "value_counts"], "`set(array)`, or `collections.Counter(array)`"),
    (
        "Array",
        &["tolist", "as_py", "dtype", "shape", "is_null", "isnull"],
        "`array.to_pylist()`, `array.type`, `len(array)`, `array.null_count`",
    ),
];

/// The error of a name that an object does not have.
pub(crate) fn no_attribute(this: &Bound<'_, PyAny>, name: &str) -> PyErr {
    let class = match this.get_type().name() {
        Ok(class) => class.to_string(),
        Err(error) => return error,
    };
    let advice = TABLE.iter().find(|(of, names, _)| *of == class && names.contains(&name));
    let text = match advice {
        Some((_, _, instead)) => {
            format!("'arrow_ipc.{class}' object has no attribute '{name}': there is {instead}")
        }
        None => format!("'arrow_ipc.{class}' object has no attribute '{name}'"),
    };
    PyAttributeError::new_err(text)
}

//! `read_arrow_query`: the query that reads files with a branch for each combination of values in the names of folders.
//!
//! DuckDB passes no `where` to extensions. But it evaluates a `where` on the constants of a branch, and leaves out branches without
//! matching rows.

use std::fmt::Write;

use arrow_ipc::Limits;
use arrow_ipc_dataset::{Dataset, DatasetFile, DatasetOptions, PartitionValue, ReadTask};
use arrow_schema::{DataType, Schema};

use crate::{
    bind::{MAX_SLOTS, path_of},
    capi::{ScalarBind, Value},
};

/// The maximum number of branches. DuckDB plans each.
const MAX_BRANCHES: usize = 256;

/// The least number of bytes of a branch, on average. Planning a branch takes a few percent of the time that reading so many takes.
const MIN_BRANCH_BYTES: u64 = 4 << 20;

/// # Errors
/// The text of an error in the argument.
pub(crate) fn bind(call: &mut ScalarBind) -> Result<(), String> {
    if let Some(refusal) = call.refusal_of_files() {
        return Err(format!("this opens files, and {refusal}"));
    }
    let path = call.constant()?.filter(Value::is_text).ok_or("needs a constant text, which is a path")?;
    call.store(query(&path.to_text()));
    Ok(())
}

/// The query that reads all files of a path. Without branches if these would change anything; `read_arrow` then reports errors, too.
fn query(path: &str) -> String {
    by_folders(path).unwrap_or_else(|| format!("FROM read_arrow({})", quoted(path)))
}

fn by_folders(path: &str) -> Option<String> {
    let limits = Limits::new().with_max_slots(MAX_SLOTS);
    let set = Dataset::open_with([path_of(path).ok()?], DatasetOptions::new().with_limits(limits)).ok()?;
    let branches: Vec<&[DatasetFile]> =
        set.files().chunk_by(|left, right| left.partition() == right.partition()).collect();
    if !(2..=MAX_BRANCHES).contains(&branches.len()) || !has_distinct_names(set.schema()) {
        return None;
    }
    let n_bytes = set.split(u64::MAX).ok()?.iter().map(ReadTask::n_bytes).fold(0, u64::saturating_add);
    if n_bytes / branches.len() as u64 <= MIN_BRANCH_BYTES {
        return None;
    }
    set.files().iter().all(|file| has_same_types(file, set.schema())).then_some(())?;
    let branches = branches.into_iter().map(branch).collect::<Option<Vec<String>>>()?;
    let names: Vec<String> = set.schema().fields().iter().map(|field| identifier(field.name())).collect();
    let query = format!("SELECT {} FROM ({})", names.join(", "), branches.join(" UNION ALL BY NAME "));
    (!query.contains('\0')).then_some(query)
}

/// Whether DuckDB, which ignores the case of names, distinguishes the columns.
fn has_distinct_names(schema: &Schema) -> bool {
    let mut names: Vec<String> = schema.fields().iter().map(|field| field.name().to_lowercase()).collect();
    names.sort_unstable();
    names.windows(2).all(|pair| pair.first() != pair.last())
}

/// Whether DuckDB gives the columns of a file the types that they have in the data set.
fn has_same_types(file: &DatasetFile, schema: &Schema) -> bool {
    let Ok(contents) = file.contents() else { return false };
    contents.schema().fields().iter().all(|own| {
        let common = schema.index_of(own.name()).ok().and_then(|position| schema.field(position));
        common.is_some_and(|common| {
            common.data_type() == own.data_type() && common.metadata() == own.metadata()
        })
    })
}

/// The branch of files with the same values in the names of folders. `None` if SQL cannot express it.
fn branch(files: &[DatasetFile]) -> Option<String> {
    let mut query = "SELECT *".to_owned();
    for PartitionValue { name, data_type, text } in files.first()?.partition() {
        let value = text.as_ref().map_or_else(|| "NULL".to_owned(), |text| quoted(text));
        write!(query, ", {value}::{} AS {}", type_name(data_type)?, identifier(name)).ok()?;
    }
    let path = |file: &DatasetFile| {
        let path = file.path().to_str()?;
        // Would be a pattern.
        (!path.contains(['*', '?', '['])).then(|| quoted(path))
    };
    let paths = files.iter().map(path).collect::<Option<Vec<String>>>()?;
    write!(query, " FROM read_arrow([{}], hive_partitioning := false)", paths.join(", ")).ok()?;
    Some(query)
}

/// The name of a type that columns of folders have.
fn type_name(data_type: &DataType) -> Option<&'static str> {
    let names = [(DataType::Int64, "BIGINT"), (DataType::Date32, "DATE"), (DataType::Utf8, "VARCHAR")];
    names.into_iter().find_map(|(known, name)| (known == *data_type).then_some(name))
}

/// A text as SQL has it.
pub(crate) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// A name as SQL has it.
pub(crate) fn identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

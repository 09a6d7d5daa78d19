//! What an explanation counts.

use arrow_ipc::StreamWriter;
use arrow_ipc_report::explain;
use arrow_ipc_tools::{ColumnNames, Input, columns::ColumnName};
use arrow_schema::{DataType, Field, Schema};

/// A stream of three columns, without batches.
fn three_columns(second: DataType) -> Vec<u8> {
    let columns = [("a", DataType::Int32), ("u", second), ("z", DataType::Int32)];
    let schema = Schema::new(columns.map(|(name, data_type)| Field::new(name, data_type)));
    StreamWriter::write_to_vec(schema, &[]).unwrap()
}

#[test]
fn columns_are_those_of_the_first_schema() {
    // Types without parameters differ only in their number.
    let [binary, text] = [DataType::Binary, DataType::Utf8].map(three_columns);
    let unknown_type = binary.iter().zip(&text).map(|(one, other)| if one == other { *one } else { 200 });
    let unknown_type: Vec<u8> = unknown_type.collect();
    // Columns of unknown types are read if other columns are asked for.
    let columns = ColumnNames::from_iter([ColumnName::from("a")]);
    for streams in [vec![&unknown_type], vec![&text, &text], vec![&text, &unknown_type]] {
        let bytes: Vec<u8> = streams.iter().copied().flatten().copied().collect();
        let input = Input::try_from_buffer("memory", bytes.into()).unwrap();
        let (explained, _) = explain(input, Some(&columns), &mut ()).unwrap();
        assert_eq!((explained.n_streams, explained.n_columns), (streams.len() as u64, 3));
    }
}

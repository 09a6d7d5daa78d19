//! Reads one column of many from a file: nothing of the others is read.
//!
//! `cargo run -p fletching-arrow --example read_one_column`

use arrow::{
    FileReader, FileWriter, Int64Array, Projection, ReadOptions, RecordBatch, TypedBatch, Utf8ViewArray,
};

fn main() -> arrow::Result<()> {
    let path = std::env::temp_dir().join(format!("read-one-column-{}.arrow", std::process::id()));
    write_wide_file(&path)?;

    let file = FileReader::open(&path)?;
    let position = file.schema().index_of("amount 7")?;
    let file = file.project(&Projection::Positions(vec![position]))?;

    let mut sum = 0;
    for batch in file.batches() {
        let amounts = batch?.column_as::<Int64Array>("amount 7")?;
        sum += amounts.iter().flatten().sum::<i64>();
    }
    println!("the amounts sum up to {sum}");
    assert_eq!(sum, 3 * (0..1_000).map(|row| row * 7).sum::<i64>());

    // Where the columns are known before the file is opened, options say so, also for streams.
    let options = ReadOptions::new().with_projection(Projection::Positions(vec![position]));
    let file = FileReader::try_new_with(std::fs::File::open(&path)?, options)?;
    assert_eq!(file.batch(2)?.n_columns(), 1);

    std::fs::remove_file(&path)?;
    Ok(())
}

fn write_wide_file(path: &std::path::Path) -> arrow::Result<()> {
    let mut columns = vec![(
        "name".to_owned(),
        Utf8ViewArray::from_iter((0..1_000).map(|row| format!("row {row}"))).into(),
    )];
    for factor in 0..100 {
        let amounts = Int64Array::from_iter((0..1_000).map(|row| row * factor));
        columns.push((format!("amount {factor}"), amounts.into()));
    }
    let batch = RecordBatch::try_from_columns(columns)?;
    let mut writer = FileWriter::create(path, batch.schema())?;
    for _ in 0..3 {
        writer.write(&batch)?;
    }
    writer.finish()?;
    Ok(())
}

#[test]
fn runs() {
    main().unwrap();
}

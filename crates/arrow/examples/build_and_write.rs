//! Builds a batch of several columns, writes it as a file, and shows the content of the file.
//!
//! `cargo run -p fletching-arrow --example build_and_write`

use arrow::{
    BooleanArray, DataType, DictionaryBuilder, FileReader, FileWriter, Float64Array, Int64Array, ListBuilder,
    RecordBatch, TimeUnit, TimestampArray, Utf8Array, Utf8Builder, schema::IndexType, text::BatchTable,
};

fn main() -> arrow::Result<()> {
    // Numbers are collected, which cannot fail; text may have more bytes than its offsets can hold.
    let ids = Int64Array::from_iter([1, 2, 3]);
    let names = Utf8Array::try_from_iter(["ada", "grace", "mary"])?;
    let scores = Float64Array::from_iter([Some(1.5), None, Some(f64::NAN)]);
    let members = BooleanArray::from_iter([true, false, true]);

    // Types with parameters are given.
    let seen = DataType::timestamp_with_zone(TimeUnit::Second, "UTC");
    let seen = TimestampArray::try_from_iter(seen, [Some(1_700_000_000), None, Some(0)])?;

    // Builders make all other types, and put them into each other.
    let words = DictionaryBuilder::try_new(IndexType::Int16, Utf8Builder::new())?;
    let mut tags = ListBuilder::new(words);
    tags.append(["red", "green"]);
    tags.append_null();
    tags.append(["green"]);

    let batch = RecordBatch::try_from_columns([
        ("id", ids.into()),
        ("name", names.into()),
        ("score", scores.into()),
        ("member", members.into()),
        ("seen", seen.into()),
        ("tags", tags.finish()?.into()),
    ])?;

    let path = std::env::temp_dir().join(format!("build-and-write-{}.arrow", std::process::id()));
    let mut writer = FileWriter::create(&path, batch.schema())?;
    writer.write(&batch)?;
    writer.write(&batch.slice(1, 2))?;
    writer.finish()?;

    let file = FileReader::open(&path)?;
    println!("{}\n", file.schema());
    for batch in file.batches() {
        println!("{}", BatchTable::try_new(&batch?)?);
    }
    std::fs::remove_file(&path)?;
    Ok(())
}

#[test]
fn runs() {
    main().unwrap();
}

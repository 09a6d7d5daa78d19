//! Builds a dictionary-encoded column, writes it, and works on its keys instead of its values.
//!
//! `cargo run -p fletching-arrow --example dictionary_column`

use arrow::{
    Buffer, DictionaryArray, DictionaryBuilder, FileReader, FileWriter, RecordBatch, TypedBatch, Utf8Array,
    Utf8Builder, schema::IndexType,
};

fn main() -> arrow::Result<()> {
    // Values are recognised as they come: each is kept once.
    let mut cities = DictionaryBuilder::try_new(IndexType::UInt8, Utf8Builder::new())?;
    for k in 0..1_000 {
        match k % 7 {
            0 => cities.append("Lisbon"),
            1 | 2 => cities.append("Oslo"),
            3 => cities.append_null(),
            _ => cities.append("Kyoto"),
        }
    }
    let cities = cities.finish()?;
    println!("{} slots, {} values", cities.len(), cities.values().len());

    let batch = RecordBatch::try_from_columns([("city", cities.into())])?;
    let mut writer = FileWriter::try_new(Vec::new(), batch.schema())?;
    // The batches share a dictionary, which is written once.
    for start in [0, 500] {
        writer.write(&batch.slice(start, 500))?;
    }
    let file = FileReader::try_from_buffer(Buffer::from(writer.finish()?))?;

    let mut counts: Vec<(String, usize)> = Vec::new();
    for batch in file.batches() {
        let cities = batch?.column_as::<DictionaryArray>("city")?;
        if counts.is_empty() {
            let names = Utf8Array::try_from(cities.values())?;
            counts.extend(names.iter().flatten().map(|name| (name.to_owned(), 0)));
        }
        // Keys are positions in the dictionary: counting them compares no text.
        for key in cities.iter().flatten() {
            counts[key].1 += 1;
        }
        // Where the values are wanted, they are read through.
        let decoded = cities.decoded::<Utf8Array>()?;
        println!("the first is {:?}, the last {:?}", decoded.get(0), decoded.iter().next_back().flatten());
    }
    println!("{counts:?}");
    assert_eq!(counts, [("Lisbon".to_owned(), 143), ("Oslo".to_owned(), 286), ("Kyoto".to_owned(), 428)]);
    Ok(())
}

#[test]
fn runs() {
    main().unwrap();
}

//! Crafted files, valid and invalid, each of which hits one rule; see `testing/corpus/hostile`.

use std::{fs, io::Cursor, path::Path};

use arrow_buffer::Buffer;
use arrow_ipc::{
    ErrorClass, FileReader, ReadOptions, Result, SeekSource, Step, StreamDecoder, StreamReader, Validation,
};

/// Reads everything; the number of rows.
type Read = fn(&[u8], Validation) -> Result<u64>;

fn options(validation: Validation) -> ReadOptions {
    let mut options = ReadOptions::default();
    options.validation = validation;
    options
}

fn stream_from_memory(bytes: &[u8], validation: Validation) -> Result<u64> {
    let mut decoder = StreamDecoder::new(options(validation));
    decoder.feed(Buffer::copy_from(bytes));
    decoder.end_of_input();
    let mut n_rows = 0u64;
    loop {
        match decoder.step()? {
            Step::Batch(batch, _) => n_rows = n_rows.saturating_add(batch.n_rows() as u64),
            Step::End => return Ok(n_rows),
            _ => {}
        }
    }
}

fn stream_from_reader(bytes: &[u8], validation: Validation) -> Result<u64> {
    let mut n_rows = 0u64;
    for batch in StreamReader::with_options(bytes, options(validation))? {
        n_rows = n_rows.saturating_add(batch?.n_rows() as u64);
    }
    Ok(n_rows)
}

fn stream_byte_by_byte(bytes: &[u8], validation: Validation) -> Result<u64> {
    let mut decoder = StreamDecoder::new(options(validation));
    let mut rest = bytes.iter();
    let mut n_rows = 0u64;
    loop {
        match decoder.step()? {
            Step::NeedBytes(_) => match rest.next() {
                Some(byte) => decoder.feed(Buffer::copy_from(&[*byte])),
                None => decoder.end_of_input(),
            },
            Step::Batch(batch, _) => n_rows = n_rows.saturating_add(batch.n_rows() as u64),
            Step::End => return Ok(n_rows),
            _ => {}
        }
    }
}

fn file_from_memory(bytes: &[u8], validation: Validation) -> Result<u64> {
    let reader = FileReader::from_source(Buffer::copy_from(bytes), options(validation))?;
    reader.batches().try_fold(0u64, |n_rows, batch| Ok(n_rows.saturating_add(batch?.n_rows() as u64)))
}

fn file_by_seeking(bytes: &[u8], validation: Validation) -> Result<u64> {
    let reader = FileReader::from_source(SeekSource::new(Cursor::new(bytes.to_vec())), options(validation))?;
    reader.batches().try_fold(0u64, |n_rows, batch| Ok(n_rows.saturating_add(batch?.n_rows() as u64)))
}

const STREAM_READERS: [(&str, Read); 3] =
    [("decoder", stream_from_memory), ("reader", stream_from_reader), ("byte by byte", stream_byte_by_byte)];
const FILE_READERS: [(&str, Read); 2] = [("memory", file_from_memory), ("seek", file_by_seeking)];

#[test]
fn corpus_is_judged_as_its_manifest_says() {
    let folder = testing_support::corpus_dir().join("hostile");
    let manifest = fs::read_to_string(folder.join("manifest.tsv")).unwrap();
    let mut failures = Vec::new();
    let mut n_files = 0;
    for row in manifest.lines().skip(1) {
        let mut cells = row.split('\t');
        let (file, format, expect) = (cells.next().unwrap(), cells.next().unwrap(), cells.next().unwrap());
        n_files += 1;
        check_file(&folder.join(file), format, expect, &mut failures);
    }
    assert!(n_files > 250, "{n_files} files");
    assert!(failures.is_empty(), "{} of {n_files}:\n{}", failures.len(), failures.join("\n"));
}

fn check_file(path: &Path, format: &str, expect: &str, failures: &mut Vec<String>) {
    let bytes = fs::read(path).unwrap();
    let readers: &[(&str, Read)] = if format == "file" { &FILE_READERS } else { &STREAM_READERS };
    let mut outcomes = Vec::new();
    for (reader, read) in readers {
        let outcome = read(&bytes, Validation::Content);
        let name = path.file_name().unwrap().to_string_lossy();
        match (&outcome, expect) {
            (Ok(_), "error") => failures.push(format!("{name} ({reader}): read, should be refused")),
            // What is not there yet is refused by name.
            (Err(error), "ok") if error.class() == ErrorClass::Unsupported => {}
            (Err(error), "ok") => failures.push(format!("{name} ({reader}): {error}")),
            (Err(error), _) => assert!(!error.to_string().is_empty()),
            (Ok(_), _) => {}
        }
        outcomes.push(outcome.map_err(|error| error.to_string()));
        // Content left unchecked must not break anything either.
        let _ = read(&bytes, Validation::Deferred);
    }
    if outcomes.windows(2).any(|pair| pair[0] != pair[1]) {
        failures.push(format!("{}: readers differ: {outcomes:?}", path.display()));
    }
}

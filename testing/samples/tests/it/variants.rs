//! Writes all samples in all variants to streams and files, and reads them back.

use arrow_buffer::Buffer;
use arrow_data::{RecordBatch, Validation};
use arrow_ipc::{FileReader, FileWriter, IpcError, IpcErrorKind, StreamReader, StreamWriter};
use samples::{Sample, Variant, samples, variants};
use testing_support::rows;

fn stream(sample: &Sample, variant: &Variant) -> Result<Vec<RecordBatch>, IpcError> {
    let mut stream = StreamWriter::try_new_with(Vec::new(), &sample.schema, variant.options(sample)?)?;
    sample.batches.iter().try_for_each(|batch| stream.write(batch))?;
    StreamReader::try_new(stream.finish()?.as_slice())?.collect()
}

fn file(sample: &Sample, variant: &Variant) -> Result<Vec<RecordBatch>, IpcError> {
    let mut file = FileWriter::try_new_with(Vec::new(), &sample.schema, variant.options(sample)?)?;
    sample.batches.iter().try_for_each(|batch| file.write(batch))?;
    FileReader::try_from_buffer(Buffer::from(file.finish()?))?.batches().collect()
}

#[test]
fn variants_are_read_again() {
    let mut n_most = 0;
    for variant in variants() {
        let (mut n_read, mut n_refused) = (0, 0);
        let samples = samples(5);
        let about: Vec<&Sample> = samples.iter().filter(|sample| variant.is_about(sample)).collect();
        for &sample in &about {
            let location = format!("{}, {}", sample.name, variant.name);
            let mut found = vec![stream(sample, &variant)];
            found.extend(variant.is_for_files(sample).then(|| file(sample, &variant)));
            for found in found {
                match found {
                    Ok(batches) => {
                        assert!(batches.iter().map(rows).eq(sample.batches.iter().map(rows)), "{location}");
                        for batch in batches {
                            batch
                                .validate(Validation::Strict)
                                .unwrap_or_else(|error| panic!("{location}: {error}"));
                        }
                        n_read += 1;
                    }
                    Err(error) => {
                        assert!(
                            matches!(error.kind(), IpcErrorKind::NotInVersion { .. }),
                            "{location}: {error}"
                        );
                        n_refused += 1;
                    }
                }
            }
        }
        let is_old = ["v4", "legacy"].contains(&variant.name);
        assert!(!about.is_empty() && (n_refused > 0) == is_old, "{}: {n_refused} refused", variant.name);
        assert!(n_read + n_refused >= about.len(), "{}: {n_read}, {n_refused} refused", variant.name);
        n_most = n_most.max(n_read);
    }
    assert!(n_most > 100, "{n_most} streams and files of the variant that has most");
}

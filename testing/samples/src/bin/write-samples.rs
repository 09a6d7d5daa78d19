//! Writes a stream and a file of each sample in each variant. Each variant has a folder. The content is written as text
//! to the same folder, in the form of the golden files of `testing/corpus`. Planned files of a few samples are in the
//! folder `planned`, and tensors in the folder `tensors`.
//!
//! ```text
//! write-samples FOLDER [SEED]
//! ```
#![forbid(unsafe_code)]

use std::{env, error::Error, fs, path::Path, process::ExitCode};

use arrow_ipc::{Container, FileWriter, IpcError, IpcErrorKind, StreamWriter, WriteOptions};
use arrow_ipc_tensor::TensorWriter;
use arrow_text::JsonRows;
use samples::{Sample, TensorSample, Variant, planned, samples, tensor_samples, variants};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (folder, seed) = match &arguments[..] {
        [folder] => (Path::new(folder), 1),
        [folder, seed] => (Path::new(folder), seed.parse()?),
        _ => {
            eprintln!("usage: write-samples FOLDER [SEED]");
            return Ok(ExitCode::from(2));
        }
    };
    let samples = samples(seed);
    for variant in variants() {
        let folder = folder.join(variant.name);
        fs::create_dir_all(&folder)?;
        let mut table = String::from(TABLE_HEAD);
        for sample in samples.iter().filter(|sample| variant.is_about(sample)) {
            let Some(formats) = write(&folder, sample, &variant)? else { continue };
            table += &table_row(sample, formats);
        }
        fs::write(folder.join("cases.tsv"), table)?;
    }
    write_planned(&folder.join("planned"), &samples)?;
    write_tensors(&folder.join("tensors"))?;
    Ok(ExitCode::SUCCESS)
}

/// Samples that are also planned: every type, which includes dictionaries in dictionaries, and metadata.
const PLANNED: [&str; 4] = ["every-type", "extensions", "extremes-built", "metadata"];

const TABLE_HEAD: &str = "case\tformats\tn_rows\tlevel\tabout\n";

fn table_row(sample: &Sample, formats: &str) -> String {
    let counts: Vec<String> = sample.batches.iter().map(|batch| batch.n_rows().to_string()).collect();
    let n_rows = if counts.is_empty() { "-".to_owned() } else { counts.join(",") };
    format!("{}\t{formats}\t{n_rows}\tstrict\t{}\n", sample.name, sample.about)
}

fn write_planned(folder: &Path, samples: &[Sample]) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    let mut table = String::from(TABLE_HEAD);
    for sample in samples.iter().filter(|sample| PLANNED.contains(&&*sample.name)) {
        for (container, suffix) in [(Container::Stream, "arrows"), (Container::File, "arrow")] {
            fs::write(folder.join(format!("{}.{suffix}", sample.name)), planned(sample, container)?)?;
        }
        write_text(folder, sample)?;
        table += &table_row(sample, "stream,file");
    }
    Ok(fs::write(folder.join("cases.tsv"), table)?)
}

fn write_tensors(folder: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    for TensorSample { name, tensor, text } in tensor_samples() {
        let mut writer = TensorWriter::new(fs::File::create(folder.join(format!("{name}.tensor")))?);
        writer.write(&tensor)?;
        writer.finish()?;
        fs::write(folder.join(format!("{name}.json")), text + "\n")?;
    }
    Ok(())
}

/// Writes a sample. Returns the formats that were written; `None` if the metadata version does not support the types.
fn write(folder: &Path, sample: &Sample, variant: &Variant) -> Result<Option<&'static str>, Box<dyn Error>> {
    let Sample { name, schema, batches, .. } = sample;
    let options = variant.options(sample)?;
    let stream = match write_stream(sample, options.clone()) {
        Err(error) if matches!(error.kind(), IpcErrorKind::NotInVersion { .. }) => return Ok(None),
        written => written.map_err(|error| format!("{name}, {}: {error}", variant.name))?,
    };
    let path = |suffix: &str| folder.join(format!("{name}.{suffix}"));
    fs::write(path("arrows"), stream)?;
    let in_files = variant.is_for_files(sample);
    if in_files {
        let mut file = FileWriter::try_new_with(fs::File::create(path("arrow"))?, schema, options)?;
        batches.iter().try_for_each(|batch| file.write(batch))?;
        file.finish()?;
    }
    write_text(folder, sample)?;
    Ok(Some(if in_files { "stream,file" } else { "stream" }))
}

/// Writes the rows and the schema as text.
fn write_text(folder: &Path, sample: &Sample) -> Result<(), Box<dyn Error>> {
    let mut rows = Vec::new();
    for batch in &sample.batches {
        JsonRows::try_new(batch)?.write_to(&mut rows)?;
    }
    let fields: String = sample.schema.fields().iter().map(|field| format!("{field}\n")).collect();
    fs::write(folder.join(format!("{}.schema", sample.name)), fields)?;
    fs::write(folder.join(format!("{}.json", sample.name)), rows)?;
    Ok(())
}

fn write_stream(sample: &Sample, options: WriteOptions) -> Result<Vec<u8>, IpcError> {
    let mut stream = StreamWriter::try_new_with(Vec::new(), &sample.schema, options)?;
    sample.batches.iter().try_for_each(|batch| stream.write(batch))?;
    stream.finish()
}

//! Writes a stream and a file of each sample into a folder, with their content as text beside them, in the form of the
//! golden files of `testing/corpus`. Tensors are in a folder of their own, `tensors`.
//!
//! ```text
//! write-samples FOLDER [SEED]
//! ```
#![forbid(unsafe_code)]

use std::{env, error::Error, fmt::Write, fs, path::Path, process::ExitCode};

use arrow_array::JsonRows;
use arrow_ipc::{FileWriter, StreamWriter, TensorWriter, WriteOptions};
use samples::{Sample, TensorSample, samples, tensor_samples};

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
    fs::create_dir_all(folder)?;
    let mut table = String::from("case\tformats\tn_rows\tlevel\tabout\n");
    for sample in samples(seed) {
        write(folder, &sample)?;
        let counts: Vec<String> = sample.batches.iter().map(|batch| batch.n_rows().to_string()).collect();
        let n_rows = if counts.is_empty() { "-".to_owned() } else { counts.join(",") };
        writeln!(table, "{}\tstream,file\t{n_rows}\tstrict\t{}", sample.name, sample.about)?;
    }
    fs::write(folder.join("cases.tsv"), table)?;
    write_tensors(&folder.join("tensors"))?;
    Ok(ExitCode::SUCCESS)
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

fn write(folder: &Path, sample: &Sample) -> Result<(), Box<dyn Error>> {
    let Sample { name, schema, batches, .. } = sample;
    let path = |suffix: &str| folder.join(format!("{name}.{suffix}"));

    let mut stream = StreamWriter::new(fs::File::create(path("arrows"))?, schema, WriteOptions::default())?;
    let mut file = FileWriter::new(fs::File::create(path("arrow"))?, schema, WriteOptions::default())?;
    let mut rows = Vec::new();
    for batch in batches {
        stream.write(batch)?;
        file.write(batch)?;
        JsonRows::try_new(batch)?.write_to(&mut rows)?;
    }
    stream.finish()?;
    file.finish()?;

    let fields: String = schema.fields().iter().map(|field| format!("{field}\n")).collect();
    fs::write(path("schema"), fields)?;
    fs::write(path("json"), rows)?;
    Ok(())
}

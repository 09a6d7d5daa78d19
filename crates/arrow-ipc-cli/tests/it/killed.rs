//! Kills a conversion at a random time. Its output is then complete, or does not exist.

use std::{
    fs,
    process::Stdio,
    thread,
    time::{Duration, Instant},
};

use arrow_ipc::{FileReader, FileWriter, WriteOptions};
use testing_support::{Generator, Hunt};

use crate::program::{command, temporary_folder};

#[test]
fn the_output_of_a_killed_conversion_is_whole_or_not_there() {
    let (folder, hunt) = (temporary_folder(), Hunt::from_env());
    let [input, output] = ["input.arrow", "output.arrow"].map(|name| folder.path().join(name));
    let schema = "a: int64\nb: utf8".parse().unwrap();
    let batches = Generator::new(9).batches(&schema, &[2_000; 10]);
    fs::write(
        &input,
        FileWriter::to_vec(std::sync::Arc::new(schema), &batches, WriteOptions::new()).unwrap(),
    )
    .unwrap();
    let begin = || {
        let mut command = command(["convert", input.to_str().unwrap(), output.to_str().unwrap()]);
        command.stderr(Stdio::null()).spawn().unwrap()
    };
    let start = Instant::now();
    assert!(begin().wait().unwrap().success());
    let (whole, time) = (fs::read(&output).unwrap(), start.elapsed());
    let (mut rng, mut n_left) = (hunt.rng(47), 0);
    for round in 0..hunt.count(6, 1_000) {
        // A new output, or one that replaces a file.
        let before = (round % 2 == 1).then_some(&b"what was there before"[..]);
        let _ = fs::remove_file(&output);
        before.iter().for_each(|bytes| fs::write(&output, bytes).unwrap());
        let mut child = begin();
        thread::sleep(Duration::from_nanos(rng.below(time.as_nanos() as usize) as u64));
        child.kill().unwrap();
        child.wait().unwrap();
        let found = fs::read(&output).ok();
        assert!(found.as_deref() == before || found.as_ref() == Some(&whole), "round {round}");
        // Files with temporary names cannot be opened, unless only the renaming was missing.
        for entry in fs::read_dir(folder.path()).unwrap() {
            let path = entry.unwrap().path();
            if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')) {
                assert!(
                    FileReader::open(&path).is_err() || fs::read(&path).unwrap() == whole,
                    "round {round}"
                );
                n_left += 1;
            }
        }
        // The next command with the same output removes the files of the killed one.
        if cfg!(unix) && round % 3 == 0 {
            assert!(begin().wait().unwrap().success());
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "round {round}");
        }
    }
    assert!(!hunt.is_on() || n_left > 0, "no conversion was killed while it wrote");
}

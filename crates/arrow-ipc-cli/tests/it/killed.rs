//! Kills a program at a random time. Its output is then complete, or does not exist.

use std::{
    fs,
    process::Stdio,
    thread,
    time::{Duration, Instant},
};

use arrow_array::Int64Array;
use arrow_data::RecordBatch;
use arrow_ipc::{FileReader, FileWriter};
use testing_support::{Generator, Hunt};

use crate::program::{command, run, temporary_folder};

#[test]
fn the_output_of_a_killed_conversion_is_whole_or_not_there() {
    let (folder, hunt) = (temporary_folder(), Hunt::from_env());
    let [input, output] = ["input.arrow", "output.arrow"].map(|name| folder.path().join(name));
    let schema = "a: int64\nb: utf8".parse().unwrap();
    let batches = Generator::new(9).batches(&schema, &[2_000; 10]);
    fs::write(&input, FileWriter::write_to_vec(std::sync::Arc::new(schema), &batches).unwrap()).unwrap();
    let begin = || {
        let mut command = command(["convert", input.to_str().unwrap(), "-o", output.to_str().unwrap()]);
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

/// The folder that `split` writes has all files, or none, or readers of the folder fail. In the current folder, which
/// cannot be replaced, the files get their names one after the other.
#[test]
fn the_files_of_a_killed_split_are_all_there_or_none() {
    const N_FILES: usize = 40;
    const N_ROWS: i64 = 4_000;
    let (folder, hunt) = (temporary_folder(), Hunt::from_env());
    let (input, parent) = (folder.path().join("input.arrow"), folder.path().join("parent"));
    let ids = Int64Array::from_iter((0..N_ROWS).map(|id| id % N_FILES as i64)).into_data();
    let values = Int64Array::from_iter(0..N_ROWS).into_data();
    let batch = RecordBatch::try_from_columns([("k", ids), ("v", values)]).unwrap();
    let file = FileWriter::write_to_vec(batch.schema().clone(), &[batch]).unwrap();
    fs::write(&input, file).unwrap();
    let out = parent.join("out");
    let begin = |is_current: bool, by: &str| {
        let mut command = command(["split", input.to_str().unwrap()]);
        command.args(by.split(' ')).arg(if is_current { "." } else { out.to_str().unwrap() });
        if is_current {
            command.current_dir(&out);
        }
        command.stderr(Stdio::null()).spawn().unwrap()
    };
    let (mut rng, mut n_killed) = (hunt.rng(61), 0);
    for by in ["--by k", "--into 40"] {
        for (is_there, is_current) in [(false, false), (true, false), (true, true)] {
            let prepare = || {
                let _ = fs::remove_dir_all(&parent);
                fs::create_dir_all(if is_there { &out } else { &parent }).unwrap();
            };
            prepare();
            let start = Instant::now();
            assert!(begin(is_current, by).wait().unwrap().success());
            let time = start.elapsed();
            for round in 0..hunt.count(4, 400) {
                prepare();
                let mut child = begin(is_current, by);
                // Most kills are in the second half, where files get their names.
                let delay = rng.below(time.as_nanos() as usize / 2) as u64;
                thread::sleep(Duration::from_nanos(time.as_nanos() as u64 / 2 + delay));
                child.kill().unwrap();
                n_killed += usize::from(!child.wait().unwrap().success());
                let what = format!("{by} {is_there} {is_current} {round}");
                let path = out.to_str().unwrap();
                let counted = run(["count", path]);
                match counted.status {
                    0 => assert_eq!(counted.text(), format!("{N_ROWS}\n"), "{what}"),
                    1 => {
                        assert!(counted.stderr.contains("the folder is incomplete"), "{what}: {counted:?}")
                    }
                    _ => assert!(
                        ["no files: ", "No such file", "cannot find"]
                            .iter()
                            .any(|what| counted.stderr.contains(what)),
                        "{what}: {counted:?}"
                    ),
                }
                for command in hunt.some_of(&["validate", "cat", "stats", "explain"], 2, round) {
                    let found = run([*command, path]);
                    assert_eq!(found.status == 0, counted.status == 0, "{what}: {command}: {found:?}");
                }
                // The next command removes what the killed one has left, unless files have their names.
                if cfg!(unix) && counted.status > 1 {
                    assert!(begin(is_current, by).wait().unwrap().success(), "{what}");
                    assert_eq!(run(["count", path]).text(), format!("{N_ROWS}\n"), "{what}");
                    assert_eq!(fs::read_dir(&parent).unwrap().count(), 1, "{what}");
                    assert_eq!(fs::read_dir(&out).unwrap().count(), N_FILES, "{what}");
                }
            }
        }
    }
    assert!(!hunt.is_on() || n_killed > 0);
}

//! Inputs cut at every length: exactly the complete batches are left.

use std::fs;

use arrow_ipc_recover::LostContent;
use testing_support::{Hunt, files_below};

use super::harness::{ends, read, recover, same};

#[test]
fn undamaged_inputs_are_recovered_whole() {
    let mut n_inputs = 0;
    let golden = testing_support::corpus_dir().join("golden");
    for path in [files_below(&golden, ".arrow"), files_below(&golden, ".arrows")].concat() {
        let bytes = fs::read(&path).unwrap();
        let found = recover(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(found.lost.is_empty(), "{}: {:?}", path.display(), found.lost_text());
        assert!(same(&found.batches, &read(&bytes).unwrap()), "{}", path.display());
        n_inputs += 1;
    }
    assert!(n_inputs > 100, "{n_inputs}");
}

#[test]
fn released_versions_are_recovered_whole() {
    let Some(folder) = testing_support::arrow_test_data("arrow-ipc-stream/integration") else { return };
    let mut n_inputs = 0;
    for path in [files_below(&folder, ".arrow_file"), files_below(&folder, ".stream")].concat() {
        let bytes = fs::read(&path).unwrap();
        let Ok(expected) = read(&bytes) else { continue };
        let found = recover(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(found.lost.is_empty(), "{}: {:?}", path.display(), found.lost_text());
        assert!(same(&found.batches, &expected), "{}", path.display());
        n_inputs += 1;
    }
    assert!(n_inputs > 50, "{n_inputs}");
}

/// Small files and streams that together have every layout, dictionaries and nested ones.
const CASES: [&str; 6] =
    ["integers-nulls", "binary-text-full", "views-nulls", "unions-full", "dictionary-nested", "metadata"];

#[test]
fn cut_at_every_byte() {
    let folder = testing_support::corpus_dir().join("golden/pyarrow-26.0.1");
    let step = Hunt::from_env().count(7, 1);
    let mut n_cut = 0;
    for name in CASES {
        for extension in ["arrow", "arrows"] {
            let bytes = fs::read(folder.join(name).with_extension(extension)).unwrap();
            let (all, ends) = (read(&bytes).unwrap(), ends(&bytes));
            let borders = ends.iter().flat_map(|(end, _)| [end.saturating_sub(1), *end, end + 1]);
            let lengths = (0..bytes.len()).step_by(step).chain(borders.map(|length| length as usize));
            for n_bytes in lengths.filter(|n_bytes| *n_bytes < bytes.len()) {
                let what = || format!("{name}.{extension}, {n_bytes} of {} bytes", bytes.len());
                let n_batches = ends.iter().rfind(|(end, _)| *end <= n_bytes as u64).unwrap().1;
                match recover(&bytes[..n_bytes]) {
                    Ok(found) => {
                        let is_same = same(&found.batches, &all[..n_batches]);
                        assert!(is_same, "{}: {} of {n_batches}", what(), found.batches.len());
                        let is_file = extension == "arrow";
                        assert!(!is_file || !found.lost.is_empty(), "{}", what());
                        let n_footers = found.lost.iter().filter(|part| part.what() == LostContent::Footer);
                        assert_eq!(n_footers.count(), usize::from(is_file), "{}", what());
                        n_cut += 1;
                    }
                    // Nothing without a schema.
                    Err(_) => assert_eq!(n_batches, 0, "{}", what()),
                }
            }
        }
    }
    assert!(n_cut > 1_000, "{n_cut}");
}

//! The advice of `stats` for columns with repeated values works.

use arrow_array::{Int64Array, Utf8Array};
use arrow_data::RecordBatch;
use arrow_ipc::FileWriter;

use crate::program::{run, temporary_folder};

#[test]
fn the_command_that_stats_names_makes_the_file_as_small_as_it_says() {
    let folder = temporary_folder();
    let path = folder.path().join("a.arrow");
    let names = ["Reykjavik, Iceland", "Longyearbyen, Svalbard", "Torshavn, Faroe Islands"];
    let cities = Utf8Array::try_from_iter((0..30_000).map(|n| names[n % 3])).unwrap();
    let codes = Int64Array::from_iter((0..30_000).map(|n| n % 100 + 1_000_000));
    let ids = Int64Array::from_iter(0..30_000);
    let columns = [("city=", cities.into()), ("code", codes.into()), ("id", ids.into())];
    let batch = RecordBatch::try_from_columns(columns).unwrap();
    let mut writer = FileWriter::create(&path, batch.schema()).unwrap();
    (0..3).for_each(|part| writer.write(&batch.slice(part * 10_000, 10_000)).unwrap());
    writer.finish().unwrap();

    let path = path.to_str().unwrap();
    let advised = |args: &[&str]| {
        let text = run(["stats", path].iter().chain(args)).expect(&[0]).text().to_owned();
        text.lines().filter(|line| line.contains("dictionary")).map(str::to_owned).collect::<Vec<_>>()
    };
    let lines = advised(&[]);
    assert_eq!(lines, advised(&["--vertical"]));
    let cast = "'\"city=\"=dictionary<int8, utf8>'";
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(
        lines[0].starts_with("\"city=\" has 3 different values: a dictionary would take about 1/"),
        "{lines:?}"
    );
    assert!(lines[0].ends_with(&format!("`arrow-ipc convert {path} OUT.arrow --cast {cast}`")), "{lines:?}");
    assert!(lines[1].starts_with("code has 100 different values: a dictionary would take about 1/6 of"));
    for some in [&["-n", "20000"][..], &["--where", "id >= 0"], &["--json"], &["--columns", "code"]] {
        assert_eq!(advised(some), [""; 0], "{some:?}");
    }

    let out = folder.path().join("b.arrow");
    let out = out.to_str().unwrap();
    let types = ["\"city=\"=dictionary<int8, utf8>", "code=dictionary<int8, int64>"];
    run(["convert", path, out, "--cast", types[0], "--cast", types[1]]).expect(&[0]);
    let rows = |path: &str| run(["cat", path, "--rows", "9990..20010"]).expect(&[0]).text().to_owned();
    assert_eq!(rows(path), rows(out));
    let found = |path: &str| -> serde_json::Value {
        serde_json::from_str(run(["stats", "--json", path]).expect(&[0]).text()).unwrap()
    };
    let (before, after) = (found(path), found(out));
    for idx in 0..2 {
        let n_bytes = |found: &serde_json::Value| found["columns"][idx]["n_bytes"].as_u64().unwrap();
        let (before, after) = (n_bytes(&before), n_bytes(&after));
        let factor =
            lines[idx].split("1/").nth(1).unwrap().split(' ').next().unwrap().parse::<u64>().unwrap();
        assert!((factor..factor + factor / 2).contains(&(before / after)), "{factor}: {before} and {after}");
    }
    assert_eq!(before["columns"][1]["mean"], 1_000_049.5);
    assert_eq!(after["columns"][1]["mean"], 1_000_049.5);
    assert_eq!(advised_of(out), [""; 0]);
}

fn advised_of(path: &str) -> Vec<String> {
    let outcome = run(["stats", path]);
    let lines = outcome.expect(&[0]).text().lines().filter(|line| line.contains("has "));
    lines.map(str::to_owned).collect()
}

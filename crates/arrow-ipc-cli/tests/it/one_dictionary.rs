//! Files whose batches would need different dictionaries get one, by default and without values that no batch uses.

use std::{fs, path::Path, sync::Arc};

use arrow_array::{Int8Array, Utf8Array};
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_ipc::{FileReader, StreamWriter};
use arrow_schema::{DataType, DictionaryOrder, DictionaryType, IndexType};

use crate::program::{run, run_with_input, temporary_folder};

/// A batch with a dictionary of these words.
fn batch(order: DictionaryOrder, words: &[&str], indices: &[i8]) -> RecordBatch {
    let data_type = DictionaryType::try_new(IndexType::Int8, DataType::Utf8, order).unwrap();
    let words = Utf8Array::try_from_iter(words.iter().copied()).unwrap().into_data();
    let indices = Int8Array::from_iter(indices.iter().copied()).into_data();
    let column = ArrayData::try_new(ArrayParts {
        data_type: DataType::Dictionary(Arc::new(data_type)),
        dictionary: Some(Arc::new(words)),
        ..indices.into_parts()
    });
    RecordBatch::try_from_columns([("size", column.unwrap())]).unwrap()
}

const SIZES: &[&str] = &["S", "M", "L", "XL"];

fn write(path: &Path, batches: &[RecordBatch]) {
    let mut writer = StreamWriter::try_new(fs::File::create(path).unwrap(), batches[0].schema()).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap();
}

/// The words of the only dictionary of a file.
fn words(path: &Path) -> Vec<String> {
    let file = FileReader::open(path).unwrap();
    assert_eq!(file.footer().dictionaries().len(), 1, "{}", path.display());
    let column = file.batch(0).unwrap().columns()[0].clone();
    let words = Utf8Array::try_from(ArrayData::clone(column.dictionary().unwrap())).unwrap();
    words.iter().flatten().map(str::to_owned).collect()
}

#[test]
fn ordered_words_that_no_batch_uses_are_left_out() {
    let folder = temporary_folder();
    let path = |name: &str| folder.path().join(name);
    let (input, output) = (path("in.arrows"), path("out.arrow"));
    for order in [DictionaryOrder::Ordered, DictionaryOrder::Unordered] {
        write(&input, &[batch(order, SIZES, &[3, 3]), batch(order, SIZES, &[1]), batch(order, SIZES, &[3])]);
        for options in [&["--compact", "--dictionaries", "unify"][..], &["--compact"]] {
            let args = [Path::new("convert"), &input, Path::new("-o"), &output].into_iter();
            let converted = run(args.chain(options.iter().map(Path::new)));
            assert_eq!((converted.status, &converted.stderr[..]), (0, ""), "{options:?}");
            let expected = match order {
                DictionaryOrder::Ordered => ["M", "XL"],
                DictionaryOrder::Unordered => ["XL", "M"],
            };
            assert_eq!(words(&output), expected, "{options:?}");
            run([Path::new("diff"), &input, &output]).expect(&[0]);
            run([Path::new("validate"), Path::new("--strict"), &output]).expect(&[0]);
        }
    }
}

/// A batch that is divided has words that not all of its parts use.
#[test]
fn parts_of_a_batch_have_one_dictionary() {
    let folder = temporary_folder();
    let path = |name: &str| folder.path().join(name);
    write(&path("in.arrows"), &[batch(DictionaryOrder::Unordered, SIZES, &[3, 1, 1, 3, 3])]);
    run([Path::new("convert"), &path("in.arrows"), &path("in.arrow")]).expect(&[0]);
    for n_rows in ["2", "5"] {
        let args = [Path::new("convert"), &path("in.arrow"), Path::new("-o"), &path("out.arrow")];
        let options = ["--compact", "--batch-rows", n_rows].map(Path::new);
        assert_eq!(run(args.into_iter().chain(options)).expect(&[0]).stderr, "");
        run([Path::new("diff"), &path("in.arrow"), &path("out.arrow")]).expect(&[0]);
        let mut found = words(&path("out.arrow"));
        found.sort();
        assert_eq!(found, ["M", "XL"], "{n_rows}");
    }
}

#[test]
fn files_get_one_dictionary_by_default() {
    use DictionaryOrder::{Ordered, Unordered};
    let folder = temporary_folder();
    let path = |name: &str| folder.path().join(name);
    let (a, b, joined) = (path("a.arrows"), path("b.arrows"), path("joined.arrow"));
    write(&a, &[batch(Unordered, &["x", "y"], &[0, 1]), batch(Unordered, &["z", "x"], &[0, 1])]);
    write(&b, &[batch(Unordered, &["w", "x"], &[1, 0])]);
    // One stream that replaces its dictionary, then streams, then files.
    run([Path::new("convert"), &a, &joined]).expect(&[0]);
    assert_eq!(words(&joined), ["x", "y", "z"]);
    run([Path::new("diff"), &a, &joined]).expect(&[0]);
    run([Path::new("concat"), &a, &b, Path::new("-o"), &joined]).expect(&[0]);
    assert_eq!(words(&joined), ["x", "y", "z", "w"]);
    let [a_file, b_file] = ["a.arrow", "b.arrow"].map(path);
    run([Path::new("convert"), &a, &a_file]).expect(&[0]);
    run([Path::new("convert"), &b, &b_file]).expect(&[0]);
    run([Path::new("concat"), &a_file, &b_file, &path("of-files.arrow")]).expect(&[0]);
    run([Path::new("diff"), &joined, &path("of-files.arrow")]).expect(&[0]);
    assert_eq!(words(&path("of-files.arrow")), ["x", "y", "z", "w"]);
    // A pipe is not read twice, unless an option asks for it.
    let bytes = fs::read(&a).unwrap();
    let piped = run_with_input(["convert", "-", "-", "--to", "file"], &bytes);
    for said in ["dictionary with id 0", "--dictionaries unify", "--dictionaries delta", "--to stream"] {
        assert!(piped.expect(&[5]).stderr.contains(said), "{said}: {}", piped.stderr);
    }
    run_with_input(["convert", "-", "-", "--to", "file", "--dictionaries", "unify"], &bytes).expect(&[0]);
    // A stream replaces dictionaries as before.
    run([Path::new("convert"), &a, &path("copy.arrows")]).expect(&[0]);
    assert_eq!(fs::read(path("copy.arrows")).unwrap(), bytes);
    // Ordered dictionaries that contradict each other are refused with their values.
    for (second, expected) in [
        (&["M", "S"][..], "\"S\" comes before \"M\" in one of them, but after it in others"),
        (&["S", "L"], "do not say which comes first, \"M\" or \"L\""),
    ] {
        write(&a, &[batch(Ordered, &["S", "M"], &[0, 1]), batch(Ordered, second, &[0, 1])]);
        let refused = run([Path::new("convert"), &a, &path("refused.arrow")]);
        let refused = refused.expect(&[5]);
        assert!(refused.stderr.contains(expected), "{}", refused.stderr);
        assert!(
            refused.stderr.contains("size") && refused.stderr.contains("--to stream"),
            "{}",
            refused.stderr
        );
        assert!(!path("refused.arrow").exists());
    }
}

/// Only when such an input is read, its dictionaries show that they change: then it is read again.
#[test]
fn files_of_compressed_inputs_get_one_dictionary_too() {
    let folder = temporary_folder();
    let path = |name: &str| folder.path().join(name);
    let stream = path("a.arrows");
    let unordered = |words: &[&str]| batch(DictionaryOrder::Unordered, words, &[0, 1]);
    write(&stream, &[unordered(&["x", "y"]), unordered(&["z", "x"])]);
    let packed = path("a.arrows.gz");
    fs::write(&packed, crate::compressed::gzip(&fs::read(&stream).unwrap())).unwrap();
    for command in [&["convert"][..], &["convert", "--compact"], &["concat"], &["split"]] {
        let out = path("out.arrow");
        let args = command.iter().map(Path::new).chain([&*packed, Path::new("-o"), &*out]);
        let written = run(args);
        assert_eq!((written.status, &*written.stderr), (0, ""), "{command:?}");
        assert_eq!(words(&out), ["x", "y", "z"], "{command:?}");
        run([Path::new("diff"), &stream, &out]).expect(&[0]);
    }
    // A pipe is not written twice.
    let refused = run([Path::new("convert"), &packed, Path::new("-"), Path::new("--to"), Path::new("file")]);
    assert!(refused.expect(&[5]).stderr.contains("--dictionaries unify"), "{refused:?}");
}

/// Without the values that no row uses, each field would need other values of a dictionary that both have.
#[test]
fn fields_that_share_a_dictionary_keep_one() {
    let folder = temporary_folder();
    let path = |name: &str| folder.path().join(name);
    let shared = Path::new("hostile/dict-id-shared-ok.stream");
    run([Path::new("convert"), shared, &path("in.arrow")]).expect(&[0]);
    let packed = path("in.arrow.gz");
    fs::write(&packed, crate::compressed::gzip(&fs::read(path("in.arrow")).unwrap())).unwrap();
    for input in [shared, &path("in.arrow"), &packed] {
        for out in ["out.arrow", "out.arrows"].map(path) {
            let written = run([Path::new("convert"), Path::new("--compact"), input, Path::new("-o"), &out]);
            assert_eq!((written.status, &*written.stderr), (0, ""), "{}", input.display());
            run([Path::new("diff"), shared, &out]).expect(&[0]);
        }
    }
}

/// The error names the field, and the option of the hint writes all values.
#[test]
fn values_that_are_too_many_for_indices_lead_to_wider_ones() {
    let folder = temporary_folder();
    let path = folder.path().join("many.arrows");
    let words = |start: char| (0..70).map(|n| format!("{start}{n}")).collect::<Vec<String>>();
    let batch_of = |words: &[String]| {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        batch(DictionaryOrder::Unordered, &words, &(0..70).collect::<Vec<i8>>())
    };
    write(&path, &[batch_of(&words('a')), batch_of(&words('b'))]);
    let input = path.to_str().unwrap();
    let [file, stream] = ["out.arrow", "out.arrows"].map(|name| folder.path().join(name));
    let [file, stream] = [&file, &stream].map(|path| path.to_str().unwrap());
    for args in [
        &["convert", input, file][..],
        &["split", input, file, "--batch-rows", "1000"],
        &["split", input, "-o", stream, "--batch-rows", "1000"],
        &["concat", input, "-o", stream, "--batch-rows", "1000"],
    ] {
        let refused = run(args);
        for said in
            ["field `size`", "140 values are too many for int8 indices", "hint: --cast size=dictionary gives"]
        {
            assert!(refused.expect(&[5]).stderr.contains(said), "{args:?}: {}", refused.stderr);
        }
        run([args, &["--cast", "size=dictionary"]].concat()).expect(&[0]);
        assert_eq!(
            run(["cat", args.iter().find(|arg| [file, stream].contains(arg)).unwrap()])
                .text()
                .lines()
                .count(),
            140
        );
        let _ = fs::remove_file(file);
    }
}

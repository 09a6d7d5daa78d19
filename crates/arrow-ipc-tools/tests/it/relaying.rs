//! Conversions that decode nothing: what comes out is what went in, and what is invalid is found unless nobody asks.

use std::fs;

use arrow_ipc::{Compression, WriteOptions};
use arrow_ipc_tools::{
    ConvertOptions, DiffOptions, Difference, Input, Target, ToolErrorKind, ValidateOptions, Verdict, convert,
    diff, validate,
};
use testing_support::{Hunt, corpus_dir, files_below};

use crate::samples::{file, ids, stream};

fn input(bytes: &[u8]) -> Input {
    Input::try_from_buffer("memory", bytes.to_vec().into()).unwrap()
}

fn written(bytes: &[u8], options: &ConvertOptions) -> Result<Vec<u8>, ToolErrorKind> {
    let converted = Input::try_from_buffer("memory", bytes.to_vec().into())
        .and_then(|input| convert(input, Vec::new(), options, &mut ()));
    converted.map(|(bytes, _)| bytes).map_err(|error| error.into_kind())
}

fn ways() -> Vec<ConvertOptions> {
    let forms = [None, Some(Compression::lz4()), Some(Compression::zstd())];
    let forms = forms.map(|compression| WriteOptions::new().with_compression(compression));
    let targets = [Target::Stream, Target::File];
    let ways = targets.map(|target| forms.clone().map(|form| ConvertOptions::new(target).with_writing(form)));
    ways.into_iter().flatten().collect()
}

/// Golden files of all producers, by value; checked or not, the bytes are the same.
#[test]
fn golden_files_are_converted_by_value() {
    let hunt = Hunt::from_env();
    let mut n_converted = 0;
    let files =
        [".arrow", ".arrows"].map(|suffix| files_below(&corpus_dir().join("golden"), suffix)).concat();
    for (case, path) in files.into_iter().enumerate() {
        let bytes = fs::read(&path).unwrap();
        for way in hunt.some_of(&ways(), 1, case) {
            let name = path.display();
            let made = match written(&bytes, way) {
                // A dictionary of a stream that changes has no place in a file.
                Err(ToolErrorKind::Output(_)) => continue,
                made => made.unwrap_or_else(|error| panic!("{name}: {error:?}")),
            };
            assert!(written(&bytes, &way.clone().unchecked()).is_ok_and(|bytes| bytes == made), "{name}");
            let mut found: Vec<Difference> = Vec::new();
            // Those of a file are not those of a stream.
            if path.ends_with("row-counts.arrow") {
                continue;
            }
            let verdict = diff(input(&bytes), input(&made), &DiffOptions::new(), &mut found).unwrap();
            assert!(verdict == Verdict::Same, "{name}: {found:?}");
            n_converted += 1;
        }
    }
    assert!(n_converted > 250, "{n_converted}");
}

/// What is invalid is found, or stays invalid.
#[test]
fn hostile_files_are_refused_or_stay_what_they_are() {
    let hunt = Hunt::from_env();
    let (mut n_refused, mut n_kept) = (0, 0);
    let folder = corpus_dir().join("hostile");
    let files = [".stream", ".arrow_file"].map(|suffix| files_below(&folder, suffix)).concat();
    for (case, path) in files.into_iter().enumerate() {
        let (bytes, name) = (fs::read(&path).unwrap(), path.display());
        for way in hunt.some_of(&ways(), 1, case) {
            let checked = written(&bytes, way);
            match (checked, written(&bytes, &way.clone().unchecked())) {
                (Ok(checked), unchecked) => {
                    assert!(unchecked.is_ok_and(|unchecked| unchecked == checked), "{name}");
                }
                (Err(_), Err(_)) => n_refused += 1,
                (Err(_), Ok(kept)) => {
                    let verdict = validate(input(&kept), &ValidateOptions::new(), &mut ());
                    // False row counts of the footer are left out, and nothing else was wrong.
                    let is_mended = name.to_string().contains("/file-row-counts-");
                    assert_eq!(verdict.is_ok(), is_mended, "{name}");
                    n_kept += 1;
                }
            }
        }
    }
    assert!(n_refused > 100 && n_kept > 50, "{n_refused}, {n_kept}");
}

/// An output that is not complete does not look as if it were.
#[test]
fn invalid_values_leave_an_output_without_its_end() {
    struct Shared(std::rc::Rc<std::cell::RefCell<Vec<u8>>>);
    impl std::io::Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.borrow_mut().extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let bytes = fs::read(corpus_dir().join("hostile/utf8-invalid.stream")).unwrap();
    for target in [Target::Stream, Target::File] {
        let sink = std::rc::Rc::default();
        let options = ConvertOptions::new(target);
        let converted = convert(input(&bytes), Shared(std::rc::Rc::clone(&sink)), &options, &mut ());
        let error = converted.err().expect("the text is not UTF-8");
        assert!(matches!(error.kind(), ToolErrorKind::Input(_)), "{error}");
        let written = sink.borrow();
        assert!(!written.ends_with(b"ARROW1") && !written.ends_with(&[0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]));
    }
}

/// Compressed again, or in the other container, the bytes are those that the writer writes of the same batches.
#[test]
fn there_and_back_again() {
    let batches = [ids(0..50_000), ids([1])];
    for (from, to) in [(stream(&batches), Target::Stream), (file(&batches), Target::File)] {
        for way in ways() {
            let there = written(&from, &way).unwrap();
            assert!(written(&there, &ConvertOptions::new(to)).is_ok_and(|back| back == from));
        }
    }
}

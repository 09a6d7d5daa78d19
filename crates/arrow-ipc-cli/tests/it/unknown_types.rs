//! A column of a type that the format does not know is refused with status 5 if it is read, and else passed over.

use std::{fs, path::Path};

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{FileWriter, StreamWriter, WriteOptions};
use arrow_schema::DataType;
use testing_support::{array, ints};

use crate::program::{run, temporary_folder};

/// A stream and a file of three columns, the middle one of this type.
fn written(data_type: DataType) -> [Vec<u8>; 2] {
    let words = array(data_type, 2, [Buffer::from(vec![0, 1, 2]), Buffer::from(b"ab".to_vec())], Vec::new());
    let columns = [("a", ints([1, 2])), ("u", words), ("z", ints([3, 4]))];
    let batch = RecordBatch::try_from_columns(columns).unwrap();
    let mut stream = StreamWriter::try_new(Vec::new(), batch.schema(), WriteOptions::new()).unwrap();
    stream.write(&batch).unwrap();
    let mut file = FileWriter::try_new(Vec::new(), batch.schema(), WriteOptions::new()).unwrap();
    file.write(&batch).unwrap();
    [stream.finish().unwrap(), file.finish().unwrap()]
}

/// Two of the program's types differ in the number alone: what differs is the number.
fn write_unknown(folder: &Path) -> [String; 2] {
    let pairs = written(DataType::Binary).into_iter().zip(written(DataType::Utf8));
    let mut names = ["unknown.arrows", "unknown.arrow"].into_iter();
    let files = pairs.zip([1, 2]).map(|((binary, text), n_schemas)| {
        let numbers = binary.iter().zip(&text).filter(|(binary, text)| binary != text).count();
        assert_eq!((numbers, binary.len()), (n_schemas, text.len()));
        let merge = |(binary, text): (&u8, &u8)| if binary == text { *binary } else { 200 };
        let bytes: Vec<u8> = binary.iter().zip(&text).map(merge).collect();
        let path = folder.join(names.next().unwrap());
        fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    });
    files.collect::<Vec<_>>().try_into().unwrap()
}

#[test]
fn it_is_refused_only_where_it_is_asked_for() {
    let folder = temporary_folder();
    for file in &write_unknown(folder.path()) {
        let rows = run(["cat", file, "--columns", "z,a"]);
        assert_eq!(rows.expect(&[0]).text(), "{\"z\":3,\"a\":1}\n{\"z\":4,\"a\":2}\n");
        assert_eq!(rows.stderr, "");
        run(["diff", file, file, "--columns", "a"]).expect(&[0]);
        let refused: [&[&str]; 8] = [
            &["cat", file],
            &["cat", file, "--columns", "a,u"],
            &["cat", file, "--columns", "\"u\""],
            &["cat", file, "--columns", "u.x"],
            &["schema", file],
            &["validate", file],
            &["diff", file, file],
            &["convert", file, "-", "--to", "stream"],
        ];
        for args in refused {
            let outcome = run(args);
            outcome.expect(&[5]);
            assert!(
                outcome.stderr.contains("field `u`: unsupported type number 200"),
                "{args:?}: {outcome:?}"
            );
            assert!(outcome.stdout.is_empty(), "{args:?}: {outcome:?}");
        }
        run(["cat", file, "--columns", "nothing"]).expect(&[2]);
    }
}

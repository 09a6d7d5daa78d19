//! An explanation says beforehand whether a reader that refuses copies reads the file.

use std::fs;

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{Copies, FileReader, IpcErrorKind, ReadOptions, error::CopyCause};
use arrow_ipc_report::explain;
use arrow_ipc_tools::Input;

#[test]
fn an_explanation_foresees_copies() {
    let golden = testing_support::corpus_dir().join("golden");
    let (mut n_shared, mut n_copied) = (0, 0);
    for path in testing_support::files_below(&golden, ".arrow") {
        let name = path.display().to_string();
        let file = Buffer::from(fs::read(&path).unwrap()).to_aligned(64);
        let input = Input::try_from_buffer(name.clone(), file.clone()).unwrap();
        let copies = explain(input, None, &mut ()).unwrap().0.copies;
        let options = ReadOptions::new().with_copies(Copies::Refused);
        let read = FileReader::try_from_buffer_with(file, options)
            .and_then(|reader| reader.batches().collect::<arrow_ipc::Result<Vec<RecordBatch>>>());
        match read.map_err(|error| error.into_kind()) {
            // Without batches, no dictionary is read.
            Ok(batches) if batches.is_empty() => {}
            Ok(_) => {
                assert!(copies.is_empty(), "{name}: {copies:?}");
                n_shared += 1;
            }
            // These depend on values, which an explanation does not read.
            Err(IpcErrorKind::CopyRefused {
                cause: CopyCause::InvalidNulls | CopyCause::UnionNulls, ..
            }) => {}
            Err(IpcErrorKind::CopyRefused { cause, .. }) => {
                assert!(copies.contains(&cause), "{name}: {cause}, {copies:?}");
                n_copied += 1;
            }
            Err(_) => {}
        }
    }
    assert!(n_shared > 30 && n_copied > 5, "{n_shared} shared, {n_copied} copied");
}

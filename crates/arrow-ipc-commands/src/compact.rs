//! `compact`: joins the small files of a data set.

use arrow_ipc::{Compression, WriteOptions};
use arrow_ipc_dataset::{CompactOptions, DatasetError, ExpireOptions, compact, expire};
use arrow_ipc_tools::{Counted, ToolError};

use crate::{
    append::note_first_manifest,
    args::CompactArgs,
    exit::{Failure, Status, note},
    names::InputArg,
    write_options::codec_of_appended,
};

pub(crate) fn run(args: &CompactArgs) -> Result<Status, Failure> {
    let name = args.folder.display();
    if args.folder.is_file() {
        return Err(Failure::Needs { option: "compact", other: "a folder" });
    }
    let failed = |error: DatasetError| Failure::from(ToolError::of_set(args.folder.as_path().into(), error));
    let of_first = || codec_of_appended(&args.folder).map(Compression::with_codec);
    let compression = args.compression.as_ref().map_or_else(of_first, |compression| compression.0);
    let options = CompactOptions {
        target_bytes: args.target_bytes.get(),
        writing: WriteOptions::new().with_compression(compression),
        n_threads: args.threads.n().get(),
    };
    InputArg::Path(args.folder.clone()).note_without_manifest();
    let done = compact(&args.folder, &options).map_err(failed)?;
    let parts = |n_parts: usize| Counted(n_parts as u64, "part");
    match done.n_before == done.n_after {
        true => {
            note(&format!("{name}: {} in version {}: nothing to join", parts(done.n_after), done.version))
        }
        false => note(&format!(
            "{name}: {} became {} in version {}",
            parts(done.n_before),
            parts(done.n_after),
            done.version
        )),
    }
    if done.is_first {
        note_first_manifest(&args.folder);
    }
    if done.n_lost_metadata > 0 {
        let lost = done.n_lost_metadata;
        note(&format!(
            "{name}: joined parts have the metadata of the first schema, and none of batches and footers; {lost} batches and files had other \
             metadata; the earlier files have it until you run `compact --expire` again"
        ));
        return Ok(Status::DataLost);
    }
    if !args.expire && done.n_after < done.n_before {
        note(&format!(
            "{name}: programs that do not read manifests see the joined rows twice until you run `compact --expire`"
        ));
    }
    if args.expire {
        let gone = expire(&args.folder, &ExpireOptions::default()).map_err(failed)?;
        let files = Counted(gone.n_files as u64, "file");
        let versions = Counted(gone.n_versions as u64, "earlier version");
        note(&format!("{name}: removed {versions} and {files}"));
        if gone.n_changed > 0 {
            let files = Counted(gone.n_changed as u64, "file");
            note(&format!(
                "{name}: kept {files} that earlier versions named, and that changed since; `count` names them"
            ));
        }
        if gone.n_writers > 0 {
            let writers = Counted(gone.n_writers as u64, "writer");
            note(&format!("{name}: removed what {writers} left without a commit"));
        }
    }
    Ok(Status::Fine)
}

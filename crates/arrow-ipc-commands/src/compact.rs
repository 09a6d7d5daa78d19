//! `compact`: joins the small files of a data set.

use arrow_ipc::{Compression, WriteOptions};
use arrow_ipc_dataset::{CompactOptions, ExpireOptions};
use arrow_ipc_tools::{codec_of_last, compact_set};

use crate::{
    args::CompactArgs,
    exit::{Failure, Status, note},
    names::InputArg,
};

pub(crate) fn run(args: &CompactArgs) -> Result<Status, Failure> {
    if args.folder.is_file() {
        return Err(Failure::Needs { option: "compact", other: "a folder" });
    }
    let of_first = || codec_of_last(&args.folder).map(Compression::with_codec);
    let compression = args.compression.as_ref().map_or_else(of_first, |compression| compression.0);
    let options = CompactOptions {
        target_bytes: args.target_bytes.get(),
        writing: WriteOptions::new().with_compression(compression),
        n_threads: args.threads.n().get(),
        ..CompactOptions::default()
    };
    InputArg::Path(args.folder.clone()).note_without_manifest();
    let expiring = args.expire.then(ExpireOptions::default);
    let done = compact_set(&args.folder, &options, expiring.as_ref())?;
    done.lines().iter().for_each(|line| note(&format!("{}: {line}", args.folder.display())));
    Ok(if done.joined.n_lost_metadata > 0 { Status::DataLost } else { Status::Fine })
}

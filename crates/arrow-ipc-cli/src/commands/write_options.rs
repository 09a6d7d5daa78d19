//! Converts arguments to options for writing.

use arrow_ipc::{
    Compression, Endianness, Framing, NullSlots, RowCounts, SharedBuffers, StreamEncoder, UnusedValues,
    WriteOptions, WrittenContainer,
};
use arrow_ipc_tools::append::AppendTarget;
use arrow_schema::Schema;

use crate::{
    args::{AppendArgs, WritingArgs},
    context::Context,
    exit::Failure,
};

/// Converts the arguments of `convert` to options. Unified dictionaries are added after the first pass over the input.
///
/// # Errors
/// If the arguments contradict each other, or do not fit the container.
pub(crate) fn options_of(
    context: &Context,
    args: &WritingArgs,
    container: WrittenContainer,
) -> Result<WriteOptions, Failure> {
    let from_footer = [
        ("--row-counts", args.row_counts),
        ("--statistics", args.statistics),
        ("--same-metadata", args.same_metadata),
    ];
    let from_footer = from_footer.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option);
    if let (Some(option), WrittenContainer::Stream) = (from_footer, container) {
        return Err(Failure::OfFooter { option });
    }
    let framing = if args.legacy_framing { Framing::Legacy } else { Framing::Current };
    let shared_buffers = if args.share_buffers { SharedBuffers::Once } else { SharedBuffers::Repeated };
    let null_slots = if args.zero_nulls { NullSlots::Zeros } else { NullSlots::Keep };
    let counts_rows = args.row_counts || args.statistics;
    let row_counts = if counts_rows { RowCounts::Written } else { RowCounts::NotWritten };
    let options = context
        .write_options()
        .with_compression(args.compression.0)
        .with_dictionaries(args.dictionaries.policy())
        .with_version(args.metadata_version)
        .with_framing(framing)
        .with_alignment(args.alignment)
        .with_shared_buffers(shared_buffers)
        .with_null_slots(null_slots)
        .with_row_counts(row_counts)
        .with_endianness(args.endian.unwrap_or(Endianness::NATIVE));
    let options = if args.same_metadata { options.with_same_metadata() } else { options };
    checked(if args.compact {
        compact(options)
    } else if args.keep_unused {
        options.with_unused_items(UnusedValues::Keep)
    } else {
        options
    })
}

/// Makes the writer leave out dictionary values and items that no slot refers to.
fn compact(options: WriteOptions) -> WriteOptions {
    options.with_unused_items(UnusedValues::Remove).with_unused_values(UnusedValues::Remove)
}

/// The options for appended batches. They have the byte order of the file, and its codec, unless an argument sets
/// another codec.
///
/// # Errors
/// If the arguments contradict each other.
pub(crate) fn options_of_appended(context: &Context, args: &AppendArgs) -> Result<WriteOptions, Failure> {
    let compression = match &args.compression {
        Some(compression) => compression.0,
        None => AppendTarget::last_batch_codec(&args.file).map(Compression::with_codec),
    };
    checked(
        context
            .write_options()
            .with_compression(compression)
            .with_dictionaries(args.dictionaries.clone())
            .with_alignment(args.alignment),
    )
}

/// Checks that the options do not contradict each other, and returns them.
///
/// # Errors
/// If the options contradict each other.
fn checked(options: WriteOptions) -> Result<WriteOptions, Failure> {
    // Checks the options with an empty schema, before the input is read.
    match StreamEncoder::try_new_with(Schema::default(), options.clone()) {
        Ok(_) => Ok(options),
        Err(error) => Err(Failure::Options { error }),
    }
}

//! All hot paths, in the order of the table.

mod compute;
mod exchange;
mod read;
mod text;
mod typed;
mod write;

use crate::HotPath;

pub(crate) fn all() -> impl Iterator<Item = HotPath> {
    // One group after the other: the data of a group is dropped before the next is made.
    let groups: [fn() -> Vec<HotPath>; 8] = [
        read::streams,
        read::files,
        write::streams,
        write::files,
        typed::arrays,
        text::text,
        compute::values,
        exchange::exchange,
    ];
    groups.into_iter().flat_map(|group| group())
}

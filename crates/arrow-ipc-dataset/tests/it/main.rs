//! Data sets on disk: finding, planning and reading of files, and changes of files.

mod adopted;
mod bounds;
mod bytes_read;
mod compaction;
mod hostile;
mod leftovers;
mod listing;
mod manifests;
mod partitions;
mod refused;
mod schemas;
mod splits;
mod streams;
mod support;
mod writes;

//! Data sets on disk: how files are found, planned and read, and what happens if they change.

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
mod support;
mod writes;

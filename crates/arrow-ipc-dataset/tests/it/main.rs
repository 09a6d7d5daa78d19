//! Data sets on disk: finding, planning and reading of files, and changes of files.

mod bytes_read;
mod encodings;
mod hostile;
mod listing;
mod partitions;
mod schemas;
mod splits;
mod store_paths;
mod streams;
mod support;
mod writes;

//! Benchmarks of the libraries: `cargo bench -p benches --bench NAME` runs one of the files in `benches`. This library is
//! empty.

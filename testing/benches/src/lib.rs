//! Benches of the libraries: `cargo bench -p benches --bench NAME` runs one of those in `benches`. This library has nothing.

//! The examples, run as tests. They are modules here, so that none is linked a second time.

#[path = "../examples/build_and_write.rs"]
mod build_and_write;
#[path = "../examples/dictionary_column.rs"]
mod dictionary_column;
#[path = "../examples/encode_to_queue.rs"]
mod encode_to_queue;
#[path = "../examples/file_without_io.rs"]
mod file_without_io;
#[path = "../examples/frame_flight_data.rs"]
mod frame_flight_data;
#[cfg(all(feature = "c-data", feature = "compute", feature = "json", feature = "serde"))]
#[path = "guide/rows.rs"]
mod guide_rows;
#[path = "../examples/nested_rows.rs"]
mod nested_rows;
#[path = "../examples/read_one_column.rs"]
mod read_one_column;
#[path = "../examples/stream_over_tcp.rs"]
mod stream_over_tcp;

#[test]
fn none_is_missing() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    for path in testing_support::files_below(&folder, ".rs") {
        let inside = path.strip_prefix(&folder).unwrap().iter().next().unwrap();
        let name = inside.to_str().unwrap().trim_end_matches(".rs");
        assert!(include_str!("examples.rs").contains(&format!("mod {name};")), "{name}");
    }
}

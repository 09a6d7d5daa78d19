//! The examples, run as tests. They are modules here, so that none is linked a second time.

#[path = "../../examples/multipart_upload.rs"]
mod multipart_upload;
#[path = "../../examples/serve_planned_file/main.rs"]
mod serve_planned_file;

#[test]
fn none_is_missing() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    for path in testing_support::files_below(&folder, ".rs") {
        // A file, or a folder of one.
        let inside = path.strip_prefix(&folder).unwrap().iter().next().unwrap();
        let name = inside.to_str().unwrap().trim_end_matches(".rs");
        assert!(include_str!("examples.rs").contains(&format!("mod {name};")), "{name}");
    }
}

//! The files that paths, patterns and folders name, and their order.

use arrow_ipc_dataset::DatasetErrorKind;

use super::support::Folder;

const FILES: [&str; 18] = [
    "data/a.arrow",
    "data/a/z.arrow",
    "data/b.feather",
    "data/c.ipc",
    "data/b/1.arrow",
    "data/b/10.arrow",
    "data/b/2.arrow",
    "data/b/deep/er/x.arrow",
    "data/.hidden.arrow",
    "data/_part.arrow",
    "data/_temporary/x.arrow",
    "data/.git/x.arrow",
    "odd/two words.arrow",
    "odd/it's \"quoted\".arrow",
    "odd/Größe 你好.arrow",
    "odd/a=b.arrow",
    "odd/[1].arrow",
    "odd/1",
];

#[test]
fn inputs_name_files_in_order() {
    let folder = Folder::new();
    FILES.iter().for_each(|path| folder.write_ids(path, 0..2));
    folder.write("data/README.txt", b"no Arrow data");
    std::fs::create_dir_all(folder.path().join("none/inside")).unwrap();
    let whole = "data/a/z.arrow data/a.arrow data/b/1.arrow data/b/10.arrow data/b/2.arrow data/b/deep/er/x.arrow \
                 data/b.feather data/c.ipc";
    let (a, b) = ("data/a.arrow", "data/b/1.arrow data/b/10.arrow data/b/2.arrow data/b/deep/er/x.arrow");
    let cases: [(&[&str], &str); 23] = [
        (&["data"], whole),
        (&["data/"], whole),
        // Each input counts, whatever other inputs name.
        (&["data/a.arrow", "data/*.arrow", "data/../data/a.arrow"], &format!("{a} {a} data/../{a}")),
        (&["data/b/2.arrow", "data/b"], &format!("data/b/2.arrow {b}")),
        (&["data/b", "data/b"], &format!("{b} {b}")),
        (&["data/*.arrow"], "data/a.arrow"),
        (&["data/?.*"], "data/a.arrow data/b.feather data/c.ipc"),
        (&["data/**/[0-9].arrow"], "data/b/1.arrow data/b/2.arrow"),
        (&["data/**/[!0-9]*.arrow"], "data/a/z.arrow data/a.arrow data/b/deep/er/x.arrow"),
        (&["*/**/b/**/*.arrow"], b),
        (&["data/**/**/x.arrow"], "data/b/deep/er/x.arrow"),
        (&["data/b/**"], b),
        (
            &["data/[ab]"],
            "data/a/z.arrow data/b/1.arrow data/b/10.arrow data/b/2.arrow data/b/deep/er/x.arrow",
        ),
        // A name that begins with . or _ is read only if the path or pattern contains this character.
        (&["data/_part.arrow"], "data/_part.arrow"),
        (&["data/_*"], "data/_part.arrow data/_temporary/x.arrow"),
        (&["data/.git/*"], "data/.git/x.arrow"),
        // If a file with this name exists, brackets are not a pattern.
        (&["odd/[1].arrow"], "odd/[1].arrow"),
        (&["odd/[1]"], "odd/1"),
        (&["odd/*b.arrow"], "odd/a=b.arrow"),
        (&["odd/*ö*"], "odd/Größe 你好.arrow"),
        (
            &["odd"],
            "odd/Größe 你好.arrow odd/[1].arrow odd/a=b.arrow odd/it's \"quoted\".arrow odd/two words.arrow",
        ),
        (
            &["none"],
            "none: no files: the name of a file must end in .arrow, .arrows, .feather or .ipc; files and folders whose names begin with `.` or `_` are left out",
        ),
        (
            &["data", "*.parquet"],
            "*.parquet: no files: the name of a file must end in .arrow, .arrows, .feather or .ipc; files and folders whose names begin with `.` or `_` are left out",
        ),
    ];
    for (inputs, expected) in cases {
        let found = match folder.open(inputs) {
            Ok(set) => {
                assert!(set.schema().to_string() == "id: int64", "{inputs:?}");
                let path = |file: &arrow_ipc_dataset::DatasetFile| {
                    let path = file.path().strip_prefix(folder.path()).unwrap();
                    path.to_str().unwrap().to_owned()
                };
                set.files().iter().map(path).collect::<Vec<_>>().join(" ")
            }
            Err(error) => folder.text_of(&error),
        };
        assert_eq!(found, expected, "{inputs:?}");
    }
    let nothing: [&str; 0] = [];
    let error = arrow_ipc_dataset::Dataset::open(nothing).unwrap_err();
    assert!(error.to_string().starts_with("no files"), "{error}");
    // An invalid pattern is the name of a file.
    for absent in ["data/absent.arrow", "data/[absent.arrow", "data/***.arrow", "odd/*/../../data"] {
        let error = folder.open(&["data", absent]).unwrap_err();
        assert!(matches!(error.kind(), DatasetErrorKind::Io(_)), "{error}");
        assert!(folder.text_of(&error).starts_with(&format!("{absent}: ")), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn links_do_not_lead_in_circles() {
    let folder = Folder::new();
    folder.write_ids("data/a.arrow", 0..2);
    folder.write_ids("other/b.arrow", 0..2);
    std::os::unix::fs::symlink(folder.path().join("data"), folder.path().join("data/again")).unwrap();
    std::os::unix::fs::symlink(folder.path().join("other"), folder.path().join("data/other")).unwrap();
    std::os::unix::fs::symlink(folder.path().join("other/b.arrow"), folder.path().join("data/b.arrow"))
        .unwrap();
    for input in ["data", "data/**", "data/**/*.arrow"] {
        assert_eq!(folder.open(&[input]).unwrap().files().len(), 2, "{input}");
    }
    // A link to a folder is followed if the path or pattern names it.
    assert_eq!(folder.open(&["data/other"]).unwrap().files().len(), 1);
    assert_eq!(folder.open(&["data/*/b.arrow"]).unwrap().files().len(), 2);
    assert_eq!(folder.open(&["data/o*"]).unwrap().files().len(), 1);
}

/// A folder may contain pipes and sockets, which are not opened. Opening a pipe waits for a writer.
#[cfg(unix)]
#[test]
fn what_is_no_file_is_not_taken_from_folders() {
    let folder = Folder::new();
    folder.write_ids("data/a.arrow", 0..2);
    let socket = folder.path().join("data/b.arrow");
    let _bound = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    std::os::unix::fs::symlink(&socket, folder.path().join("data/c.arrow")).unwrap();
    for input in ["data", "data/*", "**/*.arrow"] {
        assert_eq!(folder.open(&[input]).unwrap().files().len(), 1, "{input}");
    }
    folder.open(&["data/b.arrow"]).unwrap_err();
}

#[cfg(unix)]
#[test]
fn names_need_not_be_utf8() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
    let folder = Folder::new();
    folder.write_ids("a.arrow", 0..2);
    let odd = folder.path().join(OsStr::from_bytes(b"\xff\xfe.arrow"));
    std::fs::rename(folder.path().join("a.arrow"), odd).unwrap();
    for input in ["", "*.arrow"] {
        assert_eq!(folder.open(&[input]).unwrap().n_rows().unwrap(), 2);
    }
    let odd = folder.path().join(OsStr::from_bytes(b"day=\xff"));
    std::fs::create_dir(&odd).unwrap();
    std::fs::copy(folder.open(&[""]).unwrap().files()[0].path(), odd.join("b.arrow")).unwrap();
    let error = folder.open(&[""]).unwrap_err();
    assert!(error.to_string().contains("is not UTF-8, so it cannot name a column"), "{error}");
}

/// A relative and an absolute path name the same set. The test program starts itself in another working folder.
#[test]
fn relative_paths_name_what_absolute_ones_do() {
    const INPUT: &str = "ARROW_IPC_TEST_RELATIVE_INPUT";
    if let Some(input) = std::env::var_os(INPUT) {
        let rows = arrow_ipc_dataset::Dataset::open([&input]).map(|set| set.count().unwrap());
        println!("{rows:?} rows");
        return;
    }
    let folder = Folder::new();
    for name in ["data/day=1/a", "data/day=1/b", "other/c"] {
        folder.write_ids(&format!("{name}.arrow"), 0..2);
    }
    folder.write_ids("odd/x.arrow", 0..3);
    let cases = [
        ("data", ".", 4),
        ("data", "*", 4),
        ("data", "**", 4),
        ("data", "**/*.arrow", 4),
        ("data", "day=1", 4),
        ("data", "./day=1", 4),
        ("data", "../other", 2),
        ("data", "../odd", 3),
        ("data", "../data/../odd", 3),
        ("data/day=1", ".", 4),
        ("data/day=1", "*.arrow", 4),
        ("data/day=1", "..", 4),
        ("data/day=1", "../../data", 4),
        ("data/day=1", "../day=1/*", 4),
        ("odd", ".", 3),
        ("odd", "*.arrow", 3),
        ("odd", "../other", 2),
        ("", "data", 4),
        ("", "data/../other", 2),
        ("", "o*", 5),
    ];
    for (working, input, n_rows) in cases {
        let mut child = std::process::Command::new(std::env::current_exe().unwrap());
        child.args(["--exact", "listing::relative_paths_name_what_absolute_ones_do", "--nocapture"]);
        let output = child.env(INPUT, input).current_dir(folder.path().join(working)).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains(&format!("Ok({n_rows}) rows")), "{working}: {input}: {text}");
    }
}

/// A writer that was killed while it moved files to a folder has left its mark there. A pattern that does not match the
/// mark also fails.
#[test]
fn a_folder_that_is_marked_as_incomplete_is_not_read() {
    let folder = Folder::new();
    folder.write_ids("data/k=1/part-0.arrow", 0..2);
    folder.write("data/arrow-ipc-incomplete.arrow", b"This folder is incomplete");
    for input in ["data", "data/*/part-*.arrow", "data/arrow-ipc-*", "**"] {
        let error = folder.open(&[input]).unwrap_err();
        assert!(matches!(error.kind(), DatasetErrorKind::Incomplete), "{input}: {error}");
    }
}

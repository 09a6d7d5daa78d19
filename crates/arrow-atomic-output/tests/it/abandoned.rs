//! Temporary files of killed processes: the next writer of the name removes them, but not the files of living writers.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::Barrier,
    thread,
};

use arrow_atomic_output::AtomicFile;
use testing_support::Hunt;

/// Names the files to the process that is killed.
const FILE: &str = "ARROW_ATOMIC_CREATE";

/// Begins a file, and waits until it is killed.
#[test]
fn child() {
    let Some(path) = std::env::var_os(FILE).map(PathBuf::from) else { return };
    let mut file = AtomicFile::create(path).unwrap();
    file.write_all(b"of a child").unwrap();
    let mut stdout = std::io::stdout();
    writeln!(stdout, "told").unwrap();
    stdout.flush().unwrap();
    loop {
        thread::park();
    }
}

fn begin(path: &Path) -> Child {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "abandoned::child", "--nocapture"])
        .env(FILE, path)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    assert!(lines.any(|line| line == "told"));
    child
}

fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("arrow-atomic-output-{name}-{}", std::process::id()));
    // An earlier process of this number may have failed.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn n_files(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

#[cfg(unix)]
#[test]
fn the_next_writer_removes_what_killed_ones_have_left() {
    use std::os::unix::fs::PermissionsExt;

    let folder = folder("abandoned");
    let [path, other] = ["a.arrow", "b.arrow"].map(|name| folder.join(name));
    for n_children in [1, 3] {
        (0..n_children).map(|_| begin(&path)).collect::<Vec<_>>().into_iter().for_each(kill);
        assert_eq!(n_files(&folder), n_children);
        // Another name is another writer's business.
        drop(AtomicFile::create(&other).unwrap());
        assert_eq!(n_files(&folder), n_children);
        let mut file = AtomicFile::create(&path).unwrap();
        assert_eq!(n_files(&folder), 1);
        file.commit().unwrap();
        assert_eq!(n_files(&folder), 1);
        fs::remove_file(&path).unwrap();
    }
    // What the first of several has left, and what the last has.
    for killed in 0..3 {
        let mut children: Vec<Child> = (0..3).map(|_| begin(&path)).collect();
        kill(children.remove(killed));
        let file = AtomicFile::create(&path).unwrap();
        assert_eq!(n_files(&folder), 3, "two that live, and this one");
        children.into_iter().for_each(kill);
        drop(file);
        drop(AtomicFile::create(&path).unwrap());
        assert_eq!(n_files(&folder), 0);
    }
    // Only a hash of a long name is part of the temporary one. Files of other names stay.
    let [long, longer] = [254, 255].map(|n_bytes| folder.join("x".repeat(n_bytes)));
    kill(begin(&long));
    assert_eq!([&long, &longer].map(|path| AtomicFile::unfinished(path).count()), [1, 0]);
    let others = [".0.tmp", ".a.arrow.0.tmp", ".0.arrow-ipc.tmp"].map(|name| folder.join(name));
    others.iter().for_each(|other| fs::write(other, b"of somebody else").unwrap());
    drop(AtomicFile::create(&longer).unwrap());
    drop(AtomicFile::create(&path).unwrap());
    assert_eq!(n_files(&folder), 4);
    drop(AtomicFile::create(&long).unwrap());
    assert_eq!(n_files(&folder), 3);
    others.iter().for_each(|other| fs::remove_file(other).unwrap());
    // It may be read by its owner, and written by nobody.
    fs::write(&path, b"before").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o400)).unwrap();
    kill(begin(&path));
    assert_eq!(n_files(&folder), 2);
    drop(AtomicFile::create(&path).unwrap());
    assert_eq!(n_files(&folder), 1);
    fs::remove_file(&path).unwrap();
    assert_eq!(n_files(&folder), 0);
    fs::remove_dir_all(&folder).unwrap();
}

/// A link or pipe with the name of a temporary file is not opened.
#[cfg(unix)]
#[test]
fn what_is_no_file_stays() {
    let folder = folder("no-file");
    let (path, target) = (folder.join("a.arrow"), folder.join("target"));
    fs::write(&target, b"target").unwrap();
    std::os::unix::fs::symlink(&target, folder.join(".a.arrow.0.arrow-ipc.tmp")).unwrap();
    assert!(Command::new("mkfifo").arg(folder.join(".a.arrow.1.arrow-ipc.tmp")).status().unwrap().success());
    fs::create_dir(folder.join(".a.arrow.2.arrow-ipc.tmp")).unwrap();
    let mut file = AtomicFile::create(&path).unwrap();
    file.write_all(b"a").unwrap();
    file.commit().unwrap();
    assert_eq!((fs::read(&target).unwrap(), fs::read(&path).unwrap()), (b"target".to_vec(), b"a".to_vec()));
    assert_eq!(n_files(&folder), 5);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_file_of_a_living_writer_stays_while_others_are_created() {
    let folder = folder("living");
    let path = folder.join("a.arrow");
    let n_rounds = Hunt::from_env().count(200, 20_000);
    let (n_threads, start) = (4, Barrier::new(4));
    thread::scope(|scope| {
        for writer in 0..n_threads {
            let (path, start) = (&path, &start);
            scope.spawn(move || {
                start.wait();
                for round in 0..n_rounds {
                    let mut file = AtomicFile::create(path).unwrap();
                    let temporary = file.temporary_path().unwrap();
                    let content = format!("{writer} {round}");
                    file.write_all(content.as_bytes()).unwrap();
                    assert_eq!(fs::read(&temporary).unwrap(), content.as_bytes());
                    // Syncing takes long on a disk.
                    if round % 20 == writer {
                        file.commit().unwrap();
                    }
                }
            });
        }
    });
    assert_eq!(n_files(&folder), 1);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn what_was_removed_is_not_committed() {
    let folder = folder("removed");
    let path = folder.join("a.arrow");
    let mut file = AtomicFile::create(&path).unwrap();
    file.remover()();
    assert_eq!(n_files(&folder), 0);
    file.commit().unwrap_err();
    let mut file = AtomicFile::create(&path).unwrap();
    let remove = file.remover();
    file.commit().unwrap();
    // The name belongs to somebody else now.
    fs::write(folder.join(".a.arrow.0.arrow-ipc.tmp"), b"").unwrap();
    remove();
    file.commit().unwrap();
    assert_eq!(n_files(&folder), 2);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_folder_is_refused_before_anything_is_written() {
    let error = AtomicFile::create(std::env::temp_dir()).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::IsADirectory);
}

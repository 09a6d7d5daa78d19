//! Progress is shown on a terminal if work takes long, and nowhere else.

use std::{fs, path::Path, process::Stdio, time::Duration};

use crate::{
    program::{command, corpus, run_with_input, temporary_folder},
    terminal::{on_a_terminal, watched_on_a_terminal},
};

/// Commands that read a pipe, and the file that the pipe gets.
const COMMANDS: [(&str, &str); 22] = [
    ("cat - --format csv", "many-batches.arrows"),
    ("cat - --offset 9", "many-batches.arrow"),
    ("head - -n 9999", "many-batches.arrows"),
    ("head - -n 9999", "many-batches.arrow"),
    ("tail -", "many-batches.arrows"),
    ("tail - -n 1", "many-batches.arrow"),
    ("sample - --seed 1", "many-batches.arrows"),
    ("sample - --seed 1", "many-batches.arrow"),
    ("stats -", "many-batches.arrows"),
    ("count -", "many-batches.arrows"),
    ("inspect -", "many-batches.arrows"),
    ("explain -", "many-batches.arrows"),
    ("explain -", "many-batches.arrow"),
    ("validate --verbose -", "many-batches.arrow"),
    ("convert - - --to stream", "many-batches.arrows"),
    ("concat - - --to file", "many-batches.arrow"),
    ("convert - -o OUT.csv", "many-batches.arrows"),
    ("convert - -o OUT.jsonl.gz", "many-batches.arrow"),
    ("validate --verbose -", "many-batches.arrows"),
    ("diff - IN", "many-batches.arrows"),
    ("diff IN -", "many-batches.arrow"),
    ("count - --where b", "many-batches.arrows"),
];

/// The second half of the input arrives after progress is shown on a terminal, or after more than a second elsewhere.
#[test]
fn progress_of_what_takes_long_is_on_a_terminal() {
    let folder = temporary_folder();
    let program = env!("CARGO_BIN_EXE_arrow-ipc");
    let check = |idx: usize, (command, input): (&str, &str)| {
        let input = corpus().join("golden/pyarrow-26.0.1").join(input);
        let [out, path] =
            [folder.path().join(idx.to_string()), input.clone()].map(|path| path.display().to_string());
        let command = command.replace("IN", &path).replace("OUT", &out);
        let bytes = fs::read(&input).unwrap();
        let half = bytes.len() / 2;
        let after = |wait: &str| {
            format!("(head -c {half} {path}; {wait}; tail -c +{} {path}) | {program} {command}", half + 1)
        };
        // Waits while this file exists, but at most a minute.
        let held = format!("{out}.held");
        fs::write(&held, "").unwrap();
        let wait = format!("for _ in $(seq 600); do test -e {held} || break; sleep 0.1; done");
        let is_progress = |text: &str| text.contains(" B") || text.contains(" KiB");
        let shown = watched_on_a_terminal(&format!("{} > {out}", after(&wait)), |text| {
            if is_progress(text) {
                let _ = fs::remove_file(&held);
            }
        });
        let Some((text, status)) = shown else { return };
        assert_eq!(status, Some(0), "{command}: {text:?}");
        assert!(is_progress(&text), "{command}: {text:?}");
        // The progress is erased, and notes are on lines of their own.
        let words: Vec<&str> = command.split(' ').collect();
        let expected = run_with_input(words, &bytes);
        let left = text.rsplit("\u{1b}[2K").next().unwrap().replace('\r', "");
        assert_eq!(left, expected.stderr, "{command}: {text:?}");
        assert!(fs::read(out).unwrap() == expected.stdout, "{command}");
        // Without a terminal, or with rows on the terminal, no progress is shown.
        let is_text = !command.starts_with("con");
        if is_text && idx.is_multiple_of(2) {
            let line = format!("{} 2>&1 | cat", after("sleep 1.2"));
            let (text, _) = on_a_terminal(&line).unwrap();
            let piped = [&*expected.stdout, expected.stderr.as_bytes()].concat();
            assert!(text.replace('\r', "").as_bytes() == piped, "{command}: {text:?}");
        }
        if idx == 0 {
            let (text, _) = on_a_terminal(&after("sleep 1.2")).unwrap();
            assert!(!text.contains('\u{1b}'), "{text:?}");
        }
    };
    std::thread::scope(|scope| {
        for (idx, case) in COMMANDS.into_iter().enumerate() {
            scope.spawn(move || check(idx, case));
        }
    });
}

/// The program reads a small file, and then waits for another input. The test counts its threads during the wait.
#[test]
fn small_inputs_start_no_threads() {
    let file = "golden/pyarrow-26.0.1/binary-text-nulls.arrow";
    let mut command = command(["cat", "--format", "csv", file, "-"]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let process_folder = Path::new("/proc").join(child.id().to_string());
    let mut n_waiting = 0;
    while n_waiting < 30 {
        std::thread::sleep(Duration::from_millis(10));
        let stat = fs::read_to_string(process_folder.join("stat")).unwrap();
        n_waiting = if stat.contains(") S ") { n_waiting + 1 } else { 0 };
    }
    let n_threads = fs::read_dir(process_folder.join("task")).unwrap().count();
    drop(child.stdin.take());
    child.wait().unwrap();
    assert_eq!(n_threads, 1);
}

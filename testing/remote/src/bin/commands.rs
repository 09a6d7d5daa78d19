//! Measures what the commands of the program cost with files at URLs: bytes, requests and time, from a server of ranges on loopback
//! that delays each answer by 30 ms.
//!
//! `cargo run --release --manifest-path testing/remote/Cargo.toml --bin commands PROGRAM…` prints a table, with a column for each
//! program, which are builds of `arrow-ipc-remote`. The files are those of `measure`, in `testing/remote/target/measured`.
#![forbid(unsafe_code)]

use std::{
    error::Error,
    fs::{self, File},
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use arrow_ipc::{FileWriter, WriteOptions};
use remote::{RangeServer, wide, write_once};

const DELAY: Duration = Duration::from_millis(30);

/// Longer than this, a command is ended.
const PATIENCE: Duration = Duration::from_secs(180);

/// Files of 100 columns of 64-bit integers: name, batches, rows of each.
const FILES: [(&str, usize, usize); 3] = [("small", 1_000, 1_049), ("large", 16, 65_536), ("one", 1, 62_500)];

const COMMANDS: [(&str, &str); 28] = [
    ("small", "count IN"),
    ("small", "head IN --columns c10"),
    ("small", "tail IN --columns c10"),
    ("small", "sample IN --seed 1 --columns c10"),
    ("small", "cat IN --rows 500000..500010 --columns c10"),
    ("small", "cat IN --columns c10 --format csv"),
    ("small", "stats IN --columns c10,c50,c90"),
    ("small", "validate IN --columns c10,c50,c90"),
    ("small", "validate IN"),
    ("small", "inspect IN"),
    ("small", "explain IN"),
    ("small", "diff IN IN --columns c10"),
    ("small", "convert IN OUT.arrows"),
    ("small", "convert IN OUT.arrow --columns c10,c50,c90"),
    ("small", "concat IN OUT.arrow --columns c10"),
    ("small", "concat IN OUT.arrow"),
    ("small", "split IN OUT.arrow --rows 100000..200000"),
    ("small", "append BASE IN --columns c10"),
    ("small", "recover IN OUT.arrow"),
    ("large", "count IN"),
    ("large", "cat IN --columns c10 --rows 500000..500010"),
    ("large", "stats IN --columns c10,c50,c90"),
    ("large", "validate IN"),
    ("large", "convert IN OUT.arrows"),
    ("one", "count IN"),
    ("one", "cat IN --rows 30000..30010"),
    ("one", "validate IN"),
    ("one", "convert IN OUT.arrows --unchecked"),
];

fn main() -> Result<(), Box<dyn Error>> {
    let programs: Vec<String> = std::env::args().skip(1).collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/measured");
    let server = RangeServer::start(DELAY);
    for (name, n_batches, n_rows) in FILES {
        let path = folder.join(format!("{name}.arrow"));
        write_once(&path, (n_batches, n_rows), &WriteOptions::new())?;
        server.put_tagged(&format!("{name}.arrow"), File::open(&path)?, "1");
    }
    let base = folder.join("base.arrow");
    let batch = wide(10, 0).project(&[10])?;
    let mut writer = FileWriter::create(&base, batch.schema(), WriteOptions::new())?;
    writer.write(&batch)?;
    writer.finish()?;
    println!("MB / requests / most at once / seconds of each program");
    for (file, line) in COMMANDS {
        let mut row = format!("| {line} | {file} |");
        for program in &programs {
            row += &measure(&server, program, (file, line, &folder))?;
        }
        println!("{row}");
    }
    Ok(())
}

fn measure(
    server: &RangeServer,
    program: &str,
    (file, line, folder): (&str, &str, &Path),
) -> Result<String, Box<dyn Error>> {
    let (url, out) = (format!("{}/{file}.arrow", server.url()), folder.join("out"));
    let appended = folder.join("appended.arrow");
    fs::copy(folder.join("base.arrow"), &appended)?;
    let args = line.split(' ').map(|arg| {
        let arg = if arg == "IN" { url.clone() } else { arg.to_owned() };
        arg.replace("OUT", &out.to_string_lossy()).replace("BASE", &appended.to_string_lossy())
    });
    server.reset();
    let start = Instant::now();
    let mut child =
        Command::new(program).args(args).stdout(Stdio::null()).stderr(Stdio::inherit()).spawn()?;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status.code().unwrap_or(-1);
        }
        if start.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            break -1;
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    let (seconds, counts) = (start.elapsed().as_secs_f64(), server.counts());
    let at_status = if status == 0 { String::new() } else { format!(" (status {status})") };
    let mega_bytes = counts.n_bytes as f64 / 1e6;
    let (n_requests, at_once) = (counts.n_requests, counts.max_in_flight);
    Ok(format!(" {mega_bytes:.2} / {n_requests} / {at_once} / {seconds:.2}{at_status} |"))
}

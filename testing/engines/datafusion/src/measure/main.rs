//! Six queries, and one of every column, over the same rows in the format of this library, DataFusion's own format of Arrow files
//! (over the same files) and Parquet: `measure-datafusion FOLDER [MILLIONS OF ROWS] [ROUNDS] [MILLISECONDS OF A REQUEST]`.
//!
//! The first run writes the rows into the folder. The formats take turns within a round, answers are compared, and the least times
//! count. Peak memory is that of a process for each query. A time for requests makes the store a distant one.

use std::{
    error::Error,
    fmt::Write,
    fs,
    path::Path,
    process::Command,
    sync::Arc,
    time::{Duration, Instant},
};

use arrow_datafusion::{IpcFormat, IpcOptions};
use datafusion::{
    arrow::util::pretty::pretty_format_batches,
    datasource::{
        file_format::{FileFormat, arrow::ArrowFormat, parquet::ParquetFormat},
        listing::{ListingOptions, ListingTableUrl},
    },
    object_store::{ObjectStore, local::LocalFileSystem},
    prelude::{SessionConfig, SessionContext},
};

mod rows;
mod store;

use store::CountingStore;

type Failure = Box<dyn Error + Send + Sync>;

const QUERIES: [(&str, &str); 7] = [
    ("counts", "SELECT count(*), count(note) FROM t"),
    (
        "a day",
        "SELECT count(*), sum(quantity) FROM t WHERE at >= timestamp '2024-03-01' AND at < timestamp '2024-03-02'",
    ),
    ("a row", "SELECT * FROM t WHERE id = 1234567"),
    ("regions", "SELECT region, count(*), sum(quantity) FROM t GROUP BY region ORDER BY region"),
    (
        "customers",
        "SELECT customer, sum(cents * quantity) AS spent FROM t WHERE paid GROUP BY customer \
         ORDER BY spent DESC, customer LIMIT 10",
    ),
    (
        "join",
        "SELECT t.region, count(*), sum(t.cents) FROM t \
         JOIN (SELECT DISTINCT customer FROM t WHERE at < timestamp '2024-01-01 06:00:00') early \
         ON t.customer = early.customer GROUP BY t.region ORDER BY t.region",
    ),
    (
        "every column",
        "SELECT min(id), max(at), max(customer), max(region), max(product), sum(quantity), sum(cents), max(note), \
         count(paid), max(score) FROM t",
    ),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Own,
    Ours,
    Parquet,
}

impl Format {
    const ALL: [Format; 3] = [Format::Own, Format::Ours, Format::Parquet];

    fn name(self) -> &'static str {
        match self {
            Format::Own => "own",
            Format::Ours => "ours",
            Format::Parquet => "parquet",
        }
    }

    fn folder(self) -> &'static str {
        match self {
            Format::Own | Format::Ours => "arrow",
            Format::Parquet => "parquet",
        }
    }

    fn listing(self) -> ListingOptions {
        let format: Arc<dyn FileFormat> = match self {
            Format::Own => Arc::new(ArrowFormat),
            Format::Ours => Arc::new(IpcFormat::new_with(IpcOptions::new().with_trusted_statistics())),
            Format::Parquet => Arc::new(ParquetFormat::default()),
        };
        ListingOptions::new(format).with_file_extension(format!(".{}", self.folder()))
    }
}

/// What one run of a query has cost.
#[derive(Debug, Clone, Default)]
struct Cost {
    wall_ms: f64,
    cpu_ms: f64,
    read_mb: f64,
    n_requests: usize,
}

impl Cost {
    fn least(&self, other: &Cost) -> Cost {
        Cost {
            wall_ms: self.wall_ms.min(other.wall_ms),
            cpu_ms: self.cpu_ms.min(other.cpu_ms),
            ..other.clone()
        }
    }
}

struct Setup<'a> {
    folder: &'a Path,
    delay_ms: u64,
}

impl Setup<'_> {
    /// A session with the table `t`, whose footers have been read.
    async fn session(&self, format: Format) -> Result<(SessionContext, Arc<CountingStore>), Failure> {
        let config = SessionConfig::new().with_target_partitions(2);
        let session = SessionContext::new_with_config(config);
        let store = Arc::new(CountingStore::new(
            Arc::new(LocalFileSystem::new()),
            self.delay_ms > 0,
            Duration::from_millis(self.delay_ms),
        ));
        let scheme = if self.delay_ms == 0 { "file" } else { "distant" };
        let url =
            ListingTableUrl::parse(format!("{scheme}://{}/{}/", self.folder.display(), format.folder()))?;
        let as_store: Arc<dyn ObjectStore> = Arc::<CountingStore>::clone(&store);
        session.register_object_store(url.object_store().as_ref(), as_store);
        // DataFusion's own format does not find the schema of a file in a distant store.
        let schema = Format::Ours.listing().infer_schema(&session.state(), &url).await;
        let schema = if format == Format::Own { schema.ok() } else { None };
        session.register_listing_table("t", url.as_str(), format.listing(), schema, None).await?;
        store.take();
        Ok((session, store))
    }

    async fn run(&self, format: Format, sql: &str) -> Result<(Cost, String), Failure> {
        let (session, store) = self.session(format).await?;
        let (started, cpu, read) = (Instant::now(), cpu_ns()?, n_read()?);
        let batches = session.sql(sql).await?.collect().await?;
        let wall_ms = started.elapsed().as_secs_f64() * 1e3;
        let (n_requests, n_sent) = store.take();
        // Files that the engine opens itself are only known to the system.
        let n_bytes = if self.delay_ms == 0 { n_read()? - read } else { n_sent };
        let cost = Cost {
            wall_ms,
            cpu_ms: (cpu_ns()? - cpu) as f64 / 1e6,
            read_mb: n_bytes as f64 / 1e6,
            n_requests,
        };
        Ok((cost, pretty_format_batches(&batches)?.to_string()))
    }
}

fn main() -> Result<(), Failure> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |idx: usize, or: u64| args.get(idx).map_or(Ok(or), |arg| arg.parse());
    let folder = args.first().ok_or("usage: measure-datafusion FOLDER [MILLIONS] [ROUNDS] [MILLISECONDS]")?;
    let folder = fs::canonicalize(folder)?;
    let (n_millions, n_rounds, delay_ms) = (number(1, 10)?, number(2, 3)?, number(3, 0)?);
    let setup = Setup { folder: &folder, delay_ms };
    // Threads that end take their counts of processor time with them.
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = runtime.worker_threads(2).enable_all().thread_keep_alive(Duration::from_secs(3_600));
    let runtime = runtime.build()?;
    if let [_, _, _, _, format, query] = &args[..] {
        let format = Format::ALL.into_iter().find(|known| known.name() == format).ok_or("no such format")?;
        let (_, sql) = QUERIES.iter().find(|(name, _)| name == query).ok_or("no such query")?;
        println!("{}", runtime.block_on(peak_of(&setup, format, sql))?);
        return Ok(());
    }
    runtime.block_on(rows::write(&folder, n_millions))?;
    for name in ["arrow", "parquet"] {
        let n_bytes: u64 = fs::read_dir(folder.join(name))?
            .flatten()
            .flat_map(|file| file.metadata())
            .map(|file| file.len())
            .sum();
        println!("{name}: {:.0} MB", n_bytes as f64 / 1e6);
    }
    println!("wall ms / processor ms / MB read / requests / peak MB");
    for (name, sql) in QUERIES {
        let mut least: Vec<Option<Cost>> = vec![None; Format::ALL.len()];
        let mut expected: Option<String> = None;
        for round in 0..n_rounds {
            for turn in 0..Format::ALL.len() {
                let idx = (turn + round as usize) % Format::ALL.len();
                let (cost, answer) = runtime.block_on(setup.run(Format::ALL[idx], sql))?;
                least[idx] = Some(least[idx].as_ref().map_or(cost.clone(), |before| before.least(&cost)));
                let expected = expected.get_or_insert_with(|| answer.clone());
                if *expected != answer {
                    return Err(format!(
                        "{name}: {} answers\n{answer}\nand not\n{expected}",
                        Format::ALL[idx].name()
                    )
                    .into());
                }
            }
        }
        let mut line = format!("{name:14}");
        for (format, cost) in Format::ALL.into_iter().zip(least) {
            let Cost { wall_ms, cpu_ms, read_mb, n_requests } = cost.ok_or("no round")?;
            let peak = Command::new(std::env::current_exe()?)
                .arg(&folder)
                .args([n_millions, 1, delay_ms].map(|number| number.to_string()))
                .args([format.name(), name])
                .output()?;
            let peak = String::from_utf8(peak.stdout)?;
            let peak = peak.trim();
            let name = format.name();
            write!(line, " | {name} {wall_ms:.1} / {cpu_ms:.1} / {read_mb:.1} / {n_requests} / {peak}")?;
        }
        println!("{line}");
    }
    Ok(())
}

/// How far the memory of this process rises by a query, in MB.
async fn peak_of(setup: &Setup<'_>, format: Format, sql: &str) -> Result<u64, Failure> {
    let (session, _) = setup.session(format).await?;
    let before = status_kb("VmRSS:")?;
    session.sql(sql).await?.collect().await?;
    Ok(status_kb("VmHWM:")?.saturating_sub(before) / 1_024)
}

fn status_kb(key: &str) -> Result<u64, Failure> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix(key)).ok_or("no such line")?;
    Ok(line.split_whitespace().next().unwrap_or("0").parse()?)
}

/// The time that threads of this process have run.
fn cpu_ns() -> Result<u64, Failure> {
    let mut sum = 0;
    for thread in fs::read_dir("/proc/self/task")? {
        let Ok(counts) = fs::read_to_string(thread?.path().join("schedstat")) else { continue };
        sum += counts.split_whitespace().next().unwrap_or("0").parse::<u64>()?;
    }
    Ok(sum)
}

/// The number of bytes that this process has read.
fn n_read() -> Result<u64, Failure> {
    let counts = fs::read_to_string("/proc/self/io")?;
    Ok(counts.split_whitespace().nth(1).ok_or("no count of bytes")?.parse()?)
}

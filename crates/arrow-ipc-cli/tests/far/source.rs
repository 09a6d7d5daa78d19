//! A file that counts requests, and how often a program would wait for their answers.

use std::{
    env, fmt,
    fs::File,
    io,
    ops::Range,
    sync::{Mutex, MutexGuard, PoisonError},
};

use arrow_buffer::Buffer;
use arrow_ipc::{FetchCost, Source};
use arrow_ipc_tools::{Input, InputName, ToolError, ToolErrorKind};

/// The name of the variable that contains the path of the file for the counts of a run.
pub(super) const TRAFFIC: &str = "FAR_TRAFFIC";
/// The name of the variable with the fault: `error:N` or `short:N` for a request that contains the byte N.
pub(super) const FAULT: &str = "FAR_FAULT";
/// The name of a variable. If it is set, requests cost what they cost on a disk, and commands do not read ahead.
pub(super) const COST: &str = "FAR_COST";
/// A URL is this text and the path of a file.
pub(super) const URL: &str = "http://far";

/// The counts of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Traffic {
    pub(super) n_bytes: u64,
    pub(super) n_requests: u64,
    pub(super) max_at_once: u64,
    /// The number of groups of simultaneous requests.
    pub(super) n_round_trips: u64,
}

static SO_FAR: Mutex<Traffic> =
    Mutex::new(Traffic { n_bytes: 0, n_requests: 0, max_at_once: 0, n_round_trips: 0 });

impl Traffic {
    pub(super) fn so_far() -> Traffic {
        *lock()
    }

    pub(super) fn parse(text: &str) -> Traffic {
        let mut numbers = text.split(' ').map(|number| number.parse().expect("a number"));
        let mut next = || numbers.next().expect("four numbers");
        Traffic { n_bytes: next(), n_requests: next(), max_at_once: next(), n_round_trips: next() }
    }
}

impl fmt::Display for Traffic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Traffic { n_bytes, n_requests, max_at_once, n_round_trips } = self;
        write!(f, "{n_bytes} {n_requests} {max_at_once} {n_round_trips}")
    }
}

fn lock() -> MutexGuard<'static, Traffic> {
    SO_FAR.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Opens the file at a URL.
pub(super) fn open(url: &str, name: InputName) -> Result<Input, ToolError> {
    let path = url.strip_prefix(URL).unwrap_or(url);
    match File::open(path) {
        Ok(file) => Input::try_new(name, Far::open(file)),
        Err(error) => Err(ToolError::new(name, ToolErrorKind::Read(error))),
    }
}

fn fault() -> Option<(Fault, u64)> {
    let fault = env::var(FAULT).ok()?;
    let (kind, position) = fault.split_once(':')?;
    let kind = if kind == "short" { Fault::Short } else { Fault::Error };
    Some((kind, position.parse().ok()?))
}

#[derive(Clone, Copy)]
enum Fault {
    Error,
    /// The answer has fewer bytes than the requested range.
    Short,
}

struct Far {
    file: File,
    fault: Option<(Fault, u64)>,
    /// The start and the end of the file, which are requested at the same time on opening.
    cached: Vec<(u64, Buffer)>,
}

impl Far {
    fn open(file: File) -> Far {
        let n_bytes = file.n_bytes().unwrap_or(0);
        let mut far = Far { file, fault: fault(), cached: Vec::new() };
        let ends = [0..n_bytes.min(8), n_bytes.saturating_sub((64 << 10) + 64)..n_bytes];
        if let Ok(fetched) = far.fetch_many(&ends) {
            far.cached = ends.map(|range| range.start).into_iter().zip(fetched).collect();
        }
        far
    }

    fn find(&self, range: &Range<u64>) -> Option<Buffer> {
        let inside = |(start, bytes): &(u64, Buffer)| {
            bytes.try_slice(range.start.checked_sub(*start)?, range.end.checked_sub(range.start)?).ok()
        };
        self.cached.iter().find_map(inside)
    }

    fn answer(&self, range: &Range<u64>) -> io::Result<Buffer> {
        let bytes = self.file.fetch(range.clone())?;
        match self.fault {
            Some((fault, position)) if range.contains(&position) => match fault {
                Fault::Error => Err(io::Error::other("the line is cut")),
                Fault::Short => Ok(bytes.slice(..bytes.len() / 2)),
            },
            Some(_) | None => Ok(bytes),
        }
    }
}

impl Source for Far {
    fn n_bytes(&self) -> io::Result<u64> {
        self.file.n_bytes()
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        let fetched = self.fetch_many(std::slice::from_ref(&range))?;
        fetched.into_iter().next().ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }

    fn fetch_many(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Buffer>> {
        let requested: Vec<Range<u64>> =
            ranges.iter().filter(|range| self.find(range).is_none()).cloned().collect();
        let at_once = u64::from(FetchCost::OBJECT_STORE.requests_in_flight_for(&requested));
        let mut traffic = lock();
        traffic.n_requests += requested.len() as u64;
        traffic.max_at_once = traffic.max_at_once.max(at_once.min(requested.len() as u64));
        traffic.n_round_trips += (requested.len() as u64).div_ceil(at_once);
        traffic.n_bytes += requested.iter().map(|range| range.end - range.start).sum::<u64>();
        drop(traffic);
        ranges.iter().map(|range| self.find(range).map_or_else(|| self.answer(range), Ok)).collect()
    }

    fn fetch_cost(&self) -> FetchCost {
        if env::var_os(COST).is_some() { FetchCost::DISK } else { FetchCost::OBJECT_STORE }
    }
}

//! A server on loopback, with one thread for each connection. It runs until it is dropped.

use std::{
    collections::BTreeMap,
    io::{self, BufReader, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use arrow_ipc::Source;
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::{
    answer::{Answer, Object, Tags},
    fault::Fault,
    request::Request,
    tls,
};

/// Serves objects on loopback, and stops when it is dropped.
pub struct RangeServer {
    address: SocketAddr,
    shared: Arc<ServerState>,
    accepting: Option<JoinHandle<()>>,
}

/// The requests since the start, or since the last [`RangeServer::reset`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// The number of requests, including refused ones.
    pub n_requests: u64,
    /// The number of bytes of bodies that were sent.
    pub n_bytes: u64,
    /// The greatest number of requests that were answered at the same time.
    pub max_in_flight: u64,
}

/// The state that all connections share.
struct ServerState {
    /// The least time that the answer to a request takes.
    delay: Duration,
    /// The configuration for `https`; `None` for `http`.
    tls: Option<Arc<ServerConfig>>,
    is_stopped: AtomicBool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    objects: BTreeMap<String, Object>,
    faults: BTreeMap<u64, Fault>,
    counts: Counts,
    n_in_flight: u64,
    n_connections: usize,
}

/// The greatest number of connections. Our clients open fewer at the same time.
const MAX_CONNECTIONS: usize = 400;

/// A connection without a request for this time is closed.
const PATIENCE: Duration = Duration::from_secs(30);

impl RangeServer {
    /// Serves on a free port of 127.0.0.1. Each answer takes at least `delay`.
    ///
    /// # Panics
    /// If there is no free port.
    pub fn start(delay: Duration) -> RangeServer {
        RangeServer::start_with(delay, None)
    }

    /// Serves with `https`. Only clients that trust [`CERTIFICATE`](crate::CERTIFICATE) accept the certificate.
    ///
    /// # Panics
    /// If there is no free port.
    pub fn start_https() -> RangeServer {
        RangeServer::start_with(Duration::ZERO, Some(tls::config()))
    }

    fn start_with(delay: Duration, tls: Option<Arc<ServerConfig>>) -> RangeServer {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("the address of the port");
        let is_stopped = AtomicBool::new(false);
        let shared = Arc::new(ServerState { delay, tls, is_stopped, state: Mutex::default() });
        let accepting = thread::spawn({
            let shared = Arc::clone(&shared);
            move || accept(&listener, &shared)
        });
        RangeServer { address, shared, accepting: Some(accepting) }
    }

    /// Serves an object, or a new version of an object. Returns its URL.
    pub fn put(&self, name: &str, source: impl Source + 'static, tags: Tags) -> String {
        let object = Object { source: Arc::new(source), tags };
        self.shared.state().objects.insert(format!("/{name}"), object);
        format!("{}/{name}", self.url())
    }

    /// Like [`put`](RangeServer::put), with this etag, to which quotes are added.
    pub fn put_tagged(&self, name: &str, source: impl Source + 'static, etag: &str) -> String {
        self.put(name, source, Tags { etag: Some(format!("\"{etag}\"")), last_modified: None })
    }

    /// The URL of the server: `http://127.0.0.1:…`, or `https`.
    pub fn url(&self) -> String {
        let scheme = if self.shared.tls.is_some() { "https" } else { "http" };
        format!("{scheme}://{}", self.address)
    }

    /// Answers one request with a fault. Requests count from 0 since the start, or since the last
    /// [`reset`](RangeServer::reset).
    pub fn misbehave_at(&self, request_idx: u64, fault: Fault) {
        self.shared.state().faults.insert(request_idx, fault);
    }

    /// Answers all requests from this one on with a fault.
    pub fn misbehave_from(&self, request_idx: u64, fault: Fault) {
        let faults = (request_idx..request_idx + 1_000).map(|request_idx| (request_idx, fault));
        self.shared.state().faults.extend(faults);
    }

    /// The requests so far.
    pub fn counts(&self) -> Counts {
        self.shared.state().counts.clone()
    }

    /// Sets the counts to 0, and removes all faults.
    pub fn reset(&self) {
        let mut state = self.shared.state();
        state.counts = Counts::default();
        state.faults.clear();
    }
}

impl Drop for RangeServer {
    fn drop(&mut self) {
        self.shared.is_stopped.store(true, Ordering::Relaxed);
        // A connection wakes the thread that accepts them.
        drop(TcpStream::connect(self.address));
        if let Some(accepting) = self.accepting.take() {
            // If it panicked, it has said so.
            let _ = accepting.join();
        }
    }
}

impl ServerState {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn accept(listener: &TcpListener, shared: &Arc<ServerState>) {
    for connection in listener.incoming() {
        if shared.is_stopped.load(Ordering::Relaxed) {
            break;
        }
        let Ok(connection) = connection else { continue };
        let mut state = shared.state();
        if state.n_connections < MAX_CONNECTIONS {
            state.n_connections += 1;
            let shared = Arc::clone(shared);
            thread::spawn(move || {
                // A client that goes away is no failure of ours.
                let _ = serve(connection, &shared);
                shared.state().n_connections -= 1;
            });
        }
    }
}

fn serve(connection: TcpStream, shared: &ServerState) -> io::Result<()> {
    connection.set_read_timeout(Some(PATIENCE))?;
    connection.set_write_timeout(Some(PATIENCE))?;
    connection.set_nodelay(true)?;
    match &shared.tls {
        None => answer_all(connection, shared),
        Some(config) => {
            let session = ServerConnection::new(Arc::clone(config)).map_err(io::Error::other)?;
            answer_all(StreamOwned::new(session, connection), shared)
        }
    }
}

fn answer_all(connection: impl Read + Write, shared: &ServerState) -> io::Result<()> {
    let mut connection = BufReader::new(connection);
    while let Some(request) = Request::read(&mut connection)? {
        let is_last = answer(connection.get_mut(), shared, &request);
        shared.state().n_in_flight -= 1;
        if is_last? || shared.is_stopped.load(Ordering::Relaxed) {
            break;
        }
    }
    Ok(())
}

/// Answers one request. Returns `true` if the connection must be closed.
fn answer(connection: &mut impl Write, shared: &ServerState, request: &Request) -> io::Result<bool> {
    let (object, fault) = {
        let mut state = shared.state();
        let request_idx = state.counts.n_requests;
        state.n_in_flight += 1;
        state.counts.n_requests += 1;
        state.counts.max_in_flight = state.counts.max_in_flight.max(state.n_in_flight);
        let path = request.path.split('?').next().unwrap_or_default();
        (state.objects.get(path).cloned(), state.faults.get(&request_idx).copied())
    };
    thread::sleep(shared.delay);
    let Some(answer) = Answer::new(request, object.as_ref(), fault)? else { return Ok(true) };
    shared.state().counts.n_bytes += answer.body.len() as u64;
    connection.write_all(&answer.head)?;
    connection.write_all(&answer.body)?;
    connection.flush()?;
    Ok(answer.closes)
}

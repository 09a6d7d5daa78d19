//! `serve`: shows files in a browser. A server on the loopback address sends the page `viewer.html` and ranges of the files.

mod files;
mod request;
mod server;
#[cfg(test)]
mod tests;

use std::{
    collections::hash_map::RandomState,
    env, fs,
    hash::BuildHasher,
    io,
    net::{Ipv4Addr, TcpListener},
    path::{Path, PathBuf},
};

use arrow_ipc_tools::{InputName, ToolError, ToolErrorKind};

use self::{files::ServedFile, server::Server};
use crate::{
    args::ServeArgs,
    context::Context,
    exit::{Failure, Status},
    names::InputArg,
    output::print,
};

/// The greatest length of a page. That of this project has about 1 MB.
const MAX_PAGE_BYTES: u64 = 16 << 20;

pub(crate) fn run(context: &Context, args: &ServeArgs) -> Result<Status, Failure> {
    let page = page(args.viewer.as_deref())?;
    let files = args.files.iter().enumerate().map(|(idx, input)| opened(context, idx, input));
    let files = files.collect::<Result<Vec<ServedFile>, Failure>>()?;
    let failed = |error| Failure::Listen { port: args.port, error };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, args.port)).map_err(failed)?;
    let port = listener.local_addr().map_err(failed)?.port();
    let server = Server::new(port, token(), page, files);
    print(format_args!("{}\n", server.url()))?;
    context.note("this address shows the files in a browser on this computer, until Ctrl-C ends the program");
    server.run(&listener)
}

/// Opens a file that is served.
fn opened(context: &Context, idx: usize, input: &InputArg) -> Result<ServedFile, Failure> {
    let Some(path) = input.path().filter(|_| !input.is_set()) else {
        return Err(Failure::NotServed { name: input.clone() });
    };
    // What is no Arrow data is refused here, with the usual hints. A damaged file is shown.
    if let Err(error) = input.open(context)
        && matches!(
            error.kind(),
            ToolErrorKind::Read(_) | ToolErrorKind::NotArrow { .. } | ToolErrorKind::Empty
        )
    {
        return Err(error.into());
    }
    ServedFile::open(idx, path).map_err(|error| read_error(path, error))
}

fn read_error(path: &Path, error: io::Error) -> Failure {
    ToolError::new(InputName::from(path), ToolErrorKind::Read(error)).into()
}

/// Reads the page. It is not a part of the program: it has a module of WebAssembly, which would need another compiler target to
/// build the program, and makes up a seventh of its size.
fn page(given: Option<&Path>) -> Result<Vec<u8>, Failure> {
    let path = match given {
        Some(path) => path.to_owned(),
        None => installed_page().ok_or(Failure::NoPage)?,
    };
    let read = || {
        if fs::metadata(&path)?.len() > MAX_PAGE_BYTES {
            return Err(io::Error::other("longer than 16 MiB, which no page is"));
        }
        fs::read(&path)
    };
    read().map_err(|error| read_error(&path, error))
}

/// The page beside the program, or in the folder for shared files beside its folder.
fn installed_page() -> Option<PathBuf> {
    let program = env::current_exe().and_then(fs::canonicalize).ok()?;
    let folder = program.parent()?;
    let beside = folder.join("viewer.html");
    let shared = folder.parent().map(|prefix| prefix.join("share/arrow-ipc/viewer.html"));
    [Some(beside), shared].into_iter().flatten().find(|path| path.is_file())
}

/// 32 digits that nobody can guess: the keys of this hash are random numbers of the operating system.
fn token() -> String {
    let half = |seed: u64| RandomState::new().hash_one(seed);
    format!("{:016x}{:016x}", half(0), half(1))
}

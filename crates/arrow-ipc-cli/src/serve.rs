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

use arrow_ipc::{Container, IpcErrorKind};
use arrow_ipc_tools::{Input, InputName, ToolError, ToolErrorKind};

use self::{files::ServedFile, server::Server};
use crate::{
    args::ServeArgs,
    context::Context,
    exit::{Failure, NotServed, Status},
    names::InputArg,
    output::print,
};

/// The greatest length of a page. That of this project has about 1 MB.
const MAX_PAGE_BYTES: u64 = 16 << 20;

pub(crate) fn run(context: &Context, args: &ServeArgs) -> Result<Status, Failure> {
    let page = page(context, args.viewer.as_deref())?;
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
    let refused = |found| Failure::NotServed { name: input.clone(), found };
    let path = match input {
        InputArg::Path(path) if input.is_set() => {
            return Err(refused(NotServed::Set { is_folder: path.is_dir() }));
        }
        InputArg::Path(path) => path,
        InputArg::Stdin => return Err(refused(NotServed::Pipe)),
        InputArg::Url(_) => return Err(refused(NotServed::Url)),
    };
    let failed = |error| read_error(path, error);
    if !fs::metadata(path).map_err(failed)?.is_file() {
        return Err(refused(NotServed::Pipe));
    }
    // What is no Arrow data is refused here. A damaged file is shown.
    let opened = Input::open(path).map(|opened| opened.with_limits(context.limits()));
    match opened.as_ref().map(Input::container).map_err(ToolError::kind) {
        Ok(Container::FeatherV1) => return Err(refused(NotServed::FeatherV1)),
        Err(ToolErrorKind::NotArrow { found: Some(codec) }) if codec.is_decompressed() => {
            return Err(refused(NotServed::Compressed(*codec)));
        }
        _ => {}
    }
    if let Err(error) = opened
        && is_no_arrow(error.kind())
    {
        return Err(error.into());
    }
    ServedFile::open(idx, path).map_err(failed)
}

/// Whether an input is unreadable, or of another format. Other errors are those of damaged files.
fn is_no_arrow(kind: &ToolErrorKind) -> bool {
    match kind {
        ToolErrorKind::Read(_) | ToolErrorKind::NotArrow { .. } | ToolErrorKind::Empty => true,
        ToolErrorKind::Input(error) => matches!(error.kind(), IpcErrorKind::WrongContainer { .. }),
        _ => false,
    }
}

fn read_error(path: &Path, error: io::Error) -> Failure {
    ToolError::new(InputName::from(path), ToolErrorKind::Read(error)).into()
}

/// Reads the page. It is not a part of the program: it has a module of WebAssembly, which would need another compiler target to
/// build the program, and makes up a seventh of its size.
fn page(context: &Context, given: Option<&Path>) -> Result<Vec<u8>, Failure> {
    let path = match given {
        Some(path) => path.to_owned(),
        None => installed_page(context.viewer())?,
    };
    let read = || {
        if fs::metadata(&path)?.len() > MAX_PAGE_BYTES {
            return Err(io::Error::other("longer than 16 MiB, which no page is"));
        }
        fs::read(&path)
    };
    read().map_err(|error| read_error(&path, error))
}

/// The page where the process says; otherwise beside the program, or in the folder for shared files beside its folder.
fn installed_page(given: Option<&Path>) -> Result<PathBuf, Failure> {
    let paths = match given {
        Some(path) => vec![path.to_owned()],
        None => paths_beside(&env::current_exe().and_then(fs::canonicalize).unwrap_or_default()),
    };
    match paths.iter().find(|path| path.is_file()) {
        Some(path) => Ok(path.clone()),
        None => Err(Failure::NoPage { paths }),
    }
}

/// Where the page of a program may be.
fn paths_beside(program: &Path) -> Vec<PathBuf> {
    let folder = program.parent();
    let beside = folder.map(|folder| folder.join("viewer.html"));
    let shared = folder.and_then(Path::parent).map(|prefix| prefix.join("share/arrow-ipc/viewer.html"));
    beside.into_iter().chain(shared).collect()
}

/// 32 digits that nobody can guess: the keys of this hash are random numbers of the operating system.
fn token() -> String {
    let half = |seed: u64| RandomState::new().hash_one(seed);
    format!("{:016x}{:016x}", half(0), half(1))
}

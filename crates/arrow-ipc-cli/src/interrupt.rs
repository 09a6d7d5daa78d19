//! What is left when the program is interrupted: no file that is not finished.

use std::io;

use arrow_ipc::AtomicFile;

/// Creates a file whose temporary form is removed when the program is interrupted or told to end. The program then
/// ends as if it had not looked: by the signal, which shells show as status 130 or 143.
///
/// # Errors
/// If the file cannot be created, or signals not be waited for.
#[cfg(unix)]
pub(crate) fn removed_when_interrupted(
    create: impl FnOnce() -> io::Result<AtomicFile>,
) -> io::Result<AtomicFile> {
    use signal_hook::{
        consts::{SIGINT, SIGTERM},
        iterator::Signals,
        low_level::emulate_default_handler,
    };

    // Signals that come from here on wait for the thread below.
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    let file = create()?;
    let temporary = file.temporary_path().map(std::path::Path::to_owned);
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in signals.forever() {
            // Once the file is complete, nothing has this name any more.
            if let Some(path) = &temporary {
                let _ = std::fs::remove_file(path);
            }
            let _ = emulate_default_handler(signal);
        }
    })?;
    Ok(file)
}

/// Creates a file. Where there are no signals, an interruption leaves its temporary form behind.
#[cfg(not(unix))]
pub(crate) fn removed_when_interrupted(
    create: impl FnOnce() -> io::Result<AtomicFile>,
) -> io::Result<AtomicFile> {
    create()
}

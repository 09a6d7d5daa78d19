//! Shows a manual page on the terminal, by a program that is installed.

use std::{
    io::Write as _,
    process::{Command, Stdio},
};

use crate::interrupt::leave_interrupts_to_the_pager;

/// The programs that format a page from standard input and show it in a pager, in the order in which they are tried.
const VIEWERS: [&[&str]; 2] = [&["man", "-l", "-"], &["mandoc", "-a"]];

/// Shows a page until the reader ends the pager. Returns `false` if no viewer is installed, or none succeeds.
pub(crate) fn show(page: &str) -> bool {
    leave_interrupts_to_the_pager();
    VIEWERS.iter().any(|viewer| is_shown_by(viewer, page))
}

fn is_shown_by(viewer: &[&str], page: &str) -> bool {
    let Some((program, options)) = viewer.split_first() else { return false };
    let started = Command::new(program).args(options).stdin(Stdio::piped()).spawn();
    let Ok(mut started) = started else { return false };
    // The reader may end the pager before it has the whole page.
    if let Some(mut stdin) = started.stdin.take() {
        let _ = stdin.write_all(page.as_bytes());
    }
    started.wait().is_ok_and(|status| status.success())
}

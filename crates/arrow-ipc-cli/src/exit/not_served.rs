//! Inputs that `serve` refuses.

use std::fmt;

use arrow_ipc_report::shell_argument;
use arrow_ipc_tools::ForeignFormat;

use super::Status;
use crate::names::InputArg;

/// Why an input is not served, although this program reads it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum NotServed {
    Set { is_folder: bool },
    Pipe,
    Url,
    Compressed(ForeignFormat),
    FeatherV1,
}

impl fmt::Display for NotServed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotServed::Set { is_folder: true } => f.write_str("a folder"),
            NotServed::Set { is_folder: false } => f.write_str("a pattern of names"),
            NotServed::Pipe => f.write_str("a pipe or a device, of which no ranges can be read"),
            NotServed::Url => f.write_str("a URL"),
            NotServed::Compressed(codec) => write!(f, "{codec} as a whole, so no ranges of it can be read"),
            NotServed::FeatherV1 => f.write_str("a Feather file of version 1"),
        }
    }
}

impl NotServed {
    pub(crate) fn status(self) -> Status {
        match self {
            NotServed::Set { .. } | NotServed::Pipe | NotServed::Url => Status::Usage,
            NotServed::Compressed(_) | NotServed::FeatherV1 => Status::Refused,
        }
    }

    /// What to do instead.
    pub(crate) fn advice(self, input: &InputArg) -> String {
        let name = shell_argument(&input.into());
        let convert = format!("`arrow-ipc convert {name} OUT.arrow` writes a file that is served");
        match self {
            NotServed::Set { .. } => format!("name its files; or, as one: {convert}"),
            NotServed::Url => "the page itself opens URLs, if their server allows that".to_owned(),
            NotServed::Pipe | NotServed::Compressed(_) | NotServed::FeatherV1 => convert,
        }
    }
}

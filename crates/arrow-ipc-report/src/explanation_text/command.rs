//! The commands of the program that carry out remedies.

use arrow_ipc::Container;
use arrow_ipc_tools::InputName;
use arrow_text::format::Escaped;

use crate::{
    explain::{Change, Remedy},
    shell::{option_name, quoted, shell_argument},
};

/// A command of the program `arrow-ipc`: `arrow-ipc COMMAND IN OUT OPTIONS`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RemedyCommand {
    pub(crate) command: &'static str,
    /// The options, which follow the input and the output.
    pub(crate) options: Vec<String>,
}

impl RemedyCommand {
    pub(crate) fn new(remedy: &Remedy) -> RemedyCommand {
        let text = |options: &[&str]| options.iter().map(|option| (*option).to_owned()).collect();
        match remedy {
            Remedy::Recover { needs_schema: false } => {
                RemedyCommand { command: "recover", options: Vec::new() }
            }
            Remedy::Recover { needs_schema: true } => {
                RemedyCommand { command: "recover", options: text(&["--schema", "FILE"]) }
            }
            Remedy::Convert(changes) => {
                RemedyCommand { command: "convert", options: changes.iter().flat_map(options_of).collect() }
            }
            Remedy::Split { batch_rows } => {
                let options = vec!["--batch-rows".to_owned(), batch_rows.to_string()];
                RemedyCommand { command: "split", options }
            }
        }
    }
}

/// The command line that carries out a remedy. Control characters are escaped.
pub(crate) fn remedy_line(remedy: &Remedy, input: &InputName, container: Container) -> String {
    let RemedyCommand { command, options } = RemedyCommand::new(remedy);
    let output = if container == Container::File { "OUT.arrow" } else { "OUT.arrows" };
    let mut line = format!("arrow-ipc {command} {} {output}", Escaped(&shell_argument(input)));
    for option in options {
        line.push(' ');
        line.push_str(&Escaped(&quoted(&option)).to_string());
    }
    line
}

fn options_of(change: &Change) -> Vec<String> {
    let (option, value) = match change {
        Change::Compact => return vec!["--compact".to_owned()],
        Change::LittleEndian => ("--endian", "little".to_owned()),
        Change::UnifyDictionaries => ("--dictionaries", "unify".to_owned()),
        Change::DictionaryDeltas => ("--dictionaries", "delta".to_owned()),
        Change::Compression(None) => ("--compression", "none".to_owned()),
        Change::Compression(Some(codec)) => ("--compression", codec.to_string().to_lowercase()),
        Change::Alignment(n_bytes) => ("--alignment", n_bytes.to_string()),
        Change::Cast { column, data_type } => ("--cast", format!("{}={data_type}", option_name(column))),
    };
    vec![option.to_owned(), value]
}

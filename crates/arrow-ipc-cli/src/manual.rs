//! `completions` and `man`: completion scripts and manual pages, generated from the command line definition. On a terminal, `man`
//! shows a page; otherwise it writes the page.

pub(crate) mod completion_values;

use std::{
    fs,
    io::{self, Write as _},
    iter,
    path::Path,
    process::{self, Stdio},
};

use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;

use crate::{
    args::{CompletionsArgs, ManArgs, command_line, shown},
    exit::{Failure, Status},
    interrupt::leave_interrupts_to_the_pager,
    names::OutputName,
    output::{Output, destination::OutputRule, not_written, print},
    terminal::is_stdout_terminal,
    topics::{TOPIC, for_manual},
};

pub(crate) fn completions(args: &CompletionsArgs) -> Result<Status, Failure> {
    print(completions_for(args.shell))?;
    Ok(Status::Fine)
}

/// The completion script for a shell. Returned as text, because the generator does not report errors of writing.
pub(crate) fn completions_for(shell: Shell) -> String {
    // Other values are possible, too, so only completions have a list.
    let with_values = |arg: clap::Arg| match arg.get_id().as_str() {
        "compression" => arg.value_parser(["none", "lz4", "zstd", "zstd:9"]),
        "infer_rows" => arg.value_parser(["all"]),
        _ => arg,
    };
    let mut command = command_line().mut_subcommands(|command| command.mut_args(with_values));
    let name = command.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, &name, &mut script);
    let script = shown(&String::from_utf8_lossy(&script));
    let script = match shell {
        // If the program name has a hyphen, the generated script sets and reads states of commands under different
        // names: https://github.com/clap-rs/clap/issues/6421
        Shell::Bash => {
            let [found, replaced] = ["__subcmd__", "__"].map(|between| name.replace('-', between));
            script.replace(&found, &replaced)
        }
        // Without this change, zsh completes no options after the first input.
        Shell::Zsh => script.replace("'*::", "'*:"),
        _ => script,
    };
    completion_values::add_to(script, shell)
}

pub(crate) fn man(args: &ManArgs) -> Result<Status, Failure> {
    let program = command_line();
    if let Some(folder) = &args.to {
        return write_pages(&program, folder);
    }
    let command = match &args.command {
        None => &program,
        Some(name) => {
            let found = commands(&program).find(|command| command.get_name() == name);
            found.ok_or_else(|| Failure::NoCommand { name: name.clone() })?
        }
    };
    let page = page_of(command).map_err(not_written)?;
    if !is_stdout_terminal() {
        print(page)?;
    } else if !show_on_terminal(&page) {
        return Err(Failure::NoViewer { command: command.get_name().to_owned() });
    }
    Ok(Status::Fine)
}

/// Writes the pages of the program and of all commands into a folder.
fn write_pages(program: &Command, folder: &Path) -> Result<Status, Failure> {
    let file = |command: &Command| folder.join(Man::new(command.clone()).get_filename());
    let pages = iter::once(program).chain(commands(program));
    let pages = pages.map(|command| (command, OutputName::Path(file(command)))).collect();
    let folder = OutputName::Path(folder.to_owned());
    let rule = OutputRule { inputs: &[], schema: None, is_output_named: true, replaces_input: false };
    let pages = rule.allow_each(pages, &folder)?;
    let failed = |error| Failure::Write { name: folder.clone(), error };
    folder.path().map_or(Ok(()), fs::create_dir_all).map_err(failed)?;
    for (command, output) in pages {
        let page = page_of(command).map_err(failed)?;
        Output::write_whole(&output, page.as_bytes())?;
    }
    Ok(Status::Fine)
}

/// The commands with a manual page: all except `help`.
fn commands(program: &Command) -> impl Iterator<Item = &Command> {
    program.get_subcommands().filter(|command| command.get_name() != "help")
}

/// The manual page of a command. Its synopsis is the usage in the help. The text below the options is divided into
/// sections.
fn page_of(command: &Command) -> io::Result<String> {
    let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let topics = if command.get_name() == command_line().get_name() { for_manual() } else { String::new() };
    let mut command = command.clone().after_help(in_sections(&after) + &topics);
    let usage = shown(&command.render_usage().to_string());
    let mut page = Vec::new();
    Man::new(command).source(concat!("arrow-ipc ", env!("CARGO_PKG_VERSION"))).render(&mut page)?;
    let page = shown(&String::from_utf8(page).map_err(io::Error::other)?);
    let (before, after) = page.split_once(".SH EXTRA\n").unwrap_or((&page, ""));
    let mut page = Page::default();
    let mut lines = before.lines().peekable();
    while let Some(line) = lines.next() {
        match line {
            // The generator leaves out the values of options.
            ".SH SYNOPSIS" => {
                page.push(line);
                page.push(&usage.strip_prefix("Usage: ").unwrap_or(&usage).replace('-', "\\-"));
                lines.next();
            }
            // `help` has no manual page, so it is not listed.
            ".TP" if lines.next_if_eq(&"arrow\\-ipc\\-help(1)").is_some() => drop(lines.next()),
            line => page.push(line),
        }
    }
    after.lines().for_each(|line| page.push_after(line));
    Ok(page.into_text())
}

/// A manual page that is being written.
#[derive(Default)]
struct Page {
    text: String,
    /// Whether lines are shown as they are. Otherwise the viewer of the page breaks them.
    is_preformatted: bool,
}

impl Page {
    fn push(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Adds a line of the text below the options. It may begin a section. An indented line is shown as it is.
    fn push_after(&mut self, line: &str) {
        self.set_preformatted(line.starts_with(' '));
        let section = SECTIONS.iter().find(|(begin, _)| *begin == line);
        match line.strip_prefix(TOPIC) {
            Some(topic) => self.push(&format!(".SH \"{}\"", topic.to_uppercase())),
            None => self.push(section.map_or(line, |(_, heading)| heading)),
        }
    }

    fn set_preformatted(&mut self, is_preformatted: bool) {
        if self.is_preformatted != is_preformatted {
            self.is_preformatted = is_preformatted;
            self.push(if is_preformatted { ".nf" } else { ".fi" });
        }
    }

    fn into_text(mut self) -> String {
        self.set_preformatted(false);
        self.text
    }
}

/// First lines of paragraphs in the help, and the headings of their sections in the manual page, in order.
const SECTIONS: [(&str, &str); 3] =
    [("Exit status:", ".SH \"EXIT STATUS\""), ("Notes:", ".SH NOTES"), ("Examples:", ".SH EXAMPLES")];

/// Sorts the paragraphs of the text below the options into sections. Paragraphs without a known first line are notes.
fn in_sections(after: &str) -> String {
    let section_of = |paragraph: &str| {
        let named = SECTIONS.iter().position(|(begin, _)| paragraph.starts_with(begin));
        named.unwrap_or(NOTES)
    };
    let mut text = String::new();
    for (position, (begin, _)) in SECTIONS.iter().enumerate() {
        let paragraphs = after.split("\n\n").filter(|paragraph| section_of(paragraph) == position);
        let paragraphs: Vec<&str> = paragraphs
            .map(|paragraph| match paragraph.strip_prefix(begin) {
                Some(rest) => rest.strip_prefix(['\n', ' ']).unwrap_or(rest),
                None => paragraph,
            })
            .filter(|paragraph| !paragraph.is_empty())
            .collect();
        if !paragraphs.is_empty() {
            text.push_str(&format!("{begin}\n{}\n", paragraphs.join("\n\n")));
        }
    }
    text
}

/// The index of the section for notes.
const NOTES: usize = 1;

/// The programs that format a page from standard input and show it in a pager, in the order in which they are tried.
const VIEWERS: [&[&str]; 2] = [&["man", "-l", "-"], &["mandoc", "-a"]];

/// Shows a page until the reader ends the pager. Returns `false` if no viewer is installed, or none succeeds.
fn show_on_terminal(page: &str) -> bool {
    leave_interrupts_to_the_pager();
    VIEWERS.iter().any(|viewer| is_shown_by(viewer, page))
}

fn is_shown_by(viewer: &[&str], page: &str) -> bool {
    let Some((program, options)) = viewer.split_first() else { return false };
    let started = process::Command::new(program).args(options).stdin(Stdio::piped()).spawn();
    let Ok(mut started) = started else { return false };
    // The reader may end the pager before it has the whole page.
    if let Some(mut stdin) = started.stdin.take() {
        let _ = stdin.write_all(page.as_bytes());
    }
    started.wait().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;

    /// The names of the long options of a command.
    fn options(command: &Command) -> Vec<String> {
        command.get_arguments().filter_map(|arg| arg.get_long()).map(str::to_owned).collect()
    }

    #[test]
    fn each_command_has_a_page_with_its_options() {
        let program = command_line();
        let main = page_of(&program).unwrap();
        assert!(!main.contains("arrow\\-ipc\\-help"), "{main}");
        for topic in ["NULLS: ", "TYPES: ", "CODECS: ", "CONDITIONS: "] {
            assert!(main.contains(&format!(".SH \"{topic}")), "{topic} in {main}");
        }
        let mut n_options = 0;
        for command in commands(&program) {
            let name = command.get_name();
            let page = page_of(command).unwrap();
            let version = env!("CARGO_PKG_VERSION");
            assert!(page.contains(&format!(".TH arrow-ipc-{name} 1  \"arrow-ipc {version}\"")), "{page}");
            assert_eq!(page.matches(".nf\n").count(), page.matches(".fi\n").count(), "{page}");
            assert!(page.contains(".nf\n  arrow\\-ipc ") || page.contains(".nf\n  mkdir"), "{page}");
            assert!(!page.contains("EXTRA") && !page.contains("Examples:"), "{page}");
            assert!(main.contains(&format!("arrow\\-ipc\\-{name}(1)")), "{main}");
            let synopsis = page.split_once(".SH SYNOPSIS\n").and_then(|(_, rest)| rest.lines().next());
            let usage = shown(&command.clone().render_usage().to_string()).replace("Usage: ", "");
            assert_eq!(synopsis.map(|line| line.replace('\\', "")), Some(usage), "{name}");
            for option in options(command) {
                let shown = format!("\\-\\-{}", option.replace('-', "\\-"));
                assert!(page.contains(&shown), "{name}: {shown} in {page}");
                n_options += 1;
            }
        }
        assert!(n_options > 60, "{n_options}");
    }

    #[test]
    fn each_option_is_completed_by_each_shell() {
        let program = command_line();
        for shell in Shell::value_variants() {
            let script = completions_for(*shell);
            for command in commands(&program) {
                assert!(script.contains(command.get_name()), "{shell}: {}", command.get_name());
                for option in options(command) {
                    let shown =
                        if *shell == Shell::Fish { format!("-l {option}") } else { format!("--{option}") };
                    assert!(script.contains(&shown), "{shell}: {shown}");
                }
            }
        }
    }
}

//! The text of the help: pages about topics that concern several commands (`help TOPIC`), and the texts after the options
//! of each command.

/// The pages. Each page begins with `# `, the topic, and the headline of the page.
const PAGES: &str = include_str!("topics.txt");

/// The texts after the options. Each text begins with `# ` and its command. A paragraph that several texts share has a
/// name in parentheses. The texts contain this name instead of the paragraph.
const COMMANDS: &str = include_str!("commands.txt");

/// The sections of a file: the first line of each section, and its text.
fn sections(file: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let sections = file.trim_start_matches("# ").split("\n# ");
    sections.filter_map(|section| section.split_once('\n')).map(|(head, text)| (head, text.trim_end()))
}

/// The topics with their headlines and texts.
fn pages() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    sections(PAGES).filter_map(|(head, text)| {
        let (topic, about) = head.split_once(": ")?;
        Some((topic, about, text))
    })
}

pub(crate) fn after_options(command: &str) -> String {
    let text = |name: &str| sections(COMMANDS).find(|(head, _)| *head == name).map_or("", |(_, text)| text);
    let inputs = ["(arrow)", "(rows)"].into_iter();
    inputs.fold(text(command).to_owned(), |all, name| all.replace(name, text(name)))
}

/// The page of a topic; `None` if there is none. The page `topics` lists all topics.
pub(crate) fn page(topic: &str) -> Option<String> {
    if topic == "topics" {
        let lines = pages().map(|(topic, about, _)| format!("  {topic:<12}{about}\n"));
        return Some(format!("Show a page with `arrow-ipc help TOPIC`:\n\n{}", lines.collect::<String>()));
    }
    let (_, about, text) = pages().find(|(name, ..)| *name == topic)?;
    Some(format!("{topic}: {about}\n\n{text}\n"))
}

/// The word that begins the name of a topic in [`for_manual`].
pub(crate) const TOPIC: &str = "Topic ";

/// The pages that are only in the manual, and not in the help of the program.
pub(crate) fn for_manual() -> String {
    let others = pages().filter(|(topic, ..)| !["inputs", "statuses"].contains(topic));
    others.map(|(topic, about, text)| format!("{TOPIC}{topic}: {about}\n{text}\n")).collect()
}

/// The end of the help of the program.
pub(crate) fn after_help() -> String {
    let text = |topic| pages().find(|(name, ..)| *name == topic).map_or("", |(.., text)| text);
    let (inputs, statuses) = (text("inputs"), text("statuses"));
    format!(
        "{inputs}\n\nExit status:\n{statuses}\n\nPages about nulls, types, codecs and conditions: arrow-ipc help topics"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{args::command_line, exit::Status};

    #[test]
    fn pages_fit_a_screen() {
        let commands = command_line();
        let topics: Vec<&str> = pages().map(|(topic, ..)| topic).collect();
        assert_eq!(topics, ["inputs", "statuses", "nulls", "types", "codecs", "conditions"]);
        for topic in topics.iter().copied().chain(["topics"]) {
            let page = page(topic).unwrap();
            assert!(page.lines().count() <= 24, "{topic}");
            assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
            // The name of a topic must not be that of a command, which has its own help.
            assert!(commands.find_subcommand(topic).is_none(), "{topic}");
        }
        assert!(after_help().lines().all(|line| line.chars().count() <= 80));
        assert_eq!(page("topic"), None);
    }

    /// Sentences after the options are not broken into lines in the source: the width of the terminal breaks them.
    #[test]
    fn paragraphs_after_the_options_fit_each_width() {
        for command in command_line().get_subcommands() {
            let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            for line in after.lines().filter(|line| !line.is_empty() && !line.starts_with(' ')) {
                assert!(line.ends_with(['.', ':']), "{}: {line}", command.get_name());
            }
        }
    }

    #[test]
    fn the_statuses_are_those_of_the_program() {
        let next = |status: &Status| match status {
            Status::Fine => Some(Status::No),
            Status::No => Some(Status::Usage),
            Status::Usage => Some(Status::DataLost),
            Status::DataLost => Some(Status::Io),
            Status::Io => Some(Status::Refused),
            Status::Refused => Some(Status::NoAnswer),
            Status::NoAnswer => None,
        };
        let statuses =
            std::iter::successors(Some(Status::Fine), next).map(|status| (status as u8).to_string());
        let page = page("statuses").unwrap();
        let listed = page.lines().filter_map(|line| line.trim_start().split_once("  "));
        assert_eq!(
            listed.map(|(status, _)| status.to_owned()).collect::<Vec<_>>(),
            statuses.collect::<Vec<_>>()
        );
    }

    /// The parser of types reads each type on the page.
    #[test]
    fn the_types_are_read() {
        let page = page("types").unwrap();
        let lines = page.lines().filter_map(|line| line.strip_prefix("  "));
        let types = lines.flat_map(|line| line.split("  ")).filter(|name| !name.contains('…'));
        let types: Vec<arrow_schema::DataType> = types.map(|name| name.parse().unwrap()).collect();
        assert!(types.len() > 35, "{types:?}");
    }

    /// The parser of conditions reads each condition on the page.
    #[test]
    fn the_conditions_are_read() {
        let page = page("conditions").unwrap();
        for condition in [
            page.lines().nth(2).unwrap(),
            "\"first name\" > \"A\"",
            "day >= \"2024-02-29\"",
            "tags = \"[1,2]\"",
            "name like \"a%\"",
        ] {
            assert!(page.contains(condition), "{condition}");
            condition.trim().parse::<arrow_compute::Predicate>().unwrap();
        }
    }
}

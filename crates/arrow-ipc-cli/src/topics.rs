//! The help: pages about topics (`help TOPIC`), and the texts below the options of each command.

/// All pages. Each begins with `# `, the topic, and a headline.
const PAGES: &str = include_str!("topics.txt");

/// The texts below the options. Each begins with `# ` and the name of its command. A paragraph that several texts
/// share has a name in parentheses, and texts contain this name instead of the paragraph.
const COMMANDS: &str = include_str!("commands.txt");

/// Splits a file into sections: the first line of each, and its text.
fn sections(file: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let sections = file.trim_start_matches("# ").split("\n# ");
    sections.filter_map(|section| section.split_once('\n')).map(|(title, text)| (title, text.trim_end()))
}

/// Each topic, with its headline and text.
fn pages() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    sections(PAGES).filter_map(|(title, text)| {
        let (topic, about) = title.split_once(": ")?;
        Some((topic, about, text))
    })
}

pub(crate) fn after_options(command: &str) -> String {
    let text = |name: &str| sections(COMMANDS).find(|(title, _)| *title == name).map_or("", |(_, text)| text);
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

/// The word before the name of a topic in [`for_manual`].
pub(crate) const TOPIC: &str = "Topic ";

/// The pages that only the manual has, as text.
pub(crate) fn for_manual() -> String {
    let others = pages().filter(|(topic, ..)| !["inputs", "statuses"].contains(topic));
    others.map(|(topic, about, text)| format!("{TOPIC}{topic}: {about}\n{text}\n")).collect()
}

/// The end of the help that `arrow-ipc --help` shows.
pub(crate) fn after_help() -> String {
    let text = |topic| pages().find(|(name, ..)| *name == topic).map_or("", |(.., text)| text);
    let inputs = text("inputs");
    let statuses = text("statuses");
    format!(
        "{inputs}\n\nExit status:\n{statuses}\n\nPages about nulls, types, conditions, CSV and others: arrow-ipc help topics"
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
        assert_eq!(
            topics,
            [
                "inputs",
                "statuses",
                "nulls",
                "types",
                "codecs",
                "conditions",
                "json",
                "csv",
                "outputs",
                "recovery"
            ]
        );
        for topic in topics.iter().copied().chain(["topics"]) {
            let page = page(topic).unwrap();
            assert!(page.lines().count() <= 24, "{topic}");
            assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
            // Commands have their own help, so no topic may have the name of a command.
            assert!(commands.find_subcommand(topic).is_none(), "{topic}");
        }
        assert!(after_help().lines().all(|line| line.chars().count() <= 80));
        assert_eq!(page("topic"), None);
    }

    /// Texts below the options have no line breaks inside paragraphs, because the width of the terminal determines
    /// these.
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

    /// The parser of types accepts each type on the page.
    #[test]
    fn the_types_are_read() {
        let page = page("types").unwrap();
        let lines = page.lines().filter_map(|line| line.strip_prefix("  "));
        let types = lines.flat_map(|line| line.split("  ")).filter(|name| !name.contains('…'));
        let types: Vec<arrow_schema::DataType> = types.map(|name| name.parse().unwrap()).collect();
        assert!(types.len() > 35, "{types:?}");
    }

    /// The parser of conditions accepts each condition on the page.
    #[test]
    fn the_conditions_are_read() {
        let page = page("conditions").unwrap();
        for condition in [
            page.lines().nth(2).unwrap(),
            "\"first name\" > \"A\"",
            "day >= \"2024-02-29\"",
            "key = x\"00ff\"",
            "tags = \"[1,2]\"",
            "name like \"a%\"",
        ] {
            assert!(page.contains(condition), "{condition}");
            condition.trim().parse::<arrow_compute::Predicate>().unwrap();
        }
    }
}

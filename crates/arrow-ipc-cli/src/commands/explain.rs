//! `explain`: describes the layout of an input, the size of its columns, its oddities, and the commands that fix
//! these. Of text, it describes only the first lines.

use arrow_ipc_report::{ExplanationText, JsonMembers, explain, shell_argument};
use arrow_ipc_tools::import::TextFormat;
use arrow_text::format::Counted;
use serde_core::ser::SerializeMap;

use crate::{
    args::ExplainArgs,
    commands::{inspect::report, schema::json_line},
    context::Context,
    exit::{Failure, Status},
    inputs::{
        each, files_of,
        import::{self, OpenedInput, TextInput},
        text_rows::opened,
    },
    names::InputArg,
    output::print,
    terminal::watcher::Watcher,
};

pub(crate) fn run(context: &Context, args: &ExplainArgs) -> Result<Status, Failure> {
    let files = files_of(&args.files);
    let is_one = files.len() == 1;
    let text_options = args.text.options(files.len());
    let columns = args.columns.as_ref().map(|columns| &columns.0);
    let mut separator = "";
    each(context, &files, |name| {
        let mut watcher = Watcher::new(context);
        let input_name = (!is_one).then_some(name);
        let input = match opened(context, name, &text_options)? {
            OpenedInput::Arrow(input) => input,
            OpenedInput::Text(text) => {
                if columns.is_some() {
                    let option = "--columns";
                    let expected = "Arrow data";
                    let found = "text";
                    return Err(Failure::OptionOf { option, expected, found, name: name.clone() });
                }
                let about = if args.json {
                    json_line(input_name, &text)
                } else {
                    format!("{separator}{}", prose_of(name, &text))
                };
                // Reports the same wrong options as `cat`.
                import::import(context, name, text, &text_options, None)?;
                separator = "\n";
                print(about)?;
                return Ok(Status::Fine);
            }
        };
        let (explanation, inspected) = explain(input, columns, &mut watcher)?;
        let text = if args.json {
            json_line(input_name, &explanation)
        } else {
            let name = &name.into();
            let colors = context.report_colors();
            format!("{separator}{}", ExplanationText { input: name, explanation: &explanation, colors })
        };
        separator = "\n";
        print(text)?;
        Ok(report(context, inspected))
    })
}

/// Describes the format of text, from its first lines.
fn prose_of(name: &InputArg, text: &TextInput) -> String {
    let codec = text.codec.map(|codec| format!(", {codec}")).unwrap_or_default();
    let mut about = String::new();
    let form = match text.format {
        TextFormat::JsonLines => "lines of JSON",
        TextFormat::Json => "JSON, whose rows are no lines",
        TextFormat::Csv(csv) => {
            let n_skipped = csv.n_skipped_lines();
            let first = n_skipped.saturating_add(1);
            let quoted = csv.quote().map(|quote| format!("quoted by {:?}", char::from(quote)));
            let quoted = quoted.unwrap_or_else(|| "not quoted".to_owned());
            let names =
                if csv.has_header() { "names" } else { "a row, and columns are called c0, c1 and so on" };
            let skipped = if n_skipped > 0 {
                format!("{} skipped; ", Counted(n_skipped, "line"))
            } else {
                String::new()
            };
            about = format!(
                "Cells are separated by {:?}, and {quoted}; {skipped}line {first} has {names}.\n",
                char::from(csv.delimiter())
            );
            "CSV"
        }
    };
    let input = arrow_ipc_tools::InputName::from(name);
    let file = shell_argument(&input);
    format!(
        "{input} is {form} in {}{codec}, as far as its first rows tell.\n{about}\n`arrow-ipc schema --infer {file}` shows its columns, `arrow-ipc convert {file} OUT.arrow` reads it.\n",
        text.encoding
    )
}

/// Describes the format of text, from its first lines.
impl JsonMembers for TextInput {
    fn serialize_members<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        let (format, csv) = match self.format {
            TextFormat::Csv(csv) => ("csv", Some(csv)),
            TextFormat::JsonLines => ("jsonl", None),
            TextFormat::Json => ("json", None),
        };
        object.serialize_entry("container", "text")?;
        object.serialize_entry("format", format)?;
        object.serialize_entry("encoding", &self.encoding.to_string())?;
        object.serialize_entry("codec", &self.codec.map(|codec| codec.to_string()))?;
        object.serialize_entry("delimiter", &csv.map(|csv| char::from(csv.delimiter())))?;
        object.serialize_entry("n_skipped_lines", &csv.map(|csv| csv.n_skipped_lines()))?;
        object.serialize_entry("has_header", &csv.map(|csv| csv.has_header()))
    }
}

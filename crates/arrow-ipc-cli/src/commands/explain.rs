//! `explain`: describes the layout of an input, the size of its columns, its oddities, and the commands that fix
//! these. Of text, it describes only the first lines.

use arrow_ipc_report::{ExplanationText, explain, explanation_as_json, shell_argument};
use arrow_ipc_tools::import::TextFormat;
use arrow_text::format::Counted;
use serde_json::{Value, json};

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
        let of_several = (!is_one).then_some(name);
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
                    json_line(of_several, json_of(&text))
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
            json_line(of_several, explanation_as_json(&explanation))
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

fn json_of(text: &TextInput) -> Value {
    let (format, csv) = match text.format {
        TextFormat::Csv(csv) => ("csv", Some(csv)),
        TextFormat::JsonLines => ("jsonl", None),
        TextFormat::Json => ("json", None),
    };
    json!({
        "container": "text",
        "format": format,
        "encoding": text.encoding.to_string(),
        "codec": text.codec.map(|codec| codec.to_string()),
        "delimiter": csv.map(|csv| char::from(csv.delimiter())),
        "n_skipped_lines": csv.map(|csv| csv.n_skipped_lines()),
        "has_header": csv.map(|csv| csv.has_header()),
    })
}

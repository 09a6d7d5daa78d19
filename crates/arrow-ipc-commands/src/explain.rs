//! `explain`: what an input is, what takes its bytes, what is odd about it, and the command that would mend that.

use arrow_ipc::Limits;
use arrow_ipc_tools::{JsonLine, Prose, explain_columns, explanation_as_json};

use crate::{
    args::ExplainArgs,
    exit::{Failure, Status},
    inputs::{each, files_of},
    inspect::report,
    output::print,
    schema::of_input,
    watcher::Watcher,
};

pub(crate) fn run(args: &ExplainArgs) -> Result<Status, Failure> {
    let files = files_of(&args.files);
    let is_one = files.len() == 1;
    let columns = args.columns.as_ref().map(|columns| &columns.0);
    let mut separator = "";
    each(&files, |name| {
        let mut watcher = Watcher::default();
        let (explanation, inspected) =
            explain_columns(name.open()?, columns, &Limits::default(), &mut watcher)?;
        let text = if args.json {
            let object = explanation_as_json(&explanation);
            let object = if is_one { object } else { of_input(name, object) };
            format!("{}\n", JsonLine(&object))
        } else {
            format!("{separator}{}", Prose { name: &name.into(), it: &explanation })
        };
        separator = "\n";
        print(text)?;
        Ok(report(inspected))
    })
}

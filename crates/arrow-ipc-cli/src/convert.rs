//! `convert`: rewrites a stream or file as a stream or file, and keeps its metadata.

use std::ffi::OsStr;

use arrow_compute::Digits;
use arrow_ipc_tools::{
    Conversion, ConvertOptions, Loss, Reshaping, Target, TextFormat, ToolError, ToolErrorKind,
};

use crate::{
    args::{self, ChangedColumnsArgs, ConvertArgs, Dictionaries, Renamed, ReshapingArgs, Retyped},
    exit::{Failure, Status, note, row_advice_by_schema},
    import::{self, Opened, Text},
    inputs::n_threads,
    names::{InputName, OutputName},
    output::Output,
    progress::Watcher,
    terminal::is_stdout_terminal,
    write_options::options_of,
};

pub(crate) fn run(args: &ConvertArgs) -> Result<Status, Failure> {
    let Some(target) = args.to.map(Target::from).or_else(|| target_of(&args.output)) else {
        return Err(Failure::UnknownTarget { name: args.output.clone(), input: Some((&args.input).into()) });
    };
    if args.output == OutputName::Stdout && is_stdout_terminal() {
        return Err(Failure::Terminal { name: args.output.clone() });
    }
    let mut options = ConvertOptions::new(target).with_writing(options_of(&args.writing)?);
    if args.writing.dictionaries == Dictionaries::Unify {
        options = options.unifying_dictionaries();
    }
    if args.unchecked {
        options = options.unchecked();
    }
    if let Some(reshaping) = reshaping_of(&args.reshaping) {
        if args.writing.dictionaries == Dictionaries::Unify {
            return Err(Failure::UnifiedOther);
        }
        options = options.reshaping(reshaping);
    }
    let input = match import::open(&args.input, &args.text)? {
        Opened::Text(text, format) => {
            let written = of_text(args, (text, format), &options);
            let by_schema =
                |failure| if args.given.schema.is_some() { of_given_schema(failure) } else { failure };
            return written.map_err(by_schema);
        }
        Opened::Arrow(input) => input,
    };
    let of_text = [("--schema", args.given.schema.is_some()), ("--threads", args.threads.is_some())];
    if let Some((option, _)) = of_text.into_iter().find(|(_, is_given)| *is_given) {
        let (expected, found) = ("text", "Arrow data");
        return Err(Failure::OptionOf { option, expected, found, name: args.input.clone() });
    }
    let failed = |error: ToolError| of_output(&args.output, error);
    // The output is touched once the input is known to be readable.
    let conversion = Conversion::open(input, &options, &mut Watcher::default()).map_err(failed)?;
    let output = Output::create(&args.output)?;
    let (output, losses) = conversion.write_to(output, &mut Watcher::default()).map_err(failed)?;
    output.keep(&args.output)?;
    Ok(report(&args.input, &losses))
}

/// Writes the rows of text.
fn of_text(
    args: &ConvertArgs,
    text: (Text, TextFormat),
    options: &ConvertOptions,
) -> Result<Status, Failure> {
    if args.writing.dictionaries == Dictionaries::Unify {
        let (option, expected, found) = ("--dictionaries unify", "Arrow data", "text");
        return Err(Failure::OptionOf { option, expected, found, name: args.input.clone() });
    }
    let import = import::import(&args.input, text, &args.text, args.given.schema.as_deref())?;
    let import = import.with_threads(n_threads(args.threads));
    let failed = |error: ToolError| of_output(&args.output, error);
    // The output is touched once the first rows have been read.
    let output = Output::create(&args.output)?;
    let output = import.write_to(output, options, &mut Watcher::default()).map_err(failed)?;
    output.keep(&args.output)?;
    Ok(Status::Fine)
}

/// A schema that is given is not inferred from more rows.
fn of_given_schema(failure: Failure) -> Failure {
    let Failure::Tool(error) = failure else { return failure };
    let advice = match error.kind() {
        ToolErrorKind::Row(row) => row_advice_by_schema(row.kind()),
        _ => None,
    };
    match advice {
        Some(advice) => Failure::Advised { error, advice },
        None => error.into(),
    }
}

/// What changes besides the encoding, if anything does.
fn reshaping_of(args: &ReshapingArgs) -> Option<Reshaping> {
    let reshaping = changed_columns(&args.columns);
    match args.batch_rows {
        Some(n_rows) => Some(reshaping.unwrap_or_default().with_batch_rows(n_rows)),
        None => reshaping,
    }
}

/// How columns change, if they do.
pub(crate) fn changed_columns(args: &ChangedColumnsArgs) -> Option<Reshaping> {
    let ChangedColumnsArgs { columns, rename, cast, lossy } = args;
    if columns.is_none() && rename.is_empty() && cast.is_empty() {
        return None;
    }
    let mut reshaping = Reshaping::new().with_digits(if *lossy { Digits::Drop } else { Digits::Keep });
    if let Some(columns) = columns {
        reshaping = reshaping.with_columns(columns.0.clone());
    }
    for Renamed(old, new) in rename {
        reshaping = reshaping.renaming(old, new);
    }
    for Retyped(column, data_type) in cast {
        reshaping = reshaping.casting(column, data_type.clone());
    }
    Some(reshaping)
}

/// Errors of the output have its name.
pub(crate) fn of_output(name: &OutputName, error: ToolError) -> Failure {
    let input = error.input().clone();
    match error.into_kind() {
        ToolErrorKind::Output(error) => Failure::Encode { name: name.clone(), error },
        kind => ToolError::new(input, kind).into(),
    }
}

/// Reports what was lost.
fn report(name: &InputName, losses: &[Loss]) -> Status {
    losses.iter().for_each(|loss| note(&format!("{name}: {loss}")));
    if losses.is_empty() { Status::Fine } else { Status::DataLost }
}

impl From<args::Target> for Target {
    fn from(target: args::Target) -> Target {
        match target {
            args::Target::Stream => Target::Stream,
            args::Target::File => Target::File,
        }
    }
}

/// The container by the extension of a name, in upper or lower case.
pub(crate) fn target_of(name: &OutputName) -> Option<Target> {
    let OutputName::Path(path) = name else { return None };
    let extension = path.extension().and_then(OsStr::to_str)?.to_ascii_lowercase();
    match extension.as_str() {
        "arrows" => Some(Target::Stream),
        "arrow" | "feather" | "ipc" => Some(Target::File),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_they_hold() {
        let cases = [
            ("a.arrows", Some(Target::Stream)),
            ("a.arrow", Some(Target::File)),
            ("b/a.feather", Some(Target::File)),
            ("a.ipc", Some(Target::File)),
            ("A.ARROWS", Some(Target::Stream)),
            ("a.parquet", None),
            ("arrow", None),
            ("a.arrow/b", None),
        ];
        for (name, expected) in cases {
            assert_eq!(target_of(&OutputName::Path(name.into())), expected, "{name}");
        }
        assert_eq!(target_of(&OutputName::Stdout), None);
    }
}

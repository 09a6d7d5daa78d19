//! The commands: each reads its arguments, and returns an exit status or a failure.

pub(crate) mod append;
pub(crate) mod assemble;
pub(crate) mod cat;
pub(crate) mod convert;
pub(crate) mod count;
pub(crate) mod diff;
pub(crate) mod explain;
pub(crate) mod index;
pub(crate) mod inspect;
pub(crate) mod messages;
pub(crate) mod outputs;
pub(crate) mod part_outputs;
pub(crate) mod recover;
pub(crate) mod schema;
pub(crate) mod stats;
pub(crate) mod text_output;
pub(crate) mod validate;
pub(crate) mod write_options;

use arrow_ipc::Threads;

use crate::{
    args::Command,
    context::Context,
    exit::{Failure, Status},
    manual,
    names::OutputName,
    output::destination::OutputRule,
    serve,
};

/// Runs a command.
///
/// # Errors
/// If the command fails. What it has done for some of its inputs stays done.
pub(crate) fn execute(context: &Context, command: &Command) -> Result<Status, Failure> {
    // Without `--threads`, the pool is created when it is first used.
    if let Some(n_threads) = command.threads().given() {
        Threads::make_pool(n_threads);
    }
    let printed = OutputRule {
        inputs: &command.printed_inputs(),
        schema: None,
        is_output_named: true,
        replaces_input: false,
    };
    printed.allow(&OutputName::Stdout)?;
    match command {
        Command::Schema(args) => schema::run(context, args),
        Command::Stats(args) => stats::run(context, args),
        Command::Cat(args) => cat::run(context, args),
        Command::Head(args) => cat::head(context, args),
        Command::Tail(args) => cat::tail(context, args),
        Command::Sample(args) => cat::sample(context, args),
        Command::Count(args) => count::run(context, args),
        Command::Index(args) => index::run(context, args),
        Command::Inspect(args) => inspect::run(context, args),
        Command::Serve(args) => serve::run(context, args),
        Command::Explain(args) => explain::run(context, args),
        Command::Validate(args) => validate::run(context, args),
        Command::Convert(args) => convert::run(context, args),
        Command::Concat(args) => assemble::concat(context, args),
        Command::Split(args) => assemble::split(context, args),
        Command::Diff(args) => diff::run(context, args),
        Command::Append(args) => append::run(context, args),
        Command::Recover(args) => recover::run(context, args),
        Command::Completions(args) => manual::completions(args),
        Command::Man(args) => manual::man(args),
    }
}

//! Refuses options that make lengths depend on values, since a plan contains no values.

use crate::{
    dictionary::DictionaryPolicy,
    error::{IpcErrorKind, Result},
    options::{NullSlots, SharedBuffers, Unused, WriteOptions},
};

/// # Errors
/// If an option makes lengths depend on values.
pub(super) fn check_options(options: &WriteOptions) -> Result<()> {
    let by_values = "the length of a buffer depends on its values";
    let refused = if options.compression().is_some() {
        Some(("compression", by_values))
    } else if options.null_slots() == NullSlots::Zeros {
        Some(("null slots of zeros", "values come from the provider, which can give zeros itself"))
    } else if options.shared_buffers() == SharedBuffers::Once {
        Some(("shared buffers written once", "buffers with the same bytes cannot be found from shapes"))
    } else if options.unused_items() == Unused::LeftOut || options.unused_values() != Unused::Kept {
        Some(("leaving out unused values", by_values))
    } else {
        match options.dictionaries() {
            DictionaryPolicy::Replace | DictionaryPolicy::Error => None,
            DictionaryPolicy::Delta => {
                Some(("the dictionary policy `Delta`", "which values are new depends on the values"))
            }
            DictionaryPolicy::Unify(_) => {
                Some(("the dictionary policy `Unify`", "which values are the same depends on the values"))
            }
        }
    };
    refused.map_or(Ok(()), |(what, why)| Err(IpcErrorKind::NotPlannable { what, why }.into()))
}

//! Says what can be saved from an input that is damaged, by the location and the kind of the damage.

use arrow_data::DataErrorKind;
use arrow_ipc::{ErrorClass, FormatErrorKind, IpcError, IpcErrorKind};

/// What can be saved from a damaged input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Salvage {
    /// Nothing: the input ends before its first batch. Its writer was not finished, or the copy is not complete.
    Nothing,
    /// The complete batches of an input that ends too early.
    CompleteBatches,
    /// The batches, if their columns are known, because the schema of the input is damaged.
    BatchesOfGivenSchema,
    /// The batches that can be read. The damage is in the values of a batch, which an inspection does not show.
    ReadableBatches,
    /// The batches that can be read. An inspection shows the damaged message.
    ReadableMessages,
}

impl Salvage {
    /// What can be saved from an input with this error; `None` if the input is not damaged. Values that only strict
    /// validation refuses are no damage.
    ///
    /// ```
    /// use arrow_ipc::FileReader;
    /// use arrow_ipc_report::Salvage;
    ///
    /// let error = FileReader::try_from_buffer(b"ARROW1".to_vec().into()).unwrap_err();
    /// assert_eq!(Salvage::from_error(&error), Some(Salvage::Nothing));
    /// ```
    pub fn from_error(error: &IpcError) -> Option<Salvage> {
        let location = error.location();
        let is_in_batch = location.field.is_some() || location.buffer.is_some();
        let is_before_batches = location.message == Some(0)
            || matches!(error.kind(), IpcErrorKind::Format(FormatErrorKind::Truncated { what: "file", .. }));
        match error.class() {
            ErrorClass::Truncated if is_before_batches => Some(Salvage::Nothing),
            ErrorClass::Truncated => Some(Salvage::CompleteBatches),
            ErrorClass::Malformed if is_before_batches => Some(Salvage::BatchesOfGivenSchema),
            ErrorClass::Malformed if is_of_strict_validation(error) => None,
            ErrorClass::Malformed if is_in_batch => Some(Salvage::ReadableBatches),
            ErrorClass::Malformed => Some(Salvage::ReadableMessages),
            ErrorClass::Io
            | ErrorClass::LimitExceeded
            | ErrorClass::OutOfMemory
            | ErrorClass::Unsupported
            | ErrorClass::Misuse
            | ErrorClass::Internal
            | _ => None,
        }
    }
}

/// Whether only strict validation refuses the values.
fn is_of_strict_validation(error: &IpcError) -> bool {
    use DataErrorKind::{DecimalPrecision, NotMultiple, NullInRequired, OutsideDay, UnionOffsetOrder};
    let IpcErrorKind::Data(error) = error.kind() else { return false };
    matches!(
        error.kind(),
        DecimalPrecision { .. }
            | NotMultiple { .. }
            | OutsideDay { .. }
            | UnionOffsetOrder { .. }
            | NullInRequired
    )
}

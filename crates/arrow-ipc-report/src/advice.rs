//! What helps after an error. Each door says it in its own words: options of a program, or arguments of functions.

use arrow_buffer::BudgetError;
use arrow_compute::{CastError, CastErrorKind};
use arrow_data::DataErrorKind;
use arrow_ipc::{
    Container, FormatErrorKind, IpcError, IpcErrorKind, MetadataVersion, error::UnsupportedPart,
};
use arrow_schema::PathStep;
use arrow_select::SelectErrorKind;

use crate::salvage::Salvage;

/// What a caller can do after an error of reading, writing or casting.
///
/// ```
/// use arrow_ipc::StreamReader;
/// use arrow_ipc_report::{Advice, Salvage};
///
/// let error = StreamReader::try_new(&b"\xff\xff"[..]).unwrap_err();
/// assert_eq!(Advice::from_error(&error), Some(Advice::Salvage(Salvage::Nothing)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Advice<'a> {
    /// Convert a file of Feather version 1 to an Arrow file.
    ConvertFeather,
    /// Read the file with a library for Parquet.
    ReadParquet,
    /// Convert the stream to a file.
    ConvertStream,
    /// Read the input as a file.
    ReadFile,
    /// The input is in an unknown format: say how Arrow data begins.
    UnknownFormat,
    /// Raise the limit of fields.
    AllowMoreFields,
    /// Write the index of this stream again.
    WriteIndex,
    /// Write the data again without compression.
    WriteUncompressed,
    /// Select columns that can be read.
    SelectReadableColumns,
    /// Look at the types of all columns.
    ShowTypes,
    /// Read without strict validation.
    ReadLeniently,
    /// Save the complete batches: the end of the file is missing or damaged.
    SaveBeforeEnd,
    /// Save the complete batches: the start of the input may be overwritten.
    SaveAfterStart,
    /// Save what the damage has left.
    Salvage(Salvage),
    /// Try again when another process has finished its append.
    WaitForAppend,
    /// Give the rows the columns of the schema.
    MatchColumns,
    /// Unify dictionaries, append new values to them, or write a stream, which may replace them.
    ChooseDictionaries,
    /// Unify the dictionaries of columns that share one.
    UnifyDictionaries,
    /// Write a stream, which may replace dictionaries that have an order.
    ReplaceInStream,
    /// Write metadata of version 4.
    WriteVersion4,
    /// Write metadata of version 5.
    WriteVersion5,
    /// Cast a dictionary column to indices of 32 bits.
    WidenIndices {
        /// The name of the column.
        column: &'a str,
    },
    /// Cast a column to wider run ends, or join fewer rows.
    WidenRunEnds,
    /// Casts of structs keep all fields: select the fields that are needed.
    SelectFieldsOfStruct,
    /// There is no such cast: say which there are.
    ListCasts,
    /// Raise the limit of the memory of casts.
    AllowMoreCastMemory,
    /// Allow the cast to lose something.
    AllowLoss(LostByCast),
    /// Say how time zones are named.
    NameZone,
}

/// What a cast loses, or changes, if loss is allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LostByCast {
    /// Digits of numbers.
    Digits,
    /// A part of times.
    Part,
    /// The later of two instants of a local time that clocks show twice.
    LaterInstant,
    /// Local times that clocks skip: they become later.
    SkippedTime,
}

impl<'a> Advice<'a> {
    /// What helps after an error of reading or writing; `None` if nothing is known.
    // Most kinds say themselves what to do, or nothing helps.
    #[allow(clippy::wildcard_enum_match_arm)]
    pub fn from_error(error: &'a IpcError) -> Option<Advice<'a>> {
        Some(match error.kind() {
            IpcErrorKind::WrongContainer { found, .. } => match found {
                Container::FeatherV1 => Advice::ConvertFeather,
                Container::Parquet => Advice::ReadParquet,
                Container::Stream => Advice::ConvertStream,
                Container::File => Advice::ReadFile,
                _ => Advice::UnknownFormat,
            },
            IpcErrorKind::Format(FormatErrorKind::TooManyFields { .. }) => Advice::AllowMoreFields,
            IpcErrorKind::Format(FormatErrorKind::NotUtf8 { .. }) => Advice::ReadLeniently,
            IpcErrorKind::Format(FormatErrorKind::Unsupported { what }) => match what {
                UnsupportedPart::Part(words) if words.contains("compressed") => Advice::WriteUncompressed,
                UnsupportedPart::Column { n_readable: 1.., .. } => Advice::SelectReadableColumns,
                UnsupportedPart::Column { .. }
                | UnsupportedPart::TypeTag { .. }
                | UnsupportedPart::WideInteger { .. } => Advice::ShowTypes,
                _ => return None,
            },
            IpcErrorKind::StreamIndex { .. } => Advice::WriteIndex,
            IpcErrorKind::NoSchema => Advice::SaveAfterStart,
            IpcErrorKind::EmptyInput => Advice::Salvage(Salvage::Nothing),
            IpcErrorKind::EndMagic { .. } | IpcErrorKind::FooterLength { .. } => Advice::SaveBeforeEnd,
            IpcErrorKind::Locked { .. } => Advice::WaitForAppend,
            IpcErrorKind::Schema(_) => Advice::MatchColumns,
            IpcErrorKind::ReplacedDictionary { .. } => Advice::ChooseDictionaries,
            IpcErrorKind::SharedDictionaryValues { .. } => Advice::UnifyDictionaries,
            IpcErrorKind::OppositeOrders { .. } | IpcErrorKind::UnknownOrder { .. } => {
                Advice::ReplaceInStream
            }
            IpcErrorKind::NotInVersion { version: MetadataVersion::V5, .. } => Advice::WriteVersion4,
            IpcErrorKind::NotInVersion { .. } => Advice::WriteVersion5,
            IpcErrorKind::Select(select) => match select.kind() {
                SelectErrorKind::OrderedDictionaries => Advice::ReplaceInStream,
                SelectErrorKind::IndexOverflow { .. } => {
                    let path = error.location().field.as_ref().unwrap_or(select.path());
                    let [PathStep::Child { name, .. }] = path.steps() else { return None };
                    Advice::WidenIndices { column: name }
                }
                SelectErrorKind::RunEndOverflow { .. } => Advice::WidenRunEnds,
                _ => Advice::Salvage(Salvage::from_error(error)?),
            },
            _ => Advice::Salvage(Salvage::from_error(error)?),
        })
    }

    /// What helps after an error of a cast; `None` if nothing is known.
    pub fn from_cast_error(error: &CastError) -> Option<Advice<'static>> {
        Some(match error.kind() {
            CastErrorKind::Unsupported { from, to } if from.is_struct() && to.is_struct() => {
                Advice::SelectFieldsOfStruct
            }
            CastErrorKind::Unsupported { .. } => Advice::ListCasts,
            CastErrorKind::Data(error)
                if matches!(error.kind(), DataErrorKind::Memory(BudgetError::Refused { .. })) =>
            {
                Advice::AllowMoreCastMemory
            }
            CastErrorKind::LostDigits { .. } => Advice::AllowLoss(LostByCast::Digits),
            CastErrorKind::LostPart { .. } => Advice::AllowLoss(LostByCast::Part),
            CastErrorKind::LocalTime { is_repeated: true, .. } => Advice::AllowLoss(LostByCast::LaterInstant),
            CastErrorKind::LocalTime { is_repeated: false, .. } => Advice::AllowLoss(LostByCast::SkippedTime),
            CastErrorKind::UnknownZone { .. } => Advice::NameZone,
            CastErrorKind::OutOfRange { .. }
            | CastErrorKind::NotUtf8 { .. }
            | CastErrorKind::Nulls { .. }
            | CastErrorKind::Array(_)
            | CastErrorKind::Data(_)
            | CastErrorKind::Select(_)
            | _ => return None,
        })
    }
}

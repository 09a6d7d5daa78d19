//! Compares the footer of a file with the stream inside the file.

use std::collections::HashSet;

use arrow_ipc::{
    ErrorClass, IpcError, IpcSchema, MessageKind,
    file::{Block, Footer, UnreferencedKind},
    message::{Header, Message},
};
use arrow_schema::{Metadata, QuotedText};

use crate::{
    error::{Contradiction, trailing::TrailingBytes},
    input::MAGIC_BYTES,
    source::{SharedSource, before_footer::BytesBeforeFooter},
    walk::{Walk, first_block},
};

/// Compares the stream inside a file with the file's footer; reads only metadata. Accepts a file without an end
/// marker. Also accepts a file without a schema message if its first block begins at byte 16 or before, because some
/// writers omit both.
///
/// # Errors
/// If the file cannot be read.
pub(crate) fn check_agreement(file: &SharedSource, footer: &Footer) -> Result<FooterAgreement, IpcError> {
    let mut walk = Walk::file(file.clone(), Some(footer), footer.position())?;
    match compare(&mut walk, footer) {
        Ok(Agreement { found: Some(what), .. }) => Ok(Err(what)),
        Ok(agreement) => agreement.end(&walk, file, footer),
        Err(Contradiction::BrokenStream { error }) if error.class() == ErrorClass::Io => Err(error),
        Err(what) => Ok(Err(what)),
    }
}

/// What readers of a file do not see, because the footer does not lead to it; `None` if the footer agrees with the stream
/// inside the file.
///
/// # Errors
/// If the file cannot be read.
pub(crate) fn unread_part(file: &SharedSource, footer: &Footer) -> Result<Option<Contradiction>, IpcError> {
    let contradiction = check_agreement(file, footer)?.err();
    // Different metadata in the schema message and in the footer is no loss, because a file can store both.
    let found = contradiction.filter(|what| !matches!(what, Contradiction::WholeMetadata));
    if found.is_some() {
        return Ok(found);
    }
    let unreferenced = footer.unreferenced_bytes(file, file.limits())?;
    Ok(unreferenced.map(TrailingBytes::before_footer).map(Contradiction::Unreferenced))
}

/// The bytes between the stream inside a file and the footer, if there is something to report about them; or how the stream
/// contradicts the footer.
pub(crate) type FooterAgreement = Result<Option<BytesBeforeFooter>, Contradiction>;

fn compare(walk: &mut Walk, footer: &Footer) -> Result<Agreement, Contradiction> {
    let broken = |error: IpcError| Contradiction::BrokenStream { error };
    let mut agreement = Agreement::new(footer);
    while let Some(message) = walk.next_message().map_err(broken)? {
        if message.index() == 0
            && let Header::Schema(schema) =
                message.header(walk.limits()).map_err(|error| broken(error.into()))?
        {
            let whole = message.custom_metadata().map_err(|error| broken(error.into()))?;
            compare_schemas(&schema, &whole, footer)?;
        }
        agreement.message(&message);
        if agreement.found.is_some() {
            break;
        }
    }
    Ok(agreement)
}

/// The messages of the stream inside a file, compared with the blocks of its footer.
pub(crate) struct Agreement {
    /// The positions of the blocks in the footer that have no message so far.
    dictionaries: HashSet<u64>,
    batches: HashSet<u64>,
    has_schema_message: bool,
    found: Option<Contradiction>,
}

impl Agreement {
    pub(crate) fn new(footer: &Footer) -> Agreement {
        let positions = |blocks: &[Block]| blocks.iter().map(Block::position).collect::<HashSet<u64>>();
        // A stream reader returns each message once, in the order of the file. If the footer is irregular, file
        // readers do not.
        let irregularity = footer.irregularities().first().copied();
        Agreement {
            dictionaries: positions(footer.dictionaries()),
            batches: positions(footer.batches()),
            has_schema_message: false,
            found: irregularity.map(Contradiction::Footer),
        }
    }

    /// Compares the next message of the stream with the footer.
    pub(crate) fn message(&mut self, message: &Message) {
        self.has_schema_message |= message.kind() == MessageKind::Schema;
        let is_listed = match message.kind() {
            MessageKind::DictionaryBatch => self.dictionaries.remove(&message.position()),
            MessageKind::RecordBatch => self.batches.remove(&message.position()),
            MessageKind::Schema => message.index() == 0,
            MessageKind::Tensor | MessageKind::SparseTensor => false,
        };
        if !is_listed {
            self.found.get_or_insert_with(|| not_in_footer(message));
        }
    }

    /// Returns the first contradiction, or else what is before the footer. Call this after the last message of the stream.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn end(
        self,
        walk: &Walk,
        file: &SharedSource,
        footer: &Footer,
    ) -> Result<FooterAgreement, IpcError> {
        let Agreement { dictionaries, batches, has_schema_message, found } = self;
        let first = |positions: HashSet<u64>| positions.into_iter().min();
        let rest = [(dictionaries, MessageKind::DictionaryBatch), (batches, MessageKind::RecordBatch)];
        let rest = rest.map(|(positions, kind)| {
            first(positions).map(|position| Contradiction::NotInStream { position, kind })
        });
        if let Some(found) = found.or_else(|| rest.into_iter().flatten().next()) {
            return Ok(Err(found));
        }
        const END_MARKER_BYTES: u64 = 8;
        let first_block = first_block(footer);
        if !has_schema_message && first_block > MAGIC_BYTES + END_MARKER_BYTES {
            return Ok(Err(Contradiction::NoSchemaMessage { first_block }));
        }
        if !walk.has_end_marker() {
            return Ok(Ok(None));
        }
        let end = walk.position();
        let position = footer.position();
        if let Some(before) = BytesBeforeFooter::read(file, end, footer)? {
            return Ok(Ok(before));
        }
        let found = footer.unreferenced_bytes(file, file.limits())?;
        Ok(Err(match found {
            Some(found) if found.kind == UnreferencedKind::SecondFile => {
                Contradiction::Unreferenced(TrailingBytes::before_footer(found))
            }
            Some(_) | None => Contradiction::BytesBeforeFooter { end, footer: position },
        }))
    }
}

/// Compares the schema message and its custom metadata with the footer.
///
/// # Errors
/// The first difference, if there is one.
pub(crate) fn compare_schemas(
    message: &IpcSchema,
    whole: &Metadata,
    footer: &Footer,
) -> Result<(), Contradiction> {
    // Many writers store the custom metadata of the file only in the footer, and keys with row counts occur only in
    // footers.
    let [whole, from_footer] = [whole, footer.metadata()].map(Footer::without_own_keys);
    let whole_differs = !whole.is_empty() && whole != from_footer;
    let footer = footer.ipc_schema();
    if names(message) != names(footer) {
        let [message, footer] = [message, footer].map(show_names);
        return Err(Contradiction::Unsupported { message, footer });
    }
    message.schema().check_same_columns(footer.schema())?;
    if message.dictionary_ids() != footer.dictionary_ids() {
        let message = message.dictionary_ids().to_vec();
        let footer = footer.dictionary_ids().to_vec();
        return Err(Contradiction::DictionaryIds { message, footer });
    }
    if message.endianness() != footer.endianness() {
        return Err(Contradiction::Endianness);
    }
    if message.schema().metadata() != footer.schema().metadata() {
        return Err(Contradiction::Metadata { of: "the schema" });
    }
    // Everything else is equal, so the metadata of a field must differ.
    if message.schema() != footer.schema() {
        return Err(Contradiction::Metadata { of: "a field" });
    }
    if whole_differs {
        return Err(Contradiction::WholeMetadata);
    }
    Ok(())
}

/// The columns of unknown types: their positions and names.
fn names(schema: &IpcSchema) -> Vec<(usize, &str)> {
    schema.unsupported_columns().iter().map(|column| (column.position(), column.name())).collect()
}

fn show_names(schema: &IpcSchema) -> String {
    let show = |(position, name)| format!("{} at position {position}", QuotedText(name));
    let names: Vec<_> = names(schema).into_iter().map(show).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

fn not_in_footer(message: &Message) -> Contradiction {
    let index = message.index();
    let position = message.position();
    let kind = message.kind();
    Contradiction::NotInFooter { index, position, kind }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::fs::{self, File};

    use arrow_ipc::{FileReader, FileWriter};
    use arrow_schema::Schema;

    use super::*;

    #[test]
    fn a_file_that_fails_does_not_contradict_itself() {
        let bytes = FileWriter::try_new(Vec::new(), Schema::default()).unwrap().finish();
        let bytes = bytes.unwrap();
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), &bytes).unwrap();
        let reader = FileReader::try_from_buffer(bytes.into()).unwrap();
        let check = |file: File| check_agreement(&SharedSource::new(file), reader.footer());
        let readable = check(File::open(file.path()).unwrap());
        // A file that is opened only for writing has a length, but cannot be read.
        let unreadable = check(File::options().write(true).open(file.path()).unwrap());
        assert!(matches!(readable, Ok(Ok(None))), "{readable:?}");
        assert_eq!(unreadable.unwrap_err().class(), ErrorClass::Io);
    }
}

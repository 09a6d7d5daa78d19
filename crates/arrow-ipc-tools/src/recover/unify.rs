//! Writes a file of an input that replaces dictionaries: one dictionary with all values, instead of the dictionaries
//! of the input.

use std::{collections::HashMap, io::Write};

use arrow_data::RecordBatch;
use arrow_ipc::{
    Compression, DictionaryPolicy, FileWriter, IpcError, IpcSchema, MessageKind, WriteOptions,
    dictionary::DictionaryUnifier, message::Header, message::Message,
};
use arrow_ipc_recover::RecoveryStep;

use super::{copy::CopyOutcome, sourced::SourcedRecovery};
use crate::error::ToolErrorKind;

/// The dictionaries with the values of all recovered batches, and the codec of the first batch.
pub(super) struct UnifiedForm {
    policy: DictionaryPolicy,
    compression: Option<Compression>,
}

impl UnifiedForm {
    /// Reads all batches. `None` if they replace no dictionary: then messages can be copied.
    ///
    /// # Errors
    /// If the input cannot be read. If dictionaries are replaced and cannot be unified: this is an error of the output.
    pub(super) fn read(
        mut recovery: SourcedRecovery,
        schema: &IpcSchema,
        writing: &WriteOptions,
    ) -> Result<Option<UnifiedForm>, ToolErrorKind> {
        let mut unifier = writing.dictionary_unifier(schema.clone());
        let mut known = HashMap::new();
        let mut is_replaced = false;
        let mut compression = None;
        loop {
            match recovery.step()? {
                RecoveryStep::Message { message, batch: Some(batch) } => {
                    let limits = recovery.source.limits();
                    if let (None, Header::RecordBatch(header)) = (compression, message.header(limits)?) {
                        compression = Some(header.compression());
                    }
                    if let Ok(all) = &mut unifier
                        && let Err(error) = all.observe(&batch)
                    {
                        unifier = Err(error);
                    }
                }
                RecoveryStep::Message { message, batch: None }
                    if message.kind() == MessageKind::DictionaryBatch =>
                {
                    is_replaced |= replaces(&mut known, message, recovery.source.limits())?;
                }
                RecoveryStep::End => break,
                RecoveryStep::Message { .. }
                | RecoveryStep::Schema(_)
                | RecoveryStep::Lost(_)
                | RecoveryStep::Need(_)
                | _ => {}
            }
        }
        if !is_replaced {
            return Ok(None);
        }
        let unified = unifier.and_then(DictionaryUnifier::finish).map_err(ToolErrorKind::Output)?;
        let compression = compression.flatten().map(Compression::with_codec);
        Ok(Some(UnifiedForm { policy: DictionaryPolicy::Unify(unified), compression }))
    }

    pub(super) fn begin<'a>(
        self,
        output: &'a mut dyn Write,
        schema: &IpcSchema,
        writing: WriteOptions,
    ) -> Result<UnifyingWriter<'a>, IpcError> {
        let writing = writing.with_dictionaries(self.policy).with_compression(self.compression);
        FileWriter::try_new_with(output, schema.clone(), writing).map(UnifyingWriter)
    }
}

/// Whether a dictionary replaces another one with other values.
fn replaces(
    known: &mut HashMap<i64, Message>,
    message: Message,
    limits: &arrow_ipc::Limits,
) -> Result<bool, IpcError> {
    let Header::DictionaryBatch { id, is_delta: false, .. } = message.header(limits)? else {
        return Ok(false);
    };
    let is_other = known.get(&id).is_some_and(|known| {
        known.metadata_bytes() != message.metadata_bytes() || known.body() != message.body()
    });
    known.insert(id, message);
    Ok(is_other)
}

pub(super) struct UnifyingWriter<'a>(FileWriter<&'a mut dyn Write>);

impl UnifyingWriter<'_> {
    pub(super) fn copy(
        &mut self,
        message: &Message,
        batch: Option<&RecordBatch>,
    ) -> Result<CopyOutcome, IpcError> {
        match (message.kind(), batch) {
            (MessageKind::Tensor | MessageKind::SparseTensor, _) => Ok(CopyOutcome::NoPlace),
            (_, Some(batch)) => {
                self.0.write_with_metadata(batch, &message.custom_metadata()?)?;
                Ok(CopyOutcome::Yes)
            }
            (_, None) => Ok(CopyOutcome::Yes),
        }
    }

    pub(super) fn finish(self) -> Result<(), IpcError> {
        self.0.finish()?.flush().map_err(arrow_ipc::IpcErrorKind::Write)?;
        Ok(())
    }
}

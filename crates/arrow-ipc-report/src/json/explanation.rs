//! An explanation as JSON.

use serde_core::ser::SerializeMap;

use super::{AsText, Items, JsonMembers, JsonObject};
use crate::{
    describe::{container_name, endianness_name},
    explain::{ColumnCost, Explanation, Finding, StatisticsSize},
    explanation_text::{RemedyCommand, finding_text},
};

impl JsonMembers for Explanation {
    fn serialize_members<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        let version = self.version.map(|version| format!("{version:?}"));
        object.serialize_entry("container", container_name(self.container))?;
        object.serialize_entry("n_bytes", &self.n_bytes)?;
        object.serialize_entry("metadata_version", &version)?;
        object.serialize_entry("endianness", &self.endianness.map(endianness_name))?;
        object.serialize_entry("writer", &self.writer)?;
        serialize_counts(self, object)?;
        serialize_sizes(self, object)?;
        object.serialize_entry("statistics", &self.statistics.as_ref().map(JsonObject))?;
        object.serialize_entry("copies", &Items(|| self.copies.iter().map(|cause| cause.name())))?;
        object.serialize_entry("columns", &Items(|| self.columns.iter().map(JsonObject)))?;
        object.serialize_entry("findings", &Items(|| self.findings.iter().map(JsonObject)))
    }
}

fn serialize_counts<M: SerializeMap>(it: &Explanation, object: &mut M) -> Result<(), M::Error> {
    let (least, most) = it.batch_rows.unzip();
    object.serialize_entry("n_streams", &it.n_streams)?;
    object.serialize_entry("n_columns", &it.n_columns)?;
    object.serialize_entry("n_batches", &it.n_batches)?;
    object.serialize_entry("n_truncated_batches", &it.n_truncated_batches)?;
    object.serialize_entry("n_unreadable_batches", &it.n_unreadable_batches)?;
    object.serialize_entry("n_rows", &it.n_rows)?;
    object.serialize_entry("min_batch_rows", &least)?;
    object.serialize_entry("max_batch_rows", &most)?;
    object.serialize_entry("n_dictionary_batches", &it.n_dictionary_batches)?;
    object.serialize_entry("n_dictionary_values", &it.n_dictionary_values)?;
    object.serialize_entry("n_tensors", &it.n_tensors)
}

fn serialize_sizes<M: SerializeMap>(it: &Explanation, object: &mut M) -> Result<(), M::Error> {
    object.serialize_entry("codecs", &Items(|| it.codecs.iter().map(AsText)))?;
    object.serialize_entry("n_body_bytes", &it.n_body_bytes)?;
    object.serialize_entry("n_missing_bytes", &it.n_missing_bytes)?;
    object.serialize_entry("n_decompressed_bytes", &it.n_decompressed_bytes)?;
    object.serialize_entry("n_metadata_bytes", &it.n_metadata_bytes)?;
    object.serialize_entry("n_padding_bytes", &it.n_padding_bytes)?;
    object.serialize_entry("n_tensor_bytes", &it.n_tensor_bytes)?;
    object.serialize_entry("n_unknown_bytes", &it.n_unknown_bytes)?;
    object.serialize_entry("n_other_bytes", &it.n_other_bytes)
}

impl JsonMembers for StatisticsSize {
    fn serialize_members<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        object.serialize_entry("n_bytes", &self.n_bytes)?;
        object.serialize_entry("n_columns", &self.n_columns)
    }
}

impl JsonMembers for ColumnCost {
    fn serialize_members<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        object.serialize_entry("name", &self.name)?;
        object.serialize_entry("type", &self.data_type)?;
        object.serialize_entry("n_bytes", &self.n_bytes)?;
        object.serialize_entry("n_decompressed_bytes", &self.n_decompressed_bytes)
    }
}

impl JsonMembers for Finding {
    fn serialize_members<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        let remedy = self.remedy.as_ref().map(|remedy| JsonObject(RemedyCommand::new(remedy)));
        object.serialize_entry("finding", self.kind.name())?;
        object.serialize_entry("text", &finding_text(&self.kind))?;
        object.serialize_entry("remedy", &remedy)
    }
}

impl JsonMembers for RemedyCommand {
    fn serialize_members<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        object.serialize_entry("command", self.command)?;
        object.serialize_entry("options", &self.options)
    }
}

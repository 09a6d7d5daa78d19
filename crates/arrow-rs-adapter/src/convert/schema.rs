//! Fields and schemas in both directions, with their metadata.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use arrow_schema::{DataType, DictionaryOrder, DictionaryType, Field, Metadata, Schema};

use super::arrow::datatypes::{Field as RsField, Schema as RsSchema, SchemaRef};
use super::data_type::{children, rs_fields};
use super::traits::{FromArrowRs, ToArrowRs};
use crate::error::Result;

impl ToArrowRs for Field {
    type Output = RsField;

    fn to_arrow_rs(&self) -> Result<RsField> {
        let is_ordered =
            if let DataType::Dictionary(it) = self.data_type() { it.is_ordered() } else { false };
        let field = RsField::new(self.name(), self.data_type().to_arrow_rs()?, self.is_nullable());
        Ok(field.with_dict_is_ordered(is_ordered).with_metadata(HashMap::from(self.metadata())))
    }
}

impl ToArrowRs for Schema {
    type Output = SchemaRef;

    fn to_arrow_rs(&self) -> Result<SchemaRef> {
        let fields = rs_fields(self.fields())?;
        Ok(Arc::new(RsSchema::new_with_metadata(fields, HashMap::from(self.metadata()))))
    }
}

impl FromArrowRs<RsField> for Field {
    fn try_from_arrow_rs(field: &RsField) -> Result<Field> {
        let mut data_type = DataType::try_from_arrow_rs(field.data_type())?;
        if let DataType::Dictionary(it) = &data_type
            && field.dict_is_ordered() == Some(true)
        {
            data_type =
                DictionaryType::try_new(it.index(), it.value().clone(), DictionaryOrder::Ordered)?.into();
        }
        Ok(Field::new(field.name().as_str(), data_type)
            .with_nullability(field.is_nullable().into())
            .with_metadata(metadata(field.metadata().iter())))
    }
}

impl FromArrowRs<RsSchema> for Schema {
    fn try_from_arrow_rs(schema: &RsSchema) -> Result<Schema> {
        let fields = children(schema.fields())?;
        Ok(Schema::new(fields).with_metadata(metadata(schema.metadata().iter())))
    }
}

/// The metadata, in the order of the keys.
fn metadata<'a>(pairs: impl Iterator<Item = (&'a String, &'a String)>) -> Metadata {
    pairs.map(|(key, value)| (key.as_str(), value.as_str())).collect::<BTreeMap<_, _>>().into()
}

//! A schema as JSON, with the parameters of types as members, so that JavaScript parses no text of types.

use std::fmt::Write as _;

use arrow_ipc::{Container, FileDecoder, UnsupportedColumn};
use arrow_schema::{DataType, Field, Metadata, PreOrder, QuotedOrNull, QuotedText, UnionMode};

use crate::failure::{Class, Failure, Result};

/// Writes what a file says about itself. An error if that would be much more than it has in metadata.
pub(crate) fn file_as_json(decoder: &FileDecoder) -> Result<String> {
    let schema = decoder.ipc_schema();
    check_texts(schema.schema().fields())?;
    let container = if decoder.container() == Container::File { "file" } else { "stream" };
    let mut json = String::new();
    let fields = schema.schema().fields();
    json.push_str("{\"container\":");
    text(&mut json, container);
    json.push_str(",\"fields\":");
    list(&mut json, fields, field);
    json.push_str(",\"metadata\":");
    metadata(&mut json, schema.schema().metadata());
    json.push_str(",\"containerMetadata\":");
    metadata(&mut json, decoder.footer().metadata());
    json.push_str(",\"unsupported\":");
    list(&mut json, schema.unsupported_columns(), unsupported);
    json.push_str(",\"bytesAfterEnd\":");
    number(&mut json, decoder.n_bytes_after_end());
    json.push('}');
    Ok(json)
}

/// Refuses types whose texts are together longer than four times the bytes of their fields plus 4 MiB: the text of a type has those of
/// all types in it, so that a long name at the 60th level would be there 59 times.
fn check_texts(fields: &[Field]) -> Result<()> {
    /// About the bytes of a field in metadata, and in the text of a type, beside its name.
    const FIELD_BYTES: u64 = 96;
    const TEXT_BYTES: u64 = 8;
    const SLACK_BYTES: u64 = 4 << 20;
    let mut n_bytes = 0_u64;
    let mut n_text_bytes = 0_u64;
    let mut below = PreOrder::new(fields);
    while let Some(field) = below.next() {
        let zone = field.data_type().value_type().as_timestamp().and_then(|(_, zone)| zone);
        // A control character has six characters in a text, and one more in JSON.
        let name = field.name();
        let n_controls = name.chars().filter(|char| char.is_control()).count();
        let n_chars = name.len().saturating_add(n_controls.saturating_mul(6));
        let n_chars = n_chars.saturating_add(zone.map_or(0, str::len)) as u64;
        n_bytes = n_bytes.saturating_add(n_chars.saturating_add(FIELD_BYTES));
        // The outermost names are in no type.
        let n_copies = below.depth().saturating_sub(1) as u64;
        n_text_bytes =
            n_text_bytes.saturating_add(n_chars.saturating_add(TEXT_BYTES).saturating_mul(n_copies));
    }
    let most = n_bytes.saturating_mul(4).saturating_add(SLACK_BYTES);
    if n_text_bytes <= most {
        return Ok(());
    }
    let text = format!(
        "names deep in types make the texts of all types about {n_text_bytes} bytes long; at most {most} are allowed"
    );
    Err(Failure { text, class: Class::Input })
}

pub(crate) fn fields_as_json(fields: &[Field]) -> String {
    let mut json = String::new();
    list(&mut json, fields, field);
    json
}

fn unsupported(json: &mut String, column: &UnsupportedColumn) {
    json.push_str("{\"position\":");
    number(json, column.position() as u64);
    json.push_str(",\"name\":");
    text(json, column.name());
    json.push_str(",\"error\":");
    let error = column.refuse().err().map(|error| error.to_string()).unwrap_or_default();
    text(json, &error);
    json.push('}');
}

fn field(json: &mut String, field: &Field) {
    json.push_str("{\"name\":");
    text(json, field.name());
    json.push_str(",\"nullable\":");
    json.push_str(if field.is_nullable() { "true" } else { "false" });
    json.push_str(",\"metadata\":");
    metadata(json, field.metadata());
    json.push_str(",\"extension\":");
    let extension = field.extension();
    let _ = write!(json, "{}", QuotedOrNull(extension.as_ref().map(|extension| extension.name)));
    json.push_str(",\"type\":");
    data_type(json, field.data_type());
    json.push('}');
}

/// Writes a type: its name, its text, and its parameters.
fn data_type(json: &mut String, of: &DataType) {
    json.push_str("{\"name\":");
    text(json, of.name());
    json.push_str(",\"text\":");
    text(json, &of.to_string());
    if let Some(unit) = of.unit() {
        json.push_str(",\"unit\":");
        text(json, unit);
    }
    if let Some((_, zone)) = of.as_timestamp() {
        let _ = write!(json, ",\"timezone\":{}", QuotedOrNull(zone));
    }
    if let Some((precision, scale)) = of.as_decimal() {
        let _ = write!(json, ",\"precision\":{precision},\"scale\":{scale}");
    }
    if let DataType::FixedSizeBinary(size) | DataType::FixedSizeList(_, size) = of {
        let _ = write!(json, ",\"size\":{}", size.as_usize());
    }
    if let Some(union) = of.as_union() {
        let mode = if union.mode() == UnionMode::Dense { "dense" } else { "sparse" };
        let _ = write!(json, ",\"mode\":\"{mode}\",\"typeIds\":{:?}", union.type_ids());
    }
    if let Some(map) = of.as_map() {
        let _ = write!(json, ",\"keysSorted\":{}", map.keys_sorted());
    }
    if let Some(dictionary) = of.as_dictionary() {
        json.push_str(",\"index\":");
        data_type(json, &dictionary.index_type());
        let _ = write!(json, ",\"ordered\":{},\"values\":", dictionary.is_ordered());
        data_type(json, dictionary.value());
    } else if of.is_nested() {
        json.push_str(",\"children\":");
        list(json, of.children(), field);
    }
    json.push('}');
}

fn metadata(json: &mut String, of: &Metadata) {
    let pairs: Vec<_> = of.iter().collect();
    list(json, &pairs, |json, (key, value)| {
        let _ = write!(json, "[{},{}]", QuotedOrNull(*key), QuotedOrNull(*value));
    });
}

fn list<T>(json: &mut String, items: &[T], mut write: impl FnMut(&mut String, &T)) {
    json.push('[');
    for (idx, item) in items.iter().enumerate() {
        if idx > 0 {
            json.push(',');
        }
        write(json, item);
    }
    json.push(']');
}

fn text(json: &mut String, text: &str) {
    let _ = write!(json, "{}", QuotedText(text));
}

fn number(json: &mut String, number: u64) {
    let _ = write!(json, "{number}");
}

//! Streams and files put together by hand, number by number, through the generated bindings: nothing here checks or
//! corrects anything, and nothing of the library's own writing takes part.

use bindings::flatbuf as fb;

/// The lists and the body of a batch.
#[derive(Default)]
pub(crate) struct Batch {
    pub(crate) n_rows: i64,
    pub(crate) nodes: Vec<fb::FieldNode>,
    pub(crate) buffers: Vec<fb::Buffer>,
    pub(crate) variadic_counts: Option<Vec<i64>>,
    pub(crate) compression: Option<Box<fb::BodyCompression>>,
    pub(crate) body: Vec<u8>,
}

impl Batch {
    pub(crate) fn new(n_rows: i64) -> Batch {
        Batch { n_rows, ..Batch::default() }
    }

    pub(crate) fn node(mut self, length: i64, null_count: i64) -> Batch {
        self.nodes.push(fb::FieldNode { length, null_count });
        self
    }

    /// A buffer at the next multiple of 8.
    pub(crate) fn buffer(mut self, bytes: &[u8]) -> Batch {
        self.body.resize(self.body.len().next_multiple_of(8), 0);
        self.buffer_here(bytes)
    }

    /// A buffer `n_bytes` after the end of the last one.
    pub(crate) fn gap(mut self, n_bytes: usize) -> Batch {
        self.body.resize(self.body.len() + n_bytes, 0xaa);
        self
    }

    /// A buffer right after the last one.
    pub(crate) fn buffer_here(mut self, bytes: &[u8]) -> Batch {
        let (offset, length) = (self.body.len() as i64, bytes.len() as i64);
        self.buffers.push(fb::Buffer { offset, length });
        self.body.extend_from_slice(bytes);
        self
    }

    /// One view column with `count` data buffers.
    pub(crate) fn variadic(self, count: i64) -> Batch {
        Batch { variadic_counts: Some(vec![count]), ..self }
    }

    /// A buffer in a ZSTD frame. The frame has the size of its content, of at most
    /// 255 bytes, in the header, and one block that is not compressed.
    pub(crate) fn zstd_buffer(self, bytes: &[u8]) -> Batch {
        let n_bytes = bytes.len() as u8;
        let block = (u32::from(n_bytes) << 3 | 1).to_le_bytes();
        let frame = [&[0x28, 0xb5, 0x2f, 0xfd, 0x20, n_bytes], &block[..3], bytes].concat();
        self.buffer(&[&u64::from(n_bytes).to_le_bytes(), &*frame].concat())
    }

    /// Says that the body is compressed.
    pub(crate) fn compressed(self, codec: fb::CompressionType) -> Batch {
        let method = fb::BodyCompressionMethod::Buffer;
        Batch { compression: Some(Box::new(fb::BodyCompression { codec, method })), ..self }
    }

    pub(crate) fn i32s(self, values: &[i32]) -> Batch {
        self.buffer(&le_bytes(values))
    }

    fn into_parts(mut self) -> (fb::RecordBatch, Vec<u8>) {
        self.body.resize(self.body.len().next_multiple_of(8), 0);
        let batch = fb::RecordBatch {
            length: self.n_rows,
            nodes: Some(self.nodes),
            buffers: Some(self.buffers),
            compression: self.compression,
            variadic_buffer_counts: self.variadic_counts,
        };
        (batch, self.body)
    }

    pub(crate) fn into_message(self) -> Message {
        let (batch, body) = self.into_parts();
        Message::new(fb::MessageHeader::RecordBatch(Box::new(batch)), body)
    }

    pub(crate) fn into_dictionary(self, id: i64) -> Message {
        self.into_values(fb::DictionaryBatch { id, data: None, is_delta: false })
    }

    pub(crate) fn into_delta(self, id: i64) -> Message {
        self.into_values(fb::DictionaryBatch { id, data: None, is_delta: true })
    }

    fn into_values(self, mut dictionary: fb::DictionaryBatch) -> Message {
        let (batch, body) = self.into_parts();
        dictionary.data = Some(Box::new(batch));
        Message::new(fb::MessageHeader::DictionaryBatch(Box::new(dictionary)), body)
    }
}

pub(crate) fn le_bytes(values: &[i32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// A message before it is framed.
pub(crate) struct Message {
    pub(crate) table: fb::Message,
    pub(crate) body: Vec<u8>,
    /// Zeros after the flatbuffer, in addition to those that make its length a multiple of 8.
    pub(crate) n_padding: usize,
    /// A field of the header that is left out although it is required.
    missing: Option<usize>,
}

impl Message {
    pub(crate) fn new(header: fb::MessageHeader, body: Vec<u8>) -> Message {
        let table = fb::Message {
            version: fb::MetadataVersion::V5,
            header: Some(header),
            body_length: body.len() as i64,
            custom_metadata: None,
        };
        Message { table, body, n_padding: 0, missing: None }
    }

    pub(crate) fn schema(schema: fb::Schema) -> Message {
        Message::new(fb::MessageHeader::Schema(Box::new(schema)), Vec::new())
    }

    pub(crate) fn version(mut self, version: fb::MetadataVersion) -> Message {
        self.table.version = version;
        self
    }

    pub(crate) fn metadata(mut self, pairs: &[(Option<&str>, Option<&str>)]) -> Message {
        self.table.custom_metadata = Some(key_values(pairs));
        self
    }

    /// Leaves a field of the header out: the one with this number in its table, from 0. A union counts as two.
    pub(crate) fn without_header_field(mut self, slot: usize) -> Message {
        self.missing = Some(slot);
        self
    }

    /// Appends bytes to the body.
    pub(crate) fn longer(mut self, n_bytes: usize) -> Message {
        self.body.resize(self.body.len() + n_bytes, 0xaa);
        self.table.body_length = self.body.len() as i64;
        self
    }

    pub(crate) fn padded(mut self, n_padding: usize) -> Message {
        self.n_padding = n_padding;
        self
    }

    /// Makes the text of one letter, which is the last buffer, no text.
    pub(crate) fn break_text(mut self) -> Message {
        let position = self.body.len() - 8;
        self.body[position] = 0xff;
        self
    }

    /// Prefix and metadata.
    fn metadata_bytes(&self) -> Vec<u8> {
        let mut metadata = finish(&self.table);
        if let Some(slot) = self.missing {
            const HEADER: usize = 2;
            let root = follow(&metadata, 0);
            let header = follow(&metadata, entry(&metadata, root, HEADER).1);
            let (position, _) = entry(&metadata, header, slot);
            metadata[position..position + 2].fill(0);
        }
        metadata.resize(metadata.len().next_multiple_of(8) + self.n_padding, 0);
        let length = i32::try_from(metadata.len()).unwrap();
        [&[0xff; 4][..], &length.to_le_bytes(), &metadata].concat()
    }
}

pub(crate) fn stream(messages: impl IntoIterator<Item = Message>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for message in messages {
        bytes.extend(message.metadata_bytes());
        bytes.extend(message.body);
    }
    bytes.extend([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]);
    bytes
}

/// A file with these messages in this order, each `n_shift` bytes after a multiple of 8.
pub(crate) fn file(
    schema: fb::Schema,
    messages: impl IntoIterator<Item = Message>,
    n_shift: usize,
) -> Vec<u8> {
    let mut bytes = b"ARROW1\0\0".to_vec();
    bytes.extend(Message::schema(schema.clone()).metadata_bytes());
    let (mut dictionaries, mut record_batches) = (Vec::new(), Vec::new());
    for message in messages {
        bytes.resize(bytes.len().next_multiple_of(8) + n_shift, 0);
        let metadata_bytes = message.metadata_bytes();
        let block = fb::Block {
            offset: bytes.len() as i64,
            meta_data_length: i32::try_from(metadata_bytes.len()).unwrap(),
            body_length: message.body.len() as i64,
        };
        match message.table.header {
            Some(fb::MessageHeader::DictionaryBatch(_)) => dictionaries.push(block),
            _ => record_batches.push(block),
        }
        bytes.extend(metadata_bytes);
        bytes.extend(message.body);
    }
    let footer = fb::Footer {
        version: fb::MetadataVersion::V5,
        schema: Some(Box::new(schema)),
        dictionaries: Some(dictionaries),
        record_batches: Some(record_batches),
        custom_metadata: None,
    };
    end_file(bytes, &footer)
}

/// Appends a footer and the end of a file to its messages.
pub(crate) fn end_file(mut bytes: Vec<u8>, footer: &fb::Footer) -> Vec<u8> {
    let footer = finish(footer);
    bytes.extend(&footer);
    bytes.extend(i32::try_from(footer.len()).unwrap().to_le_bytes());
    bytes.extend(b"ARROW1");
    bytes
}

/// The target of a reference in a flatbuffer.
pub(crate) fn follow(flatbuffer: &[u8], at: usize) -> usize {
    at + u32::from_le_bytes(*flatbuffer[at..].first_chunk().unwrap()) as usize
}

/// The position of a field's entry in the list of a table's fields, and the position of the field.
pub(crate) fn entry(flatbuffer: &[u8], table: usize, slot: usize) -> (usize, usize) {
    let back = i32::from_le_bytes(*flatbuffer[table..].first_chunk().unwrap());
    let position = usize::try_from(table as i64 - i64::from(back)).unwrap() + 4 + 2 * slot;
    (position, table + usize::from(u16::from_le_bytes(*flatbuffer[position..].first_chunk().unwrap())))
}

fn finish<T>(root: impl planus::WriteAsOffset<T>) -> Vec<u8> {
    planus::Builder::new().finish(root, None).to_vec()
}

pub(crate) fn schema(fields: impl IntoIterator<Item = fb::Field>) -> fb::Schema {
    fb::Schema { fields: Some(fields.into_iter().collect()), ..Default::default() }
}

/// A nullable field.
pub(crate) fn field(
    name: &str,
    data_type: fb::Type,
    children: impl IntoIterator<Item = fb::Field>,
) -> fb::Field {
    fb::Field {
        name: Some(name.to_owned()),
        nullable: true,
        type_: Some(data_type),
        children: Some(children.into_iter().collect()),
        ..Default::default()
    }
}

pub(crate) fn int32() -> fb::Type {
    fb::Type::Int(Box::new(fb::Int { bit_width: 32, is_signed: true }))
}

pub(crate) fn int8() -> fb::Type {
    fb::Type::Int(Box::new(fb::Int { bit_width: 8, is_signed: true }))
}

pub(crate) fn utf8() -> fb::Type {
    fb::Type::Utf8(Box::default())
}

pub(crate) fn utf8_view() -> fb::Type {
    fb::Type::Utf8View(Box::default())
}

pub(crate) fn bool_type() -> fb::Type {
    fb::Type::Bool(Box::default())
}

/// A field of words, by indices of int32.
pub(crate) fn words(name: &str, id: i64) -> fb::Field {
    encoded(field(name, utf8(), []), id)
}

/// The field with its values in a dictionary, by indices of int32.
pub(crate) fn encoded(field: fb::Field, id: i64) -> fb::Field {
    let dictionary = fb::DictionaryEncoding { id, ..Default::default() };
    fb::Field { dictionary: Some(Box::new(dictionary)), ..field }
}

pub(crate) fn key_values(pairs: &[(Option<&str>, Option<&str>)]) -> Vec<fb::KeyValue> {
    let owned = |part: &Option<&str>| part.map(str::to_owned);
    pairs.iter().map(|(key, value)| fb::KeyValue { key: owned(key), value: owned(value) }).collect()
}

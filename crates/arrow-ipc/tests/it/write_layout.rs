//! The bytes that are written: where things lie, what is left out and what is trimmed.

use arrow_buffer::{Bitmap, Buffer};
use arrow_data::{ArrayData, ArrayParts, RecordBatch, layout};
use arrow_ipc::{
    FileEncoder, FileReader, Limits, MessageKind, MessageStep, Messages, StreamEncoder, WriteOptions,
    message::{BatchHeader, Header, Message},
};
use arrow_schema::{DataType, Field, Metadata, RunEndType, Schema, UnionMode};
use testing_support::{Generator, Nulls, all_types, array, batch_of, ints, list_of_ints};

fn messages(stream: &[u8]) -> Vec<Message> {
    let mut messages = Messages::new(Limits::default());
    messages.feed(Buffer::copy_from(stream));
    let mut all = Vec::new();
    loop {
        match messages.step().unwrap() {
            MessageStep::Message(message) => all.push(message),
            MessageStep::End => return all,
            step => panic!("{step:?}"),
        }
    }
}

fn batch_header(message: &Message) -> BatchHeader {
    match message.header(&Limits::default()).unwrap() {
        Header::RecordBatch(batch) | Header::DictionaryBatch { batch, .. } => batch,
        header => panic!("{header:?}"),
    }
}

/// The header and the body of the last message of a batch alone.
fn written(batch: &RecordBatch) -> (BatchHeader, Buffer) {
    let mut encoder = StreamEncoder::try_new(batch.schema()).unwrap();
    let mut stream = encoder.start().unwrap().to_bytes();
    stream.extend_from_slice(&encoder.encode(batch).unwrap_or_else(|error| panic!("{error}")).to_bytes());
    stream.extend_from_slice(&encoder.finish().unwrap().to_bytes());
    let message = messages(&stream).pop().unwrap();
    (batch_header(&message), message.body().clone())
}

/// Slots and nulls of each node, and the bytes of each buffer.
fn parts(batch: &RecordBatch) -> (Vec<(u64, u64)>, Vec<Vec<u8>>) {
    let (header, body) = written(batch);
    let nodes = header.nodes().iter().map(|node| (node.n_slots(), node.null_count().unwrap())).collect();
    let buffers =
        header.buffers().iter().map(|range| body[range.start() as usize..range.end() as usize].to_vec());
    (nodes, buffers.collect())
}

fn bytes_of<T: arrow_buffer::NativeType>(numbers: Vec<T>) -> Vec<u8> {
    Buffer::from(numbers).to_vec()
}

#[test]
fn everything_lies_at_its_multiple() {
    for (seed, (name, data_type)) in all_types().into_iter().enumerate() {
        let mut generator = Generator::new(seed as u64);
        for n_rows in [0, 1, 9, 300] {
            let batch = batch_of(generator.sliced_array(&data_type, n_rows, Nulls::Some));
            let mut encoder = FileEncoder::try_new(batch.schema()).unwrap();
            let mut file = encoder.start().unwrap().to_bytes();
            assert_eq!((file.len() % 64, &file[..8]), (0, b"ARROW1\0\0".as_slice()));
            let encoded = encoder.encode(&batch).unwrap();
            let mut expected = encoded.messages().to_vec();
            file.extend_from_slice(&encoded.to_bytes());
            let trailer = encoder.finish().unwrap();
            // Dictionaries that no slot needs come at the end.
            expected.extend_from_slice(trailer.messages());
            file.extend_from_slice(&trailer.to_bytes());
            assert_eq!(encoder.position(), file.len() as u64);
            assert!(file.ends_with(b"ARROW1"));

            let file = Buffer::from(file);
            let stream = file.slice(8..);
            let found = messages(&stream);
            assert_eq!(found[0].kind(), MessageKind::Schema);
            assert_eq!(found.len(), expected.len() + 1);
            for (message, expected) in found[1..].iter().zip(&expected) {
                assert_eq!(message.kind(), expected.kind());
                assert_eq!(message.position() + 8, expected.position());
                assert_eq!(message.n_metadata_bytes(), expected.n_metadata_bytes());
                assert_eq!(message.body().len() as u64, expected.n_body_bytes());
                assert_eq!(expected.position() % 64, 0, "{name}");
                assert_eq!(expected.n_metadata_bytes() % 64, 0, "{name}");
                assert_eq!(expected.n_body_bytes() % 64, 0, "{name}");
                check_body(&batch_header(message), message.body(), &name);
            }
            let footer = FileReader::try_from_buffer(file).unwrap().footer().clone();
            let blocks = footer.dictionaries().iter().chain(footer.batches()).map(|block| block.position());
            // Dictionaries come first.
            expected.sort_by_key(|message| message.kind() == MessageKind::RecordBatch);
            assert!(blocks.eq(expected.iter().map(|message| message.position())));
        }
    }
}

/// Buffers of 64 bytes begin at multiples of 64, others at 8, in order and without overlap; padding is zero.
fn check_body(header: &BatchHeader, body: &[u8], name: &str) {
    let mut end = 0;
    for range in header.buffers() {
        assert_eq!(range.start() % if range.n_bytes() >= 64 { 64 } else { 8 }, 0, "{name}");
        assert!(range.start() >= end && range.start() - end < 64, "{name}");
        if range.n_bytes() > 0 {
            assert!(body[end as usize..range.start() as usize].iter().all(|byte| *byte == 0), "{name}");
            end = range.end();
        }
    }
    assert!(body[end as usize..].iter().all(|byte| *byte == 0) && body.len() as u64 - end < 64, "{name}");
}

#[test]
fn arrays_without_slots_have_one_offset_and_nothing_else() {
    for (name, data_type) in all_types() {
        let sliced = Generator::new(4).array(&data_type, 20, Nulls::Some).slice(10, 0);
        for array in [ArrayData::new_empty(&data_type), sliced] {
            let (header, _) = written(&batch_of(array));
            assert!(
                header.nodes().iter().all(|node| (node.n_slots(), node.null_count()) == (0, Some(0))),
                "{name}"
            );
            let n_bytes: u64 = header.buffers().iter().map(|range| range.n_bytes()).sum();
            assert_eq!(n_bytes, n_offset_bytes(&data_type), "{name}");
            assert!(header.variadic_counts().iter().all(|n_buffers| *n_buffers == 0), "{name}");
        }
    }
}

/// The number of bytes in arrays without slots: one offset for each layout that has one more offset than slots.
fn n_offset_bytes(data_type: &DataType) -> u64 {
    let plus_one = |spec: &&arrow_data::BufferSpec| spec.count == arrow_data::Count::PerSlotPlusOne;
    let own: u64 = layout(data_type).buffers().iter().filter(plus_one).map(|spec| spec.element_bytes()).sum();
    own + data_type.children().iter().map(|child| n_offset_bytes(child.data_type())).sum::<u64>()
}

#[test]
fn validity_is_left_out_where_nothing_is_null() {
    let n_slots = 100;
    let validity = |bits: Vec<bool>| Some(bits.into_iter().collect::<Bitmap>());
    let column = |validity| {
        let buffers = [Buffer::from(vec![1i32; n_slots]), Buffer::new()];
        ArrayData::try_new(ArrayParts { validity, buffers, ..ArrayParts::new(DataType::Int32, n_slots) })
            .unwrap()
    };
    let mut one_null = vec![true; n_slots];
    one_null[70] = false;
    for (array, n_bytes) in [
        (column(None), 0),
        (column(validity(vec![true; n_slots])), 0),
        (column(validity(one_null.clone())), 13),
        (column(validity(one_null.clone())).slice(0, 70), 0),
        (column(validity(one_null)).slice(65, 8), 1),
    ] {
        let (header, _) = written(&batch_of(array.clone()));
        assert_eq!(header.buffers()[0].n_bytes(), n_bytes);
        assert_eq!(header.nodes()[0].null_count(), Some(array.null_count() as u64));
    }
}

#[test]
fn slices_are_trimmed_to_what_they_refer_to() {
    let none: Vec<u8> = Vec::new();
    let binary = array(
        DataType::Binary,
        4,
        [Buffer::from(vec![2i32, 3, 3, 6, 8]), Buffer::copy_from(b"..abcdefgh")],
        vec![],
    );
    let (nodes, buffers) = parts(&batch_of(binary.slice(1, 2)));
    assert_eq!(nodes, [(2, 0)]);
    assert_eq!(buffers, [none.clone(), bytes_of(vec![0i32, 0, 3]), b"bcd".to_vec()]);

    let items = || ints(10..20);
    let list = array(list_of_ints(), 3, [Buffer::from(vec![1i32, 4, 4, 9]), Buffer::new()], vec![items()]);
    let (nodes, buffers) = parts(&batch_of(list.slice(1, 2)));
    assert_eq!(nodes, [(2, 0), (5, 0)]);
    let expected =
        [none.clone(), bytes_of(vec![0i32, 0, 5]), none.clone(), bytes_of(vec![14i32, 15, 16, 17, 18])];
    assert_eq!(buffers, expected);

    // The empty slot points past the bytes that the others need.
    let view_type = DataType::list_view(Field::new("item", DataType::Int32));
    let buffers = [Buffer::from(vec![5i32, 9, 4, 0]), Buffer::from(vec![2i32, 0, 2, 1])];
    let view = array(view_type, 4, buffers, vec![items()]);
    let (nodes, buffers) = parts(&batch_of(view.slice(0, 3)));
    assert_eq!(nodes, [(3, 0), (3, 0)]);
    let expected = [
        none.clone(),
        bytes_of(vec![1i32, 0, 0]),
        bytes_of(vec![2i32, 0, 2]),
        none.clone(),
        bytes_of(vec![14i32, 15, 16]),
    ];
    assert_eq!(buffers, expected);
    let (nodes, buffers) = parts(&batch_of(view.slice(1, 1)));
    assert_eq!((nodes, &buffers[1..3]), (vec![(1, 0), (0, 0)], &[vec![0; 4], vec![0; 4]][..]));
    // Where the first item stays, so do the offsets, and the child reaches as far as the empty slot points.
    let (nodes, buffers) = parts(&batch_of(view));
    assert_eq!((nodes, &buffers[1]), (vec![(4, 0), (9, 0)], &bytes_of(vec![5i32, 9, 4, 0])));

    let runs_type = DataType::run_end_encoded(RunEndType::Int16, DataType::Int32);
    let ends = array(DataType::Int16, 3, [Buffer::from(vec![4i16, 6, 10]), Buffer::new()], vec![]);
    let runs = array(runs_type, 10, Default::default(), vec![ends, ints([7, 8, 9, 10])]);
    for (start, n_slots, expected_ends, expected_values) in [
        (0, 10, vec![4i16, 6, 10], vec![7i32, 8, 9]),
        (3, 4, vec![1, 3, 4], vec![7, 8, 9]),
        (4, 2, vec![2], vec![8]),
        (0, 5, vec![4, 5], vec![7, 8]),
        (0, 4, vec![4], vec![7]),
        (9, 1, vec![1], vec![9]),
        (7, 0, vec![], vec![]),
    ] {
        let (nodes, buffers) = parts(&batch_of(runs.slice(start, n_slots)));
        let n_runs = expected_ends.len() as u64;
        assert_eq!(nodes, [(n_slots as u64, 0), (n_runs, 0), (n_runs, 0)]);
        assert_eq!(buffers, [none.clone(), bytes_of(expected_ends), none.clone(), bytes_of(expected_values)]);
    }

    let fields = [(3, Field::new("a", DataType::Int32)), (5, Field::new("b", DataType::Int32))];
    let union_type = DataType::union(UnionMode::Dense, fields).unwrap();
    let buffers = [Buffer::from(vec![3i8, 5, 5, 3, 5]), Buffer::from(vec![0i32, 0, 1, 1, 2])];
    let union = array(union_type.clone(), 5, buffers, vec![ints([1, 2]), ints([11, 12, 13])]);
    for (start, n_slots, offsets, a, b) in [
        (0, 5, vec![0, 0, 1, 1, 2], vec![1, 2], vec![11, 12, 13]),
        (2, 3, vec![0, 0, 1], vec![2], vec![12, 13]),
        (0, 2, vec![0, 0], vec![1], vec![11]),
        (3, 1, vec![0], vec![2], vec![]),
    ] {
        let (_, buffers) = parts(&batch_of(union.slice(start, n_slots)));
        let expected = [bytes_of(offsets), none.clone(), bytes_of(a), none.clone(), bytes_of(b)];
        assert_eq!(buffers[1..], expected);
    }

    // Slots may share values, so that there are fewer of these.
    let type_ids = Buffer::from(vec![3i8; 400]);
    let offsets = Buffer::from((0..400).map(|slot| slot / 100).collect::<Vec<i32>>());
    let shared = array(union_type, 400, [type_ids, offsets], vec![ints([1, 2, 3, 4]), ints([])]);
    for (start, n_slots, offsets, a) in [
        (0, 400, (0..400).map(|slot| slot / 100).collect(), vec![1, 2, 3, 4]),
        (100, 200, (0..200).map(|slot| slot / 100).collect(), vec![2, 3]),
        (250, 100, [vec![0; 50], vec![1; 50]].concat(), vec![3, 4]),
        (5, 80, vec![0; 80], vec![1]),
    ] {
        let (_, buffers) = parts(&batch_of(shared.slice(start, n_slots)));
        assert_eq!((&buffers[1], &buffers[3]), (&bytes_of::<i32>(offsets), &bytes_of::<i32>(a)));
    }

    let bits = Bitmap::from_iter((0..40).map(|bit| bit % 3 == 0));
    let boolean = array(DataType::Boolean, 40, [bits.buffer().clone(), Buffer::new()], vec![]);
    for (start, n_slots) in [(0, 40), (8, 9), (3, 30), (39, 1), (16, 8)] {
        let (_, buffers) = parts(&batch_of(boolean.slice(start, n_slots)));
        let expected: Bitmap = (start..start + n_slots).map(|bit| bit % 3 == 0).collect();
        assert_eq!(buffers[1], expected.to_packed().to_vec());
    }
}

#[test]
fn metadata_of_all_levels_is_written() {
    let pairs = |text: &str| {
        Metadata::from_pairs(vec![
            (Some("k".into()), Some(text.into())),
            (Some("k".into()), None),
            (None, Some("".into())),
        ])
    };
    let field = Field::new("c", DataType::Int32).with_metadata(pairs("field"));
    let schema = Schema::new([field]).with_metadata(pairs("schema"));
    let batch = RecordBatch::try_new(schema.clone(), [ints([1, 2, 3])]).unwrap();
    let options = WriteOptions::new().with_file_metadata(pairs("file"));
    let mut encoder = FileEncoder::try_new_with(batch.schema(), options).unwrap();
    let mut file = encoder.start().unwrap().to_bytes();
    for metadata in [Metadata::new(), pairs("batch")] {
        file.extend_from_slice(&encoder.encode_with_metadata(&batch, &metadata).unwrap().to_bytes());
    }
    file.extend_from_slice(&encoder.finish().unwrap().to_bytes());
    let file = Buffer::from(file);
    let found = messages(&file[8..]);
    let customs: Vec<Metadata> = found.iter().map(|message| message.custom_metadata().unwrap()).collect();
    assert_eq!(customs, [pairs("file"), Metadata::new(), pairs("batch")]);
    assert!(found.iter().all(|message| (message.position() + message.n_metadata_bytes() + 8) % 64 == 0));
    let reader = FileReader::try_from_buffer(file).unwrap();
    assert_eq!((&**reader.schema(), reader.footer_metadata()), (&schema, &pairs("file")));
    assert_eq!(reader.schema().metadata(), &pairs("schema"));
    assert_eq!(reader.batch_with_metadata(1).unwrap().metadata, pairs("batch"));
}

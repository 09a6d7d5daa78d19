//! The encoded bytes of arrays, batches and tables are the lengths of the messages that writers write.

use arrow_data::{RecordBatch, Table};
use arrow_ipc::{EncodedBytes, SharedBuffers, StreamEncoder};
use testing_support::{Generator, Nulls, all_types};

use crate::message_sizes::all_options;

#[test]
fn they_are_the_lengths_of_messages() {
    let mut n_checked = 0;
    for (name, data_type) in all_types() {
        let array = Generator::new(9).sliced_array(&data_type, 120, Nulls::Some);
        let batch = RecordBatch::try_from_columns([("c", array.clone())]).unwrap();
        for batch in [batch.clone(), batch.slice(5, 60), batch.slice(0, 0), batch.slice(119, 1)] {
            for options in all_options().into_iter().filter(|options| options.max_message_bytes().is_none()) {
                // The version or the policy does not allow the type.
                let Ok(mut encoder) = StreamEncoder::try_new_with(batch.schema(), options.clone()) else {
                    continue;
                };
                let written = encoder.encode(&batch).unwrap().messages().last().unwrap().n_bytes();
                let n_bytes = batch.n_encoded_bytes_with(options.clone()).unwrap();
                if options.compression().is_none() && options.shared_buffers() == SharedBuffers::Repeated {
                    assert_eq!(n_bytes, written, "{name} {options:?}");
                } else {
                    assert!(n_bytes >= written, "{name} {options:?}");
                }
                n_checked += 1;
            }
        }
        let n_bytes = batch.n_encoded_bytes().unwrap();
        assert_eq!(array.n_encoded_bytes().unwrap(), n_bytes, "{name}");
        let table = Table::try_from(vec![batch.clone(), batch]).unwrap();
        assert_eq!(table.n_encoded_bytes().unwrap(), 2 * n_bytes, "{name}");
    }
    assert!(n_checked > 1000, "{n_checked}");
}

//! Inspections as JSON and as damage.

use std::ops::ControlFlow;

use arrow_ipc_tools::{Input, InspectOptions, Inspected, JsonReport, ToolErrorKind, inspect};
use serde_json::Value;

use crate::samples::{file, ids, stream};

fn inspected(bytes: &[u8]) -> (Vec<Value>, Inspected) {
    let mut found = Vec::new();
    let mut report = JsonReport::new(|object| {
        found.push(object);
        ControlFlow::Continue(())
    });
    let input = Input::try_from_buffer("memory", bytes.to_vec().into()).unwrap();
    let inspected = inspect(input, &InspectOptions::new().with_buffers(), &mut report).unwrap();
    (found, inspected)
}

#[test]
fn messages_and_buffers_are_values() {
    let (found, inspected) = inspected(&file(&[ids([1, 2, 3])]));
    assert!(inspected.damage.is_empty() && inspected.notes.is_empty());
    let kinds: Vec<&str> = found.iter().map(|object| object["what"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["container", "message", "message", "end", "footer"]);
    let batch = &found[2];
    assert_eq!((batch["kind"].as_str(), batch["n_rows"].as_u64()), (Some("record batch"), Some(3)));
    let values = &batch["buffers"][1];
    assert_eq!((values["field"].as_str(), values["n_bytes"].as_u64()), (Some("id"), Some(24)));
}

#[test]
fn damage_is_listed_after_what_is_found() {
    let bytes = stream(&[ids([1, 2, 3]), ids([4])]);
    let (found, inspected) = inspected(&bytes[..bytes.len() - 20]);
    let n_messages = found.iter().filter(|object| object["what"] == "message").count();
    assert_eq!(n_messages, 3);
    let [error] = &inspected.damage[..] else { panic!("{:?}", inspected.damage) };
    assert!(matches!(error.kind(), ToolErrorKind::Input(_)), "{error}");
    let (_, inspected) = self::inspected(&[&bytes[..], b"words"].concat());
    let notes: Vec<String> = inspected.notes.iter().map(ToString::to_string).collect();
    let n_bytes = bytes.len();
    assert_eq!(
        notes,
        [format!(
            "memory: the stream ends at byte {n_bytes}; 5 trailing bytes are not a stream, and not read"
        )]
    );
}

#[test]
fn reports_stop_an_inspection() {
    let mut n_calls = 0;
    let mut report = JsonReport::new(|_| {
        n_calls += 1;
        ControlFlow::Break(())
    });
    let input = Input::try_from_buffer("memory", stream(&[ids([1])]).into()).unwrap();
    let error = inspect(input, &InspectOptions::new(), &mut report).unwrap_err();
    assert!(matches!(error.kind(), ToolErrorKind::Stopped));
    assert_eq!(n_calls, 1);
}

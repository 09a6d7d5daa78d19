//! The cases of benches that other projects have published, by the names that they have there.

use super::{FILE, READ, WRITE};
use crate::case::{Case, Checks, Codec, From, Group, Memory, Read, Take, To, What, Work, Write};
use crate::data::{Published, Recipe};
use crate::format::Format;

/// The number of slices of a spilled batch.
const N_PARTS: usize = 200;
/// The number of streams that a shuffle writes.
const N_OUTPUTS: usize = 8;

pub(super) fn all() -> Vec<Case> {
    let mut cases = arrow_rs();
    cases.extend(clickhouse());
    cases.extend(arrow_cpp());
    cases.extend(spills_and_shuffles());
    cases
}

fn case(name: &str, data: Published, codec: Option<Codec>, work: Work) -> Case {
    let (name, data) = (name.to_owned(), Recipe::Public(data));
    Case { name, data, codec, work, per: (1, "run"), n_threads: 1, group: Group::Public }
}

/// The benches `ipc_reader` and `ipc_writer` of arrow-rs, and the same work with the decoder of streams that shares memory.
fn arrow_rs() -> Vec<Case> {
    let ten = Published::TenBatches;
    let stream = Read { from: From::Reader, ..READ };
    let memory = READ;
    let file = Read { from: From::Reader, container: FILE, ..READ };
    let mmap = Read { from: From::Map, container: FILE, ..READ };
    let zstd = Some(Codec::Zstd3);
    let mut cases = Vec::new();
    for (reader, manner, codec, read) in [
        ("StreamReader", "", None, stream),
        ("StreamReader", "/zstd", zstd, stream),
        ("StreamDecoder", "", None, memory),
        ("FileReader", "", None, file),
        ("FileReader", "/mmap", None, mmap),
    ] {
        for (checks, checked) in [("", Checks::Default), ("/no_validation", Checks::None)] {
            let name = format!("arrow-rs: {reader}{checks}/read_10{manner}");
            cases.push(case(&name, ten, codec, Work::Read(Read { checks: checked, ..read })));
        }
    }
    let stream = Write { to: To::Cleared, ..WRITE };
    let file = Write { container: FILE, ..stream };
    let encoder = Write { to: To::Nowhere, ..WRITE };
    let new = Published::NewDictionaries;
    for (name, data, codec, write) in [
        ("StreamWriter/write_10", ten, None, stream),
        ("StreamWriter/write_10/zstd", ten, zstd, stream),
        ("StreamEncoder/encode_10", ten, None, encoder),
        ("StreamEncoder/encode_10/zstd", ten, zstd, encoder),
        ("FileWriter/write_10", ten, None, file),
        ("StreamWriter/write_10/dict", new, None, stream),
        ("StreamEncoder/encode_10/dict", new, None, encoder),
    ] {
        cases.push(case(&format!("arrow-rs: {name}"), data, codec, Work::Write(write)));
    }
    for (writer, container) in [("StreamWriter", Format::Stream), ("FileWriter", FILE)] {
        let name = format!("arrow-rs: {writer}/write_10/dict/delta");
        let work = Work::WriteGrowing(Memory::Other, container);
        cases.push(case(&name, Published::GrowingDictionaries, None, work));
    }
    cases
}

/// The table of the pull request with which ClickHouse got a reader and a writer of its own, for its set of numbers.
fn clickhouse() -> Vec<Case> {
    let mut cases = Vec::new();
    for (format, container) in [("Arrow", FILE), ("ArrowStream", Format::Stream)] {
        for (compression, codec) in
            [("none", None), ("lz4_frame", Some(Codec::Lz4)), ("zstd", Some(Codec::Zstd))]
        {
            let read = Read { from: From::Disk, container, checks: Checks::Usual, ..READ };
            let write = Write { to: To::Cleared, container, ..WRITE };
            for (verb, work) in [("write", Work::Write(write)), ("read", Work::Read(read))] {
                let name = format!("ClickHouse: {verb} numeric, {format}, {compression}");
                cases.push(case(&name, Published::Numeric, codec, work));
            }
        }
    }
    cases
}

/// `read_write_benchmark.cc` of Arrow C++, from 1 to 4,096 columns of the same total size.
fn arrow_cpp() -> Vec<Case> {
    let file = Read { container: FILE, checks: Checks::Usual, ..READ };
    let mut cases = Vec::new();
    for n_columns in [1, 8, 64, 512, 4096] {
        let partial = Read { take: Take::EachEighth, ..file };
        let disk = Read { from: From::Disk, ..file };
        let write = Write { to: To::Cleared, container: FILE, ..WRITE };
        let mut add = |name: &str, partial: u8, work| {
            let name = format!("C++: {name}/num_cols:{n_columns}/is_partial:{partial}");
            cases.push(case(&name, Published::Fields { n_columns }, None, work));
        };
        add("ReadFile", 0, Work::Read(file));
        if n_columns > 1 {
            add("ReadFile", 1, Work::Read(partial));
        }
        add("ReadTempFile", 0, Work::Read(disk));
        add("ReadStream", 0, Work::Read(Read { container: Format::Stream, ..file }));
        add("WriteRecordBatch", 0, Work::Write(write));
    }
    cases
}

/// What engines do between stages: they write slices of large batches, and deal batches to consumers.
fn spills_and_shuffles() -> Vec<Case> {
    let slices = Write { to: To::Cleared, what: What::Parts { n_parts: N_PARTS }, ..WRITE };
    let mut cases = vec![case(
        &format!("spill: write {N_PARTS} slices of a batch of views"),
        Published::Views,
        None,
        Work::Write(slices),
    )];
    for (name, codec) in [("plain", None), ("LZ4", Some(Codec::Lz4)), ("ZSTD", Some(Codec::Zstd))] {
        let work = Work::Shuffle { n_outputs: N_OUTPUTS };
        let name = format!("shuffle: batches to {N_OUTPUTS} streams, {name}");
        cases.push(case(&name, Published::Numeric, codec, work));
    }
    cases
}

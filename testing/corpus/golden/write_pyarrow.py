"""Writes the golden files of pyarrow into the folder `pyarrow-<version>`; see golden_folder.py."""

import sys

import pyarrow as pa

from arrow_json import batch_rows
from arrow_text import json_string, schema_text
from golden_folder import Written, content_of, main
from pyarrow_cases import Case, all_cases, pairs_of
from pyarrow_protocol import protocol_cases


def cases():
    for case in [*all_cases(), *protocol_cases()]:
        rows = [batch_rows(batch) for batch in case.batches]
        contents = {kind: write(case, kind) for kind in case.formats}
        for kind, content in contents.items():
            _, read_back = content_of(content, kind, case.level)
            assert read_back == rows, f"{case.name} changes as a {kind}"
        yield Written(case.name, case.about, schema_text(case.schema), rows, contents, case.level,
                      metadata_text(case))


def write(case: Case, kind):
    for batch in case.batches:
        # The garbage beneath nulls is meant; what is not null must be sound.
        batch.validate(full=case.level == "strict")
    sink = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(**case.options)
    if kind == "stream":
        writer = pa.ipc.new_stream(sink, case.schema, options=options)
    else:
        writer = pa.ipc.new_file(sink, case.schema, options=options, metadata=pairs_of(case.footer_metadata))
    with writer:
        for k, batch in enumerate(case.batches):
            writer.write_batch(batch, custom_metadata=pairs_of(case.batch_metadata.get(k)))
    if case.dictionaries is not None:
        # How many new, delta and replaced dictionaries the case is about.
        stats = writer.stats
        n_new = stats.num_dictionary_batches - stats.num_dictionary_deltas - stats.num_replaced_dictionaries
        found = (n_new, stats.num_dictionary_deltas, stats.num_replaced_dictionaries)
        assert found == case.dictionaries, f"{case.name} as a {kind} has {found} dictionaries"
    return sink.getvalue().to_pybytes()


def metadata_text(case):
    """One line per place that carries custom metadata; empty where none does."""
    places = [('"at":"schema"', case.schema_metadata)]
    for path, pairs in case.field_metadata.items():
        places.append((f'"at":"field","path":[{",".join(map(json_string, path))}]', pairs))
    places += [(f'"at":"batch","index":{k}', pairs) for k, pairs in case.batch_metadata.items()]
    places.append(('"at":"footer"', case.footer_metadata))

    def line(place, pairs):
        inside = ",".join(f"[{json_string(key)},{json_string(value)}]" for key, value in pairs)
        return f'{{{place},"pairs":[{inside}]}}\n'

    return "".join(line(place, pairs) for place, pairs in places if pairs)


if __name__ == "__main__":
    main(sys.argv[1:], f"pyarrow-{pa.__version__}", cases)

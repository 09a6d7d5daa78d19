// Cases that the builders of the JavaScript library make of values of JavaScript.
//
// Each has rows as they are meant, and batches that are made of values: the same, or what a type takes in their place.

export function builtCases(arrow) {
  return [scalars(arrow), nested(arrow), unions(arrow), ...dictionaries(arrow)];
}

const FORMATS = ["stream", "file"];

// Rows of the values of columns: each column has its type, values for the builder, and what they mean if that differs.
function caseOf(arrow, name, about, columns, options = {}) {
  const names = Object.keys(columns);
  const n = columns[names[0]].values.length;
  const row = (k) => Object.fromEntries(names.map((name) => [name, (columns[name].means ?? columns[name].values)[k]]));
  const schema = schemaOf(arrow, columns);
  const built = names.map((name) => {
    const builder = arrow.makeBuilder({ type: columns[name].type, nullValues: [null] });
    columns[name].values.forEach((value) => builder.append(value));
    return builder.finish().flush();
  });
  const batches = () => [batchOf(arrow, schema, n, built)];
  const rows = [Array.from({ length: n }, (_, k) => row(k))];
  return { name, about, formats: FORMATS, schema, batches, rows, ...options };
}

function schemaOf(arrow, columns) {
  return new arrow.Schema(Object.entries(columns).map(([name, { type }]) => new arrow.Field(name, type, true)));
}

function batchOf(arrow, schema, n, children) {
  return new arrow.RecordBatch(
    schema,
    arrow.makeData({ type: new arrow.Struct(schema.fields), length: n, nullCount: 0, children }),
  );
}

function scalars(arrow) {
  const bytes = [new Uint8Array([1, 2, 255]), null, new Uint8Array(0), new Uint8Array(16).fill(7), null];
  const texts = ["", null, "naïve 日本 🚀", 'quote " and \\', "more than twelve bytes"];
  const days = [0, null, -86_400_000, 951_782_400_000, 4_102_444_800_000];
  const date = (ms) => ms === null ? null : new Date(ms);
  const iso = (ms, end) => ms === null ? null : new Date(ms).toISOString().slice(0, end);
  const big = (values) => values.map((value) => value === null ? null : BigInt(value));
  return caseOf(arrow, "built-scalars", "numbers, text, bytes and times, from builders", {
    nothing: { type: new arrow.Null(), values: [null, null, null, null, null] },
    bool: { type: new arrow.Bool(), values: [true, null, false, true, false] },
    int8: { type: new arrow.Int8(), values: [-128, null, 127, 0, 1] },
    int16: { type: new arrow.Int16(), values: [-32768, null, 32767, 0, 1] },
    int32: { type: new arrow.Int32(), values: [-(2 ** 31), null, 2 ** 31 - 1, 0, 1] },
    int64: { type: new arrow.Int64(), values: [-(2n ** 63n), null, 2n ** 63n - 1n, 0n, 1n] },
    uint8: { type: new arrow.Uint8(), values: [255, null, 0, 1, 2] },
    uint64: { type: new arrow.Uint64(), values: [2n ** 64n - 1n, null, 0n, 1n, 2n] },
    float32: { type: new arrow.Float32(), values: [1.5, null, -0.25, 1024.125, -3.75] },
    float64: { type: new arrow.Float64(), values: [0.1, null, -2.5e-4, 123456.789, 0.5] },
    utf8: { type: new arrow.Utf8(), values: texts },
    large_utf8: { type: new arrow.LargeUtf8(), values: texts },
    utf8_view: { type: new arrow.Utf8View(), values: texts },
    binary: { type: new arrow.Binary(), values: bytes },
    large_binary: { type: new arrow.LargeBinary(), values: bytes },
    binary_view: { type: new arrow.BinaryView(), values: bytes },
    fixed: { type: new arrow.FixedSizeBinary(2),
             values: bytes.map((value) => value?.length ? value.slice(0, 2) : null) },
    date_day: { type: new arrow.DateDay(), values: days.map(date), means: days.map((ms) => iso(ms, 10)) },
    date_ms: { type: new arrow.DateMillisecond(), values: days.map(date), means: days.map((ms) => iso(ms, 10)) },
    ts_s: { type: new arrow.TimestampSecond(), values: days, means: days.map((ms) => iso(ms, 19)) },
    ts_ms: { type: new arrow.TimestampMillisecond("UTC"), values: days, means: days.map((ms) => iso(ms)) },
    duration: { type: new arrow.DurationMillisecond(), values: big([1, null, -1, 0, 86_400_000]) },
    time_s: { type: new arrow.TimeSecond(), values: [0, null, 1, 3_600, 86_399],
              means: ["00:00:00", null, "00:00:01", "01:00:00", "23:59:59"] },
    time_ns: { type: new arrow.TimeNanosecond(), values: big([0, null, 1, 3_600_000_000_000, 86_399_999_999_999]),
               means: ["00:00:00.000000000", null, "00:00:00.000000001", "01:00:00.000000000", "23:59:59.999999999"] },
  });
}

function nested(arrow) {
  const field = (name, type) => new arrow.Field(name, type, true);
  const point = new arrow.Struct([field("x", new arrow.Int16()), field("y", new arrow.Utf8())]);
  const entries = new arrow.Struct([
    new arrow.Field("key", new arrow.Utf8(), false),
    field("value", new arrow.Int32()),
  ]);
  const numbers = [[1, null, 3], null, [], [4]];
  const maps = [[["a", 1], ["b", null]], null, [], [["c", 3]]];
  return caseOf(arrow, "built-nested", "lists, structs and maps, from builders", {
    list: { type: new arrow.List(field("item", new arrow.Int32())), values: numbers },
    large: { type: new arrow.LargeList(field("item", new arrow.Int32())), values: numbers },
    lists: { type: new arrow.List(field("item", new arrow.List(field("item", new arrow.Utf8())))),
             values: [[["a"], null, []], null, [], [[null, "b"]]] },
    pair: { type: new arrow.FixedSizeList(2, field("item", new arrow.Int8())),
            values: [[1, 2], null, [3, null], [4, 5]] },
    point: { type: point, values: [{ x: 1, y: "a" }, null, { x: null, y: "" }, { x: 4, y: null }] },
    map: { type: new arrow.Map_(new arrow.Field("entries", entries, false)),
           values: maps.map((pairs) => pairs && new Map(pairs)), means: maps },
  });
}

// Dense ones only: the builder of sparse unions leaves children short.
function unions(arrow) {
  const number = new arrow.Field("number", new arrow.Int32(), true);
  const children = [number, new arrow.Field("text", new arrow.Utf8(), true)];
  const values = [1, "one", 2, 3, "two"];
  const columns = { dense: { type: new arrow.DenseUnion([0, 1], children) } };
  const schema = schemaOf(arrow, columns);
  const valueToChildTypeId = (_, value) => typeof value === "number" ? 0 : 1;
  const builder = arrow.makeBuilder({ type: columns.dense.type, nullValues: [null], valueToChildTypeId });
  values.forEach((value) => builder.append(value));
  const built = [builder.finish().flush()];
  const batches = () => [batchOf(arrow, schema, values.length, built)];
  const rows = [values.map((value) => ({ dense: typeof value === "number" ? { number: value } : { text: value } }))];
  return { name: "built-unions", about: "dense unions, from a builder", formats: FORMATS, schema, batches, rows };
}

function dictionaries(arrow) {
  const growing = [["a", "b", null], ["b", "a longer word than twelve"], ["a"], [null, "d", "e", "日本"], ["f"]];
  const make = (name, about, isReplaced, options) =>
    dictionaryCase(arrow, `built-dictionary-${name}`, about, growing, isReplaced, options);
  const inStreams = { formats: ["stream"] };
  return [
    make("deltas", "a builder's dictionary, which grows", false, {}),
    make("deltas-legacy", "the same without continuation markers", false, { legacy: true, ...inStreams }),
    make("replaced", "a new builder, and so another dictionary, for each batch", true, inStreams),
  ];
}

function dictionaryCase(arrow, name, about, values, isReplaced, options) {
  const columns = {
    word: { type: new arrow.Dictionary(new arrow.Utf8(), new arrow.Int8(), 7) },
    wide: { type: new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32(), 8, true) },
  };
  const schema = schemaOf(arrow, columns);
  const newBuilders = () => Object.values(columns).map(({ type }) => arrow.makeBuilder({ type, nullValues: [null] }));
  const batches = () => {
    let builders = newBuilders();
    return values.map((rows) => {
      if (isReplaced) builders = newBuilders();
      const children = builders.map((builder) => {
        rows.forEach((value) => builder.append(value));
        return builder.flush();
      });
      return batchOf(arrow, schema, rows.length, children);
    });
  };
  const rows = values.map((batch) => batch.map((value) => ({ word: value, wide: value })));
  return { name, about, formats: FORMATS, schema, batches, rows, ...options };
}

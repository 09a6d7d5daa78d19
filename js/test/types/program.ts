// A program that uses every name of the package, with the types that its documentation promises. It is checked, and not run.
import {
  ArrowDate,
  ArrowError,
  ArrowFile,
  ArrowWriter,
  Batch,
  Column,
  configure,
  createWriter,
  inspect,
  open,
  write,
  type BatchColumns,
  type Columns,
  type ColumnStatistics,
  type ColumnValues,
  type Count,
  type CustomSource,
  type DataType,
  type Explanation,
  type Field,
  type InspectOptions,
  type Inspection,
  type MatchOptions,
  type Metadata,
  type Numbers,
  type OpenOptions,
  type Row,
  type RowForm,
  type RowOptions,
  type Rows,
  type Schema,
  type Source,
  type UnreferencedBytes,
  type Value,
  type WriteOptions,
  type WrittenField,
  type WrittenMetadata,
  type WrittenType,
} from "fletching-arrow-ipc";

/** Fails to compile if the types are not the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <T extends true>(): T => true as T;

configure({ read: new URL("https://example.org/read.wasm"), full: new Uint8Array(8) });

const custom: CustomSource = { length: 8, read: async (offset, n) => new Uint8Array(offset + n), close() {} };
const sources: Source[] = ["a.arrow", new URL("file:///a.arrow"), new ArrayBuffer(8), new Uint8Array(8), new Blob([]), custom];
const options: OpenOptions = {
  countRows: false,
  maxMemoryBytes: 1,
  maxMetadataBytes: 1,
  maxBodyBytes: 1,
  maxDecompressedBytes: 1,
  maxDictionaryBytes: 1,
  maxSlots: 1,
  maxFields: 1,
  maxDepth: 1,
  maxDownloadBytes: 1,
  startBytes: 1,
  headers: { authorization: "secret" },
  credentials: "include",
  signal: new AbortController().signal,
};

async function read(): Promise<void> {
  const file: ArrowFile = await open(sources[0]!, options);
  // @ts-expect-error A number is no source.
  await open(7);

  const container: "file" | "stream" = file.container;
  const schema: Schema = file.schema;
  const metadata: Metadata = file.metadata;
  const field: Field = schema.fields[0]!;
  const type: DataType = field.type;
  const unsupported: { position: number; name: string; error: string }[] = schema.unsupported;
  const texts: (string | null | undefined)[] = [container, type.name, type.text, type.unit, type.timezone, type.mode, field.extension];
  const numbersOfType: (number | undefined)[] = [type.precision, type.scale, type.size, ...(type.typeIds ?? []), unsupported[0]?.position];
  const nested: (DataType | undefined)[] = [type.index, type.values, type.children?.[0]?.type];
  const flags: (boolean | undefined)[] = [type.ordered, type.keysSorted, field.nullable];
  const [key, value] = [...metadata, ...schema.metadata, ...field.metadata][0]!;
  const starts: Float64Array | null = file.batchStarts;
  const unread: UnreferencedBytes | null = file.unreferencedBytes;
  const second: boolean = unread?.isSecondFile ?? false;
  const counted: number = (await file.countRows()) + file.bytesAfterEnd + (second ? (unread?.end ?? 0) - (unread?.start ?? 0) : 0);
  same<Same<typeof file.numRows, number | null>>();
  // @ts-expect-error What a file says of itself is not changed.
  file.numBatches = 7;

  const batch: Batch = await file.batch(0, { columns: ["id", 1], rows: [0, 10] });
  const column: Column = batch.column("id");
  const numbers: Numbers | null = batch.columns[0]!.numbers;
  if (numbers instanceof Int32Array) numbers.subarray(1);
  const values: Value[] = column.toArray(0, 1);
  const parts: (string | number | boolean | Value)[] = [
    column.name, column.length, column.nullCount, column.get(0), column.isValid(0), column.text(0), column.json(0), column.field.name,
    column.type.text, batch.numRows, batch.fields.length,
  ];
  for (const item of column) values.push(item);
  same<Same<ReturnType<typeof batch.columns.slice>, Column[]>>();
  const lines: string[] = batch.toArray("json");
  const rows: Row[] = batch.toArray();
  const lists: Value[][] = batch.toArray("arrays");

  const columns: Columns = new Set(["id", 2]);
  const form: RowForm = "objects";
  const query: RowOptions = { from: 0, to: 9, columns, where: "id > 3", limit: 5, trustStatistics: true, as: form };
  const found: Rows<Row> = file.rows({ columns, where: "id > 3" });
  for await (const row of found) values.push(row["id"]!);
  for await (const chunk of file.rows({ as: "arrays" }).chunks()) values.push(...chunk);
  for await (const part of file.rows({ as: "json" }).batches()) parts.push(part.numRows);
  same<Same<Awaited<ReturnType<ReturnType<typeof textRows>["toArray"]>>, string[]>>();
  const textRows = () => file.rows({ as: "json" });
  // @ts-expect-error There is no such form.
  file.rows({ as: "text" });

  const match: MatchOptions = { where: "id > 3", columns, rows: [0, 9] };
  const matching: { rows: Float64Array; batch: Batch } = await file.matches(0, match);
  const stream = await file.legacyStream({ columns, where: "id > 3" });
  for await (const chunk of file.legacyChunks()) stream.set(chunk);
  new Blob([stream]);
  file.free();
  file[Symbol.dispose]();
  using other = await open(stream);
  void [texts, numbersOfType, nested, flags, key, value, starts, counted, lines, rows, lists, query, other, matching];
}

/** A batch need not have an index signature. */
interface People {
  id: Int32Array;
  name: (string | null)[];
  age: { values: number[]; validity?: Uint8Array };
}

async function save(): Promise<void> {
  const of: { [name: string]: ColumnValues } = {
    id: Int32Array.of(1),
    name: ["ada", null],
    flags: { values: Uint8Array.of(1), validity: Uint8Array.of(1) },
  };
  const item: WrittenType = { text: "list<item: utf8>", children: [{ name: "item", metadata: { lang: "no" } }] };
  const fields: WrittenField[] = [{ name: "id", type: "int32", nullable: false, metadata: { unit: "m" } }, { name: "tags", type: item }];
  // Fields that were read are written as they are.
  const { schema } = await open(new Uint8Array());
  const again: WriteOptions = { schema: schema.fields, metadata: schema.metadata };
  const metadata: WrittenMetadata[] = [schema.metadata, new Map([["owner", "ada"]]), { owner: "ada" }, [["owner", "ada"]]];
  const types: WriteOptions = { schema: { id: schema.fields[0]!.type, name: "utf8" } };
  const maps: WriteOptions = { schema: new Map([["id", "int32"]]), metadata: metadata[1]! };
  // @ts-expect-error A set has no pairs.
  const wrong: WriteOptions = { metadata: new Set(["owner"]) };
  void [again, types, maps, wrong];
  const written: WriteOptions = {
    schema: fields,
    container: "stream",
    compression: "lz4",
    metadata: { owner: "ada" },
    rowCounts: "written",
    alignment: 64,
    maxMessageBytes: 1 << 20,
  };
  const bytes = await write([of, of], written);
  // What is written can be given to everything that takes bytes.
  new Blob([bytes, await write(of)]);
  const people: People = { id: Int32Array.of(1), name: ["ada"], age: { values: [36] } };
  const constant = [{ name: "tags", type: { text: "list<item: utf8>", children: [{ name: "item", metadata: [["lang", "no"]] }] } }] as const;
  await write(people);
  await write([people, people], { schema: constant });
  await write([people, people] as const);
  await write([{ id: [1] }, { id: [2], name: ["ada"] }]);
  await write([]);
  await write(constant.length > 1 ? of : [of, of]);
  const batch: BatchColumns = of;
  const same: BatchColumns<People> = people;
  // @ts-expect-error A number is no column.
  await write({ id: 7 });
  // @ts-expect-error A text is no column, also in one of several batches.
  await write([{ id: [1] }, { id: "ada" }]);
  // @ts-expect-error Arrays are no batches.
  await write([[1], [2]]);
  // @ts-expect-error A text is no batch.
  await write("people");
  // @ts-expect-error Not all members are columns.
  await write({ ...people, n: 1 });
  const writer: ArrowWriter = await createWriter({ schema: { id: "int32" }, compression: null });
  writer.write(people);
  // @ts-expect-error A number is no column.
  writer.write({ id: 7 });
  const [first, last]: [Uint8Array, Uint8Array] = [writer.write({ id: [1] }), writer.finish()];
  writer.free();
  using another = await createWriter({ schema: { id: "int32" } });
  // @ts-expect-error A writer needs a schema.
  await createWriter({});
  void [bytes, first, last, another, batch, same];
}

async function look(): Promise<void> {
  const asked: InspectOptions = { name: "a.arrow", bodies: false };
  const found: Inspection = await inspect(sources[0]!, { ...asked, maxDownloadBytes: 1 });
  // @ts-expect-error Rows are not counted.
  await inspect(sources[0]!, { countRows: false });
  const explanation: Explanation = found.explanation!;
  const starts: Count[] = found.messages.start.filter((start) => start !== null);
  const file = await open(sources[0]!);
  const statistics: ColumnStatistics[] = await file.statistics();
  const bounds: (Column | null)[] = statistics.flatMap(({ min, max }) => [min, max]);
  const nulls: (number | null)[] = statistics.flatMap(({ position, nullCount }) => [position, nullCount]);
  void [explanation.findings, starts, bounds, nulls, await file.inspect(asked), await file.rowCounts(0, 1, { isRead: false })];
}

function dates(): string {
  const date: Date = new ArrowDate(1n, "us", "UTC");
  const { value, unit, timezone } = new ArrowDate(1, "day");
  same<Same<typeof value, number | bigint>>();
  return `${date.getTime()} ${value} ${unit} ${timezone}`;
}

function errors(error: unknown): string {
  if (!(error instanceof ArrowError)) return String(error);
  const code: "input" | "misuse" | "source" | "changed" | "module" = error.code;
  return `${code}: ${error.message}`;
}

void [read, save, look, dates, errors];

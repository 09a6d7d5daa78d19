/// <reference lib="esnext.disposable" />

/** Where the bytes of a file or stream come from. */
export type Source =
  | ArrayBuffer
  | SharedArrayBuffer
  | ArrayBufferView
  | Blob
  | string
  | URL
  | CustomSource;

export interface CustomSource {
  /** The number of bytes. */
  readonly length: number;
  /**
   * Exactly `n` bytes from `offset` on. They are copied when they are there. Reads overlap, so that memory of a promise may not be that of
   * another one.
   */
  read(offset: number, n: number): ArrayBuffer | ArrayBufferView | Promise<ArrayBuffer | ArrayBufferView>;
  /** Called when the file is freed. */
  close?(): void | Promise<void>;
}

export interface OpenOptions {
  /** Whether rows are counted at once. Default: true. */
  countRows?: boolean;
  /** The greatest length of a file that is read whole, if its server sends no ranges. Default: 256 MiB. */
  maxDownloadBytes?: number;
  /** The most memory that one call may use for values beyond the bytes of the file they share. In JSON, long names count for each value. Default: 512 MiB. */
  maxMemoryBytes?: number;
  /** The metadata of a message. Default: 256 MiB. */
  maxMetadataBytes?: number;
  /** The body of a message. Default: none. */
  maxBodyBytes?: number;
  /** The decompressed bytes of a message. Default: the larger of 256 MiB and 1,024 times its body. */
  maxDecompressedBytes?: number;
  /** The dictionaries that are held in memory. Default: the larger of 256 MiB and 64 times what was read. */
  maxDictionaryBytes?: number;
  /** The slots of an array. */
  maxSlots?: number;
  /** The fields of a schema. Default: 1,000,000. */
  maxFields?: number;
  /** The depth of types: 64, or less. */
  maxDepth?: number;
  headers?: Headers | [name: string, value: string][] | { [name: string]: string };
  credentials?: "omit" | "same-origin" | "include";
  /** The bytes at the start of a URL that are requested at the same time as those at its end. Default: 0. */
  startBytes?: number;
  /** Aborts requests; what waits for them fails with the reason. */
  signal?: AbortSignal;
}

/** Opens a file or a stream. */
export function open(source: Source, options?: OpenOptions): Promise<ArrowFile>;

/** Keys and values, which may repeat and be null. */
export type Metadata = [string | null, string | null][];

export interface DataType {
  /** The name without parameters: "timestamp". */
  name: string;
  /** The type in words: `timestamp(us, "UTC")`. */
  text: string;
  unit?: string;
  timezone?: string | null;
  precision?: number;
  scale?: number;
  /** Of fixed-size binary and lists. */
  size?: number;
  /** Of unions. */
  mode?: "dense" | "sparse";
  typeIds?: number[];
  /** Of maps. */
  keysSorted?: boolean;
  /** Of dictionaries. */
  index?: DataType;
  ordered?: boolean;
  values?: DataType;
  children?: Field[];
}

export interface Field {
  name: string;
  type: DataType;
  nullable: boolean;
  metadata: Metadata;
  /** The name of an extension type. */
  extension: string | null;
}

export interface Schema {
  fields: Field[];
  metadata: Metadata;
  /** Columns of types that are unknown here, with the reason. */
  unsupported: { position: number; name: string; error: string }[];
}

/** Columns by name or position. */
export type Columns = Iterable<string | number>;

export interface MatchOptions {
  /** A condition, such as `age > 40`. */
  where: string;
  /** The columns that are returned. Default: those of the condition. */
  columns?: Columns;
  /** The first row of the batch that is searched, and the row after the last. */
  rows?: [number, number];
}

export type RowForm = "objects" | "arrays" | "json";

export interface RowOptions {
  /** The first row of the file that is returned. */
  from?: number;
  /** The row of the file after the last that is returned. */
  to?: number;
  columns?: Columns;
  /** A condition, such as `age > 40 and city in ('Oslo', 'Rome')`. */
  where?: string;
  /** The greatest number of rows that are returned. */
  limit?: number;
  /** Whether batches are left out if no row can match by the bounds in the footer. Default: false. */
  trustStatistics?: boolean;
  /** What a row is. Default: "objects". */
  as?: RowForm;
}

export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | ArrowDate
  | Uint8Array
  | Value[]
  | Map<Value, Value>
  | { [name: string]: Value };

export type Row = { [name: string]: Value };

export interface Rows<R> extends AsyncIterable<R> {
  /** All rows. */
  toArray(): Promise<R[]>;
  /** Arrays of rows, each of a batch or a part of it. */
  chunks(): AsyncGenerator<R[], void, undefined>;
  /** The same as columns. */
  batches(): AsyncGenerator<Batch, void, undefined>;
}

/** Bytes that are not read. */
export interface UnreferencedBytes {
  readonly start: number;
  /** Where the footer begins. */
  readonly end: number;
  /** Whether they begin with a second file, as of `cat a.arrow b.arrow`: then only batches of the first are read. */
  readonly isSecondFile: boolean;
}

export class ArrowFile {
  private constructor();
  readonly container: "file" | "stream";
  readonly schema: Schema;
  /** The metadata of the footer of a file, or of the schema message of a stream. */
  readonly metadata: Metadata;
  readonly numBatches: number;
  /** Null until they are counted. */
  readonly numRows: number | null;
  /** The first row of each batch, and the number of all rows; null until they are counted. */
  readonly batchStarts: Float64Array | null;
  /** The number of bytes after the end marker of a stream, which are not read: perhaps another stream. */
  readonly bytesAfterEnd: number;
  /** The bytes before the footer of a file that none of its blocks has, which are not read; null if there are none. */
  readonly unreferencedBytes: UnreferencedBytes | null;
  /** Counts the rows of all batches, and checks that a stream is complete. */
  countRows(): Promise<number>;
  /** The numbers of rows of batches, all by default. With `isRead: false`, null where bytes are to be read for them. */
  rowCounts(from?: number, to?: number, options?: { isRead?: true }): Promise<Float64Array>;
  rowCounts(from: number, to: number, options: { isRead?: boolean }): Promise<Float64Array | null>;
  /** Checks that a stream is complete; a file is. */
  checkEnd(): Promise<void>;
  /** Reads a batch: some of its columns, and rows from a first to before another one. */
  batch(index: number, options?: { columns?: Columns; rows?: [from: number, to: number] }): Promise<Batch>;
  /** The rows of a batch that match a condition: their numbers in that batch, and columns of them. */
  matches(index: number, options: MatchOptions): Promise<{ rows: Float64Array; batch: Batch }>;
  rows(options: RowOptions & { as: "arrays" }): Rows<Value[]>;
  rows(options: RowOptions & { as: "json" }): Rows<string>;
  rows(options?: RowOptions): Rows<Row>;
  /** A stream with the same values that the package apache-arrow reads. */
  legacyStream(options?: { columns?: Columns; where?: string }): Promise<Uint8Array<ArrayBuffer>>;
  legacyChunks(options?: { columns?: Columns; where?: string }): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined>;
  /** Says where the bytes of the file are, what each column takes, and what is unusual. */
  inspect(options?: InspectOptions): Promise<Inspection>;
  /** The statistics in the footer, of each column that has any. They may be wrong if their writer was. */
  statistics(): Promise<ColumnStatistics[]>;
  /** Frees the memory of the file, and closes its source. */
  free(): void;
  /** The same, for `using`. */
  [Symbol.dispose](): void;
}

export interface ColumnStatistics {
  /** The position of the column. */
  position: number;
  nullCount: number | null;
  /** A column of one slot: no value is less. It need not be one of the values. */
  min: Column | null;
  /** No value is greater. */
  max: Column | null;
}

export interface InspectOptions {
  /** The name of the file in commands and errors. Default: "FILE". */
  name?: string;
  /**
   * Whether a few bytes of bodies are read, too: lengths before compressed buffers, and at most 8 MiB of offsets, views and indices, from
   * which unused bytes are found. Default: true, and false for URLs.
   */
  bodies?: boolean;
}

/** Inspects a file or a stream, which may be damaged. */
export function inspect(source: Source, options?: InspectOptions & Pick<OpenOptions, "headers" | "credentials" | "signal" | "maxDownloadBytes">): Promise<Inspection>;

/** Numbers above 2⁵³ are text. */
export type Count = number | string;

/**
 * What an inspection finds. The members are called as in `arrow-ipc inspect --json` and `explain --json`. A table is an object of columns
 * of the same length. Where there are more than 4,096 messages or 20,000 buffers, neighbours are one row.
 */
export interface Inspection {
  name: string;
  container: "file" | "stream" | null;
  n_bytes: Count | null;
  /** Whether the metadata was too long for memory, so that all members are about the first messages alone. */
  is_part: boolean;
  schema?: {
    version: string;
    endianness: "little" | "big";
    n_columns: number;
    metadata: Metadata;
    message_metadata: Metadata;
  };
  footer?: { position: Count; n_bytes: Count; n_dictionaries: number; n_batches: number; metadata: Metadata };
  n_batches: Count;
  n_truncated_batches: Count;
  n_unreadable_batches: Count;
  n_rows: Count;
  /** Where each stream ends. */
  ends: { position: Count[]; is_marked: boolean[] };
  messages: {
    /** Null if only the footer lists it. */
    index: (number | null)[];
    /** The number of messages of this row. */
    n_messages: Count[];
    start: number[];
    end: Count[];
    kind: string[];
    n_metadata_bytes: Count[];
    n_body_bytes: Count[];
    n_missing_bytes: Count[];
    n_rows: Count[];
    codec: (string | null)[];
    /** Null where a compressed body was not read. */
    n_decompressed_bytes: (Count | null)[];
    note: string[];
  };
  fields: {
    path: string[];
    type: string[];
    /** The position of the column that has the field. */
    column_idx: (number | null)[];
    /** The id of the dictionary whose values have the field. */
    dictionary: (string | null)[];
    n_buffers: Count[];
    n_bytes: Count[];
    n_decompressed_bytes: (Count | null)[];
    n_padding_bytes: Count[];
    n_unneeded_bytes: Count[];
    n_slots: Count[];
    null_count: Count[];
    /** By the statistics in the footer. */
    min?: (string | null)[];
    max?: (string | null)[];
  };
  buffers: {
    /** The row of `messages`. */
    message: number[];
    /** The rows of `fields` of the first and the last buffer of this row. */
    field: (number | null)[];
    last_field: (number | null)[];
    role: string[];
    start: number[];
    n_spanned_bytes: Count[];
    n_buffers: Count[];
    n_bytes: Count[];
    n_padding_bytes: Count[];
    n_missing_bytes: Count[];
    /** Null where no body is compressed, or a compressed body was not read. */
    n_decompressed_bytes: (Count | null)[];
    is_raw: boolean[];
    has_no_nulls: boolean[];
    is_shared: boolean[];
  };
  /** The first errors; `n_damage` counts all. */
  damage: string[];
  n_damage: Count;
  notes: string[];
  /** The object that `arrow-ipc explain --json` writes: totals, `columns` with their bytes, and `findings`. */
  explanation: Explanation;
  /** For each finding, the command that mends it. */
  commands: (string | null)[];
}

export interface Explanation {
  columns: { name: string; type: string; n_bytes: number; n_decompressed_bytes: number | null }[];
  findings: { finding: string; text: string; remedy: { command: string; options: string[] } | null }[];
  [member: string]: unknown;
}

export class Batch {
  private constructor();
  readonly numRows: number;
  readonly fields: Field[];
  readonly columns: Column[];
  column(nameOrPosition: string | number): Column;
  toArray(as?: "objects"): Row[];
  toArray(as: "arrays"): Value[][];
  toArray(as: "json"): string[];
}

export type Numbers =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array
  | BigInt64Array
  | BigUint64Array;

export class Column implements Iterable<Value> {
  private constructor();
  readonly name: string;
  readonly field: Field;
  readonly type: DataType;
  readonly length: number;
  readonly nullCount: number;
  /** The numbers, dates, times or durations; slots without a value have any number. Null for other types. */
  readonly numbers: Numbers | null;
  get(i: number): Value;
  isValid(i: number): boolean;
  toArray(start?: number, end?: number): Value[];
  /** The text of a slot, for people. */
  text(i: number): string;
  /** The JSON of a slot, which loses nothing. */
  json(i: number): string;
  [Symbol.iterator](): Iterator<Value>;
}

/** A date or a timestamp, exactly. */
export class ArrowDate extends Date {
  constructor(value: number | bigint, unit: "day" | "s" | "ms" | "us" | "ns", timezone?: string | null);
  /** What is stored: a number of days for date32, otherwise a bigint. */
  readonly value: number | bigint;
  readonly unit: "day" | "s" | "ms" | "us" | "ns";
  readonly timezone: string | null;
}

export class ArrowError extends Error {
  readonly code: "input" | "misuse" | "source" | "changed" | "module";
  /** Whether the input is of another format that is known, such as Parquet or CSV, and no damaged Arrow data. */
  readonly isOtherFormat: boolean;
}

/** A `WebAssembly.Module`: programs that are for Node alone do not know that type. */
type CompiledModule = object;

/** Says where the modules of WebAssembly are, if they are not beside the package. */
export function configure(modules: {
  read?: string | URL | ArrayBuffer | ArrayBufferView | CompiledModule;
  full?: string | URL | ArrayBuffer | ArrayBufferView | CompiledModule;
}): void;

export type ColumnValues = Numbers | Uint8ClampedArray | readonly unknown[] | { values: Numbers | readonly unknown[]; validity?: Uint8Array };

/** The columns of a batch by their names: `write` takes types of objects whose members are all columns. */
export type BatchColumns<B = { [name: string]: ColumnValues }> = { [K in keyof B & string]: ColumnValues };

/** Metadata that is written, such as that of a file that was read. Nulls and U+0000 in it are an exception. */
export type WrittenMetadata = readonly (readonly [string | null, string | null])[] | ReadonlyMap<string, string> | { [key: string]: string };

/** A field of a schema that is written, such as a `Field` of a file that was read. */
export interface WrittenField {
  name: string;
  type: string | WrittenType;
  nullable?: boolean;
  metadata?: WrittenMetadata;
  extension?: string | null;
}

export interface WrittenType {
  /** The type: `DataType.text`. */
  text: string;
  /** The fields in the type, in its order, for their metadata. */
  children?: readonly (Omit<WrittenField, "type"> & { type?: string | WrittenType })[];
  /** Of dictionaries: the type whose fields have metadata. */
  values?: WrittenType;
}

export interface WriteOptions {
  /** Types by names of columns, in the form of `DataType.text` or as they were read, or fields. */
  schema?: { [name: string]: string | WrittenType } | ReadonlyMap<string, string | WrittenType> | readonly WrittenField[];
  container?: "file" | "stream";
  compression?: "lz4" | null;
  metadata?: WrittenMetadata;
  rowCounts?: "written" | "none";
  alignment?: number;
  maxMessageBytes?: number;
}

/** Batches as bytes of a file or stream. */
export function write<B extends BatchColumns<B>>(batches: readonly B[], options?: WriteOptions): Promise<Uint8Array<ArrayBuffer>>;
export function write<B extends BatchColumns<B>>(batch: B, options?: WriteOptions): Promise<Uint8Array<ArrayBuffer>>;
export function write(batches: BatchColumns | readonly BatchColumns[], options?: WriteOptions): Promise<Uint8Array<ArrayBuffer>>;

export function createWriter(options: WriteOptions & { schema: NonNullable<WriteOptions["schema"]> }): Promise<ArrowWriter>;

export class ArrowWriter {
  private constructor();
  /** Writes a batch. Returns its bytes. `numRows` is the number of rows, which batches without columns have, too. */
  write<B extends BatchColumns<B>>(columns: B, options?: { numRows?: number }): Uint8Array<ArrayBuffer>;
  /** Ends the file or stream. Returns its last bytes. */
  finish(): Uint8Array<ArrayBuffer>;
  free(): void;
  /** The same, for `using`. */
  [Symbol.dispose](): void;
}

// What has no `export` above is not exported.
export {};

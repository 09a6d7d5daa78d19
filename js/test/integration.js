// Values by the JSON of Arrow's integration tests, which has buffers as lists: the values that the package gives for the same data.

/** The fields of a document, and the values of each of their columns. */
export function columnsOf({ schema, batches = [], dictionaries = [] }) {
  const known = new Map();
  // Values may be encoded, too, by dictionaries that follow.
  const waiting = new Map(dictionaries.map((dictionary) => [dictionary.id, dictionary]));
  const fieldOf = (fields, id) => {
    for (const field of fields) {
      if (field.dictionary?.id === id) return field;
      const found = fieldOf(field.children ?? [], id);
      if (found) return found;
    }
    return undefined;
  };
  const dictionary = (id) => {
    if (!known.has(id)) {
      const field = fieldOf(schema.fields, id);
      const { data } = waiting.get(id);
      known.set(id, values({ ...field, dictionary: undefined }, data.columns[0], dictionary));
    }
    return known.get(id);
  };
  return schema.fields.map((field, k) => ({ field, values: batches.flatMap(({ columns }) => values(field, columns[k], dictionary)) }));
}

function values(field, column, dictionary) {
  const isValid = (i) => !column.VALIDITY || column.VALIDITY[i] === 1;
  const every = (value) => Array.from({ length: column.count }, (_, i) => (isValid(i) ? value(i) : null));
  if (field.dictionary) {
    const of = dictionary(field.dictionary.id);
    return every((i) => of[Number(column.DATA[i])]);
  }
  const { type } = field;
  const child = (k) => values(field.children[k], column.children[k], dictionary);
  const data = column.DATA;
  switch (type.name) {
    case "null":
      return Array(column.count).fill(null);
    case "bool":
      return every((i) => Boolean(data[i]));
    case "int":
      return every((i) => (type.bitWidth === 64 ? BigInt(data[i]) : Number(data[i])));
    case "floatingpoint":
      return every((i) => (type.precision === "SINGLE" ? Math.fround(data[i]) : Number(data[i])));
    case "utf8":
    case "largeutf8":
      return every((i) => data[i]);
    case "binary":
    case "largebinary":
      return every((i) => bytes(data[i]));
    case "fixedsizebinary": {
      const isUuid = field.metadata?.some(({ key, value }) => key === "ARROW:extension:name" && value === "arrow.uuid");
      return every((i) => (isUuid ? uuid(data[i]) : bytes(data[i])));
    }
    case "utf8view":
    case "binaryview":
      return every((i) => view(type, column, i));
    case "decimal":
      return every((i) => decimal(BigInt(data[i]), type.scale));
    case "date":
      return every((i) => (type.unit === "DAY" ? `${data[i]} day` : `${data[i]} ms null`));
    case "timestamp":
      return every((i) => `${data[i]} ${UNITS[type.unit]} ${type.timezone ?? null}`);
    case "time":
      return every((i) => time(BigInt(data[i]), type.unit));
    case "duration":
      return every((i) => BigInt(data[i]));
    case "interval":
      return every((i) => interval(type.unit, data[i]));
    case "list":
    case "largelist": {
      const items = child(0);
      return every((i) => items.slice(Number(column.OFFSET[i]), Number(column.OFFSET[i + 1])));
    }
    case "listview":
    case "largelistview": {
      const items = child(0);
      return every((i) => items.slice(Number(column.OFFSET[i]), Number(column.OFFSET[i]) + Number(column.SIZE[i])));
    }
    case "fixedsizelist": {
      const items = child(0);
      return every((i) => items.slice(i * type.listSize, (i + 1) * type.listSize));
    }
    case "map": {
      const [keys, items] = [0, 1].map((k) => values(field.children[0].children[k], column.children[0].children[k], dictionary));
      return every((i) => {
        const [start, end] = [Number(column.OFFSET[i]), Number(column.OFFSET[i + 1])];
        const pairs = keys.slice(start, end).map((key, at) => [key, items[start + at]]);
        return new Set(keys.slice(start, end)).size < pairs.length ? pairs : new Map(pairs);
      });
    }
    case "struct": {
      const names = field.children.map(({ name }) => name);
      const children = names.map((_, k) => child(k));
      const pairs = (i) => names.map((name, k) => [name, children[k][i]]);
      return every((i) => (new Set(names).size < names.length ? pairs(i) : Object.fromEntries(pairs(i))));
    }
    case "union": {
      const children = field.children.map((_, k) => child(k));
      return every((i) => {
        const at = type.typeIds.indexOf(column.TYPE_ID[i]);
        return { [field.children[at].name]: children[at][type.mode === "DENSE" ? column.OFFSET[i] : i] };
      });
    }
    case "runendencoded": {
      const [ends, runs] = [child(0), child(1)];
      return Array.from({ length: column.count }, (_, i) => runs[ends.findIndex((end) => i < end)]);
    }
    default:
      throw new Error(`the document has a type ${type.name}`);
  }
}

const UNITS = { SECOND: "s", MILLISECOND: "ms", MICROSECOND: "us", NANOSECOND: "ns" };

const bytes = (hex) => Uint8Array.from(Buffer.from(hex, "hex"));

const uuid = (hex) => [8, 12, 16, 20, 32].map((end, k) => hex.slice([0, 8, 12, 16, 20][k], end).toLowerCase()).join("-");

function view(type, column, i) {
  const { SIZE, INLINED, BUFFER_INDEX, OFFSET } = column.VIEWS[i];
  if (INLINED !== undefined) return type.name === "utf8view" ? INLINED : bytes(INLINED);
  const found = bytes(column.VARIADIC_DATA_BUFFERS[BUFFER_INDEX]).slice(OFFSET, OFFSET + SIZE);
  return type.name === "utf8view" ? Buffer.from(found).toString() : found;
}

function decimal(integer, scale) {
  if (scale <= 0) return String(integer * 10n ** BigInt(-scale));
  const one = 10n ** BigInt(scale);
  const size = integer < 0n ? -integer : integer;
  return `${integer < 0n ? "-" : ""}${size / one}.${String(size % one).padStart(scale, "0")}`;
}

function time(number, unit) {
  const digits = { SECOND: 0, MILLISECOND: 3, MICROSECOND: 6, NANOSECOND: 9 }[unit];
  const second = 10n ** BigInt(digits);
  // The end of a day is none of its times.
  if (number < 0n || number >= 86_400n * second) return digits > 3 ? number : Number(number);
  const clock = new Date(Number(number / second) * 1000).toISOString().slice(11, 19);
  return digits === 0 ? clock : `${clock}.${String(number % second).padStart(digits, "0")}`;
}

function interval(unit, data) {
  switch (unit) {
    case "YEAR_MONTH":
      return { months: data };
    case "DAY_TIME":
      return data;
    default:
      return { ...data, nanoseconds: BigInt(data.nanoseconds) };
  }
}

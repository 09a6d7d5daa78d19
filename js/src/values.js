// Values that JavaScript has no type for, and the text of all values: the form of crates/arrow-text/NOTATION.md.
import { misuse, shown } from "./error.js";

const PER_SECOND = { s: 1n, ms: 1_000n, us: 1_000_000n, ns: 1_000_000_000n };
const DIGITS = { s: 0, ms: 3, us: 6, ns: 9 };
const DAY_MS = 86_400_000;

/** The quotient, rounded down. */
function floorDiv(a, b) {
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
}

/**
 * A date or a timestamp: a `Date`, to milliseconds, that also has the exact number.
 *
 * `value` is the stored number, a number for date32 and a bigint otherwise; `unit` says what it counts since 1970: "day", "s",
 * "ms", "us" or "ns". `timezone` is the zone of the type, or null. `toString()` and `toJSON()` have all digits. What is out of the
 * range of `Date` (the years −271821 to 275760) is an invalid `Date`, and `value` and the text are right.
 */
export class ArrowDate extends Date {
  constructor(value, unit, timezone = null) {
    // Values of columns are of the type of the unit already.
    if (typeof value !== (unit === "day" ? "number" : "bigint") || !Object.hasOwn(TIME_UNITS, unit)) value = checkedTime(value, unit);
    super(milliseconds(value, unit));
    this.value = value;
    this.unit = unit;
    this.timezone = timezone;
  }

  toString() {
    return this.unit === "day" ? dateText(this.value) : timestampText(this.value, this.unit, this.timezone !== null);
  }

  toJSON() {
    return this.toString();
  }
}

const TIME_UNITS = { day: true, ...PER_SECOND };

/** The number of a date in the type of its unit. */
function checkedTime(value, unit) {
  if (!Object.hasOwn(TIME_UNITS, unit)) throw misuse(`the unit of a date is one of ${Object.keys(TIME_UNITS).join(", ")}, not ${shown(unit)}`);
  const isWhole = typeof value === "bigint" || Number.isSafeInteger(value);
  if (!isWhole) throw misuse(`the value of a date is a whole number or a bigint, not ${shown(value)}`);
  return unit === "day" ? Number(value) : BigInt(value);
}

function milliseconds(value, unit) {
  switch (unit) {
    case "day":
      return value * DAY_MS;
    case "s":
      return Number(value) * 1000;
    case "ms":
      return Number(value);
    default:
      return Number(floorDiv(value, PER_SECOND[unit] / 1000n));
  }
}

/** The date of a number of days since 1970, in the proleptic Gregorian calendar. */
export function dateText(days) {
  // Years of 400 years' cycles that begin in March, so that the leap day is the last.
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const leapFree = dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor(leapFree / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const fifth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * fifth + 2) / 5) + 1;
  const month = fifth < 10 ? fifth + 3 : fifth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  const sign = year < 0 ? "-" : "+";
  const years = year >= 0 && year <= 9999 ? pad(year, 4) : sign + pad(Math.abs(year), 6);
  return `${years}-${pad(month, 2)}-${pad(day, 2)}`;
}

export function timestampText(value, unit, isZoned) {
  const perSecond = PER_SECOND[unit];
  const seconds = floorDiv(value, perSecond);
  const days = floorDiv(seconds, 86_400n);
  const clock = clockText(Number(seconds - days * 86_400n), value - seconds * perSecond, unit);
  return `${dateText(Number(days))}T${clock}${isZoned ? "Z" : ""}`;
}

/** A date64 is a date if it is of a whole day. */
export function date64Text(value) {
  return value % 86_400_000n === 0n ? dateText(Number(value / 86_400_000n)) : timestampText(value, "ms", false);
}

/** The time of day; the number itself if it is outside of a day. */
export function timeText(value, unit) {
  const exact = BigInt(value);
  const perSecond = PER_SECOND[unit];
  if (exact < 0n || exact >= 86_400n * perSecond) return value;
  const seconds = exact / perSecond;
  return clockText(Number(seconds), exact - seconds * perSecond, unit);
}

function clockText(second, fraction, unit) {
  const minute = Math.floor(second / 60);
  const clock = `${pad(Math.floor(minute / 60), 2)}:${pad(minute % 60, 2)}:${pad(second % 60, 2)}`;
  return DIGITS[unit] === 0 ? clock : `${clock}.${pad(fraction, DIGITS[unit])}`;
}

const pad = (number, width) => String(number).padStart(width, "0");

/** A decimal as text, with as many digits after the point as the scale says. */
export function decimalText(integer, scale) {
  if (Math.abs(scale) > 1000) return `${integer}e${-scale}`;
  if (scale <= 0) return integer === 0n ? "0" : String(integer) + "0".repeat(-scale);
  const sign = integer < 0n ? "-" : "";
  const digits = String(integer < 0n ? -integer : integer).padStart(scale + 1, "0");
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** A little-endian two's complement integer of any width. */
export function wideInteger(view, at, width) {
  let value = 0n;
  for (let word = width / 4 - 1; word >= 0; word--) {
    const next = word === width / 4 - 1 ? view.getInt32(at + 4 * word, true) : view.getUint32(at + 4 * word, true);
    value = (value << 32n) + BigInt(next);
  }
  return value;
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

const HEX_DIGITS = Uint8Array.from("0123456789abcdef", (digit) => digit.charCodeAt(0));
const ascii = new TextDecoder();

export function hexText(bytes) {
  if (bytes.length > 64) {
    // A long text that is made of many would take much more memory.
    const digits = new Uint8Array(2 * bytes.length);
    bytes.forEach((byte, i) => {
      digits[2 * i] = HEX_DIGITS[byte >> 4];
      digits[2 * i + 1] = HEX_DIGITS[byte & 15];
    });
    return ascii.decode(digits);
  }
  let text = "";
  for (const byte of bytes) text += HEX[byte];
  return text;
}

export function uuidText(bytes) {
  return hexText(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

const CONTROL = /["\\\u0000-\u001f\u007f-\u009f]/g;
const SHORT = { '"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

export function quoted(text) {
  const escape = (char) => SHORT[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return `"${text.replace(CONTROL, escape)}"`;
}

/** A floating-point number with a point or an exponent, as short as its width allows. */
export function floatText(number, width) {
  if (!Number.isFinite(number)) return String(number);
  if (number === 0) return Object.is(number, -0) ? "-0.0" : "0.0";
  const sign = number < 0 ? "-" : "";
  const [integer, exponent] = width === 8 ? shortestOfDouble(Math.abs(number)) : shortest(Math.abs(number), width);
  const all = integer.replace(/0+$/, "");
  // The number is 0.DIGITS · 10^point.
  const point = integer.length + exponent;
  if (point <= -4 || point > 16) {
    const fraction = all.length > 1 ? `.${all.slice(1)}` : "";
    return `${sign}${all[0]}${fraction}e${point - 1}`;
  }
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${all}`;
  if (all.length <= point) return `${sign}${all.padEnd(point, "0")}.0`;
  return `${sign}${all.slice(0, point)}.${all.slice(point)}`;
}

/** The fewest digits that are read back as a number of 64 bits, and the exponent of their power of ten: JavaScript writes no others. */
function shortestOfDouble(number) {
  const [, head, tail = "", exponent = "0"] = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(number));
  return [(head + tail).replace(/^0+/, ""), Number(exponent) - tail.length];
}

/** The bits of the fraction of narrower numbers, and the exponent of the least of them, by their width in bytes. */
const NARROW = { 2: { n_fraction_bits: 10, least: -24 }, 4: { n_fraction_bits: 23, least: -149 } };

const double = new DataView(new ArrayBuffer(8));

/**
 * The fewest digits that are read back as the same number of this width, and the exponent of their power of ten. Of several, these are the
 * nearest; of two equally near, the even ones. `toExponential` takes the greater of these.
 */
function shortest(number, width) {
  const { n_fraction_bits, least } = NARROW[width];
  double.setFloat64(0, number);
  const exponent = Math.max((double.getUint16(0) >> 4) - 1023 - n_fraction_bits, least);
  const significand = number / 2 ** exponent;
  // The neighbour below a power of two is nearer than the one above.
  const isPower = significand === 2 ** n_fraction_bits && exponent > least;
  const { ofTen, multiple, unit } = scaleOf(exponent, isPower);
  // In quarters of the last bit, and then in parts of that power of ten. Between the bounds are the numbers that are read back; a bound is,
  // too, if the significand is even.
  const quarters = BigInt(4 * significand);
  const value = quarters * multiple;
  const margin = significand % 2 === 0 ? 0n : 1n;
  const lower = (quarters - (isPower ? 1n : 2n)) * multiple + margin;
  const upper = (quarters + 2n) * multiple - margin;
  const isInside = (scaled) => lower <= scaled && scaled <= upper;
  const below = value / unit;
  if (below >= 10n) {
    // At most one multiple of the next power of ten is between the bounds.
    const shorter = [below / 10n, below / 10n + 1n].find((integer) => isInside(integer * 10n * unit));
    if (shorter !== undefined) return [String(shorter), ofTen + 1];
  }
  const isBelow = isInside(below * unit);
  if (isBelow !== isInside((below + 1n) * unit)) return [String(isBelow ? below : below + 1n), ofTen];
  const twice = 2n * (value - below * unit);
  return [String(twice < unit || (twice === unit && below % 2n === 0n) ? below : below + 1n), ofTen];
}

/** The scales of narrow numbers by their exponents, of which there are few. */
const scales = new Map();

/**
 * The greatest power of ten that is not greater than the distance of the bounds, so that a multiple of it is between them; and what a quarter
 * of the last bit and that power are as whole numbers of one unit.
 */
function scaleOf(exponent, isPower) {
  const key = 2 * exponent + Number(isPower);
  const known = scales.get(key);
  if (known) return known;
  const ofTen = Math.floor(Math.log10((isPower ? 3 : 4) * 2 ** (exponent - 2)));
  const power = (base, n) => base ** BigInt(Math.max(n, 0));
  const made = {
    ofTen,
    multiple: power(2n, exponent - 2) * power(10n, -ofTen),
    unit: power(2n, 2 - exponent) * power(10n, ofTen),
  };
  scales.set(key, made);
  return made;
}

// Offsets of time zones, by the database that browsers and Node have for `Intl`. It needs no bytes here, and updates keep it current.

const DAY = 86_400;
/** The seconds of 400 years of the Gregorian calendar, which are whole weeks. */
const CYCLE = 146_097 * DAY;
/** 1840-01-01: no zone changed its clocks before. */
const FIRST = -4_102_444_800;
/** 2101-01-01: from then on, the rules of all zones are the same in each year. */
const REPEATS_FROM = 4_133_980_800;
/** Clocks were never changed twice in less than this: in Freetown, in September 1939, there were four days between. */
const STEP = 3.5 * DAY;

/** The number of zones whose formatters are cached. A file from elsewhere may have any number of names. */
const MOST_ZONES = 64;
const known = new Map();

/** A zone by its name, such as "Europe/Oslo", or its offset, such as "+05:30"; null if it is unknown. */
export function zoneOf(name) {
  if (!known.has(name)) {
    if (known.size >= MOST_ZONES) known.delete(known.keys().next().value);
    known.set(name, found(name));
  }
  return known.get(name);
}

function found(name) {
  if (name === "UTC") return new FixedZone(0);
  if (/^[+-]/.test(name)) {
    const [, sign, hours, minutes] = /^([+-])([01]\d|2[0-3]):([0-5]\d)$/.exec(name) ?? [];
    return sign ? new FixedZone(Number(`${sign}1`) * (Number(hours) * 3600 + Number(minutes) * 60)) : null;
  }
  // What a system has under these names is not the same everywhere.
  if (/^(localtime|posixrules|factory)$/i.test(name)) return null;
  try {
    const zone = new NamedZone(name);
    return zone.isUtc ? new FixedZone(0) : zone;
  } catch {
    return null;
  }
}

class FixedZone {
  constructor(offset) {
    this.offset = offset;
  }

  offsetAt() {
    return this.offset;
  }
}

const PARTS = { year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" };

class NamedZone {
  #format;
  /** Where the year, month, day, hour, minute and second are among the numbers of a text. */
  #order;
  #rules = null;

  constructor(timeZone) {
    this.#format = new Intl.DateTimeFormat("en-US-u-ca-gregory-nu-latn", { ...PARTS, hourCycle: "h23", timeZone });
    this.isUtc = this.#format.resolvedOptions().timeZone === "UTC";
    const types = this.#format.formatToParts(0).map(({ type }) => type).filter((type) => type in PARTS);
    this.#order = Object.keys(PARTS).map((type) => types.indexOf(type));
    // What has no such numbers is of no use.
    if (!Number.isFinite(this.#offset(0))) throw new RangeError(timeZone);
  }

  /** The offset from UTC at a whole second in the years of `Date`. */
  #offset(seconds) {
    const numbers = this.#format.format(seconds * 1000).match(/\d+/g);
    const [year, month, day, hour, minute, second] = this.#order.map((at) => Number(numbers[at]));
    return Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - seconds;
  }

  /** The offset from UTC at a second, in seconds. It is a bigint, since years may have many digits. */
  offsetAt(seconds) {
    const since = seconds - BigInt(REPEATS_FROM);
    const year = since < 0n ? seconds : (since % BigInt(CYCLE)) + BigInt(REPEATS_FROM);
    return this.#offset(Number(year < BigInt(FIRST) ? FIRST : year));
  }

  /**
   * All changes, as numbers for the module: the first offset, the second from which they repeat (−∞ if there are none), and the second
   * and the offset of each change.
   */
  rules() {
    return (this.#rules ??= this.#found());
  }

  #found() {
    const changes = [];
    const first = this.#offset(FIRST);
    let offset = first;
    let at = FIRST;
    while (at < REPEATS_FROM) {
      const next = Math.min(at + STEP, REPEATS_FROM);
      const after = this.#offset(next);
      if (after !== offset) {
        changes.push(this.#change(at, next, offset), after);
        offset = after;
      }
      at = next;
    }
    const yearly = [];
    for (; at < REPEATS_FROM + 366 * DAY; at += STEP) {
      const after = this.#offset(at + STEP);
      if (after !== offset) {
        yearly.push({ at: this.#change(at, at + STEP, offset), offset: after });
        offset = after;
      }
    }
    for (let change = 0; change < yearly.length; change++) {
      const { at, offset } = yearly[change];
      if (at > REPEATS_FROM + CYCLE + 366 * DAY) break;
      changes.push(at, offset);
      // A rule names a day of the month, or a weekday of a week in it: the change is a year or whole weeks later.
      const before = this.#offset(at - 1);
      const isNext = (later) => this.#offset(later - 1) === before && this.#offset(later) === offset;
      const days = [364, 371, 365, 366].find((days) => isNext(at + days * DAY));
      if (days) yearly.push({ at: at + days * DAY, offset });
    }
    return Float64Array.of(first, yearly.length > 0 ? REPEATS_FROM : -Infinity, ...changes);
  }

  /** The first second with another offset than before, between two. */
  #change(from, to, before) {
    while (to - from > 1) {
      const middle = from + Math.floor((to - from) / 2);
      if (this.#offset(middle) === before) from = middle;
      else to = middle;
    }
    return to;
  }
}

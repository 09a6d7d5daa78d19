// Times as people of their zone see them: 2024-03-31 03:30:00+02:00.
import { timestampText } from "../../src/values.js";
import { zoneOf } from "../../src/zones.js";

const PER_SECOND = { s: 1n, ms: 1_000n, us: 1_000_000n, ns: 1_000_000_000n };

/** The offsets that are kept: those of the rows on the screen, which are drawn many times. */
const MOST_OFFSETS = 4096;
const offsets = new Map();

function offsetAt(zone, name, seconds) {
  const key = `${seconds} ${name}`;
  let offset = offsets.get(key);
  if (offset === undefined) {
    offset = zone.offsetAt(seconds);
    if (offsets.size >= MOST_OFFSETS) offsets.clear();
    offsets.set(key, offset);
  }
  return offset;
}

const two = (number) => String(number).padStart(2, "0");

/** +02:00. Until about 1900, the offsets of many zones also have seconds. */
function offsetText(offset) {
  const size = Math.abs(offset);
  const clock = [Math.floor(size / 3600), Math.floor(size / 60) % 60, ...(size % 60 === 0 ? [] : [size % 60])];
  return (offset < 0 ? "-" : "+") + clock.map(two).join(":");
}

/** The text of a slot of a column of timestamps: the time in the zone of the column, and its offset. */
export function timeText(column, i) {
  const { unit, timezone } = column.type;
  const value = column.numbers[i];
  const zone = timezone === null ? null : zoneOf(timezone);
  const perSecond = PER_SECOND[unit];
  const seconds = (value - (((value % perSecond) + perSecond) % perSecond)) / perSecond;
  const offset = zone === null ? 0 : offsetAt(zone, timezone, seconds);
  const text = timestampText(value + BigInt(offset) * perSecond, unit, false).replace("T", " ");
  return text + (timezone === null ? "" : offset === 0 && !zone?.rules ? "Z" : offsetText(offset));
}

/** What is to be known of a column of timestamps, or null. */
export function zoneNote(type) {
  if (type.name !== "timestamp" || type.timezone === null || zoneOf(type.timezone) !== null) return null;
  return `the time zone "${type.timezone}" is unknown here: times are in UTC`;
}

/** The text of a slot of any column, as it is shown. */
export function shownText(column, i) {
  return column.type.name === "timestamp" ? timeText(column, i) : column.text(i);
}

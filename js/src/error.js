// The exceptions of this package.
import { inJson, quotedName, quotedText, withoutHidden } from "./hidden.js";
import { suggestion } from "./similar.js";

/** The most characters of a message, and of a name or value in it: those of files and servers may be long. */
const MOST_CHARACTERS = 4096;
const MOST_SHOWN = 200;

/**
 * `code` says what an exception is about: "input" (malformed, unsupported or over a limit), "misuse" (a wrong argument),
 * "source" (bytes could not be had), "changed" (the source has other bytes than before) or "module" (WebAssembly ended).
 */
export class ArrowError extends Error {
  /** All text of files, servers and programs in messages comes through here: what is hidden in it becomes escapes. */
  constructor(code, message, options) {
    super(readable(message), options?.cause === undefined ? undefined : { cause: readableCause(options.cause) });
    this.name = "ArrowError";
    this.code = code;
    /** Whether the input is of another format that is known, such as Parquet or CSV, and no damaged Arrow data. */
    this.isOtherFormat = options?.isOtherFormat ?? false;
  }

  /** The same error with text before its message. */
  within(text) {
    return new ArrowError(this.code, `${text}: ${this.message}`, { cause: this.cause, isOtherFormat: this.isOtherFormat });
  }
}

/** At most so many units of UTF-16 of a text, and no half of a character at the end. */
export const beginning = (text, most) => (text.length <= most ? text : text.slice(0, most).replace(/[\ud800-\udbff]$/, ""));

/** The beginning of a text that is not the package's own, and may have any length. */
export const cut = (text, most = MOST_SHOWN) => (text.length <= most ? text : `${beginning(text, most)}…`);

const readable = (message) => withoutHidden(cut(String(message), MOST_CHARACTERS), inJson);

/** A text of what may be no text, or may throw when it is asked. */
function textOf(get) {
  try {
    return String(get());
  } catch {
    return "an error without a text";
  }
}

/** What an error says, whatever was thrown. */
export const messageOf = (error) => textOf(() => error?.cause?.message ?? error?.message ?? error);

/** The causes of causes that are shown with an exception, and the members of those that have several. */
const MOST_CAUSES = 8;

/**
 * A cause, which is shown with the exception. One with hidden characters is another one with the escaped message. `left` counts the
 * causes that may be shown below this one.
 */
function readableCause(cause, left = { n: MOST_CAUSES }) {
  if (typeof cause === "string") return readable(cause);
  if (cause instanceof ArrowError) return cause;
  if (!(cause instanceof Error)) {
    const isPlain = cause === null || (typeof cause !== "object" && typeof cause !== "function");
    return isPlain ? cause : new Error(readable(textOf(() => cause.message ?? "a cause that is no error")));
  }
  const below = (one) => (one !== undefined && left.n-- > 0 ? readableCause(one, left) : undefined);
  const own = below(cause.cause);
  const members = membersOf(cause)?.slice(0, left.n > 0 ? left.n : 0).map(below).filter((one) => one !== undefined);
  const hasSame = members === undefined || isSame(members, cause.errors);
  const texts = ["message", "name", "code"].map((member) => textOf(() => cause[member] ?? ""));
  const [message, name, code] = texts.map(readable);
  // A member may be no text, or throw.
  const isText = textOf(() => typeof cause.message === "string" && typeof cause.name === "string") === "true";
  const isReadable = isText && isSame([message, name, code], texts);
  if (isReadable && own === cause.cause && hasSame) return cause;
  const options = own === undefined ? undefined : { cause: own };
  const made = members === undefined ? new Error(message, options) : new AggregateError(members, message, options);
  return Object.assign(made, { name }, code === "" ? {} : { code });
}

/** The errors in an error of several ones, such as that of each address of a host. */
const membersOf = (error) => (error instanceof AggregateError && Array.isArray(error.errors) ? error.errors : undefined);

const isSame = (items, others) => items.length === others.length && items.every((item, i) => item === others[i]);

export const misuse = (message) => new ArrowError("misuse", message);

/** A value of any kind, in a message. */
export function shown(value) {
  if (typeof value === "string") return quotedText(cut(value));
  if (typeof value === "bigint") return `${cut(String(value))}n`;
  if (typeof value === "function") return "a function";
  if (Array.isArray(value)) return "an array";
  if (value === null || typeof value !== "object") return cut(String(value));
  const name = value.constructor?.name;
  return `an object of ${typeof name === "string" && name !== "" ? cut(name) : "no class"}`;
}

/** A name, in a message. */
export const shownName = (name) => quotedName(cut(name));

/** What is said after a name that is not among these. */
export const suggested = (wanted, names, what) => suggestion(wanted, names, what, cut);

/** A number of bytes or the like that a program has set. */
export function checkSize(name, size, most = Number.MAX_SAFE_INTEGER) {
  if (!Number.isSafeInteger(size) || size < 0) throw misuse(`\`${name}\` is a whole number, not ${shown(size)}`);
  if (size > most) throw misuse(`\`${name}\` is at most ${most}, not ${size}`);
}

/** The options of a call, if they have no other names than these. One that is undefined is not given. */
export function optionsOf(options, names) {
  if (options === undefined || options === null) return {};
  if (typeof options !== "object") throw misuse(`options are an object, not ${shown(options)}`);
  const unknown = Object.keys(options).find((name) => options[name] !== undefined && !names.includes(name));
  if (unknown !== undefined) throw misuse(`there is no option ${shownName(unknown)}; there are ${names.join(", ")}`);
  return options;
}

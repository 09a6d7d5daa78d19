// The exceptions of this package.

/**
 * `code` says what an exception is about: "input" (malformed, unsupported or over a limit), "misuse" (a wrong argument),
 * "source" (bytes could not be had), "changed" (the source has other bytes than before) or "module" (WebAssembly ended).
 */
export class ArrowError extends Error {
  constructor(code, message, options) {
    super(message, options);
    this.name = "ArrowError";
    this.code = code;
    /** Whether the input is of another format that is known, such as Parquet or CSV, and no damaged Arrow data. */
    this.isOtherFormat = options?.isOtherFormat ?? false;
  }
}

export const misuse = (message) => new ArrowError("misuse", message);

/** A value of any kind, in a message. */
export function shown(value) {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "bigint") return `${value}n`;
  if (Array.isArray(value)) return "an array";
  return value !== null && typeof value === "object" ? `an object of ${value.constructor?.name || "no class"}` : String(value);
}

/** A number of bytes or the like that a program has set. */
export function checkSize(name, size) {
  if (!Number.isSafeInteger(size) || size < 0) throw misuse(`\`${name}\` is a whole number, not ${shown(size)}`);
}

/** The options of a call, if they have no other names than these. */
export function optionsOf(options, names) {
  if (options === undefined || options === null) return {};
  if (typeof options !== "object") throw misuse(`options are an object, not ${shown(options)}`);
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown !== undefined) throw misuse(`there is no option ${unknown}; there are ${names.join(", ")}`);
  return options;
}

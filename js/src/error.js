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
  }
}

export const misuse = (message) => new ArrowError("misuse", message);

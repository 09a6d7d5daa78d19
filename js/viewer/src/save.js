// Saves the complete batches of a file, and says what is lost.
import { byteSize, count, counted, el, isolated, setText } from "./dom.js";
import { beginning } from "../../src/error.js";
import { withoutHidden } from "../../src/hidden.js";
import { SoundCopy } from "./recovery.js";

/** The losses that are told. */
const MOST_TOLD = 20;

/** What is asked for a name when a file is saved. */
const TYPES = { file: [".arrow", "application/vnd.apache.arrow.file"], stream: [".arrows", "application/vnd.apache.arrow.stream"] };

/** people.arrow becomes people.complete.arrow. */
function nameOf(name, container) {
  const [ending] = TYPES[container];
  const stem = name.replace(/\.(arrows?|feather|ipc|file|stream)$/i, "");
  // Characters that are hidden, or that file systems refuse.
  const safe = withoutHidden(stem, () => "_").replace(/[<>:"/\\|?*]/g, "_");
  return `${beginning(safe, 100) || "file"}.complete${ending}`;
}

/** Where the pieces go: a file that a person chooses, or, where the browser has no such files, one that is downloaded at the end. */
async function sinkFor(name, container) {
  const [ending, type] = TYPES[container];
  if (globalThis.showSaveFilePicker) {
    try {
      const handle = await showSaveFilePicker({ suggestedName: name, types: [{ description: "Arrow", accept: { [type]: [ending] } }] });
      const writable = await handle.createWritable();
      const close = async () => {
        await writable.close();
        // It is saved, also if it cannot be opened here.
        return handle.getFile().catch(() => null);
      };
      return { name: handle.name, write: (bytes) => writable.write(bytes), close, abort: () => writable.abort().catch(() => {}) };
    } catch (error) {
      if (error.name === "AbortError") return null;
      // Some pages may not ask for a file, such as those in frames.
      if (error.name !== "SecurityError" && error.name !== "NotAllowedError") throw error;
    }
  }
  const { write, close: made, abort } = inMemory(name, type);
  const close = () => {
    const file = made();
    const url = URL.createObjectURL(file);
    el("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
    return file;
  };
  return { name, write, close, abort };
}

/** A file that is not saved. Browsers keep large ones on the disk. */
function inMemory(name, type) {
  let parts = [];
  return { write: (bytes) => parts.push(new Blob([bytes])), close: () => new File(parts, name, { type }), abort: () => (parts = []) };
}

/**
 * Copies the complete batches of what `open` takes to a sink. `isGoing(text)` is told how far it is, and returns whether to go on. Resolves to
 * what was copied and lost, with the file and its number of bytes.
 */
async function copySound(source, sink, isGoing) {
  const copy = await SoundCopy.open(source);
  try {
    let last = performance.now();
    let n_bytes = 0;
    // All heads are read first, and then the bodies.
    const onRead = (position) => {
      const part = `${Math.floor((100 * position) / Math.max(1, copy.length))} % of ${byteSize(copy.length)}…`;
      if (!isGoing(n_bytes === 0 ? `Looking for batches: ${part}` : `Copied ${part}`)) throw new DOMException("Stopped: nothing was saved.", "AbortError");
    };
    for await (const piece of copy.pieces(onRead)) {
      await sink.write(piece);
      n_bytes += piece.byteLength;
      if (performance.now() - last < 50) continue;
      await new Promise((done) => setTimeout(done));
      last = performance.now();
    }
    return { ...copy.report(), file: await sink.close(), n_bytes };
  } finally {
    copy.free();
  }
}

/** The complete batches of a file that cannot be opened, as a file of its own: `{ file, losses }`. `onProgress(text)` is told how far it is. */
export async function completeBatches(source, name, onProgress) {
  const going = (text) => {
    onProgress(text);
    return true;
  };
  const { file, numBatches, numLosses, losses } = await copySound(source, inMemory(name, ""), going);
  if (numBatches === 0) throw new Error("No complete batch was found.");
  const told = losses.slice(0, MOST_TOLD);
  if (numLosses > MOST_TOLD) told.push(`${counted(numLosses - MOST_TOLD, "loss", "losses")} more`);
  return { file, losses: told };
}

export class Saving {
  #source;
  #name;
  #container;
  /** Counts savings, so that one that was stopped knows. */
  #current = 0;

  /** Saves what `open` takes as `source`. */
  constructor(source, name, container) {
    this.#source = source;
    this.#name = name;
    this.#container = container;
    this.element = el("div", { class: "saving", hidden: true });
  }

  /** A button that saves. */
  button(label) {
    const title = "Checks all batches, and saves those that are complete as a file of their own";
    return el("button", { type: "button", title, onclick: () => this.#save() }, label);
  }

  async #save() {
    const current = ++this.#current;
    const isCurrent = () => current === this.#current;
    const status = el("span", { role: "status" }, "Choose where to save…");
    const stop = el("button", { type: "button", onclick: () => this.#current++ }, "Stop");
    const close = el("button", { type: "button", class: "close", "aria-label": "Close this message", onclick: () => this.end() }, "✕");
    const bar = el("div", { class: "bar" }, status, stop);
    const show = (...children) => this.element.replaceChildren(...children);
    let sink = null;
    try {
      show(bar);
      this.element.hidden = false;
      sink = await sinkFor(nameOf(this.#name, this.#container), this.#container);
      if (sink === null) {
        this.end();
        return;
      }
      const report = await copySound(this.#source, sink, (text) => {
        setText(status, text);
        return isCurrent();
      });
      if (isCurrent()) show(...this.#told(report, sink.name), close);
    } catch (error) {
      await sink?.abort();
      const text = error.name === "AbortError" ? error.message : `Nothing was saved: ${error.message}`;
      if (isCurrent() || error.name === "AbortError") show(el("p", { class: "bad", role: "alert" }, isolated(text)), close);
    }
  }

  /** What was saved, and what was lost. */
  #told(report, name) {
    const { numBatches, numRows, listedBatches, numLosses, losses, container, file, n_bytes } = report;
    const of = listedBatches !== null && listedBatches !== numBatches ? ` of ${count(listedBatches)}` : "";
    const what = `${count(numBatches)}${of} ${numBatches === 1 && of === "" ? "batch" : "batches"} with ${counted(numRows, "row")}`;
    const other = container === this.#container ? "" : ` It is a ${container}.`;
    const saved = el("p", { role: "status" }, `Saved ${what} (${byteSize(n_bytes)}) as `, isolated(name), `.${other} `);
    // The page opens it as if it was dropped.
    const open = () => this.element.dispatchEvent(new CustomEvent("openfile", { bubbles: true, detail: file }));
    if (file) saved.append(el("button", { type: "button", onclick: open }, "Open it"));
    if (numLosses === 0) return [saved, el("p", { class: "quiet" }, "Nothing was lost: all batches are complete and valid.")];
    const list = el("ul", {}, ...losses.slice(0, MOST_TOLD).map((text) => el("li", {}, isolated(text))));
    if (numLosses > MOST_TOLD) list.append(el("li", {}, `${counted(numLosses - MOST_TOLD, "loss", "losses")} more`));
    return [saved, el("details", { open: innerWidth > 700 }, el("summary", {}, `Not saved: ${counted(numLosses, "loss", "losses")}`), list)];
  }

  end() {
    this.#current++;
    this.element.hidden = true;
    this.element.replaceChildren();
  }
}

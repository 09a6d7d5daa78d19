// Elements. Text from files is only ever the content of a text node, or an attribute. All text comes through here, where what is hidden in it
// becomes signs and escapes.
import { inLines, oneLine } from "./shown.js";

/** Makes an element. `attributes` are attributes, listeners in the form `onclick`, and `class`. The text of `pre` has lines. */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) setAttribute(element, key, value);
  }
  const textOf = name === "pre" ? inLines : oneLine;
  element.append(...children.map((child) => (typeof child === "object" ? child : textOf(String(child)))));
  return element;
}

/** Text of a file, in its own direction. */
export const isolated = (text, attributes = {}) => el("bdi", attributes, text);

/** Sets the text of an element, if it is another one. */
export function setText(element, text) {
  const shown = oneLine(text);
  if (element.textContent !== shown) element.textContent = shown;
}

/** Sets an attribute, such as the title. */
export const setAttribute = (element, name, value) => element.setAttribute(name, oneLine(String(value)));

const grouped = new Intl.NumberFormat("en");
export const count = (number) => grouped.format(number);
export const counted = (number, one, many = `${one}s`) => `${count(number)} ${number === 1 ? one : many}`;

export function byteSize(bytes) {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let k = 0;
  let size = bytes;
  for (; size >= 1000 && k < units.length - 1; k++) size /= 1000;
  return k === 0 ? `${count(bytes)} bytes` : `${size.toFixed(size < 10 ? 1 : 0)} ${units[k]}`;
}

/** Copies text. Returns whether it was copied. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Pages from disk may have no clipboard: then a selection is copied.
    const area = el("textarea", { class: "off-screen" });
    area.value = text;
    const before = document.activeElement;
    document.body.append(area);
    area.select();
    const isDone = document.execCommand("copy");
    area.remove();
    before?.focus();
    return isDone;
  }
}

/** Tabs: arrow keys move between them, and show the panel. */
export function moveInTabs(event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const tabs = [...event.currentTarget.querySelectorAll("[role=tab]")];
  const at = tabs.indexOf(document.activeElement);
  if (at < 0) return;
  event.preventDefault();
  const next = tabs[(at + step + tabs.length) % tabs.length];
  next.focus();
  next.click();
}

/** The items of a list that are made at once. */
export const ITEMS = 100;

/** The first items of a list, and a button for those after them. `make(k)` makes one, and `name` is what the button is in. */
export function more(n, make, { from = 0, name = "li" } = {}) {
  if (n === 0) return [el("li", { class: "quiet" }, "empty")];
  const items = [];
  const end = Math.min(n, from + ITEMS);
  for (let k = from; k < end; k++) items.push(make(k));
  if (end < n) {
    const button = el("button", { type: "button" }, `Show more (${count(n - end)} left)`);
    const item = el(name, {}, button);
    button.addEventListener("click", () => {
      const next = more(n, make, { from: end, name });
      item.replaceWith(...next);
      (next[0].querySelector("summary") ?? next.at(-1).querySelector("button"))?.focus();
    });
    items.push(item);
  }
  return items;
}

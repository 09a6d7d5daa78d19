// The map of bytes: three lanes of items to scale, a window that zooms, and an overview.
import { beginning } from "../../src/error.js";
import { el, isolated, setText } from "./dom.js";
import { BUFFERS, KIND_COLORS, LANES, MESSAGES, ROLE_COLORS, bytes, digits, percent } from "./bytes-model.js";
import { cut, oneLine } from "./shown.js";

const LANE_TOP = [22, 70, 118];
const LANE_HEIGHT = 42;

/** The colours that the page has for other things, too. */
const OF_PAGE = ["text", "quiet", "line", "accent", "ground", "panel"];

/** Draws a map. `on.select(item)` is called where an item, or nothing, is clicked; `on.key(event)` for keys. */
export function stripOf(map, on) {
  const { items, total } = map;
  const strip = el("canvas", { class: "strip", tabindex: 0, role: "application", "aria-label": "Messages, columns and buffers as rows of a strip to scale" });
  const overview = el("canvas", { class: "overview", "aria-hidden": "true" });
  const label = el("span", { class: "quiet window" });
  const tip = el("div", { class: "tip", role: "tooltip", hidden: true });
  const view = { start: 0, end: total };
  let selected = null;
  let colors = {};

  function readColors() {
    const style = getComputedStyle(strip);
    const names = new Set([...Object.values(ROLE_COLORS), ...Object.values(KIND_COLORS), "several", "metadata", "mark", "footer", "gap", "padding",
      "text", "quiet", "line", "accent", "edge", "ground", "panel"]);
    colors = Object.fromEntries([...names].map((name) => [name, style.getPropertyValue(OF_PAGE.includes(name) ? `--${name}` : `--map-${name}`).trim()]));
    colors.isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  }
  // Columns have colours of their own: their hues are far from their neighbours'.
  function colorOf(color) {
    if (typeof color !== "number") return colors[color] ?? colors.several;
    return `hsl(${(210 + color * 137.5) % 360} ${colors.isDark ? "34% 56%" : "40% 55%"})`;
  }

  function context(canvas) {
    const scale = devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
      [canvas.width, canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
    }
    const g = canvas.getContext("2d");
    g.setTransform(scale, 0, 0, scale, 0, 0);
    g.clearRect(0, 0, width, height);
    return { g, width };
  }

  // Draws items between two offsets; those thinner than a pixel share one, and of those without bytes only the padding is seen.
  function drawLane(g, lane, [start, end], width, top, height) {
    const scale = width / (end - start);
    let drawn = -1;
    for (const item of items[lane]) {
      const after = item.end + (item.padding ?? 0);
      if (after < start || item.start > end) continue;
      const left = Math.max((item.start - start) * scale, -2);
      const right = Math.min((item.end - start) * scale, width + 2);
      if (item.end > item.start) {
        if (right - left < 1) {
          if (Math.floor(left) === drawn) continue;
          drawn = Math.floor(left);
        }
        g.fillStyle = colorOf(item.color);
        g.fillRect(left, top, Math.max(right - left, 1), height);
      }
      const padded = Math.min((after - start) * scale, width + 2);
      if (padded - right >= 1) {
        g.fillStyle = colors.padding;
        g.fillRect(right, top, padded - right, height);
      }
      if (right - left > 3 && height > 20) {
        g.fillStyle = colors.edge;
        g.fillRect(right - 0.75, top, 0.75, height);
      }
      if (right - left > 44 && height > 20) drawLabel(g, item, [Math.max(left, 0), Math.min(right, width)], top + height / 2);
    }
  }

  // White, or black where white is hard to read.
  const inks = new Map();
  function inkOn(g, color) {
    if (!inks.has(color)) {
      g.fillStyle = color;
      const light = [1, 3, 5].map((at) => parseInt(g.fillStyle.slice(at, at + 2), 16) / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
      const luminance = 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2];
      inks.set(color, 1.05 / (luminance + 0.05) < 4.5 ? "#000000" : "#ffffff");
    }
    return inks.get(color);
  }

  function drawLabel(g, item, [left, right], middle) {
    g.save();
    g.beginPath();
    g.rect(left, middle - 20, right - left - 4, 40);
    g.clip();
    g.fillStyle = inkOn(g, colorOf(item.color));
    g.font = "600 12px system-ui, sans-serif";
    g.textBaseline = "middle";
    g.fillText(oneLine(beginning(item.title, 120)), left + 6, middle);
    g.restore();
  }

  function drawAxis(g, width) {
    const span = view.end - view.start;
    const raw = span / Math.max(2, width / 130);
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = Math.max(1, [1, 2, 5, 10].map((n) => n * power).find((n) => n >= raw) ?? raw);
    g.fillStyle = colors.quiet;
    g.font = "11px system-ui, sans-serif";
    g.textBaseline = "top";
    let free = 0;
    for (let at = Math.ceil(view.start / step) * step; at <= view.end; at += step) {
      const x = Math.min(((at - view.start) / span) * width, width - 1);
      g.fillRect(x, 0, 1, 5);
      // The last label stands before its mark, if it has room there.
      const long = g.measureText(digits(at)).width;
      const left = x + 4 + long <= width ? x + 4 : x - 4 - long;
      if (left < free) continue;
      g.fillText(digits(at), left, 4);
      free = left + long + 8;
    }
  }

  function draw() {
    const { g, width } = context(strip);
    drawAxis(g, width);
    LANES.forEach((_, lane) => drawLane(g, lane, [view.start, view.end], width, LANE_TOP[lane], LANE_HEIGHT));
    if (selected) {
      const scale = width / (view.end - view.start);
      const left = Math.max((selected.start - view.start) * scale, -4);
      const right = Math.min((selected.end - view.start) * scale, width + 4);
      g.lineWidth = 2.5;
      g.strokeStyle = colors.text;
      g.strokeRect(left - 1, LANE_TOP[selected.lane] - 1, Math.max(right - left, 2) + 2, LANE_HEIGHT + 2);
    }
    drawOverview();
    const span = view.end - view.start;
    setText(label, span >= total ? `all ${bytes(map.found.n_bytes ?? total)}`
      : `bytes ${digits(Math.floor(view.start))} to ${digits(Math.ceil(view.end))}, ${percent(span, total)} of all`);
  }

  function drawOverview() {
    const { g, width } = context(overview);
    drawLane(g, MESSAGES, [0, total], width, 0, 12);
    drawLane(g, BUFFERS, [0, total], width, 13, 13);
    const [left, right] = [(view.start / total) * width, (view.end / total) * width];
    g.globalAlpha = 0.72;
    g.fillStyle = colors.ground;
    g.fillRect(0, 0, left, 30);
    g.fillRect(right, 0, width - right, 30);
    g.globalAlpha = 1;
    g.lineWidth = 2;
    g.strokeStyle = colors.accent;
    g.strokeRect(Math.max(left, 1), 1, Math.max(right - left, 3) - 2, 24);
  }

  let isWaiting = false;
  function redraw() {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => { isWaiting = false; draw(); });
  }

  const possibleSpan = (span) => Math.min(Math.max(span, Math.min(16, total)), total);
  // Returns whether anything changes.
  function setWindow(start, end) {
    const span = possibleSpan(end - start);
    const before = { ...view };
    view.start = Math.min(Math.max(start, 0), total - span);
    view.end = view.start + span;
    redraw();
    return Math.abs(view.start - before.start) + Math.abs(view.end - before.end) > span * 1e-9;
  }
  function zoom(factor, at = selected ? (selected.start + selected.end) / 2 : (view.start + view.end) / 2) {
    const inside = Math.min(Math.max(at, view.start), view.end);
    const scale = possibleSpan((view.end - view.start) * factor) / (view.end - view.start);
    return setWindow(inside - (inside - view.start) * scale, inside + (view.end - inside) * scale);
  }
  function zoomTo(item) {
    const span = Math.max(item.end + (item.padding ?? 0) - item.start, 8);
    setWindow(item.start - span * 0.25, item.end + span * 0.25);
  }
  // Moves the window to an item that is not in it, or too small or too large to be seen with its neighbours. One without bytes has
  // no size of its own.
  function reveal(item) {
    const [length, span] = [item.end - item.start, view.end - view.start];
    const isInside = item.start >= view.start && item.end <= view.end;
    if (isInside && (length === 0 || length / span > 0.004)) return;
    const half = (length === 0 ? span : Math.max(length * 4, 64)) / 2;
    const middle = (item.start + item.end) / 2;
    setWindow(middle - half, middle + half);
  }

  function itemAt(event) {
    const box = strip.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const lane = LANE_TOP.findIndex((top) => y >= top && y < top + LANE_HEIGHT + 4);
    if (lane < 0) return null;
    const scale = (view.end - view.start) / box.width;
    const at = view.start + x * scale;
    const within = items[lane].filter((item) => item.start <= at && at < item.end + (item.padding ?? 0));
    if (within.length) return within.at(-1);
    const near = items[lane].filter((item) => Math.abs(item.start - at) <= 2 * scale);
    return near.length ? near.reduce((a, b) => (b.end - b.start > a.end - a.start ? b : a)) : null;
  }

  function listenToStrip() {
    const offset = (event) => view.start + ((event.clientX - strip.getBoundingClientRect().left) / strip.clientWidth) * (view.end - view.start);
    strip.addEventListener("wheel", (event) => {
      const span = view.end - view.start;
      const aside = Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : event.shiftKey ? event.deltaY : 0;
      const by = (aside / strip.clientWidth) * span;
      const isChanged = aside ? setWindow(view.start + by, view.end + by) : zoom(1.0018 ** event.deltaY, offset(event));
      // Else the page scrolls.
      if (isChanged) event.preventDefault();
    }, { passive: false });
    // The mouse or fingers that are down; of more than two fingers, the first two.
    const pointers = new Map();
    let drag = null;
    const grip = () => {
      const [a, b = a] = pointers.values();
      return { x: (a.clientX + b.clientX) / 2, distance: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY), n: pointers.size };
    };
    const hold = () => {
      const isMoved = (drag?.isMoved ?? false) || pointers.size > 1;
      drag = pointers.size ? { ...grip(), start: view.start, end: view.end, isMoved } : null;
    };
    strip.addEventListener("pointerdown", (event) => {
      pointers.set(event.pointerId, event);
      hold();
      strip.setPointerCapture(event.pointerId);
    });
    strip.addEventListener("pointermove", (event) => {
      if (pointers.has(event.pointerId)) {
        pointers.set(event.pointerId, event);
        const { x, distance } = grip();
        const left = strip.getBoundingClientRect().left;
        const span = possibleSpan((drag.end - drag.start) * (drag.distance > 8 && distance > 8 ? drag.distance / distance : 1));
        const held = drag.start + ((drag.x - left) / strip.clientWidth) * (drag.end - drag.start);
        const start = held - ((x - left) / strip.clientWidth) * span;
        drag.isMoved ||= Math.abs(drag.x - x) > 3;
        if (drag.isMoved) setWindow(start, start + span);
      }
      const item = drag?.isMoved ? null : itemAt(event);
      tip.hidden = !item;
      if (!item) return;
      tip.replaceChildren(isolated(cut(item.title, 400)), el("br"), el("span", {}, `${digits(item.start)} – ${digits(item.end)}, ${bytes(item.end - item.start)}`));
      tip.style.left = `${Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8)}px`;
      tip.style.top = `${event.clientY + 18}px`;
    });
    const release = (event) => {
      if (!pointers.delete(event.pointerId)) return;
      if (event.type === "pointerup" && !drag.isMoved) on.select(itemAt(event));
      hold();
    };
    // A finger that scrolls the page is cancelled here.
    strip.addEventListener("pointerup", release);
    strip.addEventListener("pointercancel", release);
    strip.addEventListener("pointerleave", () => { tip.hidden = true; });
    strip.addEventListener("dblclick", () => selected && zoomTo(selected));
    const move = (event) => {
      if (!event.buttons) return;
      const at = ((event.clientX - overview.getBoundingClientRect().left) / overview.clientWidth) * total;
      const half = (view.end - view.start) / 2;
      setWindow(at - half, at + half);
    };
    overview.addEventListener("pointerdown", (event) => { overview.setPointerCapture(event.pointerId); move(event); });
    overview.addEventListener("pointermove", move);
  }

  listenToStrip();
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  const recolor = () => {
    readColors();
    inks.clear();
    on.colors(colorOf);
    redraw();
  };
  scheme.addEventListener("change", recolor);
  const observer = new ResizeObserver(() => {
    if (strip.clientWidth === 0) return;
    if (colors.text === undefined) recolor();
    redraw();
  });
  observer.observe(strip);
  return {
    strip, overview, label, tip, view, setWindow, zoom, zoomTo, reveal, draw,
    select: (item) => {
      selected = item;
      redraw();
    },
    end: () => {
      observer.disconnect();
      scheme.removeEventListener("change", recolor);
    },
  };
}

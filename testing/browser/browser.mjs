// A headless Chromium, driven by the DevTools protocol through pipes: needs no package.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const COMMAND_MS = 60_000;

export class Browser {
  #next = 1;
  #waiting = new Map();
  #events = [];
  #rest = Buffer.alloc(0);

  static async start(program) {
    const browser = new Browser();
    browser.profile = mkdtempSync(join(tmpdir(), "arrow-ipc-browser-"));
    const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--disable-extensions",
      "--disable-background-networking", "--remote-debugging-pipe", `--user-data-dir=${browser.profile}`, "about:blank"];
    browser.process = spawn(program, flags, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    browser.process.stdio[4].on("data", (bytes) => browser.#receive(bytes));
    browser.process.on("exit", () => browser.#waiting.forEach(({ reject }) => reject(new Error("the browser ended"))));
    const { targetInfos } = await browser.#command("Target.getTargets");
    const { targetId } = targetInfos.find((target) => target.type === "page");
    ({ sessionId: browser.session } = await browser.#command("Target.attachToTarget", { targetId, flatten: true }));
    for (const domain of ["Page", "Runtime", "Log", "Network"]) await browser.command(`${domain}.enable`);
    return browser;
  }

  #receive(bytes) {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    for (let end; (end = this.#rest.indexOf(0)) >= 0; this.#rest = this.#rest.subarray(end + 1)) {
      const message = JSON.parse(this.#rest.subarray(0, end).toString());
      const waiting = this.#waiting.get(message.id);
      if (!waiting) { this.#events.push(message); continue; }
      this.#waiting.delete(message.id);
      clearTimeout(waiting.timer);
      if (message.error) waiting.reject(new Error(`${waiting.method}: ${message.error.message}`));
      else waiting.resolve(message.result);
    }
  }

  #command(method, params = {}, sessionId = undefined) {
    const id = this.#next++;
    this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${method}: no answer`)), COMMAND_MS);
      this.#waiting.set(id, { method, resolve, reject, timer });
    });
  }

  command(method, params) {
    return this.#command(method, params, this.session);
  }

  // The value of an expression in the page.
  async value(expression) {
    const { result, exceptionDetails } = await this.command("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
    return result.value;
  }

  async open(url, { width = 1280, height = 1080, scheme = "light", isTouched = false } = {}) {
    this.#events = [];
    await this.command("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: isTouched });
    await this.command("Emulation.setTouchEmulationEnabled", { enabled: isTouched, maxTouchPoints: isTouched ? 2 : 1 });
    await this.command("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
    await this.command("Page.navigate", { url });
    while (await this.value("document.readyState") !== "complete" || await this.value("location.href") !== url) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await this.value("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(true))))");
  }

  // What the page said or asked for since it was opened: errors of any kind, and requests of anything but itself.
  complaints(url) {
    const found = [];
    for (const { method, params } of this.#events) {
      if (method === "Runtime.exceptionThrown") found.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
      if (method === "Runtime.consoleAPICalled") found.push(`console.${params.type}: ${params.args.map((arg) => arg.value).join(" ")}`);
      if (method === "Log.entryAdded" && params.entry.level !== "verbose") found.push(`${params.entry.level}: ${params.entry.text}`);
      if (method === "Page.javascriptDialogOpening") found.push(`a dialog: ${params.message}`);
      if (method === "Network.requestWillBeSent" && ![url, "data:,"].includes(params.request.url)) found.push(`a request of ${params.request.url}`);
    }
    return found;
  }

  async key(key, modifiers = 0) {
    const text = key.length === 1 ? key : undefined;
    await this.command("Input.dispatchKeyEvent", { type: "keyDown", key, text, modifiers });
    await this.command("Input.dispatchKeyEvent", { type: "keyUp", key, modifiers });
  }

  async click(x, y) {
    for (const type of ["mouseMoved", "mousePressed", "mouseReleased"]) {
      await this.command("Input.dispatchMouseEvent", { type, x, y, button: type === "mouseMoved" ? "none" : "left", clickCount: 1 });
    }
  }

  async wheel(x, y, deltaY) {
    await this.command("Input.dispatchMouseEvent", { type: "mouseWheel", x, y, deltaX: 0, deltaY });
  }

  // Fingers move from the first of their positions to the last, and rest there, so that nothing goes on moving.
  async touch(...steps) {
    for (const [idx, fingers] of steps.entries()) {
      const touchPoints = fingers.map(([x, y], id) => ({ x, y, id }));
      await this.command("Input.dispatchTouchEvent", { type: idx ? "touchMove" : "touchStart", touchPoints });
      await new Promise((done) => setTimeout(done, idx + 1 < steps.length ? 16 : 150));
    }
    await this.command("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  }

  async screenshot() {
    const { data } = await this.command("Page.captureScreenshot", { format: "png" });
    return Buffer.from(data, "base64");
  }

  close() {
    return new Promise((resolve) => {
      this.process.once("exit", () => { rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 }); resolve(); });
      this.process.kill();
    });
  }
}

// What is shown of a file that is too damaged to be opened: why, and its bytes.
import { BytesView } from "./bytes.js";
import { el, isolated } from "./dom.js";

export class DamagedView {
  /** `action` is a button. */
  constructor(name, error, inspect, action) {
    const problems = el("div", { class: "problems", role: "alert" }, el("p", {}, "The rows cannot be read: ", isolated(error.message)), el("p", {}, action));
    this.bytes = new BytesView(inspect);
    const panel = el("div", { class: "panel", tabindex: 0, "aria-label": "Bytes" }, this.bytes.element);
    this.element = el("section", { class: "view", "aria-label": name, tabindex: -1 }, problems, panel);
    this.bytes.show();
  }

  end() {
    this.bytes.end();
  }
}

// What tests do with viewer.html, as a person would.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** The view of the file that was opened last. */
export const VIEW = "viewer_src_main.opened.at(-1).view";
export const CELL = ".row:not(.head):not([hidden]) .cell:not(.gutter)";

/** Helpers for a page in a browser; screenshots go to `shots`, if there is such a folder. */
export function helpersOf(browser, page, shots) {
  const quoted = JSON.stringify;
  const text = (selector) => browser.value(`document.querySelector(${quoted(selector)})?.textContent ?? null`);
  const texts = (selector) => browser.value(`[...document.querySelectorAll(${quoted(selector)})].map((element) => element.textContent)`);

  async function until(expression, what = expression) {
    for (let i = 0; i < 300; i++) {
      if (await browser.value(expression)) return;
      await new Promise((done) => setTimeout(done, 20));
    }
    assert.fail(`it never happened: ${what}; the page says ${await browser.value("document.body.innerText.slice(0, 1000)")}`);
  }

  async function openPage(options) {
    await browser.open(page, options);
    return () => assert.deepEqual(browser.complaints(page), []);
  }

  /** Chooses files as a person does. Returns when they are open, or refused. */
  async function choose(...paths) {
    const before = await browser.value("viewer_src_main.opened.length");
    const { root } = await browser.command("DOM.getDocument");
    const { nodeId } = await browser.command("DOM.querySelector", { nodeId: root.nodeId, selector: "#input" });
    await browser.command("DOM.setFileInputFiles", { files: paths, nodeId });
    await until(`!document.querySelector("[aria-busy]") && (viewer_src_main.opened.length === ${before + paths.length} || !document.getElementById("problem").hidden)`, paths[0]);
  }

  const closeAll = () => browser.value("document.querySelectorAll('.file .close').forEach((button) => button.click())");
  const isDrawn = () => until("document.querySelectorAll('.view:not([hidden]) .waiting').length === 0 && document.querySelector('.view:not([hidden]) .row:not(.head) .cell:nth-child(2)')", "cells");
  const settle = () => browser.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))");

  async function type(selector, written) {
    await browser.value(`(document.querySelector(${quoted(selector)}).focus(), document.activeElement.select())`);
    await browser.command("Input.insertText", { text: written });
  }
  const pressEnter = () => browser.command("Input.dispatchKeyEvent", { type: "keyDown", key: "Enter", text: "\r" });
  /** Clicks on a button by its name or text. */
  const press = (name) =>
    browser.value(`(() => {
      const isSo = (button) => (button.getAttribute("aria-label") ?? button.textContent) === ${quoted(name)};
      [...document.querySelectorAll(".view:not([hidden]) button, header button, #problem button")].find(isSo).click();
    })()`);

  async function shot(name) {
    if (shots) writeFileSync(join(shots, `viewer-${name}.png`), await browser.screenshot());
  }

  return { text, texts, until, openPage, choose, closeAll, isDrawn, settle, type, pressEnter, press, shot };
}

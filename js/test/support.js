// What tests share.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { open } from "../index.js";

export const corpus = fileURLToPath(new URL("../../testing/corpus", import.meta.url));

/** The files and streams with rows that are known. */
export function golden() {
  const found = [];
  for (const writer of readdirSync(`${corpus}/golden`).sort()) {
    const folder = `${corpus}/golden/${writer}`;
    if (!existsSync(`${folder}/cases.tsv`)) continue;
    for (const file of readdirSync(folder).sort()) {
      const [, name] = /^(.*)\.arrows?$/.exec(file) ?? [];
      if (!name || !existsSync(`${folder}/${name}.json`)) continue;
      const text = readFileSync(`${folder}/${name}.json`, "utf8");
      const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
      found.push({ name: `${writer}/${file}`, path: `${folder}/${file}`, lines });
    }
  }
  return found;
}

/** The rows of bytes as JSON, or the error. */
export async function rowsOf(bytes, options) {
  let file;
  try {
    file = await open(bytes, options);
    return { rows: await file.rows({ as: "json" }).toArray() };
  } catch (error) {
    return { error };
  } finally {
    file?.free();
  }
}

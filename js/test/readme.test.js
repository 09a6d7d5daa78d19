// Each program of the README runs in a folder with the package as npm packs it, in their order, and prints what the README says.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const text = readFileSync(join(root, "README.md"), "utf8");
const programs = [...text.matchAll(/^```js\n([^]*?)^```$/gm)].map(([, program]) => program);
const other = join(root, "node_modules/apache-arrow");

/** What each program prints: some words of it. */
const PRINTED = [["3 1", "id: int32", "name: utf8", "{ id: 2, name: 'Bob' }", "{ id: 3, name: 'Eve' }"], ["[ 'Bob', 'Eve' ]"], []];

let folder;

before(() => {
  folder = mkdtempSync(join(tmpdir(), "arrow-readme-"));
  const packed = execFileSync("npm", ["pack", "--silent", "--pack-destination", folder, root], { encoding: "utf8", shell: process.platform === "win32" });
  const place = join(folder, "node_modules/fletching-arrow-ipc");
  mkdirSync(place, { recursive: true });
  execFileSync("tar", ["-xzf", join(folder, packed.trim().split("\n").at(-1)), "-C", place, "--strip-components", "1"]);
  if (existsSync(other)) symlinkSync(other, join(folder, "node_modules/apache-arrow"));
});

after(() => rmSync(folder, { recursive: true }));

test("all programs are run", () => assert.equal(programs.length, PRINTED.length));

for (const [k, program] of programs.entries()) {
  const skip = program.includes("apache-arrow") && !existsSync(other) && "the package apache-arrow is not installed: npm ci";
  test(`program ${k + 1}`, { skip }, () => {
    writeFileSync(join(folder, `${k}.mjs`), program);
    const { stdout: printed, stderr, status } = spawnSync(process.execPath, [`${k}.mjs`], { cwd: folder, encoding: "utf8" });
    // Also without a warning, such as one of files that were not closed.
    assert.deepEqual([status, stderr], [0, ""]);
    for (const words of PRINTED[k]) assert.ok(printed.includes(words), `${words} is not in ${printed}`);
  });
}

test("the package has what the README names", () => {
  for (const file of ["index.js", "index.d.ts", "README.md", "wasm/read.wasm", "wasm/full.wasm", "wasm/THIRD-PARTY.txt", "LICENSE-MIT", "LICENSE-APACHE"]) {
    assert.ok(existsSync(join(folder, "node_modules/fletching-arrow-ipc", file)), file);
  }
});

// Uses the npm package as its README says: in pages that Vite and webpack build and serve, in a page without a bundler, in workers, in Node, and
// in Bun and Deno where npm installs them: node bundlers.mjs BROWSER FOLDER, with the packages in FOLDER.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join, normalize } from "node:path";
import { pathToFileURL } from "node:url";

import { Browser } from "./browser.mjs";

const [program, folder] = process.argv.slice(2);
process.chdir(folder);
const from = async (name) => import(pathToFileURL(createRequire(join(folder, "package.json")).resolve(name)));
const people = readFileSync(new URL("../../docs/people.arrow", import.meta.url));

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm", ".svg": "image/svg+xml" };

/** A server of a folder, with ranges. */
async function serve(root) {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
    const file = join(root, path.endsWith("/") ? `${path}index.html` : path);
    if (path.endsWith(".svg")) return response.writeHead(200, { "content-type": TYPES[".svg"] }).end("<svg xmlns='http://www.w3.org/2000/svg'/>");
    if (!existsSync(file)) return response.writeHead(404).end();
    const bytes = readFileSync(file);
    const headers = { "content-type": TYPES[extname(file)] ?? "application/octet-stream", etag: '"1"' };
    const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
    if (last === undefined) return response.writeHead(200, headers).end(bytes);
    const start = first === "" ? Math.max(0, bytes.length - Number(last)) : Number(first);
    const end = first === "" || last === "" ? bytes.length - 1 : Number(last);
    response.writeHead(206, { ...headers, "content-range": `bytes ${start}-${end}/${bytes.length}` }).end(bytes.subarray(start, end + 1));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

const EXPECTED = {
  written: true,
  rows: [{ id: 1, name: "ada" }, { id: 2, name: null }, { id: 3, name: "bob" }],
  where: [{ id: 3, name: "bob" }],
  stream: true,
  remote: [8, "Ada Lovelace"],
  worker: [3, ['{"id":3,"name":"bob"}']],
};

const browser = await Browser.start(program);

async function check(name, { url, close }, expected = EXPECTED) {
  try {
    await browser.open(url);
    const end = Date.now() + 60_000;
    while ((await browser.value("typeof found")) === "undefined" && Date.now() < end) await new Promise((done) => setTimeout(done, 50));
    const found = await browser.value("JSON.stringify(globalThis.found ?? null)");
    assert.deepEqual(JSON.parse(found), expected, `${name}: ${found}, ${browser.complaints(url).slice(0, 8).join("; ")}`);
    console.log(`ok: ${name}`);
  } finally {
    await close();
  }
}

try {
  // Vite.
  mkdirSync("public", { recursive: true });
  writeFileSync("public/people.arrow", people);
  const vite = await from("vite");
  await vite.build({ logLevel: "warn" });
  await check("Vite, built", await serve(join(folder, "dist")));
  const server = await vite.createServer({ logLevel: "warn", server: { port: 0, host: "127.0.0.1", hmr: false, ws: false } });
  await server.listen();
  await check("Vite, development server", { url: server.resolvedUrls.local[0], close: () => server.close() });

  // webpack.
  const { default: webpack } = await from("webpack");
  const { default: config } = await import(pathToFileURL(join(folder, "webpack.config.js")));
  for (const place of ["webpack-dist", "webpack-static"]) {
    mkdirSync(place, { recursive: true });
    writeFileSync(`${place}/people.arrow`, people);
    writeFileSync(`${place}/index.html`, '<!doctype html><meta charset="utf-8"><title>webpack</title><link rel="icon" href="data:,"><script src="page.js" defer></script>');
  }
  const stats = await new Promise((resolve, reject) => webpack(config, (error, result) => (error ? reject(error) : resolve(result))));
  const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true });
  const complaints = [...errors, ...warnings].map(({ message }) => message).filter((message) => !/size limit|performance/.test(message));
  assert.deepEqual(complaints, [], "webpack has nothing to say of the package");
  await check("webpack, built", await serve(join(folder, "webpack-dist")));
  const { default: DevServer } = await from("webpack-dev-server");
  const development = new DevServer({ ...config.devServer, host: "127.0.0.1" }, webpack({ ...config, mode: "development" }));
  await development.start();
  const port = development.server.address().port;
  await check("webpack, development server", { url: `http://127.0.0.1:${port}/`, close: () => development.stop() });

  // Without a bundler: a policy that allows nothing else, a module worker and a classic one.
  mkdirSync("plain", { recursive: true });
  if (!existsSync("plain/node_modules")) symlinkSync(join(folder, "node_modules"), "plain/node_modules");
  writeFileSync("plain/people.arrow", people);
  const installed = './node_modules/fletching-arrow-ipc/index.js';
  for (const name of ["page.js", "worker.js"]) {
    writeFileSync(`plain/${name}`, readFileSync(`src/${name}`, "utf8").replace('"fletching-arrow-ipc"', `"${installed}"`));
  }
  await check("no bundler, module worker", await serve(join(folder, "plain")));
  const page = readFileSync("plain/page.js", "utf8");
  writeFileSync("plain/page.js", page.replace('"./worker.js", import.meta.url), { type: "module" }', '"./classic.js", import.meta.url)'));
  await check("no bundler, classic worker", await serve(join(folder, "plain")));
} finally {
  await browser.close();
}

// Other runtimes.
writeFileSync("people.arrow", people);
writeFileSync("program.mjs", `
import { open, write } from "fletching-arrow-ipc";
const file = await open("people.arrow");
const rows = await file.rows({ where: "name like 'Ada%'", columns: ["name"] }).toArray();
const copy = await open(await write({ id: Int32Array.of(1, 2) }, { compression: "lz4" }));
console.log(JSON.stringify([file.numRows, rows, copy.numRows]));
file.free();
`);
const said = '[8,[{"name":"Ada Lovelace"}],2]';
const runtimes = [
  ["Node", process.execPath, ["program.mjs"]],
  ["Bun", "node_modules/.bin/bun", ["program.mjs"]],
  ["Deno", "node_modules/.bin/deno", ["run", "--allow-read", "--allow-env", "--node-modules-dir=manual", "program.mjs"]],
];
for (const [name, command, args] of runtimes) {
  if (!existsSync(command)) {
    console.log(`SKIPPED ${name}: npm did not install it`);
    continue;
  }
  let version;
  try {
    version = execFileSync(command, ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).split("\n")[0];
  } catch {
    console.log(`SKIPPED ${name}: it does not start here`);
    continue;
  }
  assert.equal(execFileSync(command, args, { encoding: "utf8" }).trim(), said, name);
  console.log(`ok: ${name} ${version}`);
}

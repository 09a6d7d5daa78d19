// Makes one page of the package, the page's own code, and the module: node build.mjs. The page loads nothing from elsewhere.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const read = (name) => readFileSync(join(here, name), "utf8");

/** The modules in the order in which they run. */
const made = new Map();
const waiting = new Set();

const FROM = /^(import|export) \{([^}]*)\} from "(\.[^"]+)";$/gm;
const DECLARED = /^export ((?:async )?function\*? |class |const )(\w+)/gm;

/** Adds a module after those that it needs. Returns the name of the object with its exports. */
function add(path) {
  if (made.has(path)) return made.get(path).name;
  if (waiting.has(path)) throw new Error(`${path} needs itself`);
  waiting.add(path);
  const exported = [];
  let code = readFileSync(path, "utf8");
  code = code.replace(FROM, (_, kind, names, from) => {
    const other = add(resolve(dirname(path), from));
    const list = names.split(",").map((name) => name.trim()).filter(Boolean);
    if (kind === "export") exported.push(...list);
    return `const { ${list.map((name) => name.replace(" as ", ": ")).join(", ")} } = ${other};`;
  });
  code = code.replace(DECLARED, (_, what, name) => {
    exported.push(name);
    return `${what}${name}`;
  });
  const left = /^(import|export)\b.*$/m.exec(code);
  if (left) throw new Error(`${path}: "${left[0]}" is in no form that is known here`);
  code = code.replaceAll("import.meta.url", "document.baseURI");
  const name = relative(join(here, ".."), path).replace(/\.js$/, "").replace(/\W/g, "_");
  made.set(path, { name, code: `const ${name} = (() => {\n${code}\nreturn { ${exported.join(", ")} };\n})();\n` });
  return name;
}

add(join(here, "src/main.js"));
const script = `"use strict";\n${[...made.values()].map(({ code }) => code).join("")}`.replaceAll("</script", "<\\/script");
const style = read("viewer.css") + read("bytes.css");
const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
// Addresses that a person gives are the only ones that are asked.
const policy = `default-src 'none'; script-src ${hash(script)} 'wasm-unsafe-eval'; style-src ${hash(style)}; connect-src http: https:; base-uri 'none'; form-action 'none'`;
const parts = {
  POLICY: policy,
  STYLE: style,
  SCRIPT: script,
  // One module does all, also what the package does not, so that there is one in the page.
  MODULE: gzipSync(readFileSync(join(here, "viewer.wasm")), { level: 9 }).toString("base64"),
};
const page = read("template.html").replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);
const output = join(here, "viewer.html");
writeFileSync(output, page);
console.log(`${output}: ${Buffer.byteLength(page)} bytes`);

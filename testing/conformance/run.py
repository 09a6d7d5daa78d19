"""Which reader of Arrow IPC reads what: runs readers over the files of testing/corpus, and writes docs/CONFORMANCE.md.

    run.py --program PATH [--arrow-rs PATH] [--reader NAME]… [--case WORD] [--write]

`--reader` and `--case` choose; with `--case`, each file and what the reader said is printed. `--write` writes the page, for which no
reader may be missing that the page has. README.md is the contract of a reader and of the files.
"""

import argparse
import json
import os
import re
import resource
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
CORPUS = HERE.parent / "corpus"
PAGE = HERE.parents[1] / "docs/CONFORMANCE.md"
SECONDS, MEMORY_BYTES = 10, 4 << 30
# What a library says when it asks for more memory than a process may have.
OUT_OF_MEMORY = re.compile(r"MemoryError|bad_alloc|malloc of size|out of memory|memory allocation of|Array buffer allocation failed|realloc of size|Invalid typed array length", re.IGNORECASE)
OUTCOMES = ["right", "wrong", "refused", "accepted", "crash", "hang", "memory", "absent"]


@dataclass(frozen=True)
class Case:
    name: str
    path: Path
    kind: str
    feature: str
    # Whether the specification has it valid.
    is_valid: bool
    # The rows, in each form that is right; empty where they are not compared.
    rows: tuple[str, ...] = ()


def valid_cases():
    features = [line.split("\t") for line in (HERE / "features.tsv").read_text(encoding="utf-8").splitlines()[1:]]
    for table in sorted(CORPUS.glob("golden/*/cases.tsv")):
        for line in table.read_text(encoding="utf-8").splitlines()[1:]:
            name, kinds, _, level, _ = line.split("\t")
            feature = next(feature for feature, pattern in features if re.search(pattern, name))
            rows = (table.parent / f"{name}.json").read_text(encoding="utf-8")
            for kind in kinds.split(",") if level == "strict" else []:
                path = table.parent / (name + {"stream": ".arrows", "file": ".arrow"}[kind])
                stored = HERE / "stored" / table.parent.name / f"{name}.json"
                forms = (rows, stored.read_text(encoding="utf-8")) if stored.exists() else (rows,)
                yield Case(f"{table.parent.name}/{path.name}", path, kind, feature, True, forms)


def crafted_cases():
    """Those whose verdict all readers share: not where practice and specification differ."""
    for line in (CORPUS / "hostile/manifest.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        name, kind, expect, _, feature, _ = line.split("\t")
        if expect in ("ok", "error") and kind in ("stream", "file"):
            path = CORPUS / "hostile" / name
            yield Case(name, path, kind, f"crafted: {feature}", expect == "ok")


class Served:
    """A Python library, in processes that `serve.py` forks."""

    def __init__(self, name):
        self.process = subprocess.Popen([sys.executable, HERE / "serve.py", name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env={**os.environ, "RUST_BACKTRACE": "0"})
        first = self.process.stdout.readline()
        self.version = json.loads(first)["version"] if first else None

    def read(self, case):
        self.process.stdin.write(f"{case.kind}\t{case.path}\n")
        self.process.stdin.flush()
        found = json.loads(self.process.stdout.readline())
        if found["end"] == "rows":
            return "rows", Path(found["rows"]).read_bytes().decode("utf-8", "surrogatepass")
        return found["end"], found["text"]


class Program:
    """A program that prints the rows of a file, started for each."""

    def __init__(self, command, version, env=None, can_limit=True):
        self.command, self.version, self.env, self.can_limit = command, version, {**os.environ, "RUST_BACKTRACE": "0", **(env or {})}, can_limit

    def limits(self):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if self.can_limit:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))

    def read(self, case):
        try:
            # In its own session, so that nothing it starts stays.
            found = subprocess.run([*self.command, str(case.path)], capture_output=True, timeout=SECONDS, env=self.env, preexec_fn=self.limits, stdin=subprocess.DEVNULL, check=False)
        except subprocess.TimeoutExpired:
            return "time", f"no end after {SECONDS} s"
        text = found.stderr.decode("utf-8", "replace")
        if found.returncode < 0:
            return "signal", f"signal {-found.returncode} {text[-300:]}"
        if found.returncode != 0:
            return "error", text[-500:]
        return "rows", found.stdout.decode("utf-8", "surrogatepass")


def outcome(case, end, text):
    """What a reader did, as one of OUTCOMES."""
    if end == "absent":
        return "absent"
    if end == "time":
        return "hang"
    if OUT_OF_MEMORY.search(text) and end in ("error", "signal"):
        return "memory"
    if end == "signal" or "PanicException" in text or "panicked at" in text:
        return "crash"
    if end == "error":
        return "refused" if case.is_valid else "right"
    if not case.is_valid:
        return "accepted"
    return "right" if not case.rows or text in case.rows or is_mixed(text, case.rows) else "wrong"


def is_mixed(text, forms):
    """Whether each column has the values of one of the forms: of an extension type that the reader knows, or of the storage."""
    try:
        rows, *forms = [[json.loads(line) for line in lines.splitlines()] for lines in (text, *forms)]
    except ValueError:
        return False
    if len(forms) < 2 or any(len(form) != len(rows) for form in forms) or not all(isinstance(row, dict) for row in rows):
        return False
    names = list(forms[0][0]) if forms[0] else []
    return all(list(row) == names for row in rows) and all(
        any(all(row[name] == known.get(name) for row, known in zip(rows, form, strict=True)) for form in forms) for name in names
    )


def readers(arguments):
    """By name, in the order of the page, and why those that are missing are."""
    found, missing = {}, {}
    version = subprocess.run([arguments.program, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    found["this library"] = Program([arguments.program, "cat", "--format", "json", "--json-pairs"], version)
    for name, label in {"pyarrow": "Arrow C++ (pyarrow)", "polars": "polars", "nanoarrow": "nanoarrow", "duckdb": "DuckDB (nanoarrow)"}.items():
        served = Served(name)
        if served.version:
            found[label] = served
        else:
            missing[label] = f"the package {name} cannot be imported, or its extension not loaded"
    if arguments.arrow_rs:
        version = subprocess.run([arguments.arrow_rs, "--version"], capture_output=True, text=True, check=True).stdout.strip()
        found["arrow-rs"] = Program([arguments.arrow_rs], version)
    else:
        missing["arrow-rs"] = "no --arrow-rs"
    if os.environ.get("NODE_MODULES") and shutil.which("node"):
        command = ["node", "--max-old-space-size=1024", HERE / "read_js.mjs"]
        version = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True).stdout.strip()
        # Node reserves more addresses than it uses.
        found["JavaScript (apache-arrow)"] = Program(command, version, can_limit=False)
    else:
        missing["JavaScript (apache-arrow)"] = "no node, or no NODE_MODULES"
    missing["Go"] = "no Go toolchain" if not shutil.which("go") else "not yet a reader here"
    return found, missing


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--arrow-rs")
    parser.add_argument("--reader", action="append", default=[])
    parser.add_argument("--case")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    cases = [case for case in [*valid_cases(), *crafted_cases()] if not arguments.case or arguments.case in case.name or arguments.case in case.feature]
    found, missing = readers(arguments)
    for name, why in missing.items():
        print(f"SKIPPED: {name}: {why}")
    results = {}
    for name, reader in found.items():
        if arguments.reader and not any(word in name for word in arguments.reader):
            continue
        counts = defaultdict(Counter)
        for case in cases:
            end, text = reader.read(case)
            kind = outcome(case, end, text)
            counts[case.feature][kind] += 1
            if arguments.case:
                print(f"{name}\t{kind}\t{case.name}\t{text.strip()[:300] if kind != 'right' else ''}")
        results[name] = counts
        total = sum(counts.values(), Counter())
        print(f"{name} {reader.version}: {', '.join(f'{total[kind]} {kind}' for kind in OUTCOMES if total[kind])}", flush=True)
    if arguments.write and not arguments.case and not arguments.reader:
        PAGE.write_text(page(cases, {name: reader.version for name, reader in found.items()}, results, missing), encoding="utf-8")


LETTERS = {"wrong": "W", "refused": "R", "accepted": "A", "crash": "C", "hang": "H", "memory": "M", "absent": "–"}


def cell(counts):
    parts = [f"{LETTERS[kind]}{counts[kind]}" for kind in LETTERS if counts[kind]]
    return " ".join([str(counts["right"]), *parts])


def page(cases, versions, results, missing):
    features = list(dict.fromkeys(case.feature for case in cases))
    valid = [feature for feature in features if not feature.startswith("crafted: ")]
    crafted = [feature for feature in features if feature.startswith("crafted: ")]
    n_of = Counter(case.feature for case in cases)

    def table(title, rows):
        lines = [f"| {title} | files | " + " | ".join(versions) + " |", "|---|--:|" + "--:|" * len(versions)]
        for feature in rows:
            cells = " | ".join(cell(results[name][feature]) for name in versions)
            lines.append(f"| {feature.removeprefix('crafted: ')} | {n_of[feature]} | {cells} |")
        cells = " | ".join(cell(sum((results[name][feature] for feature in rows), Counter())) for name in versions)
        lines.append(f"| **all** | {sum(n_of[feature] for feature in rows)} | {cells} |")
        return "\n".join(lines)

    head = (HERE / "page.in").read_text(encoding="utf-8")
    values = {
        "@VERSIONS@": ", ".join(f"{name} {version}" for name, version in versions.items()),
        "@MISSING@": "; ".join(f"{name} ({why})" for name, why in missing.items()) or "none",
        "@VALID@": table("valid files of others", valid),
        "@CRAFTED@": table("crafted files", crafted),
    }
    for name, value in values.items():
        head = head.replace(name, value)
    return head


if __name__ == "__main__":
    main()

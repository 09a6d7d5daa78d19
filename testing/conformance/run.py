"""Which reader of Arrow IPC reads what: runs readers over the files of testing/corpus, and writes docs/CONFORMANCE.md.

    run.py --command COMMAND [--errors STATUSES] [--no-memory-limit] [--case WORD]
    run.py --program PATH [--arrow-rs PATH] [--reader NAME]… [--case WORD] [--write]

The first runs any reader, and needs only Python. `--reader` and `--case` choose; with `--case`, each file and what the reader said is
printed. `--write` writes the page. README.md is the contract of a reader and of the files.
"""

import argparse
import json
import os
import re
import selectors
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
CORPUS = HERE.parent / "corpus"
PAGE = HERE.parents[1] / "docs/CONFORMANCE.md"
OURS = "this library"
# What a process may take: of the processor, so that other work on the machine changes nothing; by the clock, where it only waits; of memory.
SECONDS, CLOCK_SECONDS, MEMORY_BYTES = 10, 180, 4 << 30
# How much is kept of what a reader says, and of what it prints beyond the rows that are expected; and how much is shown.
MOST_TEXT, MOST_SHOWN = 20_000, 400
# Without traces: the reason of a crash is kept, its location is not.
NO_TRACES = {**os.environ, "RUST_BACKTRACE": "0", "GOTRACEBACK": "none"}
# All that a pipe may hold.
PIPE_BYTES = 1 << 20
# The statuses of a program that has found an error; whose library reads no such files; and of a shell that cannot start one.
ERRORS, NO_READER, NOT_STARTED = (1,), 77, (126, 127)
# A shell has this and the number of a signal for a program that ended by one.
SIGNALS = range(128 + 1, 128 + signal.NSIG)
# What a library says when it asks for more memory than a process may have, but not when it refuses a length, such as pyarrow by an
# `ArrowMemoryError`; and when it panics: the words of Rust, and of the driver in Go.
OUT_OF_MEMORY = re.compile(r"\bMemoryError|bad_alloc|malloc of size|malloc failed|pthread_create failed|out of memory|memory allocation of|Array buffer allocation failed|realloc of size|Invalid typed array length|invalid size error", re.IGNORECASE)
PANIC = re.compile(r"PanicException|panicked at|Go panic")
OUTCOMES = ["right", "wrong", "refused", "accepted", "crash", "hang", "memory", "absent"]


SUFFIXES = {"stream": ".arrows", "file": ".arrow"}


@dataclass(frozen=True)
class Case:
    name: str
    path: Path
    kind: str
    feature: str
    # Whether the specification has it valid.
    is_valid: bool
    # The rows, in each form that is right; empty if it is not valid.
    rows: tuple[str, ...] = ()
    # Whether the rows are those that readers of other people agree on.
    is_agreed: bool = False
    # Whether the specification lets a reader refuse it, though it is valid.
    is_optional: bool = False


def table_rows(path):
    return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]


def valid_cases():
    features = table_rows(HERE / "features.tsv")
    unclear = {name for name, _ in table_rows(HERE / "left-out.tsv")}
    for table in sorted(CORPUS.glob("golden/*/cases.tsv")):
        for name, kinds, _, level, _ in table_rows(table):
            feature = next(feature for feature, pattern in features if re.search(pattern, name))
            rows = (table.parent / f"{name}.json").read_text(encoding="utf-8")
            for kind in kinds.split(",") if level == "strict" else []:
                path = table.parent / (name + SUFFIXES[kind])
                if f"{table.parent.name}/{path.name}" in unclear:
                    continue
                stored = HERE / "stored" / table.parent.name / f"{name}.json"
                forms = (rows, stored.read_text(encoding="utf-8")) if stored.exists() else (rows,)
                yield Case(f"{table.parent.name}/{path.name}", path, kind, feature, True, forms)


def crafted_cases(verdicts=("ok", "optional", "error")):
    """Those whose verdict all readers share; or, with "either", those whose verdict is open."""
    rows = CORPUS / "hostile-rows"
    origins = {name: origin for name, origin, _ in table_rows(rows / "origin.tsv")}
    for name, _, expect, _, feature, _ in table_rows(CORPUS / "hostile/manifest.tsv"):
        if expect in verdicts:
            path = CORPUS / "hostile" / name
            kind = "file" if path.read_bytes().startswith(b"ARROW1") else "stream"
            is_valid = expect in ("ok", "optional")
            forms = ((rows / f"{path.stem}.json").read_text(encoding="utf-8"),) if is_valid else ()
            is_agreed = origins.get(name) == "readers"
            yield Case(name, path, kind, f"crafted: {feature}", is_valid, forms, is_agreed, expect == "optional")


def left_out():
    """How many golden files are not strictly valid, how many are unclear, and of how many crafted files the verdict is open."""
    tables = [row for table in CORPUS.glob("golden/*/cases.tsv") for row in table_rows(table)]
    n_content = sum(len(kinds.split(",")) for _, kinds, _, level, _ in tables if level != "strict")
    n_either = sum(row[2] == "either" for row in table_rows(CORPUS / "hostile/manifest.tsv"))
    return n_content, len(table_rows(HERE / "left-out.tsv")), n_either


class NotStarted(Exception):
    """The program of a reader, or one that it needs, cannot be started: there is nothing to say of any file."""


class Served:
    """A Python library, in processes that `serve.py` forks."""

    def __init__(self, name):
        self.process = subprocess.Popen([sys.executable, HERE / "serve.py", name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=NO_TRACES)
        first = self.process.stdout.readline()
        self.version = json.loads(first)["version"] if first else None

    def read(self, case):
        self.process.stdin.write(f"{case.kind}\t{case.path}\n")
        self.process.stdin.flush()
        found = json.loads(self.process.stdout.readline())
        if found["end"] == "rows":
            with Path(found["rows"]).open("rb") as rows:
                return "rows", rows_text(rows.read(most_bytes(case) + 1), case)
        return found["end"], found["text"]


class Program:
    """A program that prints the rows of a file, started for each."""

    def __init__(self, command, version, can_limit=True, errors=ERRORS):
        memory = f"ulimit -v {MEMORY_BYTES >> 10}; " if can_limit else ""
        limits = f'ulimit -c 0; ulimit -S -t {SECONDS}; ulimit -H -t {SECONDS + 1}; {memory}exec "$@"'
        self.command, self.version, self.errors = ["sh", "-c", limits, "sh", *map(str, command)], version, errors

    def read(self, case):
        status, seconds, out, said = run_program([*self.command, str(case.path)], most_bytes(case) + 1)
        text = said.decode("utf-8", "replace")
        if status is None:
            return "time", f"no end after {CLOCK_SECONDS} s by the clock"
        if status in NOT_STARTED:
            raise NotStarted(f"the reader cannot be started: status {status} for {case.name}: {' '.join(shown(text).split())}")
        number = -status if status < 0 else status - 128 if status in SIGNALS else None
        # What ignores the first of these is killed a second later.
        if number == signal.SIGXCPU or (number == signal.SIGKILL and seconds >= SECONDS):
            return "time", f"no end after {SECONDS} s of the processor"
        if number is not None:
            return "signal", f"signal {number} {text}"
        if status == 0:
            return "rows", rows_text(out, case)
        if status == NO_READER:
            return "absent", text
        return ("error", text) if status in self.errors else ("status", f"status {status} {text}")


def most_bytes(case):
    """More than any right output has."""
    return sum(len(rows.encode()) for rows in case.rows) + MOST_TEXT


def rows_text(content, case):
    """What was printed; with an ellipsis, which no right output has at its end, where it is cut."""
    text = content.decode("utf-8", "backslashreplace")
    return text if len(content) <= most_bytes(case) else f"{text}…"


def run_program(command, n_bytes):
    """Runs a program to its end, and ends what it has started. Its status, none where it takes too long by the clock; its seconds of the
    processor; of its output the first bytes, and the last of what it says. The rest is read, so that the program is not held up, and dropped.
    """
    out, said, buffer = bytearray(), bytearray(), memoryview(bytearray(PIPE_BYTES))
    with (
        subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0, process_group=0, env=NO_TRACES) as process,
        selectors.DefaultSelector() as waiting,
    ):
        # Readable when the process has ended.
        ended = os.pidfd_open(process.pid)

        def take(pipe):
            """False at the end of the pipe."""
            try:
                n_read = os.readv(pipe.fileno(), [buffer])
            except BlockingIOError:
                return True
            if pipe is process.stdout:
                out.extend(buffer[: min(n_read, n_bytes - len(out))])
            else:
                said.extend(buffer[max(n_read - MOST_TEXT, 0) : n_read])
                del said[:-MOST_TEXT]
            return n_read > 0

        try:
            for pipe in (process.stdout, process.stderr):
                os.set_blocking(pipe.fileno(), False)
                waiting.register(pipe, selectors.EVENT_READ)
            waiting.register(ended, selectors.EVENT_READ)
            is_running, last = True, time.monotonic() + CLOCK_SECONDS
            while is_running and time.monotonic() < last:
                for key, _ in waiting.select(last - time.monotonic()):
                    if key.fileobj == ended:
                        is_running = False
                    elif not take(key.fileobj):
                        waiting.unregister(key.fileobj)
        finally:
            # Before `wait4`, so that the number is that of this process still.
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            os.close(ended)
        # What the program had written is in the pipes, and no more than they hold.
        take(process.stdout)
        take(process.stderr)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return None if is_running else process.returncode, usage.ru_utime + usage.ru_stime, bytes(out), bytes(said)


def outcome(case, end, text):
    """What a reader did, as one of OUTCOMES."""
    if end == "absent":
        return "absent"
    if end == "time":
        return "hang"
    if end != "rows" and OUT_OF_MEMORY.search(text):
        return "memory"
    if end in ("signal", "status") or (end == "error" and PANIC.search(text)):
        return "crash"
    if end == "error":
        return "refused" if case.is_valid and not case.is_optional else "right"
    if not case.is_valid:
        return "accepted"
    return "right" if text in case.rows or is_mixed(text, case.rows) else "wrong"


def shown(said):
    """Both ends of a long text: a panic is at its beginning, an exception at its end."""
    return said if len(said) <= MOST_SHOWN else f"{said[: MOST_SHOWN // 2]} … {said[-MOST_SHOWN // 2 :]}"


def lines_of(text):
    """Not `splitlines`: text may have other characters that end lines."""
    return text.removesuffix("\n").split("\n") if text else []


def difference(text, expected):
    """The first row that differs."""
    found, rows = lines_of(text), lines_of(expected)
    row = next((row for row, pair in enumerate(zip(found, rows, strict=False)) if pair[0] != pair[1]), min(len(found), len(rows)))
    is_here, is_right = [repr(lines[row]) if row < len(lines) else "none" for lines in (found, rows)]
    return f"row {row}: {is_here}, expected {is_right}"


def members(line):
    """The texts of the names and values of an object: values that JSON holds equal, such as `1` and `1.0`, may differ in their text."""
    read, found, at = json.JSONDecoder().raw_decode, [], 1
    if not isinstance(json.loads(line), dict):
        raise ValueError(line)
    while line[at] != "}":
        _, colon = read(line, at)
        _, end = read(line, colon + 1)
        found.append((line[at:colon], line[colon + 1 : end]))
        at = end + (line[end] == ",")
    if at != len(line) - 1:
        raise ValueError(line)
    return found


def is_mixed(text, forms):
    """Whether each column has the values of one of the forms: of an extension type that the reader knows, or of the storage."""
    try:
        rows, *forms = [[members(line) for line in lines_of(lines)] for lines in (text, *forms)]
    except ValueError:
        return False
    n_columns = len(rows[0]) if rows else 0
    if len(forms) < 2 or any(len(form) != len(rows) for form in forms) or any(len(row) != n_columns for row in [*rows, *sum(forms, [])]):
        return False
    return all(any(all(row[k] == right[k] for row, right in zip(rows, form, strict=True)) for form in forms) for k in range(n_columns))


def readers(arguments):
    """By name, in the order of the page, and why those that are missing are."""
    found, missing = {}, {}
    if arguments.command:
        return {" ".join(arguments.command): Program(arguments.command, "", not arguments.no_memory_limit, arguments.errors)}, {}
    version = subprocess.run([arguments.program, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    # Its statuses for input that is not read in full, and for what is beyond its limits or its types, are errors, too.
    found[OURS] = Program([arguments.program, "cat", "--format", "json", "--json-pairs"], version, errors=(1, 3, 5))
    for name, label in {"pyarrow": "Arrow C++ (pyarrow)", "polars": "polars", "nanoarrow": "nanoarrow", "duckdb": "DuckDB (nanoarrow)", "arrow-go": "Go (arrow-go)"}.items():
        served = Served(name)
        if served.version:
            found[label] = served
        else:
            missing[label] = "its package cannot be imported, or its extension not installed"
    if arguments.arrow_rs:
        version = subprocess.run([arguments.arrow_rs, "--version"], capture_output=True, text=True, check=True).stdout.strip()
        found["arrow-rs"] = Program([arguments.arrow_rs], version)
    else:
        missing["arrow-rs"] = "no --arrow-rs"
    if os.environ.get("NODE_MODULES") and shutil.which("node"):
        command = ["node", "--max-old-space-size=1024", HERE / "read_js.mjs"]
        version = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True).stdout.strip()
        # Node reserves more addresses than it uses. Its heap has no ArrayBuffers: nothing limits these.
        found["JavaScript (apache-arrow)"] = Program(command, version, can_limit=False)
    else:
        missing["JavaScript (apache-arrow)"] = "no node, or no NODE_MODULES"
    return found, missing


def choice(cases, word):
    """The cases of a row of the page, or those with the word in the name of a file or a row."""
    of_row = [case for case in cases if case.feature == word]
    return of_row or [case for case in cases if not word or word in case.name or word in case.feature]


def read_all(reader, cases):
    """By the name of the case: the outcome, and what the reader said."""
    found = {}
    for case in cases:
        end, text = reader.read(case)
        kind = outcome(case, end, text)
        said = difference(text, case.rows[0]) if kind == "wrong" else "" if end == "rows" else " ".join(text.split())
        # Paths of this machine are not a part of what is said.
        found[case.name] = kind, said.replace(str(case.path), case.path.name)
    return found


def words(command):
    """A command as a shell has it."""
    found = shlex.split(command)
    if not found:
        raise ValueError
    return found


def statuses(text):
    """Numbers with commas between them, that a program may end with for an error, beside 1."""
    found = tuple(int(number) for number in text.split(","))
    if any(number in (0, NO_READER, *NOT_STARTED) or not 0 < number <= 128 for number in found):
        raise ValueError
    return (*ERRORS, *found)


def print_results(name, version, cases, read, arguments):
    """Each file if some were chosen, else each row if the reader is not one of the page; and the sum."""
    if arguments.case:
        print("".join(f"{name}\t{kind}\t{case}\t{shown(said)}\n" for case, (kind, said) in read.items()), end="")
    elif arguments.command:
        for feature in dict.fromkeys(case.feature for case in cases):
            kinds = [read[case.name][0] for case in cases if case.feature == feature]
            print(f"{feature}\t{cell(Counter(kinds))} of {len(kinds)} files")
    print(f"{name} {version}".strip() + f": {cell(Counter(kind for kind, _ in read.values()))} of {len(cases)} files", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--command", type=words)
    which.add_argument("--program")
    parser.add_argument("--arrow-rs")
    parser.add_argument("--reader", action="append", default=[])
    parser.add_argument("--case")
    parser.add_argument("--no-memory-limit", action="store_true")
    parser.add_argument("--errors", type=statuses, default=ERRORS)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    cases = choice([*valid_cases(), *crafted_cases()], arguments.case)
    if not cases:
        parser.error(f"no file and no row has {arguments.case} in its name")
    found, missing = readers(arguments)
    for name, why in missing.items():
        print(f"SKIPPED: {name}: {why}")
    wanted = {name: reader for name, reader in found.items() if not arguments.reader or any(word in name for word in arguments.reader)}
    if not wanted:
        parser.error(f"no reader has {' or '.join(arguments.reader)} in its name")
    # By reader and case: the outcome, and what the reader said. Readers run beside each other.
    results = {}
    try:
        with ThreadPoolExecutor() as threads:
            for name, read in zip(wanted, threads.map(lambda reader: read_all(reader, cases), wanted.values()), strict=True):
                results[name] = read
                print_results(name, wanted[name].version, cases, read, arguments)
    except NotStarted as error:
        parser.error(str(error))
    if arguments.case or arguments.reader or arguments.command:
        return
    unproven = [case.name for case in cases if case.is_agreed and sum(said[case.name][0] == "right" for name, said in results.items() if name != OURS) < 2]
    if unproven:
        sys.exit(f"hostile-rows/origin.tsv says that readers agree, but two of these do not: {', '.join(unproven)}")
    if arguments.write:
        of_open = {name: read_all(reader, list(crafted_cases(("either",)))) for name, reader in found.items()}
        versions = {name: reader.version for name, reader in found.items()}
        PAGE.write_text(page(cases, versions, results, missing, of_open), encoding="utf-8")


LETTERS = {"wrong": "W", "refused": "R", "accepted": "A", "crash": "C", "hang": "H", "memory": "M", "absent": "–"}


def cell(counts):
    parts = [f"{LETTERS[kind]}{counts[kind]}" for kind in LETTERS if counts[kind]]
    return " ".join([str(counts["right"]), *parts])


def known_threads(results):
    """The rows of `threads.tsv`, with how many files show the symptom now. One without files is to be taken out."""
    lines = ["| library | files | symptom | thread |", "|---|--:|---|---|"]
    for name, letter, pattern, url, symptom in table_rows(HERE / "threads.tsv"):
        found = [case for case, (kind, said) in results[name].items() if LETTERS.get(kind) == letter and re.search(pattern, f"{case} {said}")] if name in results else []
        if not found:
            sys.exit(f"threads.tsv: no file has the symptom: {name}: {symptom}")
        title = "/".join(url.split("/")[-4:-2]) + "#" + url.split("/")[-1]
        lines.append(f"| {name} | {letter}{len(found)} | {symptom} | [{title}]({url}) |")
    return "\n".join(lines)


def ours(cases, results):
    """Each file that this library does not read right."""
    rows = [(case, *results[OURS][case.name]) for case in cases if results[OURS][case.name][0] != "right"]
    lines = ["| file | outcome | what the program says |", "|---|---|---|"]
    lines += [f"| `{case.name}` | {kind} | {shown(said)} |" for case, kind, said in rows]
    return "\n".join(lines) if rows else "It reads all files right."


def open_here(results):
    """The files with an open verdict that this library refuses, and at least two others read to the end."""
    lines = ["| file | what the program says | read by |", "|---|---|---|"]
    for name, (kind, said) in results[OURS].items():
        reading = [reader for reader, read in results.items() if read[name][0] == "accepted"]
        if kind != "accepted" and len(reading) > 1:
            # Without the advice of the program.
            lines.append(f"| `{name}` | {shown(said.split(' hint: ')[0])} | {', '.join(reading)} |")
    return "\n".join(lines)


def page(cases, versions, results, missing, of_open):
    features = list(dict.fromkeys(case.feature for case in cases))
    valid = [feature for feature in features if not feature.startswith("crafted: ")]
    crafted = [feature for feature in features if feature.startswith("crafted: ")]
    n_of = Counter(case.feature for case in cases)
    counts = {name: defaultdict(Counter) for name in versions}
    for name in versions:
        for case in cases:
            counts[name][case.feature][results[name][case.name][0]] += 1

    def table(title, rows):
        lines = [f"| {title} | files | " + " | ".join(versions) + " |", "|---|--:|" + "--:|" * len(versions)]
        for feature in rows:
            cells = " | ".join(cell(counts[name][feature]) for name in versions)
            lines.append(f"| {feature} | {n_of[feature]} | {cells} |")
        cells = " | ".join(cell(sum((counts[name][feature] for feature in rows), Counter())) for name in versions)
        lines.append(f"| **all** | {sum(n_of[feature] for feature in rows)} | {cells} |")
        return "\n".join(lines)

    n_content, n_unclear, n_either = left_out()
    text = (HERE / "page.in").read_text(encoding="utf-8")
    values = {
        "@VERSIONS@": ", ".join(f"{name} {version}" for name, version in versions.items()),
        "@MISSING@": "; ".join(f"{name} ({why})" for name, why in missing.items()) or "none",
        "@OURS@": ours(cases, results),
        "@OPEN@": open_here(of_open),
        "@CONTENT@": str(n_content),
        "@UNCLEAR@": str(n_unclear),
        "@EITHER@": str(n_either),
        "@VALID@": table("valid files", valid),
        "@CRAFTED@": table("crafted files", crafted),
        "@THREADS@": known_threads(results),
    }
    for name, value in values.items():
        text = text.replace(name, value)
    return text


if __name__ == "__main__":
    main()

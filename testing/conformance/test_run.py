"""What run.py makes of programs that end in every way: `python3 testing/conformance/test_run.py`. Needs a shell, and no packages."""

import resource
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

import run

ROWS = '{"a":1}\n{"a":2}\n'
# The border of a word, in a pattern.
BORDER = "\\b"
# A script, what it makes of a valid file, and of one that breaks the specification.
SCRIPTS = {
    "the rows": ("cat \"$1\"", "right", "accepted"),
    "one row": ("head -n 1 \"$1\"", "wrong", "accepted"),
    "nothing": ("exit 0", "wrong", "accepted"),
    "the rows, and an error": ("cat \"$1\"; echo no >&2; exit 1", "refused", "right"),
    "an error": ("echo no >&2; exit 1", "refused", "right"),
    "no reader": ("exit 77", "absent", "absent"),
    "wrong usage": ("exit 2", "crash", "crash"),
    "another status": ("exit 3", "crash", "crash"),
    "a status beyond those of signals": ("exit 255", "crash", "crash"),
    "a panic": ("echo \"thread 'main' panicked at a.rs:1:1\" >&2; exit 1", "crash", "crash"),
    "a crash": ("kill -SEGV $$", "crash", "crash"),
    "a crash behind a wrapper": ("sh -c 'kill -SEGV $$'", "crash", "crash"),
    "a crash behind a wrapper that passes the status on": ("sh -c 'kill -SEGV $$'; exit $?", "crash", "crash"),
    "a kill": ("kill -KILL $$", "crash", "crash"),
    "much output, and an error": ("head -c 30000000 /dev/zero; exit 1", "refused", "right"),
    "much output": ("head -c 30000000 /dev/zero", "wrong", "accepted"),
    "the rows, and more": ("cat \"$1\"; head -c 30000000 /dev/zero", "wrong", "accepted"),
    "an error after much text": ("head -c 30000000 /dev/zero >&2; echo MemoryError >&2; exit 1", "memory", "memory"),
    "a child that goes on and holds the output": ("cat \"$1\"; sleep 60 &", "right", "accepted"),
    "a refusal of a length": ("echo ArrowMemoryError: too large >&2; exit 1", "refused", "right"),
    "an abort for memory": ("echo 'memory allocation of 9 bytes failed' >&2; kill -ABRT $$", "memory", "memory"),
}
# As above, of programs that may take a second of the processor.
WORKING = {
    "work without end": ("while :; do :; done", "hang", "hang"),
    "work without end behind a wrapper": ("sh -c 'while :; do :; done'; exit $?", "hang", "hang"),
    "work without end that ignores the signal of the limit": ("trap '' XCPU; while :; do :; done", "hang", "hang"),
    "the same behind a wrapper": ("sh -c 'trap \"\" XCPU; while :; do :; done'; exit $?", "hang", "hang"),
    "output without end": ("yes", "hang", "hang"),
    "errors without end behind a wrapper": ("yes >&2; exit $?", "hang", "hang"),
}
# As above, of programs that may take a second by the clock.
SLEEPING = {
    "sleep": ("exec sleep 60", "hang", "hang"),
    "sleep behind a wrapper": ("sleep 60; exit 0", "hang", "hang"),
    "slow output without end": ("while :; do echo; sleep 0.1; done", "hang", "hang"),
}


class Features(unittest.TestCase):
    def test_each_has_files(self):
        """Of patterns that match the same name, the first one counts: one that stands too late has no files."""
        found = {case.feature for case in run.valid_cases()}
        self.assertEqual({feature for feature, _ in run.table_rows(run.HERE / "features.tsv")}, found)

    def test_what_is_left_out_is_there(self):
        for name, why in run.table_rows(run.HERE / "left-out.tsv"):
            self.assertTrue((run.CORPUS / "golden" / name).is_file() and why, name)


class Ends(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.rows = self.folder / "rows"
        self.rows.write_text(ROWS, encoding="utf-8")

    def cases(self):
        """A valid one, and one that is not."""
        return [run.Case("rows", self.rows, "stream", "a row", bool(rows), rows) for rows in ((ROWS,), ())]

    def script(self, text):
        path = self.folder / "reader"
        path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        path.chmod(0o755)
        return [path]

    def outcomes(self, command, **options):
        return tuple(run.outcome(case, *run.Program(command, "", **options).read(case)) for case in self.cases())

    def check(self, scripts):
        for name, (text, *expected) in scripts.items():
            with self.subTest(name):
                self.assertEqual(self.outcomes(self.script(text)), tuple(expected))

    def test_each_end_has_its_outcome(self):
        self.check(SCRIPTS)

    def test_work_has_a_limit(self):
        with mock.patch.object(run, "SECONDS", 1):
            self.check(WORKING)

    def test_the_clock_has_a_limit(self):
        with mock.patch.object(run, "CLOCK_SECONDS", 1):
            self.check(SLEEPING)

    def test_a_program_may_have_more_statuses_for_errors(self):
        self.assertEqual(self.outcomes(self.script("exit 3"), errors=(1, 3)), ("refused", "right"))

    def test_a_file_that_may_be_refused_has_no_other_rows(self):
        case = run.Case("rows", self.rows, "stream", "a row", True, (ROWS,), is_optional=True)
        for text, expected in (('cat "$1"', "right"), ("echo text >&2; exit 1", "right"), ("echo '{}'", "wrong"), ("exit 9", "crash")):
            with self.subTest(text):
                self.assertEqual(run.outcome(case, *run.Program(self.script(text), "").read(case)), expected)

    def test_a_reader_that_cannot_be_started_says_nothing_of_a_file(self):
        not_a_program = self.folder / "text"
        not_a_program.write_text("text", encoding="utf-8")
        for command in (["./no-such-reader"], [not_a_program], self.script("./no-such-reader"), self.script("./no-such-reader; exit $?")):
            with self.subTest(command), self.assertRaisesRegex(run.NotStarted, "cannot be started: status 12[67] for rows: "):
                self.outcomes(command)

    def test_output_without_end_is_not_kept(self):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        status, _, out, said = run.run_program(self.script("head -c 300000000 /dev/zero; head -c 300000000 /dev/zero >&2; echo end >&2"), 100)
        self.assertEqual((status, len(out), len(said), said[-4:]), (0, 100, run.MOST_TEXT, b"end\n"))
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, 64 << 10)

    def test_what_a_reader_has_started_ends_with_it(self):
        for end in ("sleep 60", "exit 0"):
            with self.subTest(end), mock.patch.object(run, "CLOCK_SECONDS", 1):
                number = self.folder / "number"
                run.run_program(self.script(f"sleep 60 & echo $! > {number}; {end}"), 100)
                child = Path("/proc", number.read_text(encoding="utf-8").strip(), "stat")
                # It has ended when nobody has waited for it, too.
                last = time.monotonic() + 10
                while child.exists() and child.read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z" and time.monotonic() < last:
                    time.sleep(0.01)
                self.assertLess(time.monotonic(), last)


class Commands(unittest.TestCase):
    def run_py(self, *arguments):
        return subprocess.run([sys.executable, run.HERE / "run.py", *arguments], capture_output=True, text=True, check=False)

    def test_what_says_nothing_of_a_reader_has_a_status_of_its_own(self):
        for arguments, text in {
            ("--command", "./no-such-reader", "--case", "crafted: union"): "the reader cannot be started: status 127",
            ("--command", "true", "--case", "no-such-case"): "no file and no row has no-such-case in its name",
            ("--command", "", "--case", "crafted: union"): "argument --command: invalid",
            ("--command", "true", "--errors", "1,77"): "argument --errors: invalid",
        }.items():
            with self.subTest(arguments):
                found = self.run_py(*arguments)
                self.assertEqual((found.returncode, found.stdout), (2, ""))
                self.assertIn(text, found.stderr)

    def test_a_program_that_accepts_all_is_right_about_none(self):
        found = self.run_py("--command", "true", "--case", "crafted: union")
        self.assertEqual((found.returncode, found.stderr), (0, ""))
        self.assertRegex(found.stdout.splitlines()[-1], r"^true: 0 W\d+ A\d+ of \d+ files$")


class Forms(unittest.TestCase):
    """An extension type has two forms: here a boolean, and the integer that stores it."""

    FORMS = ('{"a":true,"b":"x"}\n{"a":null,"b":"x"}\n', '{"a":1,"b":"eA=="}\n{"a":null,"b":"eA=="}\n')

    def test_each_column_has_one_form(self):
        mixed = '{"a":true,"b":"eA=="}\n{"a":null,"b":"eA=="}\n'
        for text in (*self.FORMS, mixed):
            self.assertTrue(run.is_mixed(text, self.FORMS), text)
        for text in ("", mixed.replace("true", "1.0"), mixed.replace(":true", ": true"), mixed.replace('"eA=="}\n{', '"x"}\n{'), '{"b":"x","a":true}\n{"b":"x","a":null}\n', mixed.replace("}", "} "), "[1]\n[2]\n", "{\n{\n"):
            self.assertFalse(run.is_mixed(text, self.FORMS), text)


class Contract(unittest.TestCase):
    def test_the_words_of_memory_and_panics_are_those_of_the_contract(self):
        contract = (run.HERE / "README.md").read_text(encoding="utf-8")
        for word in [*run.OUT_OF_MEMORY.pattern.split("|"), *run.PANIC.pattern.split("|")]:
            self.assertIn(f"`{word.removeprefix(BORDER)}`", contract)

    def test_the_columns_of_the_tables_are_those_of_the_contract(self):
        contract = (run.HERE / "README.md").read_text(encoding="utf-8")
        for table in [*run.CORPUS.glob("golden/*/cases.tsv"), run.CORPUS / "hostile/manifest.tsv"]:
            for column in table.read_text(encoding="utf-8").splitlines()[0].split("\t"):
                self.assertIn(f"\n| `{column}` | ", contract, table)


if __name__ == "__main__":
    unittest.main()

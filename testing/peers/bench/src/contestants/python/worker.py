"""Does the works of the file before it, which is one of a library, and measures them: what it is asked over standard input, one
line each, words separated by tabs, and what it answers on standard output. `ok` begins an answer, `no` a reason."""

import sys
import time


def answer(words, state):
    if words[0] == "version":
        return VERSION
    if words[0] == "enter":
        job = dict(word.split("=", 1) for word in words[1:])
        if job["work"] not in WORKS:
            raise Absent("has no such work")
        state[:] = WORKS[job["work"]](job)
    elif words[0] == "leave":
        state.clear()
    elif words[0] == "outcome":
        found = state[1]()
        # The outcome, and the number of bytes that were written where it is not that of the outcome.
        found, n_written = found if isinstance(found, tuple) else (found, "")
        with open(words[1], "wb") as file:
            file.write(found)
        return n_written
    elif words[0] == "run":
        work = state[0]
        processor, wall = time.process_time_ns(), time.perf_counter_ns()
        for _ in range(int(words[1])):
            work()
        wall = time.perf_counter_ns() - wall
        return f"{time.process_time_ns() - processor}\t{wall}"
    return ""


state = []
for line in sys.stdin:
    try:
        print("ok", answer(line.rstrip("\n").split("\t"), state), sep="\t")
    except Exception as error:
        print("no", " ".join(str(error).split()), sep="\t")

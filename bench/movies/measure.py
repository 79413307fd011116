"""Runs a command; prints its wall time, the processor time of it and everything it started, and the peak of their memory."""
import json, os, resource, subprocess, sys, threading, time

PAUSE = 0.1  # seconds between looks at the memory, at least
SHARE = 0.03  # of one core, at most, for them: whoever counts a process's pages holds it up


def tree(root):
    children = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat") as file:
                parent = int(file.read().rpartition(")")[2].split()[1])
        except (OSError, IndexError):
            continue
        children.setdefault(parent, []).append(int(name))
    found, waiting = [], [root]
    while waiting:
        pid = waiting.pop()
        found.append(pid)
        waiting += children.get(pid, [])
    return found


def memory(pid):
    # Shared pages count once over all who share them; input in /dev/shm is read, not mapped, and so does not count.
    try:
        with open(f"/proc/{pid}/smaps_rollup") as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith("Pss:"))
    except (OSError, StopIteration):
        return 0


def main():
    peak = 0
    # What brought this interpreter up may have had children of its own.
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.monotonic()
    child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def watch():
        nonlocal peak
        while child.returncode is None:
            begun = time.monotonic()
            peak = max(peak, sum(map(memory, tree(child.pid))))
            time.sleep(max(PAUSE, (time.monotonic() - begun) / SHARE))

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    errors = child.stderr.read()
    status = child.wait()
    wall = time.monotonic() - begin
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(json.dumps({
        "status": status,
        "wallSeconds": wall,
        "cpuSeconds": used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime,
        "peakBytes": peak,
        "errors": errors.decode(errors="replace")[-2000:],
    }))


main()

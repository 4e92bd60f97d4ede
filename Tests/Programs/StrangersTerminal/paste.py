"""Pastes lines into a shell on its own terminal, one after the other, as a reader of a page does.

Standard input: {"shell": [...], "steps": [{"text": ..., "status": 0, "typed": [[shown, typed], ...], "limit": seconds}, ...]}
Standard output: [{"status": ..., "output": ...}, ...]; it ends after the first step with an unexpected status, or
beyond its limit (status null). Input is typed when its text is shown; for an empty text at once.
"""
import fcntl, json, os, pty, re, select, signal, struct, sys, termios, time

plan = json.load(sys.stdin)
mark = "<ready-%d " % os.getpid()
process, terminal = pty.fork()
if process == 0:
    os.environ["PS1"], os.environ["PS2"] = mark + "$?>", ""
    os.environ.pop("PROMPT_COMMAND", None)
    os.execvp(plan["shell"][0], plan["shell"])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 250, 0, 0))
prompt = re.compile(re.escape(mark.encode()) + rb"(\d+)>")


def converse(typed, limit):
    """Reads up to the next prompt: returns its status, and the output before it."""
    shown, seen, deadline = b"", 0, time.time() + limit
    while time.time() < deadline:
        if typed and typed[0][0].encode() in shown[seen:]:
            seen = len(shown)
            os.write(terminal, typed.pop(0)[1].encode())
        if select.select([terminal], [], [], 0.1)[0]:
            try:
                data = os.read(terminal, 65536)
            except OSError:
                return None, shown
            if not data:
                return None, shown
            shown += data
        found = prompt.search(shown)
        if found:
            return int(found.group(1)), shown[: found.start()]
    return None, shown


def plain(shown):
    """Removes cursor movement and colours; of an overwritten line the last version stays."""
    text = re.sub(r"\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|[@-Z\\-_])", "", shown.decode(errors="replace"))
    return "\n".join(line.rstrip("\r").split("\r")[-1] for line in text.split("\n"))


results = []
converse([], 30)
# Pasted input is not echoed, so that the output contains only the programs'.
os.write(terminal, b"stty -echo\n")
converse([], 30)
for step in plan["steps"]:
    os.write(terminal, step["text"].encode() + b"\n")
    status, shown = converse(list(step.get("typed", [])), step["limit"])
    results.append({"status": status, "output": plain(shown)})
    if status != step["status"]:
        break
os.close(terminal)
os.kill(process, signal.SIGHUP)
os.waitpid(process, 0)
json.dump(results, sys.stdout)

"""interrupt.py TEXT COMMAND...: runs COMMAND on a terminal, types ^C once TEXT is
shown there, prints all that was shown and the exit status. If TEXT is not shown in
two minutes, ends all of it and prints that."""
import os
import pty
import select
import signal
import sys
import time

pid, terminal = pty.fork()
if pid == 0:
    os.environ["TERM"] = "xterm"
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ignored where a shell put us into the background.
    os.execvp(sys.argv[2], sys.argv[2:])
shown, typed, deadline = b"", False, time.monotonic() + 120
while True:
    if not select.select([terminal], [], [], max(0, deadline - time.monotonic()))[0]:
        os.killpg(pid, signal.SIGKILL)
        print("never shown, or goes on after ^C:", sys.argv[1])
        break
    try:
        part = os.read(terminal, 65536)
    except OSError:
        break
    if not part:
        break
    shown += part
    if not typed and sys.argv[1].encode() in shown:
        os.write(terminal, b"\x03")
        typed = True
print(shown.decode(errors="replace").replace("\r", "\n"))
print("status", os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))

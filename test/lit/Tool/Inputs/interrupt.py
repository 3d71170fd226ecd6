"""interrupt.py TEXT COMMAND...: runs COMMAND on a terminal, types ^C once TEXT is
shown there, prints all that was shown and the exit status."""
import os
import pty
import signal
import sys

pid, terminal = pty.fork()
if pid == 0:
    os.environ["TERM"] = "xterm"
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ignored where a shell put us into the background.
    os.execvp(sys.argv[2], sys.argv[2:])
shown, typed = b"", False
while True:
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

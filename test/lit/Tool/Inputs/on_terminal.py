"""on_terminal.py COLUMNS COMMAND...: runs COMMAND on a terminal of that width and
prints what it shows there. The exit status is the command's."""
import fcntl
import os
import pty
import struct
import sys
import termios

pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(sys.argv[1]), 0, 0))
    os.environ.pop("COLUMNS", None)
    os.environ["TERM"] = "xterm"
    os.execvp(sys.argv[2], sys.argv[2:])
while True:
    try:
        shown = os.read(terminal, 65536)
    except OSError:  # The last of its writers is gone.
        break
    if not shown:
        break
    sys.stdout.buffer.write(shown)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))

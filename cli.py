"""Entry point: `python cli.py COMMAND`."""

import sys

from sk2d.commands.main import start

if __name__ == "__main__":
    sys.exit(start())

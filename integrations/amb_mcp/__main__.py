"""`python -m amb_mcp`: the same as `amb mcp`."""

import sys

from amb_cli import main

if __name__ == "__main__":
    sys.exit(main(["mcp", *sys.argv[1:]]))

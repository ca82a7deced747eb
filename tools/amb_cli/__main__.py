"""`python -m amb_cli`."""

import sys

from amb_cli.command_line import main

sys.exit(main())

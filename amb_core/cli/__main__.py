"""`python -m amb_core.cli`."""

import sys

from amb_core.cli.command_line import main

sys.exit(main())

"""How the command `amb` starts. It stands outside of `amb_core`, which another distribution may have overwritten.

Such an environment is told by name, with what to run, and not by an error from the middle of two mixed packages.
"""

from __future__ import annotations

import os
import runpy
import sys
from importlib.metadata import distributions
from importlib.util import find_spec
from pathlib import Path

__all__ = ["main"]

_SAID = {
    "en": "amb: the folder amb_core also belongs to another package, and the two mix. Run: pip uninstall {others}, "
    "then: {command}",
    "zh": "amb: amb_core 文件夹也属于另一个软件包，两者混在了一起。请运行：pip uninstall {others}，然后运行：{command}",
}


def main() -> int:
    """Run `amb`; returns its exit code."""
    try:
        from amb_cli import main as run

        return run()
    except ImportError:
        others = _others()
        if not others:
            raise
        told = os.environ.get("AMB_LANGUAGE") or os.environ.get("LC_ALL") or os.environ.get("LANG") or ""
        said = _SAID["zh" if told.startswith("zh") else "en"]
        print(said.format(others=" ".join(others), command=_command()), file=sys.stderr)
        return 1


def _command() -> str:
    """What installs AMB anew; read off our file, for the package it stands in may be the other one."""
    folders = getattr(find_spec("amb_core"), "submodule_search_locations", None) or ()
    file = next((found for each in folders if (found := Path(each) / "install_command.py").is_file()), None)
    if file is None:
        return "install AMB again"
    return str(runpy.run_path(str(file))["install_command"](options="--force-reinstall --no-deps"))


def _others() -> list[str]:
    """The distributions beside AMB that brought files of a package `amb_core`."""
    found = ((each.name, each.read_text("RECORD") or "") for each in distributions())
    return sorted({name for name, files in found if name != "amb" and "\namb_core/" in f"\n{files}"})

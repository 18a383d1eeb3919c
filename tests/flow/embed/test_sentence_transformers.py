"""A sentence-transformers model as the embedder of a house (A10).

Its weights come from a hub, so a stand-in with the class's own interface is put in the package's place:
what is proved is the way from one line of configuration to vectors in the space, not the model.
"""

from __future__ import annotations

import json
import sys
from types import ModuleType

import numpy as np
import pytest

from holdfast import Holdfast
from holdfast.adapters.embed.hashing import HashingEmbedder
from holdfast.serve.cli.main import run

SIZES = {"all-mpnet-base-v2": 768, "paraphrase-multilingual-MiniLM-L12-v2": 384, "./ours": 96}


class SentenceTransformer:
    """As far as it is used: made by name for a device, encodes lists, knows its dimension."""

    made: list[str] = []  # noqa: RUF012 (emptied by the fixture)

    def __init__(self, model_name_or_path, *, device=None):
        if model_name_or_path not in SIZES:
            raise OSError(f"{model_name_or_path} is not a local folder and is not a valid model identifier")
        assert device == "cpu"
        self.made.append(model_name_or_path)
        self._inner = HashingEmbedder(SIZES[model_name_or_path])

    def get_sentence_embedding_dimension(self):
        return self._inner.dimensions

    def encode(self, sentences, *, convert_to_numpy=True, show_progress_bar=None):
        assert convert_to_numpy
        assert show_progress_bar is False
        return np.asarray(self._inner.embed(sentences)) * 3  # not of unit length, as some models give them


@pytest.fixture
def configured(tmp_path, monkeypatch):
    """Writes the one line, and says the directory."""
    for name in ("HOLDFAST_EMBEDDER", "HOLDFAST_EMBEDDER_MODEL", "HOLDFAST_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    package = ModuleType("sentence_transformers")
    package.SentenceTransformer = SentenceTransformer
    monkeypatch.setitem(sys.modules, "sentence_transformers", package)
    SentenceTransformer.made.clear()

    def write(line):
        (tmp_path / "holdfast.toml").write_text(line, encoding="utf-8")
        return tmp_path

    return write


@pytest.mark.row("A10")
@pytest.mark.parametrize("model", ["all-mpnet-base-v2", "paraphrase-multilingual-MiniLM-L12-v2", "./ours"])
def test_one_line_of_configuration_makes_a_sentence_transformer_the_embedder(configured, model):
    place = configured(f'embedder = {{ name = "sentence-transformers", model = "{model}" }}\n')
    with Holdfast(place) as house:
        me = house.space("user:ann", profile="entities")
        for text in ("我每天早上喝龍井", "外婆搬到花莲了", "Ann drinks oolong at four"):
            assert me.remember(text, confidence=0.9).decision == "accepted"
        for question, found in (
            ("早上喝什么", "我每天早上喝龍井"),
            ("what does Ann drink", "Ann drinks oolong at four"),
        ):
            answer = me.recall(question)
            assert answer.hits[0].memory.content == found
            assert answer.hits[0].explain.arms["vectors"]["rank"] == 1
            assert answer.searched["embedder"] == f"sentence-transformers/{model}"
            assert not answer.degraded
        assert me.stats().embedded == {f"sentence-transformers/{model}": 3}
    assert SentenceTransformer.made == [model]  # once, and not before it was needed


@pytest.mark.row("A10")
@pytest.mark.row("B7")
def test_a_space_goes_over_to_a_sentence_transformer_from_the_command_line(configured, capsys):
    place = configured('embedder = "hashing"\n')
    with Holdfast(place) as house:
        me = house.space("user:ann", profile="assistant")
        me.remember("我每天早上喝龍井")
    where = ("--home", str(place), "--space", "user:ann", "--json")
    assert run(("reembed", "--to", "sentence-transformers", "--model", "all-mpnet-base-v2", *where)) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["embedder"], told["made"]) == ("sentence-transformers/all-mpnet-base-v2", 1)
    with Holdfast(place) as house:
        me = house.space("user:ann")
        assert me.recall("早上喝龙井").searched["embedder"] == "sentence-transformers/all-mpnet-base-v2"
        assert me.recall("早上喝龙井").hits[0].explain.arms["similarity"]["score"] > 0


def test_a_model_that_cannot_be_had_loses_no_write_and_says_so(configured):
    place = configured('embedder = { name = "sentence-transformers", model = "no-such", dimensions = 64 }\n')
    with Holdfast(place) as house:
        me = house.space("user:ann", profile="assistant")
        assert me.remember("the spare key is under the fern").decision == "accepted"
        answer = me.recall("where is the spare key")
        assert [hit.memory.content for hit in answer] == ["the spare key is under the fern"]
        assert "no-such cannot be loaded" in answer.degraded[0]

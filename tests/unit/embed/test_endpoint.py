"""The endpoint embedder against a real server: in order, in batches, patient, clear about what is wrong."""

from __future__ import annotations

import socket

import numpy as np
import pytest

from holdfast import EmbedderSettings
from holdfast.adapters import endpoint as adapter
from holdfast.adapters.embed.endpoint import EndpointEmbedder
from holdfast.errors import InvalidInput, Unavailable
from holdfast.ports.embedder import IDENTITY


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(adapter, "PAUSE", 0.001)


def of(endpoint, **settings):
    return EndpointEmbedder(endpoint.settings(**settings), IDENTITY)


def unit(values):
    return np.array(values, np.float32) / np.linalg.norm(values)


def test_rows_come_in_the_order_of_the_texts_whatever_the_order_of_the_answer(endpoint):
    texts = ["喝茶", "外婆的藥", "a blue folder"]
    rows = of(endpoint).embed(texts)
    assert np.allclose(rows, [unit(endpoint.vector(text)) for text in texts], atol=1e-6)
    ((path, body),) = endpoint.asked
    assert (path, body["model"], body["input"]) == ("/v1/embeddings", "m", texts)


def test_many_texts_go_in_batches_and_what_was_asked_before_is_not_asked_again(endpoint):
    embedder = of(endpoint, batch=4)
    texts = [f"text {number}" for number in range(10)]
    rows = embedder.embed(texts)
    assert [len(body["input"]) for _, body in endpoint.asked] == [4, 4, 2]
    assert np.array_equal(embedder.embed(texts), rows)
    assert len(endpoint.asked) == 3


def test_the_key_is_sent_where_there_is_one(endpoint):
    of(endpoint, api_key="a-made-up-key").embed(["x"])
    of(endpoint).embed(["x"])
    assert [headers.get("Authorization") for headers in endpoint.headers] == ["Bearer a-made-up-key", None]


def test_a_model_is_asked_to_shorten_its_vectors_only_where_it_is_told_to(endpoint):
    of(endpoint).embed(["x"])
    of(endpoint, shorten=True).embed(["x"])
    assert [body.get("dimensions") for _, body in endpoint.asked] == [None, 24]


@pytest.mark.parametrize("status", [429, 500, 503])
def test_what_passes_is_tried_again(endpoint, status):
    endpoint.script = [endpoint.fails(status), endpoint.fails(status)]
    assert of(endpoint).embed(["x"]).shape == (1, 24)
    assert len(endpoint.asked) == 3


def test_what_does_not_pass_is_given_up_after_three_tries(endpoint):
    endpoint.script = [endpoint.fails(500)] * 5
    with pytest.raises(Unavailable, match="status 500"):
        of(endpoint).embed(["x"])
    assert len(endpoint.asked) == 3


def test_what_is_wrong_with_the_request_is_not_tried_again(endpoint):
    endpoint.script = [endpoint.fails(401)]
    with pytest.raises(Unavailable, match="status 401"):
        of(endpoint).embed(["x"])
    assert len(endpoint.asked) == 1


def test_an_answer_that_does_not_come_in_time_is_unavailable(endpoint):
    endpoint.script = [endpoint.late(0.4)] * 3
    with pytest.raises(Unavailable, match="does not answer"):
        of(endpoint, timeout=0.05).embed(["x"])


@pytest.mark.parametrize(
    "payload",
    [
        b"<html>come back later</html>",
        b"Sure! Here are your embeddings:",
        b"",
        {},
        [],
        {"data": None},
        {"data": [{"embedding": [1.0] * 24}]},
        {"data": [{"index": 0, "embedding": "words"}]},
        {"data": [{"index": 0, "embedding": [1.0] * 23}]},
        {"data": [{"index": 0, "embedding": [float("nan")] * 24}]},
        {"data": []},
        {"data": [{"index": 0, "embedding": [1.0] * 24}, {"index": 1, "embedding": [1.0] * 24}]},
        {"data": [{"index": "0", "embedding": [1.0] * 24}, {"index": 0, "embedding": [1.0] * 24}]},
    ],
)
def test_an_answer_in_another_form_is_unavailable_and_nothing_else(endpoint, payload):
    endpoint.script = [endpoint.says(payload)] * 3
    with pytest.raises(Unavailable):
        of(endpoint).embed(["x"])
    endpoint.script = []
    assert of(endpoint).embed(["x"]).shape == (1, 24)


def test_a_server_that_is_not_there_is_unavailable():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    settings = EmbedderSettings(
        name="endpoint", model="m", dimensions=24, base_url=f"http://127.0.0.1:{port}/v1"
    )
    with pytest.raises(Unavailable, match="does not answer"):
        EndpointEmbedder(settings, IDENTITY).embed(["x"])


def test_an_address_that_is_none_is_unavailable(endpoint):
    with pytest.raises(Unavailable):
        of(endpoint, base_url="not an address").embed(["x"])


@pytest.mark.parametrize("field", ["base_url", "model", "dimensions"])
def test_what_it_needs_is_asked_for_by_name(endpoint, field):
    with pytest.raises(InvalidInput, match=field):
        of(endpoint, **{field: 0 if field == "dimensions" else ""})


def test_a_failure_is_not_kept_in_the_cache(endpoint):
    endpoint.script = [endpoint.fails(401)]
    embedder = of(endpoint)
    with pytest.raises(Unavailable):
        embedder.embed(["x", "y"])
    assert embedder.embed(["x", "y"]).shape == (2, 24)

"""The peers behind one shape: open a user, store texts with ready vectors, find the places of the best ones.

One store holds all users, as an application would run it: a namespace, a user_id, a collection or a space
each. Runs in the peers' own environment. Every contender gets the same texts and the same vectors; what else
it may use (speaker, session, date) it gets as metadata if it has a place for it.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import pairwise
from time import perf_counter

import numpy as np


@dataclass
class Item:
    text: str
    vector: np.ndarray
    content: str = ""
    speaker: str = ""
    session: str = ""
    at: str = ""
    layer: str = "episode"
    place: str = ""


@dataclass
class Asked:
    text: str
    vector: np.ndarray
    expect: tuple[int, ...]
    group: str
    at: str | None = None


class Vectors:
    """Hands the peers the vectors made beforehand, by text."""

    def __init__(self, dimensions: int):
        self.of: dict[str, np.ndarray] = {}
        self.dimensions = dimensions

    def learn(self, items: list[Item], asked: list[Asked]):
        self.of |= {item.text: item.vector for item in items} | {item.text: item.vector for item in asked}

    def __call__(self, texts: list[str]) -> list[list[float]]:
        return [self.of[text].tolist() for text in texts]


class NumpyScan:
    name = "numpy scan"

    def __init__(self, _vectors: Vectors, _directory: str):
        self.of = {}

    def open(self, user: str):
        self.user = user

    def choose(self, user: str):
        self.matrix = self.of[user]

    def add(self, items: list[Item]):
        self.of[self.user] = np.stack([item.vector for item in items]).astype(np.float32)

    def find(self, asked: Asked, k: int) -> list[int]:
        scores = self.matrix @ asked.vector
        if k >= len(scores):
            return np.argsort(-scores).tolist()
        top = np.argpartition(scores, -k)[-k:]
        return top[np.argsort(-scores[top])].tolist()


class Bm25:
    name = "BM25 (bm25s, stemmed)"

    def __init__(self, _vectors: Vectors, _directory: str):
        import Stemmer

        self.stemmer = Stemmer.Stemmer("english")
        self.of = {}

    def open(self, user: str):
        self.user = user

    def choose(self, user: str):
        self.index, self.size = self.of[user]

    def add(self, items: list[Item]):
        import bm25s

        index = bm25s.BM25()
        index.index(self._cut([item.text for item in items]), show_progress=False)
        self.of[self.user] = index, len(items)

    def _cut(self, texts: list[str]):
        import bm25s

        if any("\u4e00" <= char <= "\u9fff" for char in texts[0]):
            return [_grams(text) for text in texts]
        return bm25s.tokenize(texts, stemmer=self.stemmer, stopwords="en", show_progress=False)

    def find(self, asked: Asked, k: int) -> list[int]:
        found, _ = self.index.retrieve(self._cut([asked.text]), k=min(k, self.size), show_progress=False)
        return found[0].tolist()


def _grams(text: str) -> list[str]:
    chars = [char for char in text.lower() if char.isalnum()]
    return chars + [a + b for a, b in pairwise(chars)]


class LangGraph:
    name = "LangGraph SqliteStore"

    def __init__(self, vectors: Vectors, directory: str):
        import pysqlite3 as sqlite3  # with extensions, which the system's Python may not load
        from langgraph.store.sqlite import SqliteStore

        connection = sqlite3.connect(
            f"{directory}/langgraph.db", check_same_thread=False, isolation_level=None
        )
        self.store = SqliteStore(
            connection, index={"dims": vectors.dimensions, "embed": vectors, "fields": ["text"]}
        )
        self.store.setup()

    def open(self, user: str):
        self.user = (user,)

    choose = open

    def add(self, items: list[Item]):
        from langgraph.store.base import PutOp

        self.store.batch(
            [
                PutOp(self.user, str(place), {"text": item.text}, index=["text"])
                for place, item in enumerate(items)
            ]
        )

    def add_one(self, item: Item):
        self.store.put(self.user, f"one-{item.text[:40]}", {"text": item.text}, index=["text"])

    def find(self, asked: Asked, k: int) -> list[int]:
        return [int(hit.key) for hit in self.store.search(self.user, query=asked.text, limit=k)]


class Mem0:
    name = "mem0 (infer off)"

    def __init__(self, vectors: Vectors, directory: str):
        os.environ.setdefault("OPENAI_API_KEY", "none")
        os.environ["MEM0_TELEMETRY"] = "False"
        os.environ["MEM0_DIR"] = directory
        from mem0 import Memory

        self.memory = Memory.from_config(
            {
                "vector_store": {
                    "provider": "qdrant",
                    "config": {
                        "path": f"{directory}/mem0",
                        "embedding_model_dims": vectors.dimensions,
                        "on_disk": True,
                    },
                },
                "history_db_path": f"{directory}/mem0-history.db",
            }
        )

        class Ready:
            config = self.memory.embedding_model.config

            def embed(self, text, *_, **__):
                return vectors.of[text].tolist()

            def embed_batch(self, texts, *_, **__):
                return vectors(texts)

        self.memory.embedding_model = Ready()

    def open(self, user: str):
        self.user = user

    choose = open

    def add(self, items: list[Item]):
        for place, item in enumerate(items):
            self.memory.add(item.text, user_id=self.user, infer=False, metadata={"place": place})

    def add_one(self, item: Item):
        self.memory.add(item.text, user_id=self.user, infer=False)

    def find(self, asked: Asked, k: int) -> list[int]:
        found = self.memory.search(asked.text, filters={"user_id": self.user}, top_k=k)["results"]
        return [hit["metadata"]["place"] for hit in found]


class Chroma:
    name = "Chroma"

    def __init__(self, _vectors: Vectors, directory: str):
        import chromadb
        from chromadb.config import Settings

        self.client = chromadb.PersistentClient(f"{directory}/chroma", Settings(anonymized_telemetry=False))

    def open(self, user: str):
        self.collection = self.client.create_collection(f"user-{user}", metadata={"hnsw:space": "cosine"})

    def choose(self, user: str):
        self.collection = self.client.get_collection(f"user-{user}")

    def add(self, items: list[Item]):
        for start in range(0, len(items), 1000):
            part = items[start : start + 1000]
            self.collection.add(
                ids=[str(start + place) for place in range(len(part))],
                embeddings=[item.vector.tolist() for item in part],
                documents=[item.text for item in part],
            )

    def add_one(self, item: Item):
        self.collection.add(ids=[item.text[:40]], embeddings=[item.vector.tolist()], documents=[item.text])

    def find(self, asked: Asked, k: int) -> list[int]:
        found = self.collection.query(query_embeddings=[asked.vector.tolist()], n_results=k)
        return [int(place) for place in found["ids"][0]]


class Lance:
    name = "LanceDB hybrid (RRF)"

    def __init__(self, _vectors: Vectors, directory: str):
        import lancedb

        self.db = lancedb.connect(f"{directory}/lance")

    def open(self, user: str):
        self.user = user

    def choose(self, user: str):
        self.table = self.db.open_table(user)

    def add(self, items: list[Item]):
        from lancedb.index import FTS

        rows = [{"place": p, "text": i.text, "vector": i.vector.tolist()} for p, i in enumerate(items)]
        table = self.db.create_table(self.user, rows)
        ngram = any("\u4e00" <= char <= "\u9fff" for char in items[0].text)
        kinds = {"base_tokenizer": "ngram", "ngram_min_length": 2, "ngram_max_length": 2} if ngram else {}
        table.create_index("text", config=FTS(**kinds))

    def find(self, asked: Asked, k: int) -> list[int]:
        search = self.table.search(query_type="hybrid").vector(asked.vector).text(_plain(asked.text))
        return [row["place"] for row in search.limit(k).to_list()]


def _plain(text: str) -> str:
    return "".join(char if char.isalnum() or char.isspace() else " " for char in text)


@dataclass
class HoldfastContender:
    vectors: Vectors
    directory: str
    name: str = "Holdfast"
    profile: str = "assistant"
    of: dict = field(default_factory=dict)

    def __post_init__(self):
        from holdfast import Holdfast
        from holdfast.wire import Own

        self.judge = Judging()
        self.ready = _Ready(self.vectors)
        own = Own(embedder=self.ready, judge=self.judge)
        self.house = Holdfast(self.directory + "/holdfast", own)

    @property
    def judging(self) -> float:
        """Seconds spent in judging what the texts mean, which the peers do not do, since the last call."""
        taken, self.judge.seconds = self.judge.seconds, 0.0
        return taken

    def open(self, user: str):
        self.space = self.house.space(user, profile=self.profile)
        self.places = self.of.setdefault(user, {})

    choose = open

    def add(self, items: list[Item]):
        for place, outcome in enumerate(self.space.remember_many([_draft(item) for item in items])):
            if outcome.memory is not None:  # what was refused is not found, and counts against it
                self.places.setdefault(outcome.memory.id, []).append(place)

    def add_one(self, item: Item):
        self.space.remember(**_draft(item))

    def find(self, asked: Asked, k: int) -> list[int]:
        at = datetime.fromisoformat(asked.at) if asked.at else None
        hits = self.space.recall(asked.text, limit=k, at=at).hits
        return [self.places[hit.memory.id] for hit in hits if hit.memory.id in self.places]


class HoldfastFacts(HoldfastContender):
    """The same turns as facts: every one compared with what is known, for the cost of reconciling."""

    name: str = "Holdfast, as facts (reconciled)"

    def __init__(self, vectors: Vectors, directory: str):
        super().__init__(vectors, directory + "/facts", name=self.name)

    def add(self, items: list[Item]):
        super().add([replace(item, layer="fact") for item in items])


def _draft(item: Item) -> dict:
    told = {"content": item.content or item.text, "vector": item.vector, "layer": item.layer, "kind": "event"}
    told |= {key: value for key in ("speaker", "session", "at") if (value := getattr(item, key))}
    if item.place:
        told["metadata"] = {"place": item.place}
    return told


class Judging:
    """The judge by rules, and the seconds spent in it."""

    def __init__(self):
        from holdfast.judge.rules import RulesJudge

        self.inner, self.seconds, self.name = RulesJudge(), 0.0, RulesJudge().name

    @property
    def at_once(self):
        return self

    patient = at_once

    def hearing(self, **_):
        return self

    def __getattr__(self, verb):
        asked = getattr(self.inner, verb)

        def timed(*args, **named):
            start = perf_counter()
            try:
                return asked(*args, **named)
            finally:
                self.seconds += perf_counter() - start

        return timed


class _Ready:
    """The ready vectors behind Holdfast's embedder port, on the default embedder's calibration. Its recall
    also asks in other words ("Ada's" as "my"): those are embedded by the same model, once.
    """

    def __init__(self, vectors: Vectors):
        from holdfast.adapters.embed.use import UseEmbedder

        self.vectors, self.inner = vectors, UseEmbedder()
        self.calibration = self.inner.calibration
        self.name, self.dimensions = "ready", vectors.dimensions

    def embed(self, texts):
        missing = [text for text in texts if text not in self.vectors.of]
        self.vectors.of |= zip(missing, self.inner.embed(missing), strict=True)
        return np.stack([self.vectors.of[text] for text in texts]).astype(np.float32)


CONTENDERS = [NumpyScan, Bm25, LangGraph, Mem0, Chroma, Lance, HoldfastContender, HoldfastFacts]


def directory() -> tempfile.TemporaryDirectory:
    return tempfile.TemporaryDirectory(prefix="holdfast-peers-", ignore_cleanup_errors=True)

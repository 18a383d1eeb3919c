"""From settings to parts: the only file that knows ports and adapters both."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from holdfast import settings as settings_file
from holdfast.embedders import Embedders
from holdfast.errors import InvalidInput
from holdfast.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.adapters.embed.calibration import Fitted
    from holdfast.ports.cipher import Cipher
    from holdfast.ports.clock import Clock
    from holdfast.ports.embedder import Embedder
    from holdfast.ports.index import VectorIndex
    from holdfast.ports.judge import Judge
    from holdfast.ports.keys import Keys
    from holdfast.ports.replies import Replies
    from holdfast.ports.store import Store
    from holdfast.ports.working import Working
    from holdfast.settings import EmbedderSettings, IndexSettings, JudgeSettings, Settings, WorkingSettings


SERVERS = ("postgresql://", "postgres://")


@dataclass(frozen=True, slots=True)
class Parts:
    """What an engine is made of."""

    settings: Settings
    store: Store
    embedders: Embedders
    judge: Judge
    clock: Clock
    keys: Keys
    replies: Replies
    vault: Vault
    index: VectorIndex | None = None
    working: Working | None = None

    @property
    def embedder(self) -> Embedder:
        """That of new spaces."""
        return self.embedders.usual


@dataclass(frozen=True, slots=True, kw_only=True)
class Own:
    """Parts a caller brings along, in place of those the settings name."""

    settings: Settings | None = None
    store: Store | None = None
    embedder: Embedder | None = None
    judge: Judge | None = None
    clock: Clock | None = None
    index: VectorIndex | None = None
    working: Working | None = None


def assemble(where: str | Path | None, own: Own) -> Parts:
    """The parts for a place: a directory, the address of a database, or `memory://`, which keeps nothing."""
    place = str(settings_file.home() if where is None else where)
    directory = None if "://" in place else Path(place).expanduser()
    settings = own.settings or settings_file.load(directory)
    clock = own.clock or _clock()
    store, beside = _truth(place, directory, settings) if own.store is None else (own.store, None)
    return Parts(
        settings,
        store,
        Embedders(
            own.embedder or chosen_embedder(settings.embedder),
            settings.embedder,
            make=chosen_embedder,
            brought=own.embedder is not None,
        ),
        own.judge or chosen_judge(settings.judge, clock),
        clock,
        *(beside or _keys(directory, settings)),
        Vault(store, _cipher(place, directory, settings)),
        own.index or _index(store, settings.index),
        own.working or _named("working", settings.working.name, WORKING)(settings.working),
    )


def _truth(
    place: str, directory: Path | None, settings: Settings
) -> tuple[Store, tuple[Keys, Replies] | None]:
    """The store; and keys and answers where it keeps them itself."""
    if directory is not None:
        from holdfast.adapters.sqlite import Options, SqliteStore

        options = Options(open_spaces=settings.open_spaces, patience=settings.busy_seconds)
        return SqliteStore(directory, options), None
    if place.startswith(SERVERS):
        return _postgres(place, settings)
    if place == "memory://":
        from holdfast.adapters.reference import ReferenceStore

        return ReferenceStore(), None
    raise InvalidInput(
        "where",
        f"is {place.partition('://')[0]}://…",
        "give a directory, postgresql://… for a server, or memory:// for one that ends with the process",
    )


def _cipher(place: str, directory: Path | None, settings: Settings) -> Cipher:
    """The master key is told, or in the file that is named, or beside the memories; that of a house without
    a directory of its own in the usual home.
    """
    from holdfast.adapters.cipher import AesGcmCipher, FileMaster, GivenMaster, MemoryMaster

    told = settings.sealing
    if told.key:
        return AesGcmCipher(GivenMaster(told.key))
    if told.key_file:
        return AesGcmCipher(FileMaster(Path(told.key_file).expanduser()))
    if place == "memory://":
        return AesGcmCipher(MemoryMaster())
    return AesGcmCipher(FileMaster((directory or Path(settings_file.home()).expanduser()) / "master.key"))


def _postgres(place: str, settings: Settings) -> tuple[Store, tuple[Keys, Replies]]:
    try:
        from holdfast.adapters.postgres import Options, PostgresStore
    except ModuleNotFoundError as error:
        needs = f"names a PostgreSQL server, which needs {error.name}"
        raise InvalidInput("where", needs, "pip install 'holdfast[postgres]'") from error
    store = PostgresStore(place, Options(patience=settings.busy_seconds, connections=settings.connections))
    return store, (store.keys, store.replies)


def _keys(directory: Path | None, settings: Settings) -> tuple[Keys, Replies]:
    if directory is None:
        from holdfast.adapters.reference.keys import ReferenceKeys
        from holdfast.adapters.reference.replies import ReferenceReplies

        return ReferenceKeys(), ReferenceReplies()
    from holdfast.adapters.sqlite import Options
    from holdfast.adapters.sqlite.keys import SqliteKeys
    from holdfast.adapters.sqlite.replies import SqliteReplies

    keys = SqliteKeys(directory, Options(patience=settings.busy_seconds))
    return keys, SqliteReplies(keys)


def _clock() -> Clock:
    from holdfast.adapters.clock import SystemClock

    return SystemClock()


def _use(settings: EmbedderSettings) -> Embedder:
    from holdfast.adapters.embed.calibration import chosen
    from holdfast.adapters.embed.use import NAME, UseEmbedder

    return UseEmbedder(chosen(NAME, settings.calibration))


def _hashing(settings: EmbedderSettings) -> Embedder:
    from holdfast.adapters.embed.calibration import chosen
    from holdfast.adapters.embed.hashing import HashingEmbedder

    size = settings.dimensions or 256
    return HashingEmbedder(size, chosen(f"hashing/{size}", settings.calibration))


def _transformers(settings: EmbedderSettings) -> Embedder:
    from holdfast.adapters.embed.calibration import chosen
    from holdfast.adapters.embed.transformers import DEFAULT, TransformersEmbedder

    model = settings.model or DEFAULT
    calibration = chosen(f"sentence-transformers/{model}", settings.calibration)
    return TransformersEmbedder(model, settings.dimensions, calibration)


def _endpoint(settings: EmbedderSettings) -> Embedder:
    from holdfast.adapters.embed.calibration import chosen
    from holdfast.adapters.embed.endpoint import EndpointEmbedder

    name = f"endpoint/{settings.model}/{settings.dimensions}"
    return EndpointEmbedder(settings, chosen(name, settings.calibration))


def chosen_embedder(settings: EmbedderSettings) -> Embedder:
    """The embedder that the settings name."""
    return _named("embedder", settings.name, EMBEDDERS)(settings)


EMBEDDERS: dict[str, Callable[[EmbedderSettings], Embedder]] = {
    "use": _use,
    "sentence-transformers": _transformers,
    "endpoint": _endpoint,
    "hashing": _hashing,
}


def calibrated(embedder: Embedder, pairs: Path | None, out: Path | None) -> Fitted:
    """What the cosines of an embedder mean, fitted on labelled pairs (those that are shipped where none are
    named), and written to a file where one is named.
    """
    from holdfast.adapters.embed import calibration

    labelled = calibration.shipped_pairs() if pairs is None else calibration.pairs_in(pairs)
    found = calibration.fitted(embedder, labelled)
    if out is not None:
        calibration.write(out, found)
    return found


def _rules(_settings: JudgeSettings, _now: Clock) -> Judge:
    from holdfast.judge.rules import RulesJudge

    return RulesJudge()


def _model(settings: JudgeSettings, clock: Clock) -> Judge:
    from holdfast.adapters.endpoint import HttpEndpoint
    from holdfast.judge.model import ModelJudge
    from holdfast.judge.model.asking import Asker

    for field in ("base_url", "model"):
        if not getattr(settings, field):
            raise InvalidInput(f"settings.judge.{field}", "is not given", "a judge by model needs it")
    endpoint = HttpEndpoint("judge's endpoint", settings.base_url, settings.api_key, most=ANSWER_MOST)
    rules = _rules(settings, clock)
    return ModelJudge(Asker(endpoint, settings, clock), rules, settings.patience, settings.shows)


def chosen_judge(settings: JudgeSettings, clock: Clock | None = None) -> Judge:
    """The judge that the settings name."""
    return _named("judge", settings.name, JUDGES)(settings, clock or _clock())


JUDGES: dict[str, Callable[[JudgeSettings, Clock], Judge]] = {"rules": _rules, "model": _model}
ANSWER_MOST = 256 * 1024
"""Bytes of a judge's answer; the longest that is asked for has some 6,000 characters."""


def _qdrant(settings: IndexSettings) -> VectorIndex:
    try:
        from holdfast.adapters.qdrant import QdrantIndex
    except ImportError:
        raise _without("index", "qdrant") from None
    times = {"timeout": settings.timeout, "patience": settings.patience}
    return QdrantIndex(settings.url, api_key=settings.api_key, collection=settings.collection, **times)


def _index(store: Store, settings: IndexSettings) -> VectorIndex | None:
    """What the settings name; `pgvector` is in the house's own database."""
    if settings.name == "pgvector":
        beside: VectorIndex | None = getattr(store, "index", None)
        if beside is None:
            raise InvalidInput(
                "settings.index", "is 'pgvector'", "open a house at postgresql://…, or take qdrant"
            )
        return beside
    return _named("index", settings.name, INDEXES)(settings)


INDEXES: dict[str, Callable[[IndexSettings], VectorIndex | None]] = {
    "none": lambda _: None,
    "qdrant": _qdrant,
}


def _redis(settings: WorkingSettings) -> Working:
    try:
        from holdfast.adapters.redis import RedisWorking
    except ImportError:
        raise _without("working", "redis") from None
    return RedisWorking(settings.url, timeout=settings.timeout)


WORKING: dict[str, Callable[[WorkingSettings], Working | None]] = {
    "embedded": lambda _: None,
    "redis": _redis,
}


def _without(what: str, extra: str) -> InvalidInput:
    return InvalidInput(f"settings.{what}", f"{extra} is not installed", f"pip install 'holdfast[{extra}]'")


T = TypeVar("T")


def _named(what: str, name: str, choices: dict[str, T]) -> T:
    if name not in choices:
        raise InvalidInput(f"settings.{what}", f"is {name!r}", f"give one of {', '.join(choices)}")
    return choices[name]

"""Where things are and how much they may use: the only reader of the environment and of holdfast.toml.

Defaults, then `holdfast.toml` (in the directory of the memory, or named by HOLDFAST_CONFIG), then the
environment (HOLDFAST_EMBEDDER, …), then what the caller passes; the later wins.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from holdfast.errors import InvalidInput

MIB = 1024 * 1024
DEFAULT_HOME = "~/.holdfast"


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedderSettings:
    """[embedder]: which one, and what it needs."""

    name: str = "use"
    model: str = ""
    base_url: str = ""
    api_key: str = field(default="", repr=False)
    dimensions: int = 0
    shorten: bool = False  # ask an endpoint for vectors of `dimensions`; not every model can shorten its own
    timeout: float = 30.0
    batch: int = 64
    calibration: str = ""  # a file written by `holdfast calibrate`


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeSettings:
    """[judge]: which one, and where its model is. The rules need none of it."""

    name: str = "rules"
    model: str = ""
    base_url: str = ""
    api_key: str = field(default="", repr=False)
    timeout: float = 20.0  # seconds for one answer, with all tries
    patience: float = 0.0  # seconds that one call of the way in may wait for the model; 0: the rules judge it
    concurrency: int = 4  # questions under way at once
    calls_per_day: int = 10_000  # 0: as many as are asked
    tokens_per_day: int = 0  # 0: as many as it takes
    cache: int = 2048  # answers that are kept for equal questions
    shows: int = 2  # the highest sensitivity that is shown to the model; a secret (3) never is

    def __post_init__(self) -> None:
        for name, (low, high) in _JUDGE_RANGES.items():
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
                way_out = f"give a number from {low:g} to {high:g}"
                raise InvalidInput(f"settings.judge.{name}", f"is {value!r}", way_out)


_JUDGE_RANGES: dict[str, tuple[float, float]] = {
    "timeout": (0.1, 600.0),
    "patience": (0.0, 600.0),
    "concurrency": (1, 256),
    "calls_per_day": (0, 10**9),
    "tokens_per_day": (0, 10**12),
    "cache": (0, 10**6),
    "shows": (0, 2),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeSettings:
    """[serve]: how `holdfast serve` listens, and how much it lets in."""

    host: str = "127.0.0.1"
    port: int = 8420
    workers: int = 1  # processes
    background: bool = True  # do what waits in the queues, beside answering
    threads: int = 8  # that do verbs, in each process
    waiting: int = 512  # requests under way in each process; more are asked to come again
    streams: int = 256  # of events, in each process
    rate: float = 2000.0  # requests a second of one key in each process; 0: any number
    guesses: float = 10.0  # keys a second that are none, from one address; 0: any number
    body_mib: float = 8.0  # of one request
    import_mib: float = 4096.0  # of a space that comes in whole
    stop_seconds: float = 30.0  # what is under way at the end may take so long


@dataclass(frozen=True, slots=True, kw_only=True)
class SealingSettings:
    """[sealing]: where the master key is; unsaid, in master.key beside the memories (E14)."""

    key: str = field(default="", repr=False)  # base64 of 32 bytes; newest first, commas between
    key_file: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexSettings:
    """[index]: what finds by meaning beside the truth, and from which size of a space on."""

    name: str = "none"
    url: str = "http://127.0.0.1:6333"
    api_key: str = field(default="", repr=False)
    collection: str = "aam_entities"
    timeout: int = 5  # seconds, of feeding it
    patience: int = 1  # seconds that an answer waits for it; then the truth answers
    above: int = 100_000  # spaces of more memories are searched through it, smaller ones in memory


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingSettings:
    """[working]: what holds working memory beside the truth."""

    name: str = "embedded"
    url: str = field(default="redis://127.0.0.1:6379/0", repr=False)  # may hold a password
    timeout: float = 1.0  # seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class StewardSettings:
    """[steward]: when it makes its rounds (A7)."""

    zone: str = "UTC"  # whose clock the times below are read on, as Asia/Shanghai
    daily: str = "03:30"  # sessions, expiry, fading, compression, merging, purges, questions
    weekly: str = "sunday 02:00"  # the review by use, the brief
    jitter_minutes: float = 10.0  # each space has its turn at a time of its own within so long


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that is about this machine rather than about a memory policy."""

    embedder: EmbedderSettings = EmbedderSettings()
    judge: JudgeSettings = JudgeSettings()
    serve: ServeSettings = ServeSettings()
    sealing: SealingSettings = SealingSettings()
    index: IndexSettings = IndexSettings()
    working: WorkingSettings = WorkingSettings()
    steward: StewardSettings = StewardSettings()
    profiles: str = ""  # a folder of user profiles (*.toml)
    image_mib: int = 1024  # all images together; the least recently used space goes first
    open_spaces: int = 0  # how many files are kept open; 0: what the limit on open files allows
    busy_seconds: float = 60.0
    connections: int = 10  # to a database server, of each process

    def __post_init__(self) -> None:
        for name, low in (("image_mib", 1), ("open_spaces", 0), ("busy_seconds", 0), ("connections", 1)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not value >= low:
                raise InvalidInput(f"settings.{name}", f"is {value!r}", f"give a number from {low}")


# Each variable and the key that it sets, by table.
_ENVIRONMENT = {
    "HOLDFAST_EMBEDDER": ("embedder", "name"),
    "HOLDFAST_EMBEDDER_MODEL": ("embedder", "model"),
    "HOLDFAST_EMBEDDER_URL": ("embedder", "base_url"),
    "HOLDFAST_EMBEDDER_KEY": ("embedder", "api_key"),
    "HOLDFAST_INDEX": ("index", "name"),
    "HOLDFAST_INDEX_URL": ("index", "url"),
    "HOLDFAST_INDEX_KEY": ("index", "api_key"),
    "HOLDFAST_INDEX_COLLECTION": ("index", "collection"),
    "HOLDFAST_WORKING": ("working", "name"),
    "HOLDFAST_WORKING_URL": ("working", "url"),
    "HOLDFAST_JUDGE": ("judge", "name"),
    "HOLDFAST_JUDGE_MODEL": ("judge", "model"),
    "HOLDFAST_JUDGE_URL": ("judge", "base_url"),
    "HOLDFAST_JUDGE_KEY": ("judge", "api_key"),
    "HOLDFAST_JUDGE_TIMEOUT": ("judge", "timeout"),
    "HOLDFAST_JUDGE_PATIENCE": ("judge", "patience"),
    "HOLDFAST_JUDGE_CALLS_PER_DAY": ("judge", "calls_per_day"),
    "HOLDFAST_JUDGE_TOKENS_PER_DAY": ("judge", "tokens_per_day"),
    "HOLDFAST_JUDGE_SHOWS": ("judge", "shows"),
    "HOLDFAST_MASTER_KEY": ("sealing", "key"),
    "HOLDFAST_MASTER_KEY_FILE": ("sealing", "key_file"),
}


def home(environment: Mapping[str, str] | None = None) -> str:
    """Where the memory lives when nobody says: HOLDFAST_HOME, or a directory in the user's home."""
    return (os.environ if environment is None else environment).get("HOLDFAST_HOME", DEFAULT_HOME)


def chosen_space(environment: Mapping[str, str] | None = None) -> str:
    """HOLDFAST_SPACE, the space a command means when it names none; empty where unset."""
    return (os.environ if environment is None else environment).get("HOLDFAST_SPACE", "")


def served(where: str | None = None) -> tuple[str, ServeSettings]:
    """What a server serves, and how."""
    place = home() if where is None else where
    return place, load(None if "://" in place else Path(place).expanduser()).serve


def load(directory: Path | None = None, environment: Mapping[str, str] | None = None) -> Settings:
    """Defaults, the file and the environment together."""
    env = os.environ if environment is None else environment
    named = env.get("HOLDFAST_CONFIG", "")
    path = Path(named).expanduser() if named else (directory / "holdfast.toml" if directory else None)
    if named and path is not None and not path.is_file():
        raise InvalidInput("HOLDFAST_CONFIG", f"names {named}, which is not a file", "name a holdfast.toml")
    table = _read(path) if path is not None and path.is_file() else {}
    settings = _build(table, str(path))
    for name, (part, key) in _ENVIRONMENT.items():
        if env.get(name):
            value = _typed(name, env[name], getattr(getattr(settings, part), key))
            settings = replace(settings, **{part: replace(getattr(settings, part), **{key: value})})
    return settings


def _typed(name: str, text: str, before: object) -> object:
    """What a variable says, as the kind of thing that its setting is."""
    if isinstance(before, str):
        return text
    try:
        return int(text) if isinstance(before, int) else float(text)
    except ValueError:
        raise InvalidInput(name, f"is {text!r:.80}", "give a number") from None


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InvalidInput(str(path), f"cannot be read ({error})", "mend the file") from None


def _build(table: Mapping[str, Any], where: str) -> Settings:
    """Each table of its own kind; a bare string in place of one is its name."""
    _known(table, Settings, where)
    told = dict(table)
    for part, kind in _TABLES.items():
        if part in told:
            inner = {"name": told[part]} if isinstance(told[part], str) else told[part]
            _known(inner, kind, f"{where} [{part}]")
            told[part] = kind(**inner)
    return Settings(**told)


_TABLES: dict[str, type[Any]] = {
    f.name: type(f.default) for f in fields(Settings) if is_dataclass(type(f.default))
}


def _known(table: object, kind: type[Any], where: str) -> None:
    if not isinstance(table, Mapping):
        raise InvalidInput(where, "is not a table", "write key = value lines")
    types = {f.name: f.type for f in fields(kind)}
    for key, value in table.items():
        if key not in types:
            raise InvalidInput(f"{where}: {key}", "is not a setting", f"the settings are {', '.join(types)}")
        wanted = {"str": str, "int": int, "float": (int, float), "bool": bool}.get(str(types[key]))
        if wanted and not isinstance(value, wanted):  # type: ignore[arg-type]
            raise InvalidInput(f"{where}: {key}", f"is a {type(value).__name__}", f"give a {types[key]}")

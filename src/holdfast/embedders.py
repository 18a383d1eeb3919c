"""Which embedder a space uses: written down with the space, and made again from what was written (B7).

A new space takes the one of the settings. From then on the space keeps its own, whatever the settings say,
until `reembed` switches it: vectors of two embedders are never compared. One that cannot be made here is
absent: what is stored is found by its words, and every answer says why.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from holdfast.errors import InvalidInput, Unavailable
from holdfast.ports.embedder import IDENTITY, Calibration
from holdfast.settings import EmbedderSettings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from holdfast.ports.embedder import Embedder

# The key is a secret of this machine, and the name of the embedder is written beside its settings.
_UNWRITTEN = frozenset({"api_key"})


@dataclass(frozen=True, slots=True)
class Absent:
    """An embedder that is known by name only. It answers nothing, as one that is down."""

    name: str
    dimensions: int
    why: str
    calibration: Calibration = IDENTITY

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        raise Unavailable(f"{len(texts)} texts are not embedded: {self.why}")


class Embedders:
    """The embedders of one house, each made once; `usual` is that of the settings, or brought along."""

    def __init__(
        self,
        usual: Embedder,
        settings: EmbedderSettings,
        *,
        make: Callable[[EmbedderSettings], Embedder],
        brought: bool,
    ) -> None:
        self.usual = usual
        self.new = written(usual, None if brought else settings)
        self._settings = settings
        self._make = make
        self._known: dict[str, Embedder] = {usual.name: usual}

    def of(self, text: str) -> Embedder:
        """The embedder of a space by what is written there; the usual one where nothing is."""
        if not text:
            return self.usual
        told = json.loads(text)
        name = str(told["name"])
        if name not in self._known:
            made = self._made(name, told)
            if isinstance(made, Absent):
                return made  # what it lacks may be there the next time
            self._known[name] = made
        return self._known[name]

    def chosen(self, wanted: EmbedderSettings | Embedder) -> tuple[Embedder, str]:
        """An embedder to go over to, and what to write of it."""
        if not isinstance(wanted, EmbedderSettings):
            if not hasattr(wanted, "embed"):
                what = f"is a {type(wanted).__name__}"
                raise InvalidInput("to", what, "give EmbedderSettings, or an embedder")
            self._known[wanted.name] = wanted
            return wanted, written(wanted, None)
        made = self._make(wanted)
        embedder = self._known.setdefault(made.name, made)
        return embedder, written(embedder, wanted)

    def _made(self, name: str, told: dict[str, object]) -> Embedder:
        settings, dimensions = told["settings"], int(str(told["dimensions"]))
        if not isinstance(settings, dict):
            why = f"this space uses {name!r}, which was brought along; bring it again, or reembed the space"
            return Absent(name, dimensions, why)
        try:
            made = self._make(self._with_key(EmbedderSettings(**settings)))
        except (InvalidInput, Unavailable, TypeError) as error:
            return Absent(name, dimensions, f"this space uses {name!r}, which cannot be made: {error}")
        if made.name != name:
            why = f"this space uses {name!r}; this program makes {made.name!r} of its settings: reembed it"
            return Absent(name, dimensions, why)
        return made

    def _with_key(self, settings: EmbedderSettings) -> EmbedderSettings:
        """The key of this machine goes to the address it was given for, or to the one written down where it
        was given for none.
        """
        same = self._settings.base_url in ("", settings.base_url)
        return replace(settings, api_key=self._settings.api_key) if same else settings


def written(embedder: Embedder, settings: EmbedderSettings | None) -> str:
    """What is kept with a space of its embedder; no settings for one that the caller brought along."""
    told = None
    if settings is not None:
        sized = replace(settings, dimensions=embedder.dimensions)
        told = {key: value for key, value in asdict(sized).items() if key not in _UNWRITTEN}
    return json.dumps(
        {"name": embedder.name, "dimensions": embedder.dimensions, "settings": told},
        ensure_ascii=False,
        sort_keys=True,
    )


def name_of(text: str) -> str:
    """The name of an embedder as it was written; empty where nothing was."""
    return str(json.loads(text)["name"]) if text else ""

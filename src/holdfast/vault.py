"""The vault of a house: seals and opens under the key of a space, and rotates the master key (E14).

A space gets its key when the first thing is sealed in it. Its key is in the catalog, wrapped; destroying it
destroys all that it sealed (B6).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from holdfast.errors import StaleWrite

if TYPE_CHECKING:
    from holdfast.model.space import SpaceRecord
    from holdfast.ports.cipher import Cipher
    from holdfast.ports.store import SpaceStore, Store

TRIES = 20  # each lost try means that another process has put its key there, which is then taken


@dataclass(frozen=True, slots=True)
class Vault:
    """Seals for every space of one house."""

    store: Store
    cipher: Cipher

    def seal(self, space: SpaceStore, plain: str, *, about: str, same: str) -> str:
        """As a memory keeps it: the mark by which an equal secret is known again (`same`), and the text.
        `about` is the id of what keeps it.
        """
        key = self._key(space)
        return f"{self.cipher.mark(key, same):016x}:{self.cipher.seal(key, plain, about=about)}"

    def open(self, space: SpaceStore, sealed: str, *, about: str) -> str:
        return self.cipher.open(space.record.sealing, sealed.partition(":")[2], about=about)

    def rotate(self) -> int:
        """A new master key; every space's key is wrapped anew, then the old master keys are destroyed. Ended
        half way and called again it goes on. Returns how many keys there were to wrap.
        """
        self.begun()
        self.cipher.renew()
        keyed = [record for record in self.store.spaces() if record.sealing]
        for record in keyed:
            self._rewrap(record)
        self.cipher.retire()
        return len(keyed)

    def handed(self, sealing: str, to: Vault) -> str:
        """The key of a space as another house wraps it; the key itself stays what it is."""
        if not sealing:
            return ""
        to.begun()
        return to.cipher.wrapped(self.cipher.bare(sealing))

    def begun(self) -> None:
        """The first master key of a house is made where nothing is sealed yet. Where something is, its file
        is away, and a new one in its place would be lost when that comes back: Unavailable.
        """
        if not self.cipher.has_master():
            for record in self.store.spaces():
                if record.sealing:
                    self.cipher.bare(record.sealing)

    def _rewrap(self, record: SpaceRecord) -> None:
        for _ in range(TRIES):
            now = self.store.find(record.name)
            if now is None or not now.sealing or self.cipher.is_newest(now.sealing):
                return
            new = self.cipher.wrapped(self.cipher.bare(now.sealing))
            if self.store.rekey(now.id, new, over=now.sealing):
                return
        raise StaleWrite(f"the key of {record.name!r} kept changing; rotate again")

    def _key(self, space: SpaceStore) -> str:
        for _ in range(TRIES):
            known = space.record.sealing
            if not known:
                self.begun()
            if known or self.store.rekey(space.id, known := self.cipher.new_key(), over=""):
                return known
        raise StaleWrite("the key of this space kept changing; nothing was written, try again")

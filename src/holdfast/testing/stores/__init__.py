"""The contract of `ports.store` as tests. Whoever writes an engine runs them against it, under pytest:

    class TestMyStore(StoreContract):
        def make_store(self) -> Store:
            return MyStore(…)   # an empty one, each time

Nothing here imports pytest. A test is a sentence of the contract; each makes its own store.
"""

from __future__ import annotations

from holdfast.testing.stores.catalog import CatalogContract
from holdfast.testing.stores.dumps import DumpContract
from holdfast.testing.stores.images import ImageContract
from holdfast.testing.stores.ledger import LedgerContract
from holdfast.testing.stores.queue import QueueContract
from holdfast.testing.stores.reads import ReadContract
from holdfast.testing.stores.threads import ThreadContract
from holdfast.testing.stores.vectors import VectorContract
from holdfast.testing.stores.writes import WriteContract

__all__ = ["StoreContract"]


class StoreContract(
    CatalogContract,
    WriteContract,
    ReadContract,
    LedgerContract,
    ImageContract,
    VectorContract,
    QueueContract,
    DumpContract,
    ThreadContract,
):
    """All of it."""

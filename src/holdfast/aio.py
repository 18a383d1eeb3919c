"""The same verbs, async: each runs on a small pool of threads, so no event loop waits for a disk.

Nothing is written twice: attributes are looked up on the synchronous object and wrapped.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import TracebackType

    from holdfast.engine import Holdfast

WORKERS = 8  # SQLite and numpy release the interpreter's lock; more threads than this only queue


class _Async:
    """Wraps an object whose verbs block: calls become awaitable, and so do those of what they return."""

    def __init__(self, inner: object, pool: ThreadPoolExecutor) -> None:
        self._inner = inner
        self._pool = pool

    def __getattr__(self, name: str) -> Any:
        return self._wrap(getattr(self._inner, name))

    def __repr__(self) -> str:
        return f"async {self._inner!r}"

    def _wrap(self, value: Any) -> Any:
        if _has_verbs(value):
            return _Async(value, self._pool)
        return self._awaited(value) if callable(value) and not isinstance(value, type) else value

    def _awaited(self, verb: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(verb)
        async def run(*args: Any, **named: Any) -> Any:
            loop = asyncio.get_running_loop()
            value = await loop.run_in_executor(self._pool, partial(verb, *args, **named))
            return _Async(value, self._pool) if _has_verbs(value) else value

        return run


class AsyncHoldfast(_Async):
    """`async with AsyncHoldfast("~/memory") as hf: me = await hf.space("user:ada")`."""

    def __init__(self, where: str | Path | Holdfast | None = None) -> None:
        from holdfast.engine import Holdfast

        inner = where if isinstance(where, Holdfast) else Holdfast(where)
        super().__init__(inner, ThreadPoolExecutor(WORKERS, thread_name_prefix="holdfast"))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes the memory and ends the threads."""
        await self._awaited(self._inner.close)()  # type: ignore[attr-defined]
        self._pool.shutdown(wait=False)


def _has_verbs(value: object) -> bool:
    from holdfast.engine import Holdfast
    from holdfast.judging import Judging
    from holdfast.keyring import Keyring
    from holdfast.remember.constitution import Change, Constitution
    from holdfast.remember.converse import Conversation
    from holdfast.rounds.door import Steward, Stewards
    from holdfast.space import Space

    known = (Holdfast, Space, Constitution, Change, Conversation, Keyring, Judging, Steward, Stewards)
    return isinstance(value, known)

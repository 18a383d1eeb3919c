"""What Qdrant and the way to it can go wrong with, as the one error of ours: Unavailable."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import httpx
from qdrant_client.http.exceptions import ApiException, UnexpectedResponse

from holdfast.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def refused(why: str) -> Unavailable:
    return Unavailable(f"qdrant cannot be asked: {why}")


@contextmanager
def asked(forget: Callable[[], None]) -> Iterator[None]:
    """Around every call; whatever fails, what was known of the server is forgotten."""
    try:
        yield
    except UnexpectedResponse as error:
        forget()
        told = bytes(error.content[:300]).decode("utf-8", "replace")
        raise refused(f"it answered {error.status_code} {error.reason_phrase}: {told}") from None
    except (ApiException, httpx.HTTPError, OSError) as error:
        forget()
        raise refused(str(error) or type(error).__name__) from None

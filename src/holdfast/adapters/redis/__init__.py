"""Redis (6 or later): working memory beside the truth, for many processes on many machines."""

from __future__ import annotations

from holdfast.adapters.redis.working import RedisWorking

__all__ = ["RedisWorking"]

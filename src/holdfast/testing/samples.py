"""Memories, captures and plans for tests: random from a seed, every field used, in three scripts.

A sample of a small `pool` of ids and words makes collisions likely, which is where stores go wrong.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from holdfast.model.actor import LOCAL_OWNER, Actor, Role
from holdfast.model.layer import Layer, Level, Priority
from holdfast.model.memory import Attachment, Capture, Correction, Memory, Said
from holdfast.model.plan import Indexed, Plan, WeightChange
from holdfast.model.space import SpaceRecord
from holdfast.model.status import Mark, Status
from holdfast.testing.clock import ManualClock

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

SENTENCES = (
    "我喜欢喝咖啡，早上一杯拿铁",
    "我不喜歡喝咖啡了，改喝烏龍茶",
    "I take two sugars in my tea, please",
    "料号 RM05-008 的供应商换成了顺达",
    "奶奶的藥在左邊的抽屜，一天兩次",
    "Grandmother's birthday is on 3 March; she likes peonies 🌸",
    "她说：“明天 9:30 在 Ｗｅｓｔ 车站见。”\n\tBring the 'blue' folder; it's 50% done -- ok?",
    "naïve café, Łódź, ελληνικά, 𠮷野家",
)
TIMES = (
    "mentioned_at",
    "momentum_until",
    "negated_at",
    "reaffirmed_at",
    "uncertain_since",
    "verified_at",
    "promoted_at",
    "expires_at",
    "due_at",
    "deleted_at",
    "valid_from",
    "valid_to",
)
WORDS = ("coffee", "茶", "咖啡", "藥", "alice", "顺达", "x" * 40, 'quote " and \\ backslash', "行\u2028隔")

SEALED = ("00000000000000ff:1.AAAA", "0f0f0f0f0f0f0f0f:1.BBBB")


@dataclass(slots=True)
class Samples:
    """A source of values; the same seed gives the same values."""

    seed: int = 0
    space: str = "user:alice"
    clock: ManualClock = field(default_factory=ManualClock)
    chance: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)

    def record(self, name: str = "") -> SpaceRecord:
        """A space that no catalog knows yet."""
        id, now = self.clock.new_id(), self.clock.now()
        return SpaceRecord(
            id=id,
            name=name or self.space,
            profile="assistant",
            profile_text='name = "assistant"',
            created_at=now,
        )

    def memory(self, **fields: Any) -> Memory:
        """A plain new memory with the fields given."""
        now = self.clock.now()
        plain = Memory(
            id=self.clock.new_id(),
            space=self.space,
            content=self.chance.choice(SENTENCES),
            created_at=now,
            updated_at=now,
            last_activated_at=now,
        )
        return replace(plain, **fields)

    def full_memory(self, **fields: Any) -> Memory:
        """A new memory in which any field may hold anything that it can hold."""
        parts = {**self._described(), **self._lived(), **self._known()}
        return self.memory(**{**parts, **fields})

    def changed(self, memory: Memory, **fields: Any) -> Memory:
        """Its next version, changed at random beside the fields given."""
        parts = {"content": self.chance.choice(SENTENCES), "status": self.chance.choice(list(Status))}
        return replace(
            memory, **{**parts, "updated_at": self.clock.now(), **fields, "version": memory.version + 1}
        )

    def indexed(self, id: str, **fields: Any) -> Indexed:
        """An index row of random bytes, its vector of four floats."""
        chance = self.chance
        plain = Indexed(
            id, chance.randbytes(24), chance.randbytes(chance.randrange(30)), chance.randbytes(16)
        )
        return replace(plain, **fields)

    def capture(self, **fields: Any) -> Capture:
        """A piece of raw output."""
        plain = Capture(
            id=self.clock.new_id(),
            content=self.chance.choice(SENTENCES),
            at=self.clock.now(),
            author=str(Actor(Role.AGENT, "scribe")),
            session=self._some(WORDS),
            reason=self._some(WORDS),
            metadata=self._metadata(),
            sealed=self._some(SEALED),
        )
        return replace(plain, **fields)

    def weight(self, memory: str) -> WeightChange:
        """A line of the weight log."""
        return WeightChange(
            memory=memory,
            at=self.clock.now(),
            old_weight=1.0,
            new_weight=0.75,
            reason="mention",
            factors={"time": 0.5, "M": 1.23},
        )

    def plan(self, *puts: Memory, **fields: Any) -> Plan:
        """A plan of these puts by the local owner, now."""
        plain = Plan(
            change=self.clock.new_id(), verb="remember", actor=LOCAL_OWNER, at=self.clock.now(), puts=puts
        )
        return replace(plain, **fields)

    def time(self) -> datetime:
        """Any time between 1970 and 9998, to the microsecond."""
        return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(
            days=self.chance.choice((0, 20_000, 2_932_000)),
            microseconds=self.chance.randrange(86_400_000_000),
        )

    def _described(self) -> dict[str, Any]:
        some, chance = self._some, self.chance
        return {
            "layer": chance.choice(list(Layer)),
            "kind": chance.choice(("note", "preference", "medical", "自定义")),
            "status": chance.choice(list(Status)),
            "marks": frozenset(chance.sample(list(Mark), chance.randrange(3))),
            "level": chance.choice(list(Level)),
            "confidence": chance.choice((0.0, 0.5, 1.0, chance.random())),
            "priority": chance.choice(list(Priority)),
            "sensitivity": chance.randrange(4),
            "importance": chance.choice((1.5, 2.0, chance.random() * 5)),
            "source": some(WORDS),
            "author": some(("owner:local", "agent:scribe")),
            "session": some(("morning", "晚上")),
            "speaker": some(WORDS),
            "entity_type": some(("part_number", "人名")),
            "entity_value": some(("RM05-008", "RM05-009", "小明")),
            "label": some(WORDS),
            "reason": some(WORDS),
            "tags": self._texts(),
            "metadata": self._metadata(),
        }

    def _lived(self) -> dict[str, Any]:
        chance, maybe = self.chance, self._maybe
        count = chance.choice((0, 0, 3))
        return {
            **{name: maybe() for name in TIMES},
            "mentions": chance.choice((1, 1, 12, 2**33)),
            "recent_mentions": tuple(self.time() for _ in range(chance.randrange(3))),
            "boost": chance.choice((0.0, 0.3, 0.5)),
            "momentum": chance.choice((0.0, 0.2)),
            "access_count": count,
            "accessed_at": self.time() if count else None,
            "weight_cap": chance.choice((None, 0.2, 0.0)),
        }

    def _known(self) -> dict[str, Any]:
        some, texts = self._some, self._texts
        said = tuple(Said(self.time(), text, some(WORDS)) for text in texts())
        corrections = tuple(Correction(self.time(), some(WORDS), text, some(WORDS)) for text in texts())
        attachments = (Attachment("image", "file:///tmp/猫.png", "sha256:00", "一只猫", self.time()),)
        return {
            "sources": {name: self.chance.random() for name in texts()},
            "deletion": some(("user_delete", "auto_cleanup")),
            "source_ids": texts(),
            "merged_from": texts(),
            "merged_into": some(WORDS),
            "compressed_from": some(WORDS),
            "supersedes": texts(),
            "superseded_by": some(WORDS),
            "conflicts_with": texts(),
            "originals": dict.fromkeys(texts(), "原话"),
            "corrections": corrections,
            "said": said,
            "attachments": attachments[: self.chance.randrange(2)],
            "sealed": some(SEALED),
        }

    def _some(self, choices: Sequence[str]) -> str:
        return self.chance.choice(("", *choices))

    def _texts(self) -> tuple[str, ...]:
        return tuple(self.chance.sample(WORDS, self.chance.randrange(3)))

    def _maybe(self) -> datetime | None:
        return self.time() if self.chance.random() < 0.3 else None

    def _metadata(self) -> dict[str, Any]:
        if self.chance.random() < 0.5:
            return {}
        return {
            "z": [1, 2.5, None, True],
            "来源": {"页": self.chance.randrange(9)},
            "a": self.chance.choice(WORDS),
        }

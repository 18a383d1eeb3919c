"""What a space groups under names of its own, over the network: its constitution, and what time does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from holdfast.client.link import place
from holdfast.client.values import read
from holdfast.model.memory import Memory
from holdfast.model.plan import Outcome
from holdfast.rounds.forecast import Point
from holdfast.rounds.log import Run
from holdfast.rounds.report import Forecast, Round
from holdfast.steward.metrics import Metrics

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from holdfast.client.link import Link

T = TypeVar("T")


class Does(Protocol):
    """Asks the server for something in the space, and reads it as that type."""

    def __call__(
        self, kind: type[T], method: str, path: str, *, body: Mapping[str, Any] | None = None, **query: Any
    ) -> T: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """A change of the constitution as the server tells it."""

    id: str
    action: str
    content: str
    token: str
    needed: int
    confirmations: int
    outcome: Outcome | None = None


class RemoteChange:
    """A change that waits for its confirmations; each `confirm` returns the token that the next one needs."""

    def __init__(self, does: Does, told: Proposed) -> None:
        self._does = does
        self._told = told

    def __getattr__(self, name: str) -> Any:
        return getattr(self._told, name)

    @property
    def done(self) -> bool:
        return self._told.outcome is not None

    def confirm(self, token: str, *, at: datetime | None = None) -> str:
        """Confirms once; the last confirmation writes, and sets `outcome`."""
        path = f"/constitution/changes{place(self._told.id)}/confirm"
        told: Proposed = self._does(Proposed, "POST", path, body={"token": token, "at": at})
        self._told = replace(told, content=self._told.content)
        return told.token


class RemoteConstitution:
    """What is always there (M1); an owner changes it with three confirmations (M2)."""

    def __init__(self, does: Does) -> None:
        self._does = does

    def entries(self) -> list[Memory]:
        return self._does(list[Memory], "GET", "/constitution")

    def due(self) -> list[Memory]:
        return self._does(list[Memory], "GET", "/constitution/due")

    def waiting(self) -> list[Memory]:
        return self._does(list[Memory], "GET", "/constitution/changes")

    def propose(self, content: str, *, priority: str = "medium", at: datetime | None = None) -> RemoteChange:
        return self._change("POST", "/constitution", {"content": content, "priority": priority, "at": at})

    def propose_change(
        self, id: str, content: str | None = None, *, priority: str | None = None, at: datetime | None = None
    ) -> RemoteChange:
        told = {"content": content, "priority": priority, "at": at}
        return self._change("PATCH", f"/constitution{place(id)}", told)

    def propose_delete(self, id: str) -> RemoteChange:
        return self._change("DELETE", f"/constitution{place(id)}", None)

    def confirm(self, id: str, token: str, *, at: datetime | None = None) -> RemoteChange:
        path = f"/constitution/changes{place(id)}/confirm"
        return self._change("POST", path, {"token": token, "at": at})

    def withdraw(self, id: str) -> Outcome:
        return self._does(Outcome, "DELETE", f"/constitution/changes{place(id)}")

    def restore(self, id: str, *, at: datetime | None = None) -> Outcome:
        return self._does(Outcome, "POST", f"/constitution{place(id)}/restore", body={"at": at})

    def checked(self, id: str, *, at: datetime | None = None) -> Outcome:
        return self._does(Outcome, "POST", f"/constitution{place(id)}/checked", body={"at": at})

    def _change(self, method: str, path: str, body: dict[str, Any] | None) -> RemoteChange:
        return RemoteChange(self._does, self._does(Proposed, method, path, body=body))


class RemoteStewards:
    """What time does to every space of the house."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def plan(self, *, at: datetime | None = None, rules: Iterable[str] | None = None) -> list[Round]:
        return self._rounds("plan", {"at": at, "rules": rules})

    def run(self, *, at: datetime | None = None, rules: Iterable[str] | None = None) -> list[Round]:
        return self._rounds("run", {"at": at, "rules": rules})

    def _rounds(self, what: str, told: Mapping[str, Any]) -> list[Round]:
        found: list[Round] = read(list[Round], self._link.ask("POST", f"/house/{what}", body=told))
        return found


class RemoteSteward:
    """What time does to one space."""

    def __init__(self, does: Does) -> None:
        self._does = does

    def plan(self, *, at: datetime | None = None, rules: Iterable[str] | None = None) -> Round:
        return self._does(Round, "POST", "/steward/plan", body={"at": at, "rules": rules})

    def run(self, *, at: datetime | None = None, rules: Iterable[str] | None = None) -> Round:
        return self._does(Round, "POST", "/steward/run", body={"at": at, "rules": rules})

    def forecast(self, days: int = 180, *, at: datetime | None = None) -> Forecast:
        return self._does(Forecast, "POST", "/steward/forecast", body={"days": days, "at": at})

    def curve(self, id: str, *, days: int = 180, at: datetime | None = None) -> tuple[Point, ...]:
        path = f"/memories{place(id)}/curve"
        return self._does(tuple[Point, ...], "POST", path, body={"days": days, "at": at})

    def log(self, *, limit: int = 100) -> list[Run]:
        return self._does(list[Run], "GET", "/steward/log", limit=limit)

    def undo(self, run: str, *, at: datetime | None = None) -> list[Outcome]:
        return self._does(list[Outcome], "POST", "/steward/undo", body={"run": run, "at": at})

    def metrics(self) -> Metrics:
        return self._does(Metrics, "GET", "/steward/metrics")

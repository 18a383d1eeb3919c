"""The options every command has, written once, and `spread`, which gives a command the fields of a dataclass.

Typer reads options off a function's signature; `spread` replaces each parameter whose type is a dataclass
by that dataclass's fields, and hands the command the dataclass built from them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import MISSING, dataclass, fields, is_dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from holdfast.errors import Forbidden, InvalidInput
from holdfast.model import check
from holdfast.model.access import ADMIN, allowed
from holdfast.model.actor import LOCAL_OWNER, Actor, Role
from holdfast.serve.cli import complete, output

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from holdfast.engine import Holdfast
    from holdfast.space import Space

# Those a person can act as. The system role belongs to the steward.
PEOPLE = (Role.OWNER, Role.USER, Role.AGENT, Role.AUDITOR)


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """Which house, which room, and as whom."""

    space: Annotated[
        str | None,
        typer.Option(
            "--space", "-s", help="The space to work in; else HOLDFAST_SPACE.", autocompletion=complete.spaces
        ),
    ] = None
    home: Annotated[
        str | None,
        typer.Option("--home", help="The directory of the memory; else HOLDFAST_HOME, else ~/.holdfast."),
    ] = None
    actor: Annotated[
        str | None,
        typer.Option(
            "--as",
            metavar="ROLE[:NAME]",
            help="Act as owner, user, agent or auditor.",
            autocompletion=complete.roles,
        ),
    ] = None
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False
    debug: Annotated[bool, typer.Option("--debug", help="Show the trace of an unexpected error.")] = False

    @contextmanager
    def opened(self) -> Iterator[Holdfast]:
        """The house, closed again at the end, so that nothing buffered is lost."""
        from holdfast.engine import Holdfast

        with Holdfast(self.home, actor=self.who()) as hf:
            yield hf

    @contextmanager
    def keeping(self, verb: str) -> Iterator[Holdfast]:
        """The house, for a verb that belongs to no space; the local owner is its keeper."""
        role = self.who().role
        if not allowed(ADMIN if role is Role.OWNER else role, verb):
            raise Forbidden(f"{self.who()} has no right to {verb}; act as the owner of the house")
        with self.opened() as hf:
            yield hf

    @contextmanager
    def entered(self, profile: str | None = None) -> Iterator[Space]:
        """The space meant, made where a profile is given and it is not there."""
        with self.opened() as hf:
            yield hf.space(self.named(), profile=profile)

    def named(self) -> str:
        """The name of the space meant."""
        from holdfast.settings import chosen_space

        name = self.space or chosen_space()
        if not name:
            raise InvalidInput(
                "--space",
                "is not given",
                "name one with --space or HOLDFAST_SPACE; `holdfast spaces` lists them",
            )
        return name

    def who(self) -> Actor:
        """As whom the command acts: the local owner where nothing is said."""
        if self.actor is None:
            return LOCAL_OWNER
        role, _, name = self.actor.partition(":")
        check.choice("--as", role, PEOPLE)
        return Actor(Role(role), check.text("--as", name) if name else LOCAL_OWNER.name)

    def tell(self, value: object, draw: Callable[..., Any]) -> None:
        """Prints the value: as JSON where that was asked for, else as `draw` draws it."""
        if self.as_json:
            output.print_json(value)
        else:
            output.draw(draw(value))


def moment(option: str, value: str | None) -> datetime | None:
    """A time given on the command line."""
    return None if value is None else check.moment(option, value)


def told(options: object) -> dict[str, Any]:
    """The fields of an options dataclass that were given: not None, no flag unset, no empty list."""
    values = {f.name: getattr(options, f.name) for f in fields(options)}  # type: ignore[arg-type]
    return {
        name: value
        for name, value in values.items()
        if value is not None and value is not False and value != []
    }


def spread(command: Callable[..., None]) -> Callable[..., None]:
    """The command, with each dataclass among its parameters spread into options.

    Options of `House` that were given before the name of the command count too.
    """
    hints = get_type_hints(command, include_extras=True)
    wide = {name: kind for name, kind in hints.items() if isinstance(kind, type) and is_dataclass(kind)}

    def run(ctx: typer.Context, **given: Any) -> None:
        parts = {
            name: kind(**{f.name: given.pop(f.name) for f in fields(kind)}) for name, kind in wide.items()
        }
        for name, part in parts.items():
            if isinstance(part, House):
                ctx.obj = parts[name] = _inherit(part, ctx.obj)
        if "ctx" in hints:
            given["ctx"] = ctx
        command(**parts, **given)

    parameters = [inspect.Parameter("ctx", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)]
    for name, parameter in inspect.signature(command).parameters.items():
        if name in wide:
            parameters += _options(wide[name])
        elif name != "ctx":
            kind = inspect.Parameter.KEYWORD_ONLY
            parameters.append(parameter.replace(kind=kind, annotation=hints[name]))
    run.__name__ = command.__name__
    run.__doc__ = command.__doc__
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def _options(kind: type) -> list[inspect.Parameter]:
    hints: Mapping[str, Any] = get_type_hints(kind, include_extras=True)
    return [
        inspect.Parameter(
            f.name,
            inspect.Parameter.KEYWORD_ONLY,
            annotation=hints[f.name],
            default=inspect.Parameter.empty if f.default is MISSING else f.default,
        )
        for f in fields(kind)
    ]


def _inherit(house: House, outer: object) -> House:
    if not isinstance(outer, House):
        return house
    unsaid = {
        f.name: getattr(outer, f.name) for f in fields(House) if getattr(house, f.name) in (None, False)
    }
    return replace(house, **unsaid)

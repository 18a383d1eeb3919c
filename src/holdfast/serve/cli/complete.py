"""What a shell may complete: names of spaces, profiles and kinds, and the closed lists."""

from __future__ import annotations

from typing import Any

import typer  # noqa: TC002 (read as it runs)

from holdfast.errors import HoldfastError
from holdfast.model.actor import Role
from holdfast.model.layer import Layer, Mode, Priority
from holdfast.model.status import Status


def spaces(ctx: typer.Context, incomplete: str) -> list[str]:
    """Names of spaces in the house the command line names."""
    from holdfast.engine import Holdfast

    try:
        with Holdfast(_given(ctx, "home")) as hf:
            return _fitting((record.name for record in hf.spaces()), incomplete)
    except HoldfastError:
        return []  # a house that does not open has no names to offer; the command itself will say why


def profiles(ctx: typer.Context, incomplete: str) -> list[str]:
    """Presets and the user's own."""
    return _fitting(_profiles(ctx), incomplete)


def kinds(ctx: typer.Context, incomplete: str) -> list[str]:
    """Kinds any profile knows."""
    known = {kind for profile in _profiles(ctx).values() for kind in profile.kinds}
    return _fitting(sorted(known), incomplete)


def roles(incomplete: str) -> list[str]:
    return _fitting((role for role in Role if role is not Role.SYSTEM), incomplete)


def layers(incomplete: str) -> list[str]:
    return _fitting(Layer, incomplete)


def statuses(incomplete: str) -> list[str]:
    return _fitting(Status, incomplete)


def modes(incomplete: str) -> list[str]:
    return _fitting(Mode, incomplete)


def priorities(incomplete: str) -> list[str]:
    return _fitting(Priority, incomplete)


def _profiles(ctx: typer.Context) -> dict[str, Any]:
    from holdfast.engine import Holdfast

    try:
        with Holdfast(_given(ctx, "home")) as hf:
            return dict(hf.profiles())
    except HoldfastError:
        return {}


def _given(ctx: typer.Context, option: str) -> str | None:
    value = ctx.params.get(option)
    return value if isinstance(value, str) else None


def _fitting(names: Any, incomplete: str) -> list[str]:
    return [str(name) for name in names if str(name).startswith(incomplete)]

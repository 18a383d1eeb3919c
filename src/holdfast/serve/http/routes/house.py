"""The house: its spaces, profiles and keys, and how it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import APIRouter
from starlette.responses import Response

from holdfast.errors import InvalidInput, NotFound, UnknownSpace
from holdfast.profile import load as profiles_file
from holdfast.serve.http import bodies, shapes
from holdfast.serve.http.caller import CREATED, Calling

if TYPE_CHECKING:
    from holdfast.engine import Holdfast
    from holdfast.model.key import Key
    from holdfast.model.space import SpaceRecord
    from holdfast.profile.schema import Profile

routes = APIRouter(tags=["house"])


@routes.get("/spaces", response_model=list[shapes.SpaceRecord])
async def spaces(caller: Calling) -> Response:
    """Those that the key opens."""
    return await caller.keeps("spaces", opened)


def opened(house: Holdfast, key: Key) -> list[SpaceRecord]:
    """The records of the spaces that a key opens."""
    return [record for record in house.spaces() if key.opens(record.name)]


@routes.post("/spaces", response_model=shapes.SpaceRecord, status_code=CREATED)
async def create_space(caller: Calling, body: bodies.NewSpace) -> Response:
    """Makes a space; one that is there with that profile is left as it is."""

    def made(house: Holdfast, key: Key) -> SpaceRecord:
        if not key.opens(body.name):
            raise UnknownSpace(body.name)
        if body.profile not in house.profiles():
            ways = ", ".join(house.profiles())
            raise InvalidInput("profile", f"is {body.profile!r:.80}", f"give one of {ways}")
        name = house.space(body.name, profile=body.profile, user_factor=body.user_factor).name
        return next(record for record in house.spaces() if record.name == name)

    return await caller.keeps("create_space", made, status=CREATED)


@routes.get("/profiles", response_model=dict[str, str])
async def profiles(caller: Calling) -> Response:
    """The names of all profiles, and what each is for."""
    return await caller.keeps(
        "profiles", lambda house, _: {name: one.description for name, one in house.profiles().items()}
    )


@routes.get("/profiles/{name}", response_model=dict[str, str])
async def profile(caller: Calling, name: str) -> Response:
    """A whole profile, as TOML."""
    return await caller.keeps(
        "profiles", lambda house, _: {"name": name, "toml": profiles_file.dump(named(house, name))}
    )


def named(house: Holdfast, name: str) -> Profile:
    """A profile of the house by its name; over a network no file can be named."""
    known = house.profiles()
    if name not in known:
        raise NotFound(f"there is no profile {name!r:.80}; there are {', '.join(known)}")
    return known[name]


@routes.get("/keys", response_model=list[shapes.Key])
async def keys(caller: Calling) -> Response:
    """All keys, those that ended too; none can be shown again."""
    return await caller.keeps("keys.list", lambda house, _: house.keys.list())


@routes.post("/keys", response_model=shapes.NewKey, status_code=CREATED)
async def create_key(caller: Calling, body: bodies.WantedKey) -> Response:
    """Makes a key and shows it, once."""
    told = body.told("name")
    return await caller.keeps(
        "keys.create", lambda house, _: house.keys.create(body.name, **told), status=CREATED
    )


@routes.delete("/keys/{id}", response_model=shapes.Key)
async def revoke_key(caller: Calling, id: str) -> Response:
    """Ends a key for good, at once."""
    return await caller.keeps("keys.revoke", lambda house, _: house.keys.revoke(id))


@routes.get("/doctor", response_model=list[shapes.Drift])
async def doctor(caller: Calling) -> Response:
    """Everything that is not as it should be."""
    return await caller.keeps("doctor", lambda house, _: house.doctor())


@routes.post("/repair", response_model=dict[str, int])
async def repair(caller: Calling) -> Response:
    """Rebuilds the indexes of the space from its truth."""
    return await caller.keeps(
        "repair", lambda house, key: {"rows": house.repair(caller.door.entered(key, caller.space).name)}
    )


@routes.post("/work", response_model=shapes.WorkReport)
async def work(caller: Calling, body: bodies.Work) -> Response:
    """Does what waits in the queues, now."""
    return await caller.keeps("work", lambda house, _: house.work(**body.told()))

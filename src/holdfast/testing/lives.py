"""Lives for a year's simulation, made up: three households, and a heavy user who says something every day."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from holdfast.testing.year import Life, Said

if TYPE_CHECKING:
    from collections.abc import Iterator

ENGLISH = Life(
    name="the Marlow house",
    said=(
        Said(day=0, words="My name is Ines Marlow", kind="identity", importance=3.0),
        Said(day=0, words="I am allergic to walnuts", kind="medical", importance=3.0),
        Said(day=1, words="I like rye bread with butter", kind="preference", asked=(40, 120, 200, 300)),
        Said(day=3, words="My sister Oda lives in Bergen", kind="relation", asked=(90, 250)),
        Said(day=5, words="The boiler was repaired by Mr Quist", kind="event"),
        Said(day=8, words="The library card ends in May", kind="fact", until=140),
        Said(day=12, words="I am tired because of the move", kind="temporary"),
        Said(day=15, words="we talked about curtains for the hall", layer="session"),
        Said(
            day=30,
            words="The spare key hangs behind the clock",
            kind="place",
            asked=(60, 90, 120, 180, 240, 330),
        ),
        Said(day=60, words="I started to learn the cello", kind="skill"),
        Said(day=61, words="we talked about the price of a cello", layer="session"),
        Said(day=100, words="The car goes to the garage on Tuesday", kind="temporary"),
        Said(day=150, words="I do not like rye bread any more", kind="preference"),
        Said(day=200, words="The neighbour's dog is called Pim", kind="relation"),
        Said(day=300, words="The window in the attic leaks", kind="fact"),
    ),
    forgotten={"The boiler was repaired by Mr Quist": 20, "The neighbour's dog is called Pim": 260},
    captured=((10, "the plan for the kitchen has four steps"), (11, "step two of the kitchen plan failed")),
)
SIMPLIFIED = Life(
    name="陈家",
    said=(
        Said(day=0, words="我叫陈若兰", kind="identity", importance=3.0),
        Said(day=0, words="我对青霉素过敏", kind="medical", importance=3.0),
        Said(day=2, words="我喜欢喝普洱茶", kind="preference", asked=(50, 150, 280)),
        Said(day=4, words="我弟弟在成都开书店", kind="relation", asked=(100,)),
        Said(day=9, words="上周修好了阳台的门", kind="event"),
        Said(day=20, words="游泳卡五月底到期", kind="fact", until=150),
        Said(day=25, words="今天聊了怎么种番茄", layer="session"),
        Said(day=33, words="这几天睡得不好", kind="temporary"),
        Said(
            day=70,
            words="药盒放在厨房的第二个抽屉里",
            kind="place",
            asked=(100, 130, 160, 190, 220, 250, 280, 310),
        ),
        Said(day=160, words="我不喝普洱茶了", kind="preference"),
        Said(day=210, words="楼下的猫叫团子", kind="relation"),
    ),
    forgotten={"上周修好了阳台的门": 15},
)
TRADITIONAL = Life(
    name="林家",
    said=(
        Said(day=0, words="我叫林靜宜", kind="identity", importance=3.0),
        Said(day=1, words="我每天晚上吃降血壓藥", kind="medical", importance=3.0),
        Said(day=2, words="我喜歡聽老歌", kind="preference", asked=(60, 180, 300)),
        Said(day=6, words="女兒在臺南教書", kind="relation", asked=(120,)),
        Said(day=14, words="昨天去看了花展", kind="event"),
        Said(day=18, words="公車卡六月底到期", kind="fact", until=180),
        Said(day=21, words="今天聊了孫子的生日", layer="session"),
        Said(
            day=90, words="眼鏡放在客廳的抽屜裡", kind="place", asked=(120, 150, 180, 210, 240, 270, 300, 330)
        ),
        Said(day=220, words="樓上在裝修", kind="temporary"),
    ),
    forgotten={"昨天去看了花展": 40},
)
HOUSEHOLDS = (ENGLISH, SIMPLIFIED, TRADITIONAL)

_WHO = ("Anka", "Bero", "Cleo", "Dorn", "Elva", "Finn", "Gwen", "Hugo")
_WHAT = (
    "the ferry",
    "a lantern",
    "the orchard",
    "a violin",
    "the bakery",
    "a kite",
    "the archive",
    "a canoe",
)
_HOW = ("painted", "sold", "repaired", "borrowed", "measured", "cleaned", "photographed", "carried")
_KINDS = ("event", "fact", "relation", "preference", "temporary", "place", "skill", "note")


def heavy(a_day: int = 2, days: int = 365, seed: int = 7) -> Life:
    """Somebody who says something new several times a day, and asks for some of it again."""
    return Life(name=f"a heavy user, {a_day} a day", said=tuple(_spoken(a_day, days, Random(seed))))


def _spoken(a_day: int, days: int, chance: Random) -> Iterator[Said]:
    for day in range(days):
        for count in range(a_day):
            number = day * a_day + count
            words = (
                f"{chance.choice(_WHO)} {chance.choice(_HOW)} {chance.choice(_WHAT)} "
                f"number {number}, as page {chance.randrange(900)} says"
            )
            asked = (day + 20, day + 80) if chance.random() < 0.05 else ()
            layer = "session" if chance.random() < 0.2 else None
            yield Said(day=day, words=words, kind=chance.choice(_KINDS), layer=layer, asked=asked)

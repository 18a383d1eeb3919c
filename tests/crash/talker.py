"""A process that holds a conversation and stops where it is told to, saying so, to be killed there.

python talker.py <directory> summary|job|commit
"""

from __future__ import annotations

import sys
import time

from holdfast import Holdfast, Settings
from holdfast.judge.rules import RulesJudge
from holdfast.settings import EmbedderSettings
from holdfast.wire import Own

QUICK = Settings(embedder=EmbedderSettings(name="hashing"))
LINES = (
    ("user", "今天女儿小红来看我了"),
    ("assistant", "真好"),
    ("user", "我喜欢吃拉面"),
    ("assistant", "拉面好"),
)


def here(*told):
    """Says where it stands, and waits for its end."""
    sys.stdout.write(f"{' '.join(told)}\n")
    sys.stdout.flush()
    time.sleep(600)


class Stopping(RulesJudge):
    """The rules, which stop where the second half of an end would begin."""

    def extract(self, turns):
        return here("between the summary and the observations")


def main(directory, where):
    judge = RulesJudge() if where == "commit" else Stopping()
    profile = "companion" if where == "commit" else "care"
    with Holdfast(directory, Own(settings=QUICK, judge=judge)) as hf:
        me = hf.space("patient:lin", profile=profile)
        if where == "commit":
            me.remember("我喜欢吃拉面", kind="preference")
        talk = me.converse("evening")
        for role, text in LINES:
            talk.say(role, text)
        if where == "summary":
            talk.end()
        if where == "job":
            talk.end(later=True)
        if where == "commit":
            me._scope.store.finish = lambda job: here("done and not said so")
        hf.work()


if __name__ == "__main__":
    main(*sys.argv[1:])

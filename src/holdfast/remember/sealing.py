"""Secrets on their way in and out (E14): what is level 3 is kept sealed, and found by its label alone.

In the place of its words stands the label: the one that was told, else what sort of secret it is. Content,
entity value and metadata are sealed together; what has to stay readable (source, session, tags, …) may hold
no secret. Opening is a right of its own, and every opening stands in the ledger.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from holdfast.errors import IllegalChange, InvalidInput, NotFound
from holdfast.model import check, codec
from holdfast.model.layer import Decision, Layer
from holdfast.model.memory import Memory, nothing
from holdfast.model.plan import Outcome
from holdfast.model.status import Status
from holdfast.model.status import change as legal
from holdfast.recall.indexing import indexed
from holdfast.recall.language import language_of, spoken
from holdfast.recall.record import content_key
from holdfast.remember import whole
from holdfast.remember.admit import SAFE_WORDING, SECRET, turned
from holdfast.remember.beside import secret_beside
from holdfast.remember.change import editing, guard
from holdfast.remember.lookup import known, read
from holdfast.remember.writing import filled, write

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from holdfast.model.draft import Draft
    from holdfast.model.memory import Capture
    from holdfast.model.plan import Plan
    from holdfast.ports.judge import Sensitivity
    from holdfast.remember.admit import Admission
    from holdfast.scope import Scope

# What sort of secret a judge found, by a word of its reason; the first that is in it names the memory.
SORTS: tuple[tuple[str, Mapping[str, str]], ...] = (
    ("card", {"en": "bank card or account", "zh": "银行卡或账户", "zh-Hant": "銀行卡或帳戶"}),
    ("iban", {"en": "bank card or account", "zh": "银行卡或账户", "zh-Hant": "銀行卡或帳戶"}),
    ("password", {"en": "password", "zh": "密码", "zh-Hant": "密碼"}),
    ("secret with", {"en": "password", "zh": "密码", "zh-Hant": "密碼"}),
    ("code", {"en": "code that opens something", "zh": "开锁密码", "zh-Hant": "開鎖密碼"}),
    ("combination", {"en": "code that opens something", "zh": "开锁密码", "zh-Hant": "開鎖密碼"}),
    ("income", {"en": "income", "zh": "收入", "zh-Hant": "收入"}),
    ("savings", {"en": "savings", "zh": "存款", "zh-Hant": "存款"}),
    ("debt", {"en": "debt", "zh": "债务", "zh-Hant": "債務"}),
    ("key", {"en": "key or token", "zh": "密钥", "zh-Hant": "密鑰"}),
)
SOME = {"en": "secret", "zh": "秘密", "zh-Hant": "秘密"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """What was sealed, in plain. Whoever holds it answers for it."""

    id: str
    content: str = field(repr=False)
    entity_value: str = field(default="", repr=False)
    metadata: Mapping[str, Any] = field(default_factory=nothing, repr=False)


def sealed(scope: Scope, id: str, a: Admission, *, found: Sensitivity | None) -> Admission:
    """The admission of a secret with its words sealed; turned away where what must stay readable holds one
    too.
    """
    draft = a.draft
    label = draft.label or _sort(found, draft.content)
    bare = replace(
        draft, content=label, label=label, entity_value="", metadata=nothing(), vector=None, sealed="·"
    )
    if _tells(scope, bare):
        why = f"it holds a secret (level 3) beside its words, where it can't be sealed; {SAFE_WORDING}"
        return turned(a, why, kept=False)
    plain = payload(draft.content, draft.entity_value, draft.metadata)
    same = _same(draft.entity_type, draft.entity_value or draft.content)
    text = scope.vault.seal(scope.store, plain, about=id, same=same)
    why = f"sealed (level 3): found by its label {label!r}, opened by those allowed"
    return replace(a, draft=replace(bare, sealed=text), reasons=(*a.reasons, why), note=a.note or "sealed")


def sealed_capture(scope: Scope, kept: Capture, plain: str, *, metadata: Mapping[str, Any]) -> Capture:
    """An entry of quarantine whose secrets are covered, with the whole sealed beside."""
    return replace(
        kept,
        sealed=scope.vault.seal(scope.store, payload(plain, "", metadata), about=kept.id, same=kept.id),
    )


def resealed(scope: Scope, old: Memory, new: Memory) -> Memory:
    """A revision whose words are, or have become, a secret: sealed; any other as it is."""
    if old.sealed and new.sensitivity < SECRET:
        way_out = "open it, remember what may be told, and forget this one"
        raise InvalidInput("sensitivity", "cannot be lowered on what is sealed", way_out)
    worded = (new.content, new.entity_value, new.metadata) != (old.content, old.entity_value, old.metadata)
    text = f"{new.content}\n{new.entity_value}".strip()
    found = whole.sensitivity(scope.judge.at_once, text) if worded else None
    secret = new.sensitivity >= SECRET or (found is not None and found.level >= SECRET)
    if not secret or (old.sealed and not worded):
        return new
    if not old.sealed and new.sensitivity >= SECRET and new.content == old.content:
        raise InvalidInput("sensitivity", "would leave the plain words in earlier versions", "use seal(id)")
    before = _opened(scope, old) if old.sealed else None
    content = before.content if before and new.content == old.content else new.content
    value = before.entity_value if before and not new.entity_value else new.entity_value
    metadata = {**(before.metadata if before else {}), **new.metadata}
    label = old.label or _sort(found, content)
    same = _same(new.entity_type, value or content)
    return replace(
        new,
        content=label,
        label=label,
        entity_value="",
        metadata=nothing(),
        sensitivity=SECRET,
        sealed=scope.vault.seal(scope.store, payload(content, value, metadata), about=new.id, same=same),
    )


def seal(scope: Scope, id: str, label: str | None, *, at: datetime | None) -> Outcome:
    """A memory that was kept in plain becomes a sealed one of another id; its plain versions are destroyed,
    which nothing undoes.
    """
    edit = editing(scope, "seal", right="seal", at=at)
    id = check.text("id", id)
    named = "" if label is None else check.text("label", label)

    def decided() -> tuple[Plan | None, Outcome]:
        old = read(scope, [id])[id]
        if old.sealed:
            return None, Outcome(decision=Decision.ACCEPTED, memory=old, reasons=("it is sealed already",))
        if old.layer is Layer.CONSTITUTION:
            raise IllegalChange(f"{id} is in the constitution, which is shown whole; propose its deletion")
        guard(edit, old)
        new = _in_place_of(scope, old, named)
        gone = _emptied(old, new.id, edit.at)
        plan = filled(scope.plan("seal", edit.at, reasons=("sealed",)), scope, [new], vectors={new.id: b""})
        plan = replace(
            plan, puts=(*plan.puts, gone), indexed=(*plan.indexed, indexed(gone, b"")), purges=(old.id,)
        )
        why = (f"sealed as {new.id}", "its plain versions are destroyed")
        done = Outcome(
            decision=Decision.ACCEPTED,
            memory=new,
            reasons=why,
            touched=(new.id, old.id),
            change=plan.change,
        )
        return plan, done

    return write(scope, decided)


def _in_place_of(scope: Scope, old: Memory, label: str) -> Memory:
    id = scope.clock.new_id()
    label = label or old.label or _sort(scope.judge.at_once.sensitivity(old.content), old.content)
    plain = payload(old.content, old.entity_value, old.metadata, before=codec.encode_image(old))
    same = _same(old.entity_type, old.entity_value or old.content)
    new = replace(
        old,
        id=id,
        version=1,
        content=label,
        label=label,
        entity_value="",
        metadata=nothing(),
        reason="",
        sensitivity=SECRET,
        said=(),
        corrections=(),
        originals=nothing(),
        attachments=(),
        access_count=0,
        sealed=scope.vault.seal(scope.store, plain, about=id, same=same),
    )
    if _tells(scope, new):
        raise InvalidInput("label", "or a source, session or tag holds the secret itself", SAFE_WORDING)
    return new


def _emptied(old: Memory, sealed_as: str, at: datetime) -> Memory:
    """What stays in its place: a deletion that points to what was sealed."""
    return Memory(
        id=old.id,
        space=old.space,
        content="",
        created_at=old.created_at,
        updated_at=at,
        last_activated_at=old.last_activated_at,
        layer=old.layer,
        kind=old.kind,
        version=old.version + 1,
        status=legal(old.status, Status.DELETED),
        deleted_at=at,
        deletion="user_delete",
        superseded_by=sealed_as,
    )


def opened(scope: Scope, id: str) -> Opened:
    """What is sealed in a memory, or in an entry of quarantine; the ledger says who opened it."""
    now = scope.clock.now()
    scope.require("open", now)
    id = check.text("id", id)
    kept: Memory | Capture | None = known(scope, [id]).get(id) or _captured(scope, id)
    if kept is None:
        raise NotFound(f"there is nothing of id {id!r} in {scope.space!r}")
    if not kept.sealed:
        raise InvalidInput("id", "names what is not sealed", "read it with get")
    plain = _opened(scope, kept)
    scope.store.apply(scope.plan("open", now, reasons=(f"opened {id}",)))
    return plain


def _captured(scope: Scope, id: str) -> Capture | None:
    """By its id: entries are listed in the order of ids, so it is among the next after its own beginning."""
    near = scope.store.captures(after=id[:-1], limit=20)
    found = next((capture for capture in near if capture.id == id), None)
    if found is not None:
        scope.require("quarantine.read")
    return found


def words_of(scope: Scope, kept: Memory) -> str:
    """What is sealed, to know it again where it is repeated; never handed out, so nobody has opened it."""
    return _opened(scope, kept).content


def _opened(scope: Scope, kept: Memory | Capture) -> Opened:
    told = json.loads(scope.vault.open(scope.store, kept.sealed, about=kept.id))
    told.pop("before", None)
    return Opened(id=kept.id, **told)


def payload(content: str, entity_value: str, metadata: Mapping[str, Any], **more: str) -> str:
    """What is sealed, as one text."""
    told = {"content": content, "entity_value": entity_value, "metadata": metadata, **more}
    return codec.write_json(told)


def _same(entity_type: str, words: str) -> str:
    """What makes two secrets the same: folded words, of one type where they are an entity's."""
    return f"{entity_type}\x1f{content_key(words):x}"


def _sort(judged: Sensitivity | None, text: str) -> str:
    """What sort of secret it is, in the language it was told in."""
    reasons = (*judged.reasons, *(what for _, _, what in judged.spans)) if judged else ()
    found = next((words for mark, words in SORTS if any(mark in reason for reason in reasons)), SOME)
    return spoken(found, language_of(text))


def _tells(scope: Scope, bare: Draft | Memory) -> bool:
    """Whether what stays readable gives a secret away."""
    return (
        bool(secret_beside(scope.judge.at_once, bare))
        or scope.judge.at_once.sensitivity(bare.label).level >= SECRET
    )

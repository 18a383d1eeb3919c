"""The chain: what was changed, taken out, swapped or cut off is found and named."""

from __future__ import annotations

from dataclasses import replace

import pytest

from holdfast.model import codec, ledger
from holdfast.model.memory import Attachment, Correction, Said
from holdfast.model.plan import Touched
from holdfast.testing.samples import Samples

SPACE = "space-1"


def chain(length):
    """Links of a sound ledger."""
    samples, links = Samples(2), []
    head = ledger.Anchor(0, ledger.genesis(SPACE))
    for number in range(length):
        touched = (Touched(f"memory-{number}", 0, 1, "d" * 64),)
        link = ledger.link(samples.plan(reasons=(f"reason {number}",)), head, touched, captures=())
        head = ledger.Anchor(link.entry.number, link.entry.hash)
        links.append(link)
    return links


def verdict(links, anchor=None):
    last = links[-1].entry if links else None
    anchor = anchor or (ledger.Anchor(last.number, last.hash) if last else ledger.Anchor())
    check = ledger.Chain(ledger.Anchor(0, ledger.genesis(SPACE)), anchor)
    for _ in check.follow((link.entry, link.canonical.encode()) for link in links):
        pass
    return check.report()


def test_a_sound_chain_holds():
    links = chain(6)
    assert verdict(links) == ledger.ChainReport(6, True, links[-1].entry.hash)
    assert verdict([]) == ledger.ChainReport(0, True, "")


@pytest.mark.parametrize(
    "change",
    [
        {"verb": "forget"},
        {"reasons": ("another",)},
        {"actor": "owner:someone"},
        {"profile": "x"},
        {"touched": (Touched("memory-2", 0, 1, "e" * 64),)},
    ],
)
def test_a_changed_entry_is_named(change):
    links = chain(6)
    forged = replace(links[2].entry, **change)
    links[2] = ledger.Link(forged, codec.encode_entry(forged))
    report = verdict(links)
    assert not report.ok
    assert report.entries == 2
    assert "entry 3 " in report.problems[0]
    assert "was changed" in report.problems[0]


def test_an_entry_forged_with_a_hash_that_fits_breaks_the_next():
    links = chain(6)
    forged = replace(links[2].entry, verb="forget")
    text = codec.encode_entry(forged)
    links[2] = ledger.Link(replace(forged, hash=ledger.entry_hash(text.encode())), text)
    (problem,) = verdict(links).problems
    assert problem.startswith("entry 4 ")
    assert "does not follow entry 3" in problem


def test_a_missing_entry_is_named():
    links = chain(6)
    del links[3]
    assert verdict(links).problems[0].startswith("entry 4 is missing before entry 5")
    del links[2]
    assert verdict(links).problems[0].startswith("entries 3 to 4 are missing before entry 5")


def test_swapped_entries_are_named():
    links = chain(6)
    links[1], links[2] = links[2], links[1]
    problems = " ".join(verdict(links).problems)
    assert "entry 2 is missing before entry 3" in problems
    assert "entry 2 (remember" in problems
    assert "out of order" in problems


@pytest.mark.parametrize(
    ("cut", "said"), [(1, "entry 6 is"), (3, "entries 4 to 6 are"), (6, "entries 1 to 6 are")]
)
def test_a_ledger_that_was_cut_off_is_shorter_than_its_anchor(cut, said):
    links = chain(6)
    anchor = ledger.Anchor(6, links[-1].entry.hash)
    report = verdict(links[: 6 - cut], anchor)
    assert not report.ok
    assert report.entries == 6 - cut
    assert report.problems == (f"the ledger is cut off: {said} gone, as the catalog's anchor tells",)


def test_a_ledger_written_anew_from_the_beginning_misses_its_anchor():
    links, other = chain(4), chain(6)
    anchor = ledger.Anchor(4, "0" * 64)
    assert "not the one that the catalog anchored" in verdict(links, anchor).problems[0]
    assert verdict(other[:4], ledger.Anchor(3, other[2].entry.hash)).ok


def test_a_chain_does_not_fit_into_another_space():
    check = ledger.Chain(ledger.Anchor(0, ledger.genesis("space-2")), ledger.Anchor())
    assert len(list(check.follow((link.entry, link.canonical.encode()) for link in chain(2)))) == 2
    assert "does not follow the beginning of this space's ledger" in check.report().problems[0]


def test_of_a_long_tale_the_first_faults_are_told():
    links = chain(60)
    for place, link in enumerate(links):
        links[place] = ledger.Link(replace(link.entry, hash="0" * 64), link.canonical)
    problems = verdict(links).problems
    assert len(problems) == ledger.PROBLEMS_TOLD + 1
    assert problems[-1].startswith("and ")


def imaged(salt, body, purge=False):
    """The verdict on one stored after-image of a memory that one entry put and another may have purged."""
    samples = Samples(4)
    memory = samples.memory(id="m", content="真话")
    put = Touched("m", 0, 1, ledger.digest(b"salt", codec.encode_image(memory)))
    head = ledger.Anchor(0, ledger.genesis(SPACE))
    link = ledger.link(samples.plan(), head, (put,), captures=())
    links = [link]
    if purge:
        after = ledger.Anchor(1, link.entry.hash)
        links.append(ledger.link(samples.plan(), after, (Touched("m", 1, 1, ""),), captures=()))
    check = ledger.Chain(head, ledger.Anchor())
    for entry in check.follow((link.entry, link.canonical.encode()) for link in links):
        if entry.number == 1:
            check.image(entry, put, salt=salt, body=body(memory))
    return " ".join(check.report().problems)


def test_an_after_image_must_be_what_the_ledger_says():
    assert imaged(b"salt", codec.encode_image) == ""
    changed = imaged(b"salt", lambda memory: codec.encode_image(replace(memory, content="lies")))
    assert "version 1 of m (entry 1, remember) was changed" in changed
    assert "was changed" in imaged(b"pepper", codec.encode_image)
    assert "is missing" in imaged(b"salt", lambda _: None)


def test_words_go_without_a_trace_only_by_a_purge():
    def bare(memory):
        return codec.encode_image(ledger.shredded(memory))

    assert imaged(None, bare, purge=True) == ""
    assert "lost its words, and no entry purged it" in imaged(None, bare)
    assert "changed after it was purged" in imaged(None, codec.encode_image, purge=True)


def test_a_shredded_memory_keeps_ids_times_and_figures_and_no_words():
    samples = Samples(5)
    for _ in range(50):
        at = samples.time()
        memory = samples.full_memory(
            content="话一",
            label="话二",
            reason="话三",
            speaker="话四",
            source="话五",
            entity_type="话六",
            entity_value="话七",
            tags=("话八",),
            metadata={"话九": "话十"},
            sources={"话九": 0.5},
            originals={"id": "话九"},
            corrections=(Correction(at, "话八", "话七", "话六"),),
            said=(Said(at, "话五", "话四"),),
            attachments=(Attachment("image", "话三", "话二", "话一", at),),
        )
        bare = ledger.shredded(memory)
        text = codec.encode_memory(bare)
        assert "话" not in text
        assert (bare.id, bare.created_at, bare.kind, bare.status) == (
            memory.id,
            memory.created_at,
            memory.kind,
            memory.status,
        )
        assert ledger.is_shredded(codec.encode_image(bare))

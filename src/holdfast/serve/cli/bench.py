"""`holdfast bench`: measures recall and judgement on files of one's own, by the verbs an application uses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from holdfast.serve.cli import output
from holdfast.serve.cli.options import House, spread

if TYPE_CHECKING:
    from rich.table import Table

app = typer.Typer(help="Measure recall and judgement on a file of your own.", no_args_is_help=True)

Data = Annotated[Path, typer.Option("--data", help="The file or folder to measure on.", show_default=False)]
SHOWN = ("recall@1", "recall@5", "recall@10", "recall@20", "hit@5", "hit@10", "ndcg@10", "queries")


@app.command()
@spread
def retrieval(
    house: House,
    data: Data,
    form: Annotated[str, typer.Option("--format", help="locomo, memdaily, households or plain.")] = "plain",
    *,
    pool: Annotated[bool, typer.Option("--pool", help="memdaily: all of one file into one space.")] = False,
    profile: Annotated[
        str | None, typer.Option("--profile", "-p", help="In place of the format's own.")
    ] = None,
) -> None:
    """Store a file, ask its questions, score the answers (recall@k, hit@k, NDCG@10, time, memory)."""
    from rich.progress import Progress

    from holdfast.bench.data import read
    from holdfast.bench.retrieval import measure

    cases = read(data.expanduser(), form, pool=pool)
    with Progress(console=output.aside(), transient=True) as progress:
        bar = progress.add_task("asking", total=len(cases))
        report = measure(cases, profile=profile, tick=lambda _: progress.advance(bar))
    house.tell(report, _retrieval)


@app.command()
@spread
def judgement(
    house: House,
    data: Data,
    *,
    judge: Annotated[
        str, typer.Option("--judge", help="Which judge: rules, or model (where [judge] says it is).")
    ] = "rules",
    most: Annotated[
        int, typer.Option("--most", help="Items of each file, spread over it; 0: all.", min=0)
    ] = 0,
) -> None:
    """Judge the labelled files of a folder (relations, extraction, …) and score the answers."""
    from holdfast.bench.judgement import measure
    from holdfast.settings import home, load
    from holdfast.wire import chosen_judge

    settings = load(Path(house.home or home()).expanduser())
    chosen = chosen_judge(replace(settings.judge, name=judge))
    house.tell(measure(data.expanduser(), chosen, most), _judgement)


def _retrieval(report: Mapping[str, Any]) -> Table:
    from rich.table import Table

    times, per = report["latency_ms"], report["stored_per_second"]
    table = Table(
        caption=f"p50 {times['p50']} ms, p95 {times['p95']} ms; without the embedder p50 "
        f"{times['p50_without_embedder']} ms; {report['stored']} stored at {per}/s without the embedder; "
        f"peak {report['peak_mib']} MiB; {report['embedder']}"
    )
    table.add_column("group")
    for name in SHOWN:
        table.add_column(name, justify="right")
    for group, row in [*report["groups"].items(), ("overall", report["overall"])]:
        table.add_row(group, *(f"{row[name]:.3f}" if name != "queries" else str(row[name]) for name in SHOWN))
    return table


def _judgement(report: Mapping[str, Any]) -> Table:
    from rich.table import Table

    table = Table("task", "score", "all")
    languages = sorted(report["languages"])
    for name in languages:
        table.add_column(name, justify="right")
    for task, scores in report.items():
        if task in ("languages", "judge"):  # not of one task
            continue
        for name, value in scores.items():
            if isinstance(value, float):
                others = [f"{report['languages'][lang].get(task, {}).get(name, 0):.3f}" for lang in languages]
                table.add_row(task, name, f"{value:.3f}", *others)
    return table

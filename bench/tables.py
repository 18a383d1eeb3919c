"""What was measured, as tables for people."""

from __future__ import annotations

from rich.table import Table

QUALITY = ("recall@5", "recall@10", "hit@5", "ndcg@10")


def peers(name: str, report: dict) -> Table:
    table = Table(title=f"{name}: the same texts, vectors and questions for all")
    table.add_column("")
    columns = (*QUALITY, "p50 ms", "p95 ms", "× numpy", "stored/s", "without judge", "one by one/s")
    for column in columns:
        table.add_column(column, justify="right")
    for label, row in report.items():
        cells = [f"{row[key]:.3f}" for key in QUALITY]
        cells += [f"{row['p50_ms']:.2f}", f"{row['p95_ms']:.2f}", f"{row['times_numpy']:.1f}"]
        cells += [f"{row['bulk_per_second']:,}", f"{row['bulk_per_second_without_judge']:,}"]
        singles = row["singles_per_second"]
        cells.append("" if singles is None else f"{singles:,}")
        table.add_row(label, *cells)
    return table


def retrieval(reports: dict) -> Table:
    table = Table(title="holdfast bench retrieval, as installed")
    table.add_column("")
    for column in (*QUALITY, "queries", "p50 ms", "p95 ms", "p50 without embedder", "stored/s", "peak MiB"):
        table.add_column(column, justify="right")
    for name, report in reports.items():
        row, times = report["overall"], report["latency_ms"]
        cells = [f"{row[key]:.3f}" for key in QUALITY]
        cells += [str(row["queries"]), f"{times['p50']:.2f}", f"{times['p95']:.2f}"]
        cells += [f"{times['p50_without_embedder']:.2f}", f"{report['stored_per_second']:,}"]
        table.add_row(name, *cells, str(report["peak_mib"]))
    return table


def cost(measured: dict) -> Table:
    table = Table(title="what operations cost")
    for column in ("", "measured", "ratio", "at most", ""):
        table.add_column(column)
    for name, row in measured.items():
        for label, part in _parts(name, row["measured"]):
            told = ", ".join(f"{key} {value}" for key, value in part.items() if key != "ratio")
            bar = row["bars"].get(label.split()[-1], row["bars"].get(""))
            met = "" if bar is None else "met" if part["ratio"] <= bar else "missed"
            table.add_row(label, told, f"{part['ratio']:g}", "" if bar is None else f"{bar:g}", met)
    return table


def _parts(name: str, measured: dict) -> list[tuple[str, dict]]:
    if "ratio" in measured:
        return [(name, measured)]
    return [(f"{name} {size}", part) for size, part in measured.items()]


def judgement(report: dict) -> Table:
    table = Table("task", "score", "value", title="holdfast bench judgement")
    for task, scores in report.items():
        if isinstance(scores, dict) and task != "languages":
            for score, value in scores.items():
                if isinstance(value, float):
                    table.add_row(task, score, f"{value:.3f}")
    return table

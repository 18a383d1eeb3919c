"""What a page has typed into a shell beside a server is typed, and answers what the page promises."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from .test_pages import PAGES, ROOT, blocks

PORT = "8420"
PROMISED = {
    "README.md": '"content":"My sister Juniper is allergic to peanuts"',
    "README.zh-CN.md": '"content":"我住在杭州，周末常去西湖边散步"',
    "docs/rest.md": "My sister Juniper is allergic to peanuts",
    "docs/mcp.md": "tells Cursor of this memory",
}
"""By page, what the last answer holds."""
CURLRC = 'silent\nshow-error\nfail-with-body\nwrite-out = "\\n"\n'


def lines(page: Path) -> list[str]:
    """What is typed beside the server, which is there already."""
    told = [block.text for block in blocks(page) if block.language == "sh" and PORT in block.text]
    return [line for text in told for line in text.splitlines() if " serve " not in f"{line} "]


@pytest.fixture
def port(tmp_path, monkeypatch):
    """A server of somebody who has just begun, in their home."""
    for name in [name for name in os.environ if name.startswith("HOLDFAST")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".curlrc").write_text(CURLRC)
    command = ["holdfast", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        yield server.stdout.readline().strip().rpartition(":")[2]
        server.send_signal(signal.SIGTERM)
        assert server.wait(60) == 0


def test_every_page_that_speaks_of_a_server_is_tried():
    assert {str(page.relative_to(ROOT)) for page in PAGES if lines(page)} == set(PROMISED)


@pytest.mark.parametrize("page", PROMISED)
def test_what_a_page_has_typed_beside_a_server_works(page, port, tmp_path):
    typed = "\n".join(lines(ROOT / page)).replace(PORT, port)
    typed = typed.replace("hf_…", '"$(head -1 shown)"')  # what stands for the key that was just shown
    typed = "\n".join(f"{line} | tee shown" if "keys create" in line else line for line in typed.splitlines())
    script = tmp_path / "typed.sh"
    script.write_text(f"set -eo pipefail\nshopt -s expand_aliases\n{typed}\n")
    run = subprocess.run(["bash", str(script)], capture_output=True, text=True, check=False, timeout=120)
    assert run.returncode == 0, run.stdout + run.stderr
    assert PROMISED[page] in run.stdout.splitlines()[-1]

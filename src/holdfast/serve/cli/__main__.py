"""`python -m holdfast.serve.cli`: the same as the `holdfast` script."""

from holdfast.serve.cli.main import main

main()

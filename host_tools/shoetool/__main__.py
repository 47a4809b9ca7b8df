"""`python -m shoetool` is `shoetool`."""

from shoetool.cli import main

main()

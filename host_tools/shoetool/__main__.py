"""`python -m shoetool` is `shoetool`."""

from shoetool.start import main

main()

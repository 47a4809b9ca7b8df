"""What is frozen into a MicroPython image for a shoe at a table: board/README.md says how.

package.json lists the same but for what starts a shoe, boot, main, root, start and shoe_image: mip installs a library.
Constants are put in place first, as in every build; so what is frozen is written to build/image when this is read.
"""

import os
import sys

include("$(PORT_DIR)/boards/manifest.py")  # noqa: F821 # pyright: ignore[reportUndefinedVariable]

sys.path.insert(0, os.getcwd() + "/tools")  # makemanifest.py works in the folder of the manifest that it reads
from build_pico import build_image  # noqa: E402

freeze(str(build_image()), opt=2)  # noqa: F821 # pyright: ignore[reportUndefinedVariable]

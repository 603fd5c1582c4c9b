"""The short name of ``python -m vision.kingdomino.evaluate``."""

from __future__ import annotations

import sys

from vision.kingdomino.evaluate.__main__ import main

if __name__ == "__main__":
    sys.exit(main())

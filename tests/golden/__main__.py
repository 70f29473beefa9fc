"""``python -m tests.golden PATH...``: see `replay`."""

import sys

from tests.golden.replay import main

sys.exit(main())

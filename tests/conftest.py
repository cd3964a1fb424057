"""What all tests share: plots without a window, and property tests that do not fail for being slow the first time."""

from __future__ import annotations

import os

import hypothesis

os.environ.setdefault("MPLBACKEND", "Agg")
hypothesis.settings.register_profile("kok-sim", deadline=None)
hypothesis.settings.load_profile("kok-sim")

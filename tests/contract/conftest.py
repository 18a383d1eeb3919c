"""Failures inside the shipped suite are shown as those of a test file."""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite("holdfast.testing")

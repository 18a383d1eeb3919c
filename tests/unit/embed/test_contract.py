"""Every embedder of the package keeps the contract."""

from __future__ import annotations

import pytest

from holdfast.adapters.embed.endpoint import EndpointEmbedder
from holdfast.adapters.embed.hashing import HashingEmbedder
from holdfast.adapters.embed.use import UseEmbedder
from holdfast.ports.embedder import IDENTITY
from holdfast.testing.embedders import EmbedderContract

_LOADED = UseEmbedder()


class TestUse(EmbedderContract):
    def make_embedder(self):
        fresh = UseEmbedder()
        fresh._loaded = _LOADED._loaded  # 0.6 s each time else
        return fresh


class TestHashing(EmbedderContract):
    def make_embedder(self):
        return HashingEmbedder(128)


class TestEndpoint(EmbedderContract):
    @pytest.fixture(autouse=True)
    def served(self, endpoint):
        self.endpoint = endpoint

    def make_embedder(self):
        return EndpointEmbedder(self.endpoint.settings(), IDENTITY)

"""The OpenAPI page against the server: whatever it allows, and much else, is answered as the page says."""

from __future__ import annotations

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance

from holdfast import Holdfast

CHECKS = [not_a_server_error, content_type_conformance, response_schema_conformance]
EXAMPLES = 3


@pytest.fixture(scope="module")
def page(server):
    with Holdfast(server.home) as hf:
        hf.space("user:ada", profile="assistant").remember("I like my coffee black")
    return schemathesis.openapi.from_url(f"{server.url}/openapi.json").exclude(path_regex="/(events|import)$")


MODERATE = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
)


def test_whatever_is_asked_there_is_an_answer_as_the_page_says(page, server):
    shown = {"Authorization": f"Bearer {server.admin}"}
    for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
        for found in page.get_all_operations():
            operation = found.ok()

            @MODERATE
            @given(case=operation.as_strategy(generation_mode=mode))
            def asked(case):
                case.headers = {**(case.headers or {}), "Holdfast-Space": "user:ada"}
                case.call_and_validate(headers=shown, checks=CHECKS, timeout=120)

            try:
                asked()
            except Unsatisfiable:
                assert mode is GenerationMode.NEGATIVE  # nothing about it can be wrong


def test_every_operation_has_a_text_an_example_and_a_lock(server):
    page = httpx.get(f"{server.url}/openapi.json", timeout=30).json()
    operations = [
        (path, method, one) for path, found in page["paths"].items() for method, one in found.items()
    ]
    assert len(operations) > 70
    assert [path for path, _, one in operations if not one.get("description")] == []
    bare = {path for path, _, one in operations if "security" not in one}
    assert bare == {"/health", "/ready"}
    bodies = {
        name for name in page["components"]["schemas"] if name in ("Remember", "Recall", "Add", "NewKey")
    }
    assert len(bodies) == 4
    told = page["components"]["schemas"]["Remember"]["properties"]["content"]
    assert told["examples"] == ["I like my coffee black"]

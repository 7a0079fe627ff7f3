"""The tables compared with the generated code, and with the list of APIs in docs/rules.md."""

import re
from pathlib import Path

import pytest

from tenure.protocol.apis import APIS, ApiKey
from tenure.protocol.generate import main, wanted
from tests.protocol.samples import TABLES

RULES = Path(__file__).parents[2] / "docs" / "rules.md"
ROW = re.compile(r"^\| (\d+) \| (\w+) \| (\d+)(?:–(\d+))?[^|]*\| (\d+|none) \|", re.MULTILINE)
"""Row of rule 1.6: key, name, versions with remarks, first flexible version."""


def test_generated_code__compared_with_all_tables__up_to_date() -> None:
    assert main(["--check"]) == 0


def test_generated_code__each_file__few_enough_lines_to_load_at_start() -> None:
    for path, text in wanted().items():
        assert text.count("\n") < 2600, f"{path.name} grows: share layouts, or split its table"


def test_api_tables__versions_and_flexible_versions__same_as_in_rule_1_6() -> None:
    listed = {int(row[0]): row for row in ROW.findall(RULES.read_text())}
    for key, api in APIS.items():
        _, name, first, last, flexible = listed[key]
        assert (api.name, api.min_version, api.max_version) == (name, int(first), int(last or first))
        assert api.first_flexible == (api.max_version + 1 if flexible == "none" else int(flexible))


def test_api_tables__produce__advertised_from_version_0_and_supported_from_3() -> None:
    produce = APIS[ApiKey.PRODUCE]
    assert (produce.advertised_min_version, produce.min_version) == (0, 3)
    assert all(api.advertised_min_version == api.min_version for api in APIS.values() if api is not produce)


@pytest.mark.parametrize("name", [api.name for api in APIS.values()])
def test_api_tables__request_and_response_of_an_api__same_versions_and_key(name: str) -> None:
    _, request = TABLES[f"{name}Request"]
    _, response = TABLES[f"{name}Response"]
    assert (request.key, request.versions, request.flexible) == (response.key, response.versions, response.flexible)


def test_api_keys__compared_with_kafka_4_4__last_key_is_94() -> None:
    assert max(ApiKey) == 94
    assert len(ApiKey) == 91

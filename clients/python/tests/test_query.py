from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
from typing import Any

import pytest
from local_server import LocalServer, answer
from pydantic import BaseModel, field_validator
from support import ADDRESS, TOKEN, client_of
from typing_extensions import assert_type

from remote_browser import InvalidAnswerError

Prices = dict[str, float]


class Product(BaseModel):
    product: str
    price: float


@dataclass(frozen=True)
class Offer:
    product: str
    until: date


def ask(result: dict[str, Any], wanted: Any) -> tuple[Any, Any]:
    """The value, and the request that was sent."""
    with LocalServer(answer(200, {"status": 200, "response": "…", **result})) as server:
        value = client_of(server.url).query("<p>Kettle</p>", "What is it?", wanted)
        return value, server.requests[0].json


def test_text_is_returned_unchanged() -> None:
    with LocalServer(answer(200, {"status": 200, "response": "A kettle."})) as server:
        text: str = client_of(server.url).query("<p>Kettle</p>", "What is it?")
        assert text == "A kettle."
        assert server.requests[0].json == {
            "html": "<p>Kettle</p>",
            "prompt": "What is it?",
            "responseFormat": "text",
        }


def test_json_is_returned_unchanged() -> None:
    value, request = ask({"value": [{"price": 2.4}]}, "json")
    assert value == [{"price": 2.4}]
    assert request["responseFormat"] == "json"


def test_json_may_be_null() -> None:
    assert ask({"value": None}, "json")[0] is None


def test_a_model_is_sent_as_its_schema() -> None:
    value, request = ask({"value": {"product": "Kettle", "price": 39.9}}, Product)
    assert value == Product(product="Kettle", price=39.9)
    schema = json.loads(request["responseFormat"])
    assert schema["properties"]["price"]["type"] == "number"


def test_types_other_than_models_are_supported() -> None:
    assert ask({"value": 39.9}, float)[0] == 39.9
    assert ask({"value": None}, float | None)[0] is None
    products, _ = ask({"value": [{"product": "Kettle", "price": 39.9}]}, list[Product])
    assert products == [Product(product="Kettle", price=39.9)]
    offer, _ = ask({"value": {"product": "Kettle", "until": "2026-12-24"}}, Offer)
    assert offer == Offer("Kettle", date(2026, 12, 24))


@pytest.mark.parametrize(
    ("result", "wanted"),
    [
        ({"value": "nonsense"}, Product),
        ({"value": {"product": "Kettle"}}, Product),
        ({}, Product),
        ({}, "json"),
        ({}, float | None),
    ],
)
def test_a_value_of_the_wrong_type_is_an_invalid_answer(
    result: dict[str, Any], wanted: Any
) -> None:
    with pytest.raises(InvalidAnswerError):
        ask(result, wanted)


class Careless(BaseModel):
    price: float

    @field_validator("price", mode="before")
    @classmethod
    def check(cls, value: object) -> object:
        raise ValueError(f"{value} is not a price")


def test_mismatches_are_named_by_member_and_not_quoted() -> None:
    value = {"price": f"see {ADDRESS}"}
    with pytest.raises(InvalidAnswerError, match=r"price \(value_error\)") as caught:
        ask({"value": value}, Careless)
    assert "see" not in str(caught.value)
    with pytest.raises(InvalidAnswerError, match=r"….* and 7 more") as caught:
        ask({"value": {f"{ADDRESS}": "dear", TOKEN: "dear", **dict.fromkeys("abcdefgh")}}, Prices)
    shown = str(caught.value)
    for secret in [TOKEN, ADDRESS.rpartition("/")[2], "dear"]:
        assert secret not in shown
    assert caught.value.__context__ is None


def test_the_type_checker_knows_the_result_types() -> None:
    kettle = {"status": 200, "response": "…", "value": {"product": "Kettle", "price": 39.9}}
    products = {**kettle, "value": [kettle["value"]]}
    with LocalServer(*[answer(200, each) for each in [kettle, kettle, products]]) as server:
        client = client_of(server.url)
        assert_type(client.query("a", "b"), str)
        assert_type(client.query("a", "b", Product), Product)
        assert_type(client.query("a", "b", list[Product]), list[Product])


def test_a_misspelled_format_is_refused() -> None:
    with pytest.raises(ValueError, match="jsno"):
        client_of("http://127.0.0.1:1").query("a", "b", "jsno")  # type: ignore[call-overload]


def test_the_service_refuses_an_empty_prompt() -> None:
    with LocalServer(answer(200, {"status": 200, "response": ""})) as server:
        client_of(server.url).query("", "")
        assert server.requests[0].json["html"] == ""

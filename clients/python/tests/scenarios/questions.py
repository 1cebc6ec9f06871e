from __future__ import annotations

import pytest
from pydantic import BaseModel
from scenarios.stage import Stage

from remote_browser import ConnectionError, InvalidAnswerError

HTML = "<h1>Kettle</h1><p>39.90 €</p><p>Monday to Friday</p>"


class Product(BaseModel):
    product: str
    price: float


def query_text(stage: Stage) -> None:
    text = stage.client().query(HTML, "Is the shop open on Sunday?")
    assert text == "No, the shop is only open from Monday to Friday."


def query_json(stage: Stage) -> None:
    assert stage.client().query(HTML, "What is there, and what does it cost?", "json") == [
        {"product": "Apples", "price": 2.4},
        {"product": "Pears", "price": 3.1},
    ]


def query_typed(stage: Stage) -> None:
    product = stage.client().query(HTML, "What is it, and what does it cost?", Product)
    assert product == Product(product="Kettle", price=39.9)


def query_number(stage: Stage) -> None:
    price: float = stage.client().query(HTML, "What does it cost?", float)
    assert price == 39.9


def query_misfit(stage: Stage) -> None:
    with pytest.raises(InvalidAnswerError):
        stage.client(stage.fault("misfit")).query(HTML, "What is it?", Product)


def query_no_value(stage: Stage) -> None:
    client = stage.client(stage.fault("no-value"))
    with pytest.raises(InvalidAnswerError):
        client.query(HTML, "What is it?", Product)
    with pytest.raises(InvalidAnswerError):
        client.query(HTML, "What is it?", "json")


def query_once(stage: Stage) -> None:
    fault = stage.fault("cut-after")
    with pytest.raises(ConnectionError):
        stage.client(fault).query(HTML, "Is the shop open on Sunday?")
    assert fault.log() == ["queryAi"]

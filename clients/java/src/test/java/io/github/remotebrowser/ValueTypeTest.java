package io.github.remotebrowser;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValueTypeTest {
  private enum Colour {
    RED,
    BLUE;

    @Override
    public String toString() {
      return name().toLowerCase();
    }
  }

  private record Product(String product, double price) {}

  private record Offer(
      List<Product> products,
      Colour colour,
      LocalDate until,
      Optional<String> note,
      BigDecimal total,
      int count) {}

  private static <T> T read(String json, Class<T> type) throws Exception {
    return ValueType.read(Json.WIRE.readTree(json), type, new Secrets("rbs_secret"));
  }

  @Test
  void allComponentsOfARecordAreRequired() throws Exception {
    assertEquals(
        Json.WIRE.readTree(
            """
            {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",
             "properties":{"product":{"type":"string"},"price":{"type":"number"}},"required":["price","product"]}\
            """),
        Json.WIRE.readTree(ValueType.toSchema(Product.class)));
  }

  @Test
  void aSchemaSupportsListsEnumsDatesAndOptionals() throws Exception {
    assertEquals(
        Json.WIRE.readTree(
            """
            {"products":{"type":"array","items":{"type":"object",
               "properties":{"price":{"type":"number"},"product":{"type":"string"}},"required":["price","product"]}},
             "colour":{"type":"string","enum":["RED","BLUE"]},"until":{"type":"string","format":"date"},
             "note":{"type":["string","null"]},"total":{"type":"number"},"count":{"type":"integer"}}\
            """),
        Json.WIRE.readTree(ValueType.toSchema(Offer.class)).get("properties"));
  }

  @Test
  void theRootMayBeOfAnyType() throws Exception {
    assertEquals(
        "number", Json.WIRE.readTree(ValueType.toSchema(Double.class)).get("type").asText());
    assertEquals(
        "array", Json.WIRE.readTree(ValueType.toSchema(Product[].class)).get("type").asText());
    assertEquals(39.9, read("39.9", Double.class));
    assertEquals(39.9, read("39.9", double.class));
    assertEquals(40.0, read("40", Double.class));
    assertEquals("a", read("\"a\"", String.class));
    assertArrayEquals(
        new Product[] {new Product("a", 1)},
        read("[{\"product\":\"a\",\"price\":1}]", Product[].class));
  }

  @Test
  void aValueIsReadAccordingToItsSchema() throws Exception {
    assertEquals(
        new Offer(
            List.of(new Product("a", 1.5)),
            Colour.BLUE,
            LocalDate.of(2026, 3, 14),
            Optional.empty(),
            new BigDecimal("0.10"),
            3),
        read(
            """
            {"products":[{"product":"a","price":1.5,"new":true}],"colour":"BLUE","until":"2026-03-14","note":null,"total":0.10,"count":3}\
            """,
            Offer.class));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"nonsense\"",
        "null",
        "[]",
        "{}",
        "{\"product\":\"a\"}",
        "{\"product\":null,\"price\":1}",
        "{\"product\":\"a\",\"price\":null}",
        "{\"product\":7,\"price\":1}",
        "{\"product\":\"a\",\"price\":\"1\"}"
      })
  void aValueOfAnotherTypeIsInvalid(String json) {
    assertThrows(InvalidAnswerError.class, () -> read(json, Product.class));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'products':[{'product':'shown','price':'shown'}]} | products[0].price",
        "{'products':[{'product':'shown'}]} | products[0].price",
        "{'colour':'shown'} | colour",
        "{'until':'shown'} | until",
        "'shown' | as a whole"
      })
  void aMisfitNamesTheMemberAndNotItsValue(String json, String place) {
    InvalidAnswerError error =
        assertThrows(InvalidAnswerError.class, () -> read(json.replace('\'', '"'), Offer.class));
    assertTrue(error.getMessage().contains(place), error.getMessage());
    assertFalse(error.getMessage().contains("shown"), error.getMessage());
    assertNull(error.getCause());
  }

  @Test
  void aFractionIsNotReadAsAnInteger() {
    assertThrows(InvalidAnswerError.class, () -> read("39.9", Integer.class));
    assertThrows(InvalidAnswerError.class, () -> read("39.9", String.class));
    assertThrows(InvalidAnswerError.class, () -> read("true", Integer.class));
  }
}

package io.github.remotebrowser;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.github.remotebrowser.contract.QueryResult;
import io.github.remotebrowser.core.RFC3339JavaTimeModule;

/** Reads JSON without type conversions such as from a number to a string. */
final class Json {
  /** Reads and writes the contract's types. */
  static final ObjectMapper WIRE =
      beStrict(
          JsonMapper.builder()
              .addModule(new JavaTimeModule())
              .addModule(new RFC3339JavaTimeModule())
              .addMixIn(QueryResult.class, AnyValue.class)
              .defaultPropertyInclusion(JsonInclude.Value.construct(NON_NULL, NON_NULL))
              .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
              .disable(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
              .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
              // A query's value passes through this mapper, so keep its precision.
              .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
              .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
              .build());

  /** Reads users' types: all members are required, and decimals keep their precision. */
  static final ObjectMapper VALUES =
      beStrict(
          JsonMapper.builder()
              .addModule(new JavaTimeModule())
              .addModule(new Jdk8Module())
              .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
              .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
              .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
              .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
              .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
              .enable(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
              .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
              .build());

  /** Reads null as a node, which differs from a missing value. */
  private abstract static class AnyValue {
    @JsonDeserialize(as = JsonNode.class)
    Object value;
  }

  private Json() {}

  private static ObjectMapper beStrict(ObjectMapper mapper) {
    mapper
        .coercionConfigFor(LogicalType.Textual)
        .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
        .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
        .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail);
    return mapper.setConfig(
        mapper.getDeserializationConfig().without(MapperFeature.ALLOW_COERCION_OF_SCALARS));
  }
}

package io.github.remotebrowser;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.github.remotebrowser.contract.QueryResult;
import io.github.remotebrowser.core.ApiClient;

/** Reads JSON strictly, without conversions such as from a number to text. */
final class Json {
  /** For the contract's types. */
  static final ObjectMapper WIRE = beStrict(ApiClient.createDefaultObjectMapper());

  /** For users' types: all members are required, and decimals keep their precision. */
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

  static {
    // A query's value is read with this mapper first, so keep its precision.
    WIRE.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
        .configure(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES, false)
        .addMixIn(QueryResult.class, AnyValue.class);
  }

  /** Distinguishes null, which is a node, from a missing value. */
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

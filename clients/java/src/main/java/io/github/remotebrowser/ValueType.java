package io.github.remotebrowser;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.github.victools.jsonschema.generator.Option;
import com.github.victools.jsonschema.generator.OptionPreset;
import com.github.victools.jsonschema.generator.SchemaGenerator;
import com.github.victools.jsonschema.generator.SchemaGeneratorConfigBuilder;
import com.github.victools.jsonschema.generator.SchemaVersion;
import com.github.victools.jsonschema.module.jackson.JacksonModule;
import java.util.Optional;

/** Converts a query's type to a JSON Schema, and the result to a value of that type. */
final class ValueType {
  // Generating a schema is slow, and a program uses few types.
  private static final ClassValue<String> SCHEMAS =
      new ClassValue<>() {
        @Override
        protected String computeValue(Class<?> type) {
          return generator().generateSchema(type).toString();
        }
      };

  private ValueType() {}

  static String toSchema(Class<?> type) {
    return SCHEMAS.get(type);
  }

  /**
   * @throws InvalidAnswerError if the value doesn't match the type
   */
  static <T> T read(JsonNode value, Class<T> type, Secrets secrets) {
    String name = type.getSimpleName();
    try {
      T read = Json.VALUES.treeToValue(value, type);
      if (read != null) return read;
      throw new InvalidAnswerError(
          "The response to query is null instead of a " + name + ".", null);
    } catch (JacksonException misfit) {
      String reason = Misfit.describe(misfit, secrets);
      // Without the cause, which quotes values from the response.
      throw new InvalidAnswerError(
          "The response to query is not a " + name + ": " + reason + ".", null);
    }
  }

  private static SchemaGenerator generator() {
    SchemaGeneratorConfigBuilder config =
        new SchemaGeneratorConfigBuilder(
                Json.VALUES, SchemaVersion.DRAFT_2020_12, OptionPreset.PLAIN_JSON)
            .with(new JacksonModule())
            .with(Option.ADDITIONAL_FIXED_TYPES, Option.FLATTENED_OPTIONALS, Option.FLATTENED_ENUMS)
            .without(Option.FLATTENED_ENUMS_FROM_TOSTRING);
    // The model fills in required members. An Optional may be null.
    config.forFields().withRequiredCheck(field -> true);
    config.forFields().withNullableCheck(field -> field.getType().isInstanceOf(Optional.class));
    return new SchemaGenerator(config.build());
  }
}

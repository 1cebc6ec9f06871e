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

/** The types that a Query answer can have: their JSON Schemas, and values of them. */
final class ValueType {
  // Making one takes a while, and a program asks for the same few types again and again.
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
   * @throws InvalidAnswerError when the value is not of the type
   */
  static <T> T read(JsonNode value, Class<T> type, Secrets secrets) {
    String name = type.getSimpleName();
    try {
      T read = Json.VALUES.treeToValue(value, type);
      if (read != null) return read;
      throw new InvalidAnswerError(
          "The answer to query is null, where " + name + " is wanted.", null);
    } catch (JacksonException misfit) {
      String reason = Misfit.describe(misfit, secrets);
      // Without the cause, which quotes values of the answer.
      throw new InvalidAnswerError("The answer to query is no " + name + ": " + reason + ".", null);
    }
  }

  private static SchemaGenerator generator() {
    SchemaGeneratorConfigBuilder config =
        new SchemaGeneratorConfigBuilder(
                Json.VALUES, SchemaVersion.DRAFT_2020_12, OptionPreset.PLAIN_JSON)
            .with(new JacksonModule())
            .with(Option.ADDITIONAL_FIXED_TYPES, Option.FLATTENED_OPTIONALS, Option.FLATTENED_ENUMS)
            .without(Option.FLATTENED_ENUMS_FROM_TOSTRING);
    // Language models fill in what is required; what may be missing in the document is null then.
    config.forFields().withRequiredCheck(field -> true);
    config.forFields().withNullableCheck(field -> field.getType().isInstanceOf(Optional.class));
    return new SchemaGenerator(config.build());
  }
}

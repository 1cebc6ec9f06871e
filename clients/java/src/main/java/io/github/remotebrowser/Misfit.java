package io.github.remotebrowser;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonMappingException;
import java.util.List;
import java.util.stream.Collectors;

/** Describes where JSON doesn't match a type, without quoting values, which may be secrets. */
final class Misfit {
  private Misfit() {}

  static String describe(JacksonException failure, Secrets secrets) {
    if (!(failure instanceof JsonMappingException misfit)) return "it is not JSON";
    List<JsonMappingException.Reference> path = misfit.getPath();
    if (path.isEmpty()) return "it has the wrong type as a whole";
    String place = path.stream().map(Misfit::toStep).collect(Collectors.joining());
    return secrets.hide(place.replaceFirst("^\\.", "")) + " is missing or has the wrong type";
  }

  private static String toStep(JsonMappingException.Reference step) {
    return step.getFieldName() == null ? "[" + step.getIndex() + "]" : "." + step.getFieldName();
  }
}

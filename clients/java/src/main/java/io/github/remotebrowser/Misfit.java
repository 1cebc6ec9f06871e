package io.github.remotebrowser;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonMappingException;
import java.util.List;
import java.util.stream.Collectors;

/** Where JSON is not of its type; never with its values, which may be secrets. */
final class Misfit {
  private Misfit() {}

  static String describe(JacksonException failure, Secrets secrets) {
    if (!(failure instanceof JsonMappingException misfit)) return "it is no JSON";
    List<JsonMappingException.Reference> path = misfit.getPath();
    if (path.isEmpty()) return "it is of another type as a whole";
    String place = path.stream().map(Misfit::toStep).collect(Collectors.joining());
    return secrets.hide(place.replaceFirst("^\\.", "")) + " is missing or of another type";
  }

  private static String toStep(JsonMappingException.Reference step) {
    return step.getFieldName() == null ? "[" + step.getIndex() + "]" : "." + step.getFieldName();
  }
}

package io.github.remotebrowser;

import java.util.Map;

/** Lets tests in other packages set the environment of a client. */
public final class Clients {
  private Clients() {}

  public static ClientBuilder builder(Map<String, String> environment) {
    return new ClientBuilder(environment::get);
  }
}

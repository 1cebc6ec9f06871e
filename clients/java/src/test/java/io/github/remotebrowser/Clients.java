package io.github.remotebrowser;

import java.util.Map;

/** Lets tests of other packages choose the environment that a client sees. */
public final class Clients {
  private Clients() {}

  public static ClientBuilder builder(Map<String, String> environment) {
    return new ClientBuilder(environment::get);
  }
}

package io.github.remotebrowser;

/** The version of this client, which is that in pom.xml. */
final class Version {
  static final String TEXT = "0.1.0";

  private Version() {}
}

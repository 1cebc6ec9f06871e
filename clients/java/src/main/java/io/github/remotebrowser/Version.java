package io.github.remotebrowser;

/** The version of this client, which must match pom.xml. */
final class Version {
  static final String TEXT = "0.1.0";

  private Version() {}
}

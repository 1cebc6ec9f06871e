package io.github.remotebrowser;

/** The version of this client, as pom.xml has it. */
final class Version {
  static final String TEXT = "0.1.0";

  private Version() {}
}

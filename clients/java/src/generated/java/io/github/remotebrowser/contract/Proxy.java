// Written by scripts/generate-clients.ts from the contract: change that.

package io.github.remotebrowser.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import jakarta.annotation.Nullable;
import java.util.Arrays;
import java.util.List;

/**
 * A proxy of your own; {@code Host} and {@code Port} are required. Its credentials stay with the service:
 * they do not appear on a command line or in a log.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public final class Proxy {
  @JsonProperty("Host")
  private String host;

  @JsonProperty("Port")
  private String port;

  @JsonProperty("Username")
  private @Nullable String username;

  @JsonProperty("Password")
  private @Nullable String password;

  /**
   * Name or address of the proxy. It may begin with {@code http://}, which is the default, {@code https://}
   * or {@code socks5://}; any other scheme is a {@code BadRequest}, except {@code socks5h://}, which means
   * the same as {@code socks5://}. It has 1 to 262 characters, including the scheme. {@code Port} has the
   * port.
   *
   * <p>A name consists of ASCII letters, digits, {@code -} and {@code _}, in labels separated by dots, and
   * may end with a dot. An IPv6 address may be in brackets. Anything else, such as credentials, a port or a
   * path, is a {@code BadRequest}.
   */
  public Proxy host(String host) {
    this.host = host;
    return this;
  }

  /** Returns {@code host}. */
  public String getHost() {
    return host;
  }

  /** The proxy's port, from 1 to 65535, as a string of digits. A JSON number is a {@code BadRequest}. */
  public Proxy port(String port) {
    this.port = port;
    return this;
  }

  /** Returns {@code port}. */
  public String getPort() {
    return port;
  }

  /**
   * User name for the proxy, of at most 1,024 characters. By default, the service sends the proxy no
   * credentials.
   */
  public Proxy username(@Nullable String username) {
    this.username = username;
    return this;
  }

  /** Returns {@code username}, or null if it is not set. */
  public @Nullable String getUsername() {
    return username;
  }

  /**
   * Password for the proxy, of at most 1,024 characters. By default, it is empty. A password without a user
   * name is a {@code BadRequest}.
   */
  public Proxy password(@Nullable String password) {
    this.password = password;
    return this;
  }

  /** Returns {@code password}, or null if it is not set. */
  public @Nullable String getPassword() {
    return password;
  }

  /** Leaves out secrets. */
  @Override
  public String toString() {
    return "Proxy[host=" + host + ", port=" + port + "]";
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Proxy same && members().equals(same.members());
  }

  @Override
  public int hashCode() {
    return members().hashCode();
  }

  private List<Object> members() {
    return Arrays.asList(host, port, username, password);
  }
}

// Written by scripts/generate-clients.ts from openapi/openapi.yaml: change that.

package io.github.remotebrowser.contract;

/**
 * The remote desktop that is started now, and the ways to it.
 *
 * @param password Password for full use: screen, mouse and keyboard. It has exactly 8 characters, since VNC
 * authentication looks at no more.
 * @param viewPassword Password for watching only, of exactly 8 characters as well. The server enforces it.
 * @param url A web page that shows the desktop. It needs no token, and opening it is enough: the password is
 * in the fragment, the part after {@code #}, which a web browser keeps to itself. With {@code #view=} and the
 * {@code viewPassword} in place of the fragment it is a link for people who watch: the page says that it only
 * shows, and hides what types and points. After a bare {@code #} the {@code viewPassword} works as well, and
 * opens no more, but the page does not say so.
 * @param rfbUrl A WebSocket address for VNC viewers. It speaks RFB in binary frames and asks for one of the
 * passwords by VNC authentication. Nobody gets in with any other, or once the desktop has stopped.
 */
public record Desktop(
    String password,
    String viewPassword,
    String url,
    String rfbUrl) {

  /** Leaves out secrets. */
  @Override
  public String toString() {
    return "Desktop[]";
  }
}

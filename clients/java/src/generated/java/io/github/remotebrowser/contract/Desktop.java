// Written by scripts/generate-clients.ts from the contract: change that.

package io.github.remotebrowser.contract;

/**
 * The remote desktop, and the ways to connect to it.
 *
 * @param password Password for full control: screen, mouse and keyboard. It has exactly 8 characters, because
 * VNC authentication ignores any further ones.
 * @param viewPassword View-only password, also exactly 8 characters. The server enforces it.
 * @param url A web page that shows the desktop. It needs no token, and opening it is enough: the password is
 * in the fragment, the part after {@code #}, which web browsers do not send to the server. If you replace the
 * fragment with {@code #view=} and the {@code viewPassword}, you get a view-only link: the page says so, and
 * hides its controls for mouse and keyboard. The {@code viewPassword} after a bare {@code #} gives the same
 * access, but the page does not say so.
 * @param rfbUrl A WebSocket address for VNC viewers. It speaks RFB in binary frames and asks for one of the
 * passwords by VNC authentication. It refuses any other password, and every password once the desktop has
 * stopped.
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

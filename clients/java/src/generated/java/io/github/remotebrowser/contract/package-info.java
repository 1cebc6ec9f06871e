/**
 * What the service's contract says: the options of Open, open browsers, desktops, and a class for each error.
 * Classes whose names end in Result, Request, Reference or List, and {@code ListedSession}, are what goes
 * over the wire; programs don't need them.
 */
package io.github.remotebrowser.contract;

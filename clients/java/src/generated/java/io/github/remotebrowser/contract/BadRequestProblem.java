// Written by scripts/generate-clients.ts from the contract: change that.

package io.github.remotebrowser.contract;

/**
 * One thing that is wrong with a request.
 *
 * @param path Where it is wrong: a JSON Pointer (RFC 6901) into the request, in the spelling that the request
 * used. A missing member is named as if it were there. The empty string means the body as a whole, for
 * example when it is not JSON. For a header, it is the empty string as well, and {@code message} names the
 * header.
 * @param message What is wrong there.
 */
public record BadRequestProblem(
    String path,
    String message) {}

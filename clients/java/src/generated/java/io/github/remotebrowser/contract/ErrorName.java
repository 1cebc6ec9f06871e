// Written by scripts/generate-clients.ts from the contract: change that.

package io.github.remotebrowser.contract;

import io.github.remotebrowser.ApiError;
import io.github.remotebrowser.Refusal;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;

/** The errors of the contract. */
public enum ErrorName {
  /** The request does not match the contract. */
  BAD_REQUEST("BadRequest", BadRequestError::new),

  /** The token is missing or incorrect. */
  AUTHORIZATION_ERROR("AuthorizationError", AuthorizationError::new),

  /** The account has no active subscription. */
  NO_SUBSCRIPTION("NoSubscription", NoSubscriptionError::new),

  /** All units of this month have been consumed. */
  NO_UNITS("NoUnits", NoUnitsError::new),

  /** The subscription does not allow more browsers in parallel. */
  BROWSER_LIMIT("BrowserLimit", BrowserLimitError::new),

  /** No open browser of this account has that address. */
  BROWSER_NOT_FOUND("BrowserNotFound", BrowserNotFoundError::new),

  /** There is nothing at this path. No operation lists this response, because the request did not reach one. */
  NOT_FOUND("NotFound", NotFoundError::new),

  /**
   * The path exists, but does not support this method. No operation lists this response, because the request
   * did not reach one.
   */
  METHOD_NOT_ALLOWED("MethodNotAllowed", MethodNotAllowedError::new),

  /** The browser has no screen that a remote desktop could show. */
  DESKTOP_UNAVAILABLE("DesktopUnavailable", DesktopUnavailableError::new),

  /** The first request with the {@code Idempotency-Key} is still in progress. */
  IDEMPOTENCY_KEY_IN_USE("IdempotencyKeyInUse", IdempotencyKeyInUseError::new),

  /** The body is larger than the operation accepts. */
  PAYLOAD_TOO_LARGE("PayloadTooLarge", PayloadTooLargeError::new),

  /** The body is declared as something other than JSON. */
  UNSUPPORTED_MEDIA_TYPE("UnsupportedMediaType", UnsupportedMediaTypeError::new),

  /** The {@code Idempotency-Key} belongs to a request with other options. */
  IDEMPOTENCY_KEY_REUSED("IdempotencyKeyReused", IdempotencyKeyReusedError::new),

  /** The language model declined to answer. */
  RESPONSE_REFUSED("ResponseRefused", ResponseRefusedError::new),

  /** Requests arrive faster than the operator allows. */
  TOO_MANY_REQUESTS("TooManyRequests", TooManyRequestsError::new),

  /** Something unexpected went wrong. The HTTP status is 500, while {@code status} is 0. */
  UNKNOWN("Unknown", UnknownError::new),

  /** The language-model provider failed, or its result stayed invalid. */
  PROVIDER_ERROR("ProviderError", ProviderError::new),

  /** This deployment cannot open such a browser, or cannot open it now. */
  BROWSER_UNAVAILABLE("BrowserUnavailable", BrowserUnavailableError::new),

  /** The language-model provider cannot be used at the moment. */
  PROVIDER_UNAVAILABLE("ProviderUnavailable", ProviderUnavailableError::new);

  private final String text;
  private final Function<Refusal, ApiError> constructor;

  ErrorName(String text, Function<Refusal, ApiError> constructor) {
    this.text = text;
    this.constructor = constructor;
  }

  /** Finds an error by its name; empty when this version doesn't know the name. */
  public static Optional<ErrorName> find(String text) {
    return Arrays.stream(values()).filter(name -> name.text.equals(text)).findAny();
  }

  /** Creates the error with this name. */
  public ApiError toError(Refusal refusal) {
    return constructor.apply(refusal);
  }

  /** The name in responses. */
  @Override
  public String toString() {
    return text;
  }
}

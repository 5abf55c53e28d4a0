// Generated out of contract/errors/ by `npm run generate`. Do not edit.
package aggregator.kit.client;

/** One class for each code that a merchant can get, so that {@code catch} can name the code. */
@SuppressWarnings("serial")
public final class ApiErrors {
  private ApiErrors() {}

  /** The exception of this code. An unknown code gives a plain {@link ApiException}. */
  static ApiException of(ApiException.Refusal refusal) {
    return switch (refusal.code()) {
      case "PAYLOAD_TOO_LARGE" -> new PayloadTooLarge(refusal);
      case "AUTH_HEADERS_MISSING" -> new AuthHeadersMissing(refusal);
      case "INVALID_TIMESTAMP" -> new InvalidTimestamp(refusal);
      case "TIMESTAMP_OUT_OF_RANGE" -> new TimestampOutOfRange(refusal);
      case "INVALID_NONCE" -> new InvalidNonce(refusal);
      case "INVALID_SIGNATURE" -> new InvalidSignature(refusal);
      case "MERCHANT_DISABLED" -> new MerchantDisabled(refusal);
      case "IP_NOT_ALLOWED" -> new IpNotAllowed(refusal);
      case "RATE_LIMITED" -> new RateLimited(refusal);
      case "NONCE_REUSED" -> new NonceReused(refusal);
      case "NOT_FOUND" -> new NotFound(refusal);
      case "METHOD_NOT_ALLOWED" -> new MethodNotAllowed(refusal);
      case "UNSUPPORTED_MEDIA_TYPE" -> new UnsupportedMediaType(refusal);
      case "BAD_REQUEST" -> new BadRequest(refusal);
      case "VALIDATION_ERROR" -> new ValidationError(refusal);
      case "UNSUPPORTED_CURRENCY" -> new UnsupportedCurrency(refusal);
      case "CURRENCY_NOT_ENABLED" -> new CurrencyNotEnabled(refusal);
      case "INVALID_COUNTRY" -> new InvalidCountry(refusal);
      case "GAME_NOT_FOUND" -> new GameNotFound(refusal);
      case "AMBIGUOUS_GAME" -> new AmbiguousGame(refusal);
      case "PRODUCT_NOT_ENABLED" -> new ProductNotEnabled(refusal);
      case "PROVIDER_NOT_SUPPORTED" -> new ProviderNotSupported(refusal);
      case "LAUNCH_FAILED" -> new LaunchFailed(refusal);
      case "WALLET_NOT_CONFIGURED" -> new WalletNotConfigured(refusal);
      case "LAUNCH_GAME_FAILED" -> new LaunchGameFailed(refusal);
      case "TRANSACTION_NOT_FOUND" -> new TransactionNotFound(refusal);
      case "ROUND_NOT_FOUND" -> new RoundNotFound(refusal);
      case "NOT_RESENDABLE" -> new NotResendable(refusal);
      case "SERVICE_UNAVAILABLE" -> new ServiceUnavailable(refusal);
      case "INTERNAL_ERROR" -> new InternalError(refusal);
      default -> new ApiException(refusal);
    };
  }

  public static final class PayloadTooLarge extends ApiException {
    PayloadTooLarge(Refusal refusal) {
      super(refusal);
    }
  }

  public static final class AuthHeadersMissing extends ApiException {
    AuthHeadersMissing(Refusal refusal) {
      super(refusal);
    }
  }

  public static final class InvalidTimestamp extends ApiException {
    InvalidTimestamp(Refusal refusal) {
      super(refusal);
    }
  }

  public static final class TimestampOutOfRange extends ApiException {
    TimestampOutOfRange(Refusal refusal) {
      super(refusal);
    }
  }

  public static final class InvalidNonce extends ApiException {
    InvalidNonce(Refusal refusal) {
      super(refusal);
    }
  }

  public static final class InvalidSignature extends ApiException {
    InvalidSignature(Refusal refusal) {
      super(refusal);
    }
  }

  public static final class MerchantDisabled extends ApiException {
    MerchantDisabled(Refusal refusal) {
      super(refusal);
    }
  }

  public static final class IpNotAllowed extends ApiException {
    IpNotAllowed(Refusal refusal) {
      super(refusal);
    }
  }

  public static final class RateLimited extends ApiException {
    RateLimited(Refusal refusal) {
      super(refusal);
    }
  }

  public static final class NonceReused extends ApiException {
    NonceReused(Refusal refusal) {
      super(refusal);
    }
  }

  public static final class NotFound extends ApiException {
    NotFound(Refusal refusal) {
      super(refusal);
    }
  }

  public static final class MethodNotAllowed extends ApiException {
    MethodNotAllowed(Refusal refusal) {
      super(refusal);
    }
  }

  public static final class UnsupportedMediaType extends ApiException {
    UnsupportedMediaType(Refusal refusal) {
      super(refusal);
    }
  }

  public static final class BadRequest extends ApiException {
    BadRequest(Refusal refusal) {
      super(refusal);
    }
  }

  public static final class ValidationError extends ApiException {
    ValidationError(Refusal refusal) {
      super(refusal);
    }
  }

  public static final class UnsupportedCurrency extends ApiException {
    UnsupportedCurrency(Refusal refusal) {
      super(refusal);
    }
  }

  public static final class CurrencyNotEnabled extends ApiException {
    CurrencyNotEnabled(Refusal refusal) {
      super(refusal);
    }
  }

  public static final class InvalidCountry extends ApiException {
    InvalidCountry(Refusal refusal) {
      super(refusal);
    }
  }

  public static final class GameNotFound extends ApiException {
    GameNotFound(Refusal refusal) {
      super(refusal);
    }
  }

  public static final class AmbiguousGame extends ApiException {
    AmbiguousGame(Refusal refusal) {
      super(refusal);
    }
  }

  public static final class ProductNotEnabled extends ApiException {
    ProductNotEnabled(Refusal refusal) {
      super(refusal);
    }
  }

  public static final class ProviderNotSupported extends ApiException {
    ProviderNotSupported(Refusal refusal) {
      super(refusal);
    }
  }

  public static final class LaunchFailed extends ApiException {
    LaunchFailed(Refusal refusal) {
      super(refusal);
    }
  }

  public static final class WalletNotConfigured extends ApiException {
    WalletNotConfigured(Refusal refusal) {
      super(refusal);
    }
  }

  public static final class LaunchGameFailed extends ApiException {
    LaunchGameFailed(Refusal refusal) {
      super(refusal);
    }
  }

  public static final class TransactionNotFound extends ApiException {
    TransactionNotFound(Refusal refusal) {
      super(refusal);
    }
  }

  public static final class RoundNotFound extends ApiException {
    RoundNotFound(Refusal refusal) {
      super(refusal);
    }
  }

  public static final class NotResendable extends ApiException {
    NotResendable(Refusal refusal) {
      super(refusal);
    }
  }

  public static final class ServiceUnavailable extends ApiException {
    ServiceUnavailable(Refusal refusal) {
      super(refusal);
    }
  }

  public static final class InternalError extends ApiException {
    InternalError(Refusal refusal) {
      super(refusal);
    }
  }
}

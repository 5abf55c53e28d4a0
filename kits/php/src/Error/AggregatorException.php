<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Error;

/** The service refused the call. Decide by the exception's class or by `errorCode`, never by the message. */
class AggregatorException extends \RuntimeException
{
    private const TYPES = [
        'AUTH_HEADERS_MISSING' => AuthenticationException::class,
        'INVALID_TIMESTAMP' => AuthenticationException::class,
        'TIMESTAMP_OUT_OF_RANGE' => AuthenticationException::class,
        'INVALID_NONCE' => AuthenticationException::class,
        'INVALID_SIGNATURE' => AuthenticationException::class,
        'NONCE_REUSED' => AuthenticationException::class,
        'MERCHANT_DISABLED' => PermissionException::class,
        'IP_NOT_ALLOWED' => PermissionException::class,
        'CURRENCY_NOT_ENABLED' => PermissionException::class,
        'PRODUCT_NOT_ENABLED' => PermissionException::class,
        'NOT_FOUND' => NotFoundException::class,
        'GAME_NOT_FOUND' => NotFoundException::class,
        'TRANSACTION_NOT_FOUND' => NotFoundException::class,
        'ROUND_NOT_FOUND' => NotFoundException::class,
        'PAYLOAD_TOO_LARGE' => ValidationException::class,
        'METHOD_NOT_ALLOWED' => ValidationException::class,
        'UNSUPPORTED_MEDIA_TYPE' => ValidationException::class,
        'BAD_REQUEST' => ValidationException::class,
        'VALIDATION_ERROR' => ValidationException::class,
        'UNSUPPORTED_CURRENCY' => ValidationException::class,
        'INVALID_COUNTRY' => ValidationException::class,
        'AMBIGUOUS_GAME' => ConflictException::class,
        'WALLET_NOT_CONFIGURED' => ConflictException::class,
        'NOT_RESENDABLE' => ConflictException::class,
        'PROVIDER_NOT_SUPPORTED' => ConflictException::class,
        'RATE_LIMITED' => RateLimitedException::class,
        'LAUNCH_FAILED' => UnavailableException::class,
        'LAUNCH_GAME_FAILED' => UnavailableException::class,
        'SERVICE_UNAVAILABLE' => UnavailableException::class,
        'INTERNAL_ERROR' => UnavailableException::class,
    ];

    /**
     * @param int $status the HTTP status
     * @param string $requestId the call's id; give it to support when you ask for help
     * @param ?array<mixed> $details further facts about the refusal; for VALIDATION_ERROR the list of faults
     * @param ?int $retryAfter the value of the Retry-After header, in seconds
     */
    final public function __construct(
        public readonly string $errorCode,
        public readonly int $status,
        string $message,
        public readonly string $requestId,
        public readonly ?array $details = null,
        public readonly ?int $retryAfter = null,
    ) {
        parent::__construct("$errorCode: $message");
    }

    /**
     * Makes the exception of this code. For an unknown code it is a plain AggregatorException.
     */
    public static function of(
        string $code,
        int $status,
        string $message,
        string $requestId,
        ?array $details = null,
        ?int $retryAfter = null,
    ): self {
        $type = self::TYPES[$code] ?? self::class;
        return new $type($code, $status, $message, $requestId, $details, $retryAfter);
    }
}

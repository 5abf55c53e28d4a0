<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Error;

/** The service refused the call. Decide by the exception's class or by `errorCode`, never by the message. */
class AggregatorException extends \RuntimeException
{
    private const TYPES = [
        'authentication' => AuthenticationException::class,
        'permission' => PermissionException::class,
        'not_found' => NotFoundException::class,
        'validation' => ValidationException::class,
        'conflict' => ConflictException::class,
        'rate_limited' => RateLimitedException::class,
        'launch' => UnavailableException::class,
        'unavailable' => UnavailableException::class,
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
        $type = self::TYPES[ErrorKinds::OF_CODE[$code] ?? ''] ?? self::class;
        return new $type($code, $status, $message, $requestId, $details, $retryAfter);
    }
}

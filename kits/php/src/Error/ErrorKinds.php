<?php // Generated out of contract/errors/ by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace GameAggregator\Kit\Error;

/** The kind of each code that merchants can get. */
final class ErrorKinds
{
    public const OF_CODE = [
        'PAYLOAD_TOO_LARGE' => 'validation',
        'AUTH_HEADERS_MISSING' => 'authentication',
        'INVALID_TIMESTAMP' => 'authentication',
        'TIMESTAMP_OUT_OF_RANGE' => 'authentication',
        'INVALID_NONCE' => 'authentication',
        'INVALID_SIGNATURE' => 'authentication',
        'MERCHANT_DISABLED' => 'permission',
        'IP_NOT_ALLOWED' => 'permission',
        'RATE_LIMITED' => 'rate_limited',
        'NONCE_REUSED' => 'authentication',
        'NOT_FOUND' => 'not_found',
        'METHOD_NOT_ALLOWED' => 'validation',
        'UNSUPPORTED_MEDIA_TYPE' => 'validation',
        'BAD_REQUEST' => 'validation',
        'VALIDATION_ERROR' => 'validation',
        'UNSUPPORTED_CURRENCY' => 'validation',
        'CURRENCY_NOT_ENABLED' => 'permission',
        'INVALID_COUNTRY' => 'validation',
        'GAME_NOT_FOUND' => 'not_found',
        'AMBIGUOUS_GAME' => 'conflict',
        'PRODUCT_NOT_ENABLED' => 'permission',
        'PROVIDER_NOT_SUPPORTED' => 'conflict',
        'LAUNCH_FAILED' => 'launch',
        'WALLET_NOT_CONFIGURED' => 'conflict',
        'LAUNCH_GAME_FAILED' => 'launch',
        'TRANSACTION_NOT_FOUND' => 'not_found',
        'ROUND_NOT_FOUND' => 'not_found',
        'NOT_RESENDABLE' => 'conflict',
        'SERVICE_UNAVAILABLE' => 'unavailable',
        'INTERNAL_ERROR' => 'unavailable',
    ];
}

<?php

declare(strict_types=1);

namespace GameAggregator\Kit;

/**
 * Signatures in both directions: HMAC-SHA256 over `{timestamp}.{nonce}.{METHOD}.{target}.{body}`, with the secret's
 * text as the key, in 64 lowercase hex digits.
 */
final class Signing
{
    /** The largest difference between a timestamp and the clock, in ms, in both directions. */
    public const TIMESTAMP_TOLERANCE_MS = 300_000;

    /**
     * @param string $timestamp milliseconds since 1970, 13 digits
     * @param string $method upper case
     * @param string $target path and query: of a call, beginning with `/v1`; of a callback, those of the walletUrl
     * @param string $body the exact bytes
     */
    public static function sign(
        #[\SensitiveParameter] string $secret,
        string $timestamp,
        string $nonce,
        string $method,
        string $target,
        string $body,
    ): string {
        return hash_hmac('sha256', "$timestamp.$nonce.$method.$target.$body", $secret);
    }

    /**
     * The headers of a new call. Send exactly the `$body` that you give here.
     *
     * @return array<string, string>
     */
    public static function headers(
        string $merchant,
        #[\SensitiveParameter] string $secret,
        string $method,
        string $target,
        string $body = '',
        ?string $timestamp = null,
        ?string $nonce = null,
    ): array {
        $timestamp ??= (string) self::nowMs();
        $nonce ??= bin2hex(random_bytes(16));
        return [
            'X-Merchant-Id' => $merchant,
            'X-Timestamp' => $timestamp,
            'X-Nonce' => $nonce,
            'X-Signature' => self::sign($secret, $timestamp, $nonce, $method, $target, $body),
        ];
    }

    /**
     * Whether a callback is genuine: its timestamp differs from the clock by at most five minutes, and X-Signature or
     * X-Signature-Next matches one of the secrets. During a change of the secret, the service sends both headers, and
     * `$secrets` has both secrets.
     *
     * @param list<string> $secrets
     * @param array<string, string|list<string>> $headers by name, in any case; a repeated header is a list
     */
    public static function verify(
        #[\SensitiveParameter] array $secrets,
        array $headers,
        string $method,
        string $target,
        string $body,
        ?int $nowMs = null,
    ): bool {
        $timestamp = self::header($headers, 'x-timestamp');
        $nonce = self::header($headers, 'x-nonce');
        if (!preg_match('/^[0-9]{13}$/D', $timestamp)) {
            return false;
        }
        if (abs(($nowMs ?? self::nowMs()) - (int) $timestamp) > self::TIMESTAMP_TOLERANCE_MS) {
            return false;
        }
        // Dots separate the parts of the signed text, so a nonce with a dot would make the parts ambiguous.
        if (!preg_match('/^[A-Za-z0-9_-]{16,64}$/D', $nonce)) {
            return false;
        }
        $isGenuine = false;
        foreach ($secrets as $secret) {
            // Anybody can sign with an empty secret. A secret that is not configured must therefore match nothing.
            if ($secret === '') {
                continue;
            }
            $expected = self::sign($secret, $timestamp, $nonce, $method, $target, $body);
            foreach (['x-signature', 'x-signature-next'] as $name) {
                $isGenuine = hash_equals($expected, self::header($headers, $name)) || $isGenuine;
            }
        }
        return $isGenuine;
    }

    /**
     * The value of a header by its name in lower case; empty when it is absent or repeated.
     *
     * @param array<string, string|list<string>> $headers
     */
    public static function header(array $headers, string $name): string
    {
        $values = [];
        foreach ($headers as $key => $value) {
            if (strtolower((string) $key) === $name) {
                array_push($values, ...(array) $value);
            }
        }
        // White space around a value is no part of it. PHP's built-in server leaves it there.
        return count($values) === 1 ? trim($values[0], " \t") : '';
    }

    private static function nowMs(): int
    {
        return (int) floor(microtime(true) * 1000);
    }
}

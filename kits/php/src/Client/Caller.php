<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Client;

use GameAggregator\Kit\Error\AggregatorException;
use GameAggregator\Kit\Error\ConnectionException;
use GameAggregator\Kit\Json;
use GameAggregator\Kit\Signing;

/** @internal One signed call. It is repeated if a repeat is safe. */
final class Caller
{
    /** Firewalls refuse calls without a User-Agent. No coding of a reply is decoded. */
    private const HEADERS = ['User-Agent' => 'game-aggregator-php/1.0.0', 'Accept-Encoding' => 'identity'];
    private const FIRST_PAUSE_MS = 250;
    private const LONGEST_PAUSE_MS = 30_000;
    /** The longest accepted Retry-After, because a proxy may send a value of days. */
    private const LONGEST_ASKED_PAUSE_SECONDS = 300;

    private readonly string $base;

    public function __construct(
        string $baseUrl,
        private readonly string $merchant,
        #[\SensitiveParameter] private readonly string $secret,
        private readonly int $attempts,
        private readonly Transport $transport,
    ) {
        $this->base = rtrim($baseUrl, '/');
        if (!preg_match('#^https?://#', $this->base) || str_ends_with($this->base, '/v1')) {
            throw new \InvalidArgumentException("baseUrl must be an http or https address without /v1: $baseUrl");
        }
    }

    /**
     * The reply's `data`.
     *
     * @param ?array<string, mixed> $payload
     * @param bool $isRepeatable whether the call may be repeated: it changes nothing, or a repeat has no further effect
     * @return array<string, mixed>
     * @throws AggregatorException
     * @throws ConnectionException
     */
    public function data(
        string $method,
        string $target,
        ?array $payload = null,
        bool $isRepeatable = true,
        ?int $attempts = null,
    ): array {
        $most = $isRepeatable ? $attempts ?? $this->attempts : 1;
        return $this->repeat($most, function () use ($method, $target, $payload): array {
            $text = $this->once($method, $target, $payload)->text();
            try {
                $envelope = Json::decode($text);
            } catch (\JsonException) {
                $envelope = null;
            }
            if (!is_array($envelope) || ($envelope['success'] ?? null) !== true) {
                throw new ConnectionException("The reply is not the service's: " . substr($text, 0, 200));
            }
            return $envelope['data'];
        });
    }

    /** The reply itself, without decoding, for exports. */
    public function reply(string $target): HttpResponse
    {
        return $this->repeat($this->attempts, fn(): HttpResponse => $this->once('GET', $target, null, isExport: true));
    }

    private function repeat(int $most, \Closure $call): mixed
    {
        for ($attempt = 1;; $attempt++) {
            try {
                return $call();
            } catch (AggregatorException $cause) {
                if (($cause->status < 500 && $cause->status !== 429) || $attempt >= $most) {
                    throw $cause;
                }
                usleep(1000 * self::pauseMs($attempt, $cause->retryAfter));
            } catch (ConnectionException $cause) {
                if ($attempt >= $most) {
                    throw $cause;
                }
                usleep(1000 * self::pauseMs($attempt, null));
            }
        }
    }

    /** The pause after this attempt. `$askedSeconds`: the reply's Retry-After. */
    public static function pauseMs(int $attempt, ?int $askedSeconds): int
    {
        $backOff = min(self::FIRST_PAUSE_MS * 2 ** min($attempt - 1, 10), self::LONGEST_PAUSE_MS);
        $asked = $askedSeconds === null ? null : 1000 * min($askedSeconds, self::LONGEST_ASKED_PAUSE_SECONDS);
        // Because of the random part, many clients do not repeat their calls at the same moment.
        return ($asked ?? $backOff) + random_int(0, $backOff);
    }

    private function once(string $method, string $target, ?array $payload, bool $isExport = false): HttpResponse
    {
        // The body is serialised once, so that the signed bytes are the bytes that are sent.
        $body = $payload === null
            ? ''
            : json_encode($payload, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES);
        $headers = Signing::headers($this->merchant, $this->secret, $method, $target, $body)
            + self::HEADERS
            + ($body === '' ? [] : ['Content-Type' => 'application/json']);
        $response = $this->transport->send($method, $this->base . $target, $headers, $body, $isExport);
        if ($response->status >= 200 && $response->status < 300) {
            return $response;
        }
        throw self::refusal($response);
    }

    private static function refusal(HttpResponse $response): AggregatorException
    {
        $text = $response->text();
        $reply = json_decode($text, true);
        $error = is_array($reply) && is_string($reply['error']['code'] ?? null) ? $reply['error'] : [];
        $retryAfter = $response->headers['retry-after'] ?? '';
        return AggregatorException::of(
            // A proxy can also refuse the call. Its reply has another form.
            $error['code'] ?? ($response->status === 429 ? 'RATE_LIMITED' : "HTTP_$response->status"),
            $response->status,
            $error['message'] ?? substr($text, 0, 200),
            $error['request_id'] ?? $response->headers['x-request-id'] ?? '',
            $error['details'] ?? null,
            ctype_digit($retryAfter) ? (int) $retryAfter : null,
        );
    }
}

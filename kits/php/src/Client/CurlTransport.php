<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Client;

use GameAggregator\Kit\Error\ConnectionException;

/**
 * Each call has its own connection. If an open connection breaks, curl would send the call a second time by itself,
 * with the nonce that is already used.
 */
final class CurlTransport implements Transport
{
    private readonly \CurlHandle $curl;

    /** @param int $timeoutMs a call fails when no byte of the answer arrives for this long */
    public function __construct(private readonly int $timeoutMs = 15_000)
    {
        $this->curl = curl_init() ?: throw new \RuntimeException('curl could not begin');
    }

    public function send(string $method, string $url, array $headers, string $body): HttpResponse
    {
        $received = [];
        $stream = fopen('php://temp', 'w+b');
        $lines = [];
        foreach ($headers as $name => $value) {
            $lines[] = "$name: $value";
        }
        $seconds = max(1, intdiv($this->timeoutMs, 1000));
        curl_reset($this->curl);
        curl_setopt_array($this->curl, [
            CURLOPT_URL => $url,
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => $lines,
            CURLOPT_FILE => $stream,
            CURLOPT_CONNECTTIMEOUT_MS => $this->timeoutMs,
            CURLOPT_LOW_SPEED_LIMIT => 1,
            CURLOPT_LOW_SPEED_TIME => $seconds,
            // Curl must not change dots and percent signs of ids, because they are signed.
            CURLOPT_PATH_AS_IS => true,
            CURLOPT_FRESH_CONNECT => true,
            CURLOPT_FORBID_REUSE => true,
            CURLOPT_HEADERFUNCTION => static function ($curl, string $line) use (&$received): int {
                $parts = explode(':', $line, 2);
                if (count($parts) === 2) {
                    $received[strtolower(trim($parts[0]))] = trim($parts[1]);
                }
                return strlen($line);
            },
        ] + ($body === '' ? [] : [CURLOPT_POSTFIELDS => $body]));
        if (curl_exec($this->curl) === false) {
            throw new ConnectionException("$method $url: " . curl_error($this->curl));
        }
        rewind($stream);
        return new HttpResponse(curl_getinfo($this->curl, CURLINFO_RESPONSE_CODE), $received, $stream);
    }
}

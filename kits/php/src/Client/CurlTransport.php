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
    /** Far above a page of 1,000 transactions. */
    private const LARGEST_REPLY = 64 * 1024 * 1024;

    private readonly \CurlHandle $curl;

    /**
     * @param int $timeoutMs the limit of a call, from the connect to the last byte; of an export, the longest time
     *     without a byte
     * @param string $proxy the address of a proxy; empty: no proxy. Variables of the environment name none
     */
    public function __construct(private readonly int $timeoutMs = 15_000, private readonly string $proxy = '')
    {
        $this->curl = curl_init() ?: throw new \RuntimeException('curl could not begin');
    }

    public function send(
        string $method,
        string $url,
        array $headers,
        string $body,
        bool $isExport = false,
    ): HttpResponse {
        $received = [];
        $stream = fopen('php://temp', 'w+b');
        $size = 0;
        // Curl must not ask with `Expect: 100-continue` before it sends a body.
        $lines = ['Expect:'];
        foreach ($headers as $name => $value) {
            $lines[] = "$name: $value";
        }
        if ($method === 'POST' && $body === '') {
            // Otherwise curl names the type of a form.
            $lines[] = 'Content-Type:';
        }
        curl_reset($this->curl);
        curl_setopt_array($this->curl, [
            CURLOPT_URL => $url,
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTP_VERSION => CURL_HTTP_VERSION_1_1,
            CURLOPT_HTTPHEADER => $lines,
            CURLOPT_PROXY => $this->proxy,
            CURLOPT_CONNECTTIMEOUT_MS => $this->timeoutMs,
            // Curl must not change dots and percent signs of ids, because they are signed.
            CURLOPT_PATH_AS_IS => true,
            CURLOPT_FRESH_CONNECT => true,
            CURLOPT_FORBID_REUSE => true,
            CURLOPT_WRITEFUNCTION => static function ($curl, string $bytes) use ($stream, $isExport, &$size): int {
                $size += strlen($bytes);
                return !$isExport && $size > self::LARGEST_REPLY ? 0 : (int) fwrite($stream, $bytes);
            },
            CURLOPT_HEADERFUNCTION => static function ($curl, string $line) use (&$received): int {
                if (str_starts_with($line, 'HTTP/')) {
                    // Another reply begins. The one before was an interim reply, such as 103.
                    $received = [];
                }
                $parts = explode(':', $line, 2);
                if (count($parts) === 2) {
                    $received[strtolower(trim($parts[0]))] = trim($parts[1]);
                }
                return strlen($line);
            },
        ] + ($isExport
            ? [CURLOPT_LOW_SPEED_LIMIT => 1, CURLOPT_LOW_SPEED_TIME => max(1, intdiv($this->timeoutMs, 1000))]
            : [CURLOPT_TIMEOUT_MS => $this->timeoutMs])
            // With an empty body curl sends `Content-Length: 0`. Some servers refuse a POST without a length.
            + ($method === 'POST' ? [CURLOPT_POSTFIELDS => $body] : []));
        if (curl_exec($this->curl) === false) {
            $fault = !$isExport && $size > self::LARGEST_REPLY
                ? 'the reply has more than ' . self::LARGEST_REPLY . ' bytes'
                : curl_error($this->curl);
            throw new ConnectionException("$method $url: $fault");
        }
        $status = curl_getinfo($this->curl, CURLINFO_RESPONSE_CODE);
        $coding = $received['content-encoding'] ?? 'identity';
        if ($status < 200 || strtolower($coding) !== 'identity') {
            $fault = $status < 200
                ? "HTTP $status is no final reply"
                : "the reply has the Content-Encoding $coding, although only identity was accepted";
            throw new ConnectionException("$method $url: $fault");
        }
        rewind($stream);
        return new HttpResponse($status, $received, $stream);
    }
}

<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Client;

use GameAggregator\Kit\Error\ConnectionException;

/** Makes one HTTP call. Implement it to use another library instead of curl. */
interface Transport
{
    /**
     * Sends the URL, the headers and the body unchanged, and does not follow redirects. A POST has a Content-Length,
     * even if its body is empty. Each reply has exactly one call: a connection with anything unread is not used again.
     *
     * @param array<string, string> $headers
     * @param bool $isExport whether the reply may be very large, and its transfer long
     * @throws ConnectionException when there is no complete answer
     */
    public function send(string $method, string $url, array $headers, string $body, bool $isExport = false): HttpResponse;
}

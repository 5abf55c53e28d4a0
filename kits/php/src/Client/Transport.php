<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Client;

use GameAggregator\Kit\Error\ConnectionException;

/** Makes one HTTP call. Implement it to use another library instead of curl. */
interface Transport
{
    /**
     * Sends the URL and the body unchanged, and does not follow redirects.
     *
     * @param array<string, string> $headers
     * @throws ConnectionException when there is no complete answer
     */
    public function send(string $method, string $url, array $headers, string $body): HttpResponse;
}

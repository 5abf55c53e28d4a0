<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Client;

final readonly class HttpResponse
{
    /**
     * @param array<string, string> $headers names in lower case
     * @param resource $body positioned at its beginning; a large body is in a temporary file
     */
    public function __construct(public int $status, public array $headers, public mixed $body)
    {
    }

    public function text(): string
    {
        return (string) stream_get_contents($this->body, offset: 0);
    }
}

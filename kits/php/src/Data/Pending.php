<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Data;

/** What is pending. Sums are exact decimals. */
final readonly class Pending
{
    public function __construct(
        public int $count,
        public string $bets,
        public string $refunds,
        public string $wins,
        public string $rollbacks,
    ) {
    }

    /** @param array<string, mixed> $data as the API sends it */
    public static function of(array $data): self
    {
        return new self(
            $data['count'],
            $data['bets'],
            $data['refunds'],
            $data['wins'],
            $data['rollbacks'],
        );
    }
}

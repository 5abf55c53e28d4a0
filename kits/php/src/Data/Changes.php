<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Data;

/** A page of the feed. */
final readonly class Changes
{
    /**
     * @param list<Transaction> $items
     * @param string $cursor store it in the transaction of your database that stores the items
     * @param int $behindMs the age of the oldest change that is not in the feed yet
     */
    public function __construct(
        public array $items,
        public string $cursor,
        public int $behindMs,
    ) {
    }

    /** @param array<string, mixed> $data the API's data */
    public static function of(array $data): self
    {
        return new self(
            array_map(Transaction::of(...), $data['items']),
            $data['next_cursor'],
            $data['behind_ms'],
        );
    }
}

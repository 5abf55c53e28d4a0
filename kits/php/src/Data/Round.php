<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Data;

/** A round: its sums, whatever the page, and a page of its transactions, the oldest first. */
final readonly class Round
{
    /**
     * @param list<Transaction> $items
     */
    public function __construct(
        public string $provider,
        public string $roundId,
        public array $items,
        public RoundSums $sums,
        public ?string $nextCursor,
    ) {
    }

    /** @param array<string, mixed> $data as the API sends it */
    public static function of(array $data): self
    {
        return new self(
            $data['provider'],
            $data['round_id'],
            array_map(Transaction::of(...), $data['items']),
            RoundSums::of($data['sums']),
            $data['next_cursor'],
        );
    }
}

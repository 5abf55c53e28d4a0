<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Data;

/** The sum of the bets or wins of one kind, as an exact decimal. */
final readonly class KindSum
{
    /**
     * @param string $action `bet` or `win`
     * @param string $kind for example `jackpot`; later releases may add kinds
     */
    public function __construct(
        public string $action,
        public string $kind,
        public int $count,
        public string $amount,
    ) {
    }

    /** @param array<string, mixed> $data the API's data */
    public static function of(array $data): self
    {
        return new self($data['action'], $data['kind'], $data['count'], $data['amount']);
    }
}

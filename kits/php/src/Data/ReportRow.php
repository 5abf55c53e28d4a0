<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Data;

/** A row of a report, or its totals. Sums are exact decimals. */
final readonly class ReportRow
{
    /**
     * @param ?string $key null: this row has the totals
     * @param string $ggr (bets - refunds) - (wins - rollbacks)
     * @param list<KindSum> $ofWhich the parts of the bets and wins that have a kind
     */
    public function __construct(
        public ?string $key,
        public string $bets,
        public int $betsCount,
        public string $refunds,
        public int $refundsCount,
        public string $wins,
        public int $winsCount,
        public string $rollbacks,
        public int $rollbacksCount,
        public string $ggr,
        public Pending $pending,
        public array $ofWhich = [],
    ) {
    }

    /** @param array<string, mixed> $data the API's data */
    public static function of(array $data): self
    {
        return new self(
            $data['key'] ?? null,
            $data['bets'],
            $data['bets_count'],
            $data['refunds'],
            $data['refunds_count'],
            $data['wins'],
            $data['wins_count'],
            $data['rollbacks'],
            $data['rollbacks_count'],
            $data['ggr'],
            Pending::of($data['pending']),
            array_map(KindSum::of(...), $data['of_which'] ?? []),
        );
    }
}

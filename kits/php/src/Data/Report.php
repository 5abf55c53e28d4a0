<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Data;

/** The sums of the successful transactions. */
final readonly class Report
{
    /**
     * @param list<ReportRow> $rows
     */
    public function __construct(
        public string $currency,
        public string $tz,
        public string $groupBy,
        public array $rows,
        public ReportRow $totals,
        public string $asOf,
    ) {
    }

    /** @param array<string, mixed> $data the API's data */
    public static function of(array $data): self
    {
        return new self(
            $data['currency'],
            $data['tz'],
            $data['group_by'],
            array_map(ReportRow::of(...), $data['rows']),
            ReportRow::of($data['totals']),
            $data['as_of'],
        );
    }
}

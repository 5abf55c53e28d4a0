<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Data;

/** A provider of games. */
final readonly class Provider
{
    /**
     * @param int $games the number of its games that can be launched now
     */
    public function __construct(
        public string $code,
        public string $name,
        public bool $active,
        public int $games,
    ) {
    }

    /** @param array<string, mixed> $data the API's data */
    public static function of(array $data): self
    {
        return new self(
            $data['code'],
            $data['name'],
            $data['active'],
            $data['games'],
        );
    }
}

<?php

declare(strict_types=1);

namespace GameAggregator\Kit;

/** A JSON number with its original digits. */
final readonly class JsonNumber
{
    public function __construct(public string $digits)
    {
    }
}

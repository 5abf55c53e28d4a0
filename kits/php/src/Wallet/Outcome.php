<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Wallet;

/** @internal The `error` of a rejection, or the balance after the transaction in minor units. */
final readonly class Outcome
{
    private function __construct(public ?string $error, public int $balance = 0)
    {
    }

    public static function accept(int $balance): self
    {
        return new self(null, $balance);
    }

    public static function reject(string $error): self
    {
        return new self($error);
    }
}

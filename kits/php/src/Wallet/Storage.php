<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Wallet;

/** The storage of a wallet's players and entries. */
interface Storage
{
    /**
     * Runs `$work` in one transaction that locks the player. Meanwhile no other transaction with this player runs. When
     * `$work` throws, nothing is stored. When another transaction stores the same id meanwhile, `$work` runs again. So
     * `$work` must only read and write the Books.
     *
     * @template T
     * @param callable(Books): T $work
     * @return T
     */
    public function transaction(string $merchant, string $playerId, callable $work): mixed;
}

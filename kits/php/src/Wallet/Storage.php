<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Wallet;

/** Where a wallet keeps its books. */
interface Storage
{
    /**
     * Runs `$work` in one transaction that locks the player: no other transaction with this player runs meanwhile. When
     * `$work` throws, nothing is kept. When another transaction has taken an id meanwhile, `$work` runs again, so it
     * must do nothing but read and write the books.
     *
     * @template T
     * @param callable(Books): T $work
     * @return T
     */
    public function transaction(string $merchant, string $playerId, callable $work): mixed;
}

<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Wallet;

/**
 * A storage in memory, for tests. PHP loses all data in memory at the end of each request, so a real wallet needs
 * PdoStorage.
 */
final class MemoryStorage implements Storage
{
    private MemoryBooks $books;

    public function __construct()
    {
        $this->books = new MemoryBooks();
    }

    /** Adds a player, or replaces the stored player. */
    public function setPlayer(string $merchant, string $playerId, Player $player): void
    {
        $this->books = $this->books->of($merchant, $playerId);
        $this->books->setPlayer($player);
    }

    public function transaction(string $merchant, string $playerId, callable $work): mixed
    {
        $books = $this->books->of($merchant, $playerId);
        $result = $work($books);
        // When a transaction fails, its changes are dropped with this copy.
        $this->books = $books;
        return $result;
    }
}

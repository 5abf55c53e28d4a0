<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Wallet;

/** @internal The books of {@see MemoryStorage}. A clone shares no data with its original. */
final class MemoryBooks implements Books
{
    private string $merchant = '';
    private string $playerId = '';
    /** @var array<string, Player> */
    private array $players = [];
    /** @var array<string, Entry> */
    private array $entries = [];
    /** @var array<string, true> */
    private array $reversed = [];

    public function of(string $merchant, string $playerId): self
    {
        $books = clone $this;
        [$books->merchant, $books->playerId] = [$merchant, $playerId];
        return $books;
    }

    public function player(): ?Player
    {
        return $this->players[$this->key($this->playerId)] ?? null;
    }

    public function setPlayer(Player $player): void
    {
        $this->players[$this->key($this->playerId)] = $player;
    }

    public function find(string $txId): ?Entry
    {
        return $this->entries[$this->key($txId)] ?? null;
    }

    public function isReversed(string $txId): bool
    {
        return isset($this->reversed[$this->key($txId)]);
    }

    public function add(Entry $entry): void
    {
        $this->entries[$this->key($entry->txId)] = $entry;
        if ($entry->refTxId !== null) {
            $this->reversed[$this->key($entry->refTxId)] = true;
        }
    }

    public function setBalance(int $balance): void
    {
        $this->setPlayer(new Player($balance, $this->player()?->blocked ?? false));
    }

    /** A NUL separates merchant and id, because no merchant's code has a NUL. */
    private function key(string $id): string
    {
        return "$this->merchant\0$id";
    }
}

<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Wallet;

/** A merchant's players and entries inside one transaction. Ids are compared byte by byte. */
interface Books
{
    /** The callback's player; null: the merchant has no such player. */
    public function player(): ?Player;

    public function find(string $txId): ?Entry;

    /** Whether an applied refund or rollback names this id as `refTxId`. */
    public function isReversed(string $txId): bool;

    /** Adds an entry. Its `txId` must be new. */
    public function add(Entry $entry): void;

    public function setBalance(int $balance): void;
}

<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Wallet;

/** @internal The books of {@see PdoStorage} inside one transaction. */
final class PdoBooks implements Books
{
    /** @param \Closure(string, list<string|int|null>): list<array<string, mixed>> $run */
    public function __construct(
        private readonly \Closure $run,
        private readonly string $merchant,
        private readonly string $playerId,
        private readonly ?Player $player,
    ) {
    }

    public function player(): ?Player
    {
        return $this->player;
    }

    public function find(string $txId): ?Entry
    {
        $rows = ($this->run)(
            'SELECT state, action, player_id, amount, ref_tx_id, balance, error FROM wallet_entries'
                . ' WHERE merchant = ? AND tx_id = ?',
            [$this->merchant, $txId],
        );
        if ($rows === []) {
            return null;
        }
        $row = $rows[0];
        return match ($row['state']) {
            Entry::TOMBSTONE => Entry::tombstone($txId),
            Entry::REJECTED => Entry::rejected($txId, $row['error']),
            default => Entry::applied(
                $txId,
                $row['action'],
                $row['player_id'],
                (int) $row['amount'],
                $row['ref_tx_id'],
                (int) $row['balance'],
            ),
        };
    }

    public function isReversed(string $txId): bool
    {
        $sql = 'SELECT 1 FROM wallet_entries WHERE merchant = ? AND ref_tx_id = ?';
        return ($this->run)($sql, [$this->merchant, $txId]) !== [];
    }

    public function add(Entry $entry): void
    {
        ($this->run)(
            'INSERT INTO wallet_entries (merchant, tx_id, state, action, player_id, amount, ref_tx_id, balance, error)'
                . ' VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
            [
                $this->merchant,
                $entry->txId,
                $entry->state,
                $entry->action,
                $entry->playerId,
                $entry->amount,
                $entry->refTxId,
                $entry->balance,
                $entry->error,
            ],
        );
    }

    public function setBalance(int $balance): void
    {
        $sql = 'UPDATE wallet_players SET balance = ? WHERE merchant = ? AND player_id = ?';
        ($this->run)($sql, [$balance, $this->merchant, $this->playerId]);
    }
}

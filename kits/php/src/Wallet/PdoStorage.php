<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Wallet;

/**
 * A storage in a database, through PDO: SQLite, MySQL, MariaDB or PostgreSQL. The tables are in the package's folder
 * `schema`.
 */
final class PdoStorage implements Storage
{
    private const TRIES = 5;
    private const SCHEMAS = ['sqlite' => 'sqlite', 'mysql' => 'mysql', 'pgsql' => 'postgresql'];

    private readonly string $driver;
    /** @var resource|null a lock file for SQLite: a transaction begins only with its lock */
    private mixed $queue = null;

    /** @throws \InvalidArgumentException when the storage does not support the driver */
    public function __construct(private readonly \PDO $pdo)
    {
        $this->driver = $pdo->getAttribute(\PDO::ATTR_DRIVER_NAME);
        if (!isset(self::SCHEMAS[$this->driver])) {
            throw new \InvalidArgumentException("PdoStorage is for sqlite, mysql and pgsql, not for $this->driver.");
        }
        $pdo->setAttribute(\PDO::ATTR_ERRMODE, \PDO::ERRMODE_EXCEPTION);
        if ($this->driver === 'sqlite') {
            $this->prepareSqlite();
        }
    }

    /** Creates the missing tables. */
    public function createTables(): void
    {
        $file = dirname(__DIR__, 2) . '/schema/' . self::SCHEMAS[$this->driver] . '.sql';
        $schema = preg_replace('/^--.*$/m', '', (string) file_get_contents($file));
        foreach (array_filter(array_map('trim', explode(';', (string) $schema))) as $statement) {
            $this->pdo->exec($statement);
        }
    }

    /** Adds a player. If the player exists already, nothing changes. */
    public function addPlayer(string $merchant, string $playerId, Player $player): void
    {
        $this->atomically(function () use ($merchant, $playerId, $player): void {
            if ($this->player($merchant, $playerId) === null) {
                $this->run(
                    'INSERT INTO wallet_players (merchant, player_id, balance, blocked) VALUES (?, ?, ?, ?)',
                    [$merchant, $playerId, $player->balance, $player->blocked ? 1 : 0],
                );
            }
        });
    }

    public function transaction(string $merchant, string $playerId, callable $work): mixed
    {
        return $this->atomically(function () use ($merchant, $playerId, $work): mixed {
            $player = $this->player($merchant, $playerId);
            return $work(new PdoBooks($this->run(...), $merchant, $playerId, $player));
        });
    }

    /** Reads the player and locks the row. SQLite locks the whole file when the transaction begins. */
    private function player(string $merchant, string $playerId): ?Player
    {
        $lock = $this->driver === 'sqlite' ? '' : ' FOR UPDATE';
        $rows = $this->run(
            "SELECT balance, blocked FROM wallet_players WHERE merchant = ? AND player_id = ?$lock",
            [$merchant, $playerId],
        );
        return $rows === [] ? null : new Player((int) $rows[0]['balance'], (int) $rows[0]['blocked'] !== 0);
    }

    /**
     * Repeats `$work` after a conflict. Copies of one callback may name different players, so the lock on the player is
     * not enough. The unique keys stop the second copy.
     */
    private function atomically(callable $work): mixed
    {
        for ($try = 1;; $try++) {
            $hasBegun = false;
            try {
                $hasBegun = $this->begin();
                $result = $work();
                $this->commit();
                return $result;
            } catch (\Throwable $cause) {
                if ($hasBegun) {
                    $this->undo();
                }
                if ($try === self::TRIES || !self::isConflict($cause)) {
                    throw $cause;
                }
            } finally {
                if ($this->queue !== null) {
                    flock($this->queue, LOCK_UN);
                }
            }
        }
    }

    private function prepareSqlite(): void
    {
        // With these settings, committed data survive a crash of the machine.
        foreach (['busy_timeout = 5000', 'journal_mode = WAL', 'synchronous = FULL'] as $pragma) {
            $this->pdo->exec("PRAGMA $pragma");
        }
        $file = $this->pdo->query('PRAGMA database_list')->fetchAll(\PDO::FETCH_ASSOC)[0]['file'];
        if ($file !== '') {
            // SQLite waits by polling, so a process could wait for seconds while other processes get the lock first.
            // The lock file gives a fairer order.
            $this->queue = fopen("$file-queue", 'c') ?: null;
        }
        try {
            // A persistent connection may still have the open transaction of an aborted request.
            $this->pdo->exec('ROLLBACK');
        } catch (\PDOException) {
            // There was no open transaction.
        }
    }

    private function begin(): bool
    {
        if ($this->driver !== 'sqlite') {
            return $this->beginReadCommitted();
        }
        if ($this->queue !== null) {
            flock($this->queue, LOCK_EX);
        }
        // PDO's own beginTransaction begins without a lock. Then two transactions that both read first and then write
        // would block each other.
        $this->pdo->exec('BEGIN IMMEDIATE');
        return true;
    }

    /** The default level of MySQL could read data that is older than the lock on the player. Only one transaction changes. */
    private function beginReadCommitted(): bool
    {
        $level = 'SET TRANSACTION ISOLATION LEVEL READ COMMITTED';
        if ($this->driver === 'mysql') {
            // MySQL applies the level to the next transaction, PostgreSQL to the current transaction.
            $this->pdo->exec($level);
            return $this->pdo->beginTransaction();
        }
        $this->pdo->beginTransaction();
        $this->pdo->exec($level);
        return true;
    }

    private function commit(): void
    {
        if ($this->driver === 'sqlite') {
            $this->pdo->exec('COMMIT');
        } else {
            $this->pdo->commit();
        }
    }

    private function undo(): void
    {
        try {
            if ($this->driver === 'sqlite') {
                $this->pdo->exec('ROLLBACK');
            } elseif ($this->pdo->inTransaction()) {
                $this->pdo->rollBack();
            }
        } catch (\PDOException) {
            // The database ended the transaction itself, or the connection is lost. The first error has the reason.
        }
    }

    /**
     * @param list<string|int|null> $values
     * @return list<array<string, mixed>>
     */
    private function run(string $sql, array $values): array
    {
        $statement = $this->pdo->prepare($sql);
        $statement->execute($values);
        return $statement->columnCount() === 0 ? [] : $statement->fetchAll(\PDO::FETCH_ASSOC);
    }

    /** Whether the error is a conflict with another transaction: a duplicate unique key or a deadlock. */
    private static function isConflict(\Throwable $cause): bool
    {
        if (!$cause instanceof \PDOException) {
            return false;
        }
        [$state, $code] = [$cause->errorInfo[0] ?? '', $cause->errorInfo[1] ?? 0];
        // The codes of: a duplicate unique key; a deadlock or serialization failure; a busy SQLite file; on MySQL a row
        // that changed since the snapshot; MySQL's lock wait timeout.
        return in_array($state, ['23000', '23505', '40001', '40P01'], true)
            || ($state === 'HY000' && in_array($code, [5, 1020, 1205], true));
    }
}

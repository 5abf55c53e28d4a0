<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Tests;

use GameAggregator\Kit\Wallet\PdoStorage;
use GameAggregator\Kit\Wallet\Storage;

/** The tests of a storage whose database several processes use at the same time. */
abstract class PdoContract extends StorageContract
{
    /** The DSN of an empty database, or of a database whose tables may be dropped. */
    abstract protected function dsn(): string;

    protected function open(): Storage
    {
        $pdo = new \PDO($this->dsn());
        foreach (['wallet_entries', 'wallet_players'] as $table) {
            $pdo->exec("DROP TABLE IF EXISTS $table");
        }
        $storage = new PdoStorage($pdo);
        $storage->createTables();
        foreach (Caller::players() as [$merchant, $id, $player]) {
            $storage->addPlayer($merchant, $id, $player);
        }
        return $storage;
    }

    /**
     * Runs ten processes at once. Each process makes its own calls.
     *
     * @param callable(int): list<array{string, array<string, mixed>}> $callsOf the calls of a process
     * @return list<array<string, mixed>> all replies
     */
    private function atOnce(callable $callsOf): array
    {
        $running = [];
        for ($i = 0; $i < 10; $i++) {
            $calls = json_encode($callsOf($i), JSON_THROW_ON_ERROR);
            $command = [PHP_BINARY, __DIR__ . '/process.php', $this->dsn(), $calls];
            $running[] = [proc_open($command, [1 => ['pipe', 'w'], 2 => STDERR], $pipes), $pipes[1]];
        }
        $replies = [];
        foreach ($running as [$process, $output]) {
            $printed = (string) stream_get_contents($output);
            array_push($replies, ...json_decode($printed, true, flags: JSON_THROW_ON_ERROR));
            self::assertSame(0, proc_close($process));
        }
        return $replies;
    }

    private static function acceptedCount(array $replies): int
    {
        return count(array_filter($replies, static fn(array $reply): bool => $reply['ok']));
    }

    private static function rejectedCount(array $replies, string $error): int
    {
        return count(array_filter($replies, static fn(array $reply): bool => ($reply['error'] ?? '') === $error));
    }

    public function testOf50BetsOfTenProcessesThe30ThatTheBalancePaysForAreApplied(): void
    {
        $replies = $this->atOnce(static fn(int $i): array => array_map(
            static fn(int $k): array => ['bet', ['tx_id' => "b$i-$k", 'amount' => 1]],
            range(1, 5),
        ));
        self::assertCount(50, $replies);
        self::assertSame(30, self::acceptedCount($replies));
        self::assertSame(20, self::rejectedCount($replies, 'INSUFFICIENT_FUNDS'));
    }

    public function testOfCopiesAboutTwoPlayersAtOnceOneIsApplied(): void
    {
        $replies = $this->atOnce(static fn(int $i): array => array_fill(
            0,
            3,
            ['win', ['player_id' => $i % 2 === 0 ? 'ana' : 'rui', 'tx_id' => 'w1', 'amount' => 1]],
        ));
        self::assertTrue($replies[0]['ok']);
        self::assertSame(array_fill(0, 30, $replies[0]), $replies);
    }

    public function testOfTenRefundsAtOnceOneIsApplied(): void
    {
        (new Caller(new PdoStorage(new \PDO($this->dsn()))))->call('bet', ['tx_id' => 'b1', 'amount' => 10]);
        $refund = ['ref_tx_id' => 'b1', 'amount' => 10];
        $replies = $this->atOnce(static fn(int $i): array => [['refund', ['tx_id' => "f$i"] + $refund]]);
        self::assertSame(1, self::acceptedCount($replies));
        self::assertSame(9, self::rejectedCount($replies, 'ALREADY_REVERSED'));
    }
}

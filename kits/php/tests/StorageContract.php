<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Tests;

use GameAggregator\Kit\Wallet\Books;
use GameAggregator\Kit\Wallet\Entry;
use GameAggregator\Kit\Wallet\Storage;
use PHPUnit\Framework\TestCase;

/** The tests that every storage must pass. */
abstract class StorageContract extends TestCase
{
    private Storage $storage;
    private Caller $caller;

    /** An empty storage with the players of {@see Caller::players}. */
    abstract protected function open(): Storage;

    protected function setUp(): void
    {
        $this->storage = $this->open();
        $this->caller = new Caller($this->storage);
    }

    private function call(string $action, array $fields = [], string $merchant = 'shop'): array
    {
        return $this->caller->call($action, $fields, $merchant);
    }

    private static function rejected(string $error): array
    {
        return ['ok' => false, 'error' => $error];
    }

    private static function accepted(int|float $balance): array
    {
        return ['ok' => true, 'balance' => (float) $balance];
    }

    public function testOf50BetsThe30ThatTheBalancePaysForAreApplied(): void
    {
        $bet = fn(int $i): array => $this->call('bet', ['tx_id' => "b$i", 'amount' => 1]);
        $replies = array_map($bet, range(1, 50));
        self::assertCount(30, array_filter($replies, static fn(array $reply): bool => $reply['ok']));
        self::assertEquals(self::accepted(0), $this->call('balance'));
    }

    public function testAReplyIsKeptAlsoWhenTheBalanceHasChangedSince(): void
    {
        $bet = ['tx_id' => 'b1', 'amount' => 2.5];
        self::assertEquals(self::accepted(27.5), $this->call('bet', $bet));
        $this->call('win', ['tx_id' => 'w1', 'amount' => 9_999_999_999.99]);
        self::assertEquals(self::accepted(27.5), $this->call('bet', $bet));
        self::assertEquals(self::accepted(10_000_000_027.49), $this->call('balance'));
    }

    public function testTheRejectionOfABetIsKeptThatOfARefundIsNot(): void
    {
        $bet = ['tx_id' => 'b1', 'amount' => 31];
        $refund = ['tx_id' => 'f1', 'ref_tx_id' => 'b2', 'amount' => 5];
        self::assertEquals(self::rejected('INSUFFICIENT_FUNDS'), $this->call('bet', $bet));
        $this->call('bet', ['tx_id' => 'b2', 'amount' => 6]);
        self::assertEquals(self::rejected('AMOUNT_MISMATCH'), $this->call('refund', $refund));
        $this->call('win', ['tx_id' => 'w1', 'amount' => 100]);
        self::assertEquals(self::rejected('INSUFFICIENT_FUNDS'), $this->call('bet', $bet));
        self::assertEquals(self::accepted(130), $this->call('refund', ['amount' => 6] + $refund));
        $second = ['tx_id' => 'f2', 'amount' => 6] + $refund;
        self::assertEquals(self::rejected('ALREADY_REVERSED'), $this->call('refund', $second));
    }

    public function testABetThatComesAfterItsRefundIsRefused(): void
    {
        $refund = ['tx_id' => 'f1', 'ref_tx_id' => 'b1', 'amount' => 5];
        self::assertEquals(self::rejected('TRANSACTION_NOT_FOUND'), $this->call('refund', $refund));
        $bet = ['tx_id' => 'b1', 'amount' => 5];
        self::assertEquals(self::rejected('TRANSACTION_REVERSED'), $this->call('bet', $bet));
        self::assertEquals(self::rejected('TRANSACTION_NOT_FOUND'), $this->call('refund', $refund));
        self::assertEquals(self::accepted(30), $this->call('balance'));
    }

    public function testARollbackMayLeaveLessThanNothingAndARejectedOneStaysRejected(): void
    {
        $rui = ['player_id' => 'rui'];
        $this->call('win', $rui + ['tx_id' => 'w1', 'amount' => 5]);
        $this->call('bet', $rui + ['tx_id' => 'b1', 'amount' => 4.5]);
        $rollback = $rui + ['ref_tx_id' => 'w1'];
        foreach ([4, 5] as $amount) {
            $reply = $this->call('rollback', $rollback + ['tx_id' => 'r1', 'amount' => $amount]);
            self::assertEquals(self::rejected('AMOUNT_MISMATCH'), $reply);
        }
        self::assertEquals(self::accepted(-4.5), $this->call('rollback', $rollback + ['tx_id' => 'r2', 'amount' => 5]));
    }

    public function testAReversalMustNameABetOrWinOfThisPlayerAndIsJudgedAnewWhenItFoundNothing(): void
    {
        $missing = self::rejected('TRANSACTION_NOT_FOUND');
        $this->call('bet', ['tx_id' => 'b1', 'amount' => 1]);
        $this->call('win', ['tx_id' => 'w1', 'amount' => 1]);
        $refund = ['tx_id' => 'f1', 'ref_tx_id' => 'b1', 'amount' => 1];
        $rollback = ['tx_id' => 'r1', 'ref_tx_id' => 'w1', 'amount' => 1];
        self::assertEquals($missing, $this->call('refund', ['ref_tx_id' => 'w1'] + $refund));
        self::assertEquals($missing, $this->call('rollback', ['ref_tx_id' => 'b1'] + $rollback));
        self::assertEquals($missing, $this->call('refund', ['player_id' => 'rui', 'tx_id' => 'f2'] + $refund));
        self::assertEquals(self::accepted(29), $this->call('rollback', $rollback));
        self::assertEquals(self::accepted(30), $this->call('refund', $refund));
    }

    public function testABlockedPlayersBetIsRejectedAWinIsPaid(): void
    {
        $bea = ['player_id' => 'bea', 'amount' => 1];
        self::assertEquals(self::rejected('PLAYER_BLOCKED'), $this->call('bet', $bea + ['tx_id' => 'b1']));
        self::assertEquals(self::accepted(11), $this->call('win', $bea + ['tx_id' => 'w1']));
        self::assertEquals(self::rejected('PLAYER_BLOCKED'), $this->call('bet', $bea + ['tx_id' => 'b2']));
    }

    public function testMerchantsShareNothing(): void
    {
        $this->call('bet', ['tx_id' => 'b1', 'amount' => 1]);
        self::assertEquals(self::accepted(28), $this->call('bet', ['tx_id' => 'b1', 'amount' => 2], 'other'));
        $refund = ['tx_id' => 'f1', 'ref_tx_id' => 'b1', 'amount' => 2];
        self::assertEquals(self::accepted(30), $this->call('refund', $refund, 'other'));
        self::assertEquals(self::accepted(29), $this->call('balance'));
    }

    public function testIdsAreComparedByteByByte(): void
    {
        foreach (['a', 'A', 'á', "a\u{301}", 'a ', ' a', 'ß', 'ss', '7', '07'] as $i => $id) {
            self::assertEquals(self::accepted(29 - $i), $this->call('bet', ['tx_id' => $id, 'amount' => 1]), $id);
        }
        foreach (['ANA', 'ana ', 'aná'] as $id) {
            self::assertEquals(self::rejected('PLAYER_NOT_FOUND'), $this->call('balance', ['player_id' => $id]), $id);
        }
    }

    public function testAnUnknownPlayersBetStaysRejected(): void
    {
        $bet = ['player_id' => 'leo', 'tx_id' => 'b1', 'amount' => 1];
        self::assertEquals(self::rejected('PLAYER_NOT_FOUND'), $this->call('bet', $bet));
        self::assertEquals(self::rejected('PLAYER_NOT_FOUND'), $this->call('bet', ['player_id' => 'ana'] + $bet));
    }

    public function testWhenTheWorkThrowsNothingIsKept(): void
    {
        try {
            $this->storage->transaction('shop', 'ana', static function (Books $books): void {
                $books->setBalance(0);
                $books->add(Entry::tombstone('b1'));
                throw new \LogicException('the disk is on fire');
            });
            self::fail('it did not throw');
        } catch (\LogicException $cause) {
            self::assertSame('the disk is on fire', $cause->getMessage());
        }
        self::assertEquals(self::accepted(29), $this->call('bet', ['tx_id' => 'b1', 'amount' => 1]));
    }
}

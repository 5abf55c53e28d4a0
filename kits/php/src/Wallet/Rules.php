<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Wallet;

/** @internal The rules of a wallet, for one callback inside one transaction of the storage. */
final class Rules
{
    /** Answers a balance query. `$merchantCurrency`: the only currency of the merchant's players. */
    public static function balance(Books $books, Callback $callback, string $merchantCurrency): Outcome
    {
        if ($callback->currency !== $merchantCurrency) {
            return Outcome::reject('CURRENCY_MISMATCH');
        }
        $player = $books->player();
        return $player === null ? Outcome::reject('PLAYER_NOT_FOUND') : Outcome::accept($player->balance);
    }

    /** Applies the transaction, unless it was applied or rejected before, or must be rejected now. */
    public static function apply(Books $books, Callback $callback, string $merchantCurrency): Outcome
    {
        $known = $books->find($callback->txId);
        if ($known !== null) {
            return match ($known->state) {
                Entry::APPLIED => Outcome::accept((int) $known->balance),
                Entry::REJECTED => Outcome::reject((string) $known->error),
                Entry::TOMBSTONE => Outcome::reject('TRANSACTION_REVERSED'),
            };
        }
        $player = $books->player();
        $error = match (true) {
            $callback->currency !== $merchantCurrency => 'CURRENCY_MISMATCH',
            $player === null => 'PLAYER_NOT_FOUND',
            default => self::objection($books, $player, $callback),
        };
        $isDebit = $callback->action === 'bet' || $callback->action === 'rollback';
        if ($player === null || $error !== null) {
            // The service sends a rejected win or refund again on purpose, and the wallet then decides again. The
            // wallet also decides again about a callback that it answered with TRANSACTION_NOT_FOUND.
            if ($isDebit && $error !== 'TRANSACTION_NOT_FOUND') {
                $books->add(Entry::rejected($callback->txId, (string) $error));
            }
            return Outcome::reject((string) $error);
        }
        $balance = $player->balance + ($isDebit ? -$callback->amount : $callback->amount);
        $books->add(Entry::applied(
            $callback->txId,
            $callback->action,
            $callback->playerId,
            $callback->amount,
            $callback->refTxId,
            $balance,
        ));
        $books->setBalance($balance);
        return Outcome::accept($balance);
    }

    /** The code of the reason why the transaction can't be applied; null: it can be applied. */
    private static function objection(Books $books, Player $player, Callback $callback): ?string
    {
        if ($callback->action === 'bet') {
            if ($player->blocked) {
                return 'PLAYER_BLOCKED';
            }
            return $player->balance < $callback->amount ? 'INSUFFICIENT_FUNDS' : null;
        }
        if ($callback->refTxId === null) {
            return null;
        }
        $original = $books->find($callback->refTxId);
        if ($original === null) {
            // The original may still arrive. The service does not reverse it after this answer, so a tombstone must
            // stop it.
            $books->add(Entry::tombstone($callback->refTxId));
            return 'TRANSACTION_NOT_FOUND';
        }
        $reversed = $callback->action === 'refund' ? 'bet' : 'win';
        if ($original->action !== $reversed || $original->playerId !== $callback->playerId) {
            return 'TRANSACTION_NOT_FOUND';
        }
        if ($original->amount !== $callback->amount) {
            return 'AMOUNT_MISMATCH';
        }
        // A rollback may make the balance negative, because the player may have spent the win.
        return $books->isReversed($callback->refTxId) ? 'ALREADY_REVERSED' : null;
    }
}

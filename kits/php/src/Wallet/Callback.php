<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Wallet;

use GameAggregator\Kit\Json;
use GameAggregator\Kit\JsonNumber;
use GameAggregator\Kit\Money;

/** @internal A callback's fields. A balance query has only the first three. */
final readonly class Callback
{
    private const ACTIONS = ['balance', 'bet', 'win', 'refund', 'rollback'];

    /**
     * @param int $amount in minor units, above zero
     * @param ?string $refTxId the bet or win that a refund or rollback reverses
     */
    private function __construct(
        public string $action,
        public string $playerId,
        public string $currency,
        public string $txId = '',
        public int $amount = 0,
        public ?string $refTxId = null,
    ) {
    }

    /** null: the body is not a callback of the service. Unknown fields are ignored. */
    public static function read(string $body, string $currency): ?self
    {
        $fields = Json::fields($body);
        if ($fields === null) {
            return null;
        }
        $text = static function (string $name) use ($fields): string {
            $value = $fields[$name] ?? null;
            return is_string($value) ? $value : '';
        };
        $action = $text('action');
        $isReversal = $action === 'refund' || $action === 'rollback';
        if (!in_array($action, self::ACTIONS, true) || $text('player_id') === '' || $text('currency') === '') {
            return null;
        }
        if ($action === 'balance') {
            return new self($action, $text('player_id'), $text('currency'));
        }
        $amount = self::minor($fields['amount'] ?? null, $currency);
        if ($text('tx_id') === '' || $text('round_id') === '' || $amount <= 0) {
            return null;
        }
        if ($isReversal && $text('ref_tx_id') === '') {
            return null;
        }
        $refTxId = $isReversal ? $text('ref_tx_id') : null;
        return new self($action, $text('player_id'), $text('currency'), $text('tx_id'), $amount, $refTxId);
    }

    /** The amount in minor units; zero when it is not a valid amount of the currency. */
    private static function minor(mixed $amount, string $currency): int
    {
        try {
            return $amount instanceof JsonNumber ? Money::toMinor($amount->digits, $currency) : 0;
        } catch (\RangeException) {
            return 0;
        }
    }
}

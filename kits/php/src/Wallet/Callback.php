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
    /** No amount of the service has more digits before the point. */
    private const WHOLE_DIGITS_MAX = 10;
    private const PLAYER_ID_MAX_BYTES = 512;
    private const TX_ID_MAX_BYTES = 128;

    /**
     * @param int $amount in minor units, above zero; 0 when `$currency` is not the merchant's, because such a
     *     callback moves no money
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

    /**
     * null: the body is not a callback of the service. Unknown fields are ignored.
     *
     * @param string $merchantCurrency the currency in which amounts are read
     */
    public static function read(string $body, string $merchantCurrency): ?self
    {
        $fields = Json::fields($body) ?? [];
        $action = $fields['action'] ?? null;
        $playerId = self::id($fields['player_id'] ?? null, self::PLAYER_ID_MAX_BYTES);
        $currency = $fields['currency'] ?? null;
        if (!in_array($action, self::ACTIONS, true) || $playerId === null) {
            return null;
        }
        if (!is_string($currency) || $currency === '') {
            return null;
        }
        if ($action === 'balance') {
            return new self($action, $playerId, $currency);
        }
        $txId = self::id($fields['tx_id'] ?? null, self::TX_ID_MAX_BYTES);
        $isForeign = $currency !== $merchantCurrency;
        $amount = $isForeign ? 0 : self::minor($fields['amount'] ?? null, $merchantCurrency);
        if ($txId === null || ($amount <= 0 && !$isForeign)) {
            return null;
        }
        if ($action === 'bet' || $action === 'win') {
            return new self($action, $playerId, $currency, $txId, $amount);
        }
        $refTxId = self::id($fields['ref_tx_id'] ?? null, self::TX_ID_MAX_BYTES);
        return $refTxId === null ? null : new self($action, $playerId, $currency, $txId, $amount, $refTxId);
    }

    /** null: the value is not a valid id. Some databases cannot store U+0000. */
    private static function id(mixed $value, int $maxBytes): ?string
    {
        $isId = is_string($value) && $value !== '' && !str_contains($value, "\0") && strlen($value) <= $maxBytes;
        return $isId ? $value : null;
    }

    /** The amount in minor units; zero when it is not a valid amount of the currency. */
    private static function minor(mixed $amount, string $currency): int
    {
        $decimal = $amount instanceof JsonNumber ? $amount->plain() : null;
        if ($decimal === null) {
            return 0;
        }
        try {
            $minor = Money::toMinor($decimal, $currency);
        } catch (\RangeException) {
            return 0;
        }
        return $minor < 10 ** (self::WHOLE_DIGITS_MAX + Money::decimals($currency)) ? $minor : 0;
    }
}

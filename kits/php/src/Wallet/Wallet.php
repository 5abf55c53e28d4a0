<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Wallet;

use GameAggregator\Kit\Money;
use GameAggregator\Kit\Signing;

/** Answers the service's callbacks. */
final class Wallet
{
    /** A callback has at most a few hundred bytes. */
    public const BODY_MAX_BYTES = 65_536;
    /** The secret for the check of an unknown merchant. Such a callback is refused with any signature. */
    private const NO_SECRET = 'no secret';

    /** @var \Closure(string): ?WalletMerchant */
    private readonly \Closure $merchantOf;
    /** @var \Closure(\Throwable): void */
    private readonly \Closure $onError;

    /**
     * @param list<WalletMerchant>|callable(string): ?WalletMerchant $merchants the merchants, or a function that finds
     * a merchant by its code
     * @param ?string $target path and query of the walletUrl, if a proxy changes the path before this server; by
     * default the received path and query
     * @param ?callable(\Throwable): void $onError gets the error behind a 500 reply; by default PHP's error log gets it
     * @throws \InvalidArgumentException if a merchant is in the list twice
     */
    public function __construct(
        array|callable $merchants,
        private readonly Storage $storage,
        private readonly ?string $target = null,
        ?callable $onError = null,
    ) {
        $this->merchantOf = is_callable($merchants) ? $merchants(...) : self::finder($merchants);
        $this->onError = $onError !== null ? $onError(...) : static fn(\Throwable $cause) => error_log((string) $cause);
    }

    /**
     * Never throws. After an error the reply is a 500 without the error's text. The service treats a 500 as an unknown
     * outcome: it may send the callback again, or a refund.
     *
     * @param string $target path and query as they arrived, not decoded
     * @param array<string, string|list<string>> $headers by name, in any case
     * @param string $body the raw bytes
     */
    public function handle(string $method, string $target, array $headers, string $body): WalletReply
    {
        try {
            return $this->answer($method, $target, $headers, $body);
        } catch (\Throwable $cause) {
            ($this->onError)($cause);
            return self::rejection(500, 'INTERNAL_ERROR');
        }
    }

    private function answer(string $method, string $target, array $headers, string $body): WalletReply
    {
        if ($method !== 'POST') {
            return self::rejection(405, 'METHOD_NOT_ALLOWED');
        }
        if (strlen($body) > self::BODY_MAX_BYTES) {
            return self::rejection(413, 'PAYLOAD_TOO_LARGE');
        }
        $merchant = ($this->merchantOf)(Signing::header($headers, 'x-merchant-id'));
        // The same work is done for an unknown merchant, so that the response time does not show which merchants exist.
        $secrets = $merchant === null ? [self::NO_SECRET] : $merchant->secrets;
        $isGenuine = Signing::verify($secrets, $headers, $method, $this->target ?? $target, $body);
        if ($merchant === null || !$isGenuine) {
            return self::rejection($merchant?->answer503 === true ? 503 : 401, 'INVALID_SIGNATURE');
        }
        $currency = $merchant->currency;
        $callback = Callback::read($body, $currency);
        if ($callback === null) {
            return self::rejection(400, 'INVALID_REQUEST');
        }
        $outcome = $this->storage->transaction(
            $merchant->code,
            $callback->playerId,
            static fn(Books $books): Outcome => $callback->action === 'balance'
                ? Rules::balance($books, $callback, $currency)
                : Rules::apply($books, $callback, $currency),
        );
        if ($outcome->error !== null) {
            return self::rejection(200, $outcome->error);
        }
        // The decimal is written as a JSON number, digit by digit.
        $balance = Money::toDecimal($outcome->balance, $currency);
        return new WalletReply(200, "{\"ok\":true,\"balance\":$balance}");
    }

    /** @param list<WalletMerchant> $merchants */
    private static function finder(array $merchants): \Closure
    {
        $byCode = [];
        foreach ($merchants as $merchant) {
            if (isset($byCode[$merchant->code])) {
                throw new \InvalidArgumentException(
                    "Merchant $merchant->code is in the list twice: list it once, with all of its secrets.",
                );
            }
            $byCode[$merchant->code] = $merchant;
        }
        return static fn(string $code): ?WalletMerchant => $byCode[$code] ?? null;
    }

    private static function rejection(int $status, string $error): WalletReply
    {
        return new WalletReply($status, json_encode(['ok' => false, 'error' => $error], JSON_THROW_ON_ERROR));
    }
}

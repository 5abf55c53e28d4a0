<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Tests;

use GameAggregator\Kit\Signing;
use GameAggregator\Kit\Wallet\Player;
use GameAggregator\Kit\Wallet\Storage;
use GameAggregator\Kit\Wallet\Wallet;
use GameAggregator\Kit\Wallet\WalletMerchant;

/** Sends signed callbacks to a wallet with a given storage. */
final class Caller
{
    private readonly Wallet $wallet;

    public function __construct(Storage $storage)
    {
        $merchants = array_map(static fn(string $code) => new WalletMerchant($code, ['sk'], 'BRL'), ['shop', 'other']);
        $fail = static fn(\Throwable $cause) => throw $cause;
        $this->wallet = new Wallet($merchants, $storage, onError: $fail);
    }

    /** @return array<string, array{string, string, Player}> merchant, id and player */
    public static function players(): array
    {
        return [
            ['shop', 'ana', new Player(3_000)],
            ['shop', 'rui', new Player(0)],
            ['shop', 'bea', new Player(1_000, blocked: true)],
            ['other', 'ana', new Player(3_000)],
        ];
    }

    /** @return array<string, mixed> the reply's fields */
    public function call(string $action, array $fields = [], string $merchant = 'shop'): array
    {
        $about = ['action' => $action, 'player_id' => 'ana', 'currency' => 'BRL', 'provider' => 'A', 'game' => 'g'];
        $body = json_encode($fields + ['round_id' => 'r'] + $about, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE);
        $headers = Signing::headers($merchant, 'sk', 'POST', '/wallet', $body);
        return json_decode($this->wallet->handle('POST', '/wallet', $headers, $body)->body, true);
    }
}

<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Tests;

use GameAggregator\Kit\Adapter\Psr15Handler;
use GameAggregator\Kit\Signing;
use GameAggregator\Kit\Wallet\MemoryStorage;
use GameAggregator\Kit\Wallet\Player;
use GameAggregator\Kit\Wallet\Storage;
use GameAggregator\Kit\Wallet\Wallet;
use GameAggregator\Kit\Wallet\WalletMerchant;
use PHPUnit\Framework\TestCase;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;

final class WalletTest extends TestCase
{
    private const QUERY = [
        'action' => 'balance', 'player_id' => 'joão', 'currency' => 'BRL', 'provider' => 'ACME', 'game' => 'fruits',
    ];
    private const BET = ['action' => 'bet', 'tx_id' => 'b1', 'round_id' => 'r', 'amount' => 1] + self::QUERY;

    private static function storage(): MemoryStorage
    {
        $storage = new MemoryStorage();
        $storage->setPlayer('shop', 'joão', new Player(10_005));
        return $storage;
    }

    private static function wallet(mixed ...$more): Wallet
    {
        $options = $more + ['merchants' => [new WalletMerchant('shop', ['sk'], 'BRL')], 'storage' => self::storage()];
        return new Wallet(...$options);
    }

    /** @return array{int, array<string, mixed>} status and fields */
    private static function send(
        Wallet $wallet,
        array|string $fields,
        string $secret = 'sk',
        string $merchant = 'shop',
        string $method = 'POST',
        string $target = '/wallet',
    ): array {
        $body = is_string($fields) ? $fields : json_encode($fields, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE);
        $headers = Signing::headers($merchant, $secret, $method, $target, $body);
        $reply = $wallet->handle($method, $target, $headers, $body);
        return [$reply->status, json_decode($reply->body, true, flags: JSON_THROW_ON_ERROR)];
    }

    private static function rejection(int $status, string $error): array
    {
        return [$status, ['ok' => false, 'error' => $error]];
    }

    public function testABalanceIsAJsonNumberWithTheCurrencysDecimals(): void
    {
        $body = json_encode(self::QUERY);
        $reply = self::wallet()->handle('POST', '/', Signing::headers('shop', 'sk', 'POST', '/', $body), $body);
        self::assertSame('{"ok":true,"balance":100.05}', $reply->body);
    }

    public function testWhatIsNotSignedByTheMerchantIs401WhateverItAsksFor(): void
    {
        $refused = self::rejection(401, 'INVALID_SIGNATURE');
        self::assertSame($refused, self::send(self::wallet(), self::QUERY, secret: 'sk2'));
        self::assertSame($refused, self::send(self::wallet(), 'no JSON', secret: 'sk2'));
        self::assertSame($refused, self::send(self::wallet(), self::QUERY, merchant: 'unknown'));
        foreach (['', 'no secret'] as $secret) {
            self::assertSame($refused, self::send(self::wallet(), self::QUERY, $secret, 'unknown'));
        }
    }

    public function testWhatTheServiceNeverSendsIsRejectedByName(): void
    {
        $invalid = [
            '', 'no JSON', '[]', 'null', '7', '"{}"', '{"action":',
            ['action' => 'steal'] + self::BET,
            ['amount' => 0] + self::BET,
            ['amount' => -1] + self::BET,
            ['amount' => '1'] + self::BET,
            ['amount' => 0.001] + self::BET,
            ['tx_id' => ''] + self::BET,
            ['tx_id' => 7] + self::BET,
            ['tx_id' => str_repeat('x', 129)] + self::BET,
            ['tx_id' => "a\0b"] + self::BET,
            ['player_id' => str_repeat('é', 257)] + self::BET,
            ['currency' => ''] + self::BET,
            "\u{FEFF}" . json_encode(self::BET),
            ['action' => 'refund'] + self::BET,
            ['player_id' => null] + self::BET,
            str_replace('"amount":1', '"amount":99999999999999999999', (string) json_encode(self::BET)),
        ];
        foreach ($invalid as $body) {
            $reply = self::send(self::wallet(), $body);
            self::assertSame(self::rejection(400, 'INVALID_REQUEST'), $reply, json_encode($body) ?: '');
        }
        $dollars = ['currency' => 'USD'] + self::QUERY;
        self::assertSame(self::rejection(200, 'CURRENCY_MISMATCH'), self::send(self::wallet(), $dollars));
        $notPost = self::rejection(405, 'METHOD_NOT_ALLOWED');
        self::assertSame($notPost, self::send(self::wallet(), self::QUERY, method: 'PUT'));
        $tooLarge = self::rejection(413, 'PAYLOAD_TOO_LARGE');
        self::assertSame($tooLarge, self::send(self::wallet(), str_repeat('x', 70_000)));
        self::assertSame(200, self::send(self::wallet(), ['new' => [1, ['a' => 2.5]]] + self::BET)[0]);
    }

    public function testASignedBetThatIsNoUtf8OrHasHalfOfASurrogatePairIsRejectedAndNotStored(): void
    {
        $wallet = self::wallet();
        $bet = (string) json_encode(self::BET);
        foreach (["b\xff", 'b\ud800', 'b\ud801', 'b\udc00'] as $id) {
            $reply = self::send($wallet, str_replace('"b1"', "\"$id\"", $bet));
            self::assertSame(self::rejection(400, 'INVALID_REQUEST'), $reply, bin2hex($id));
        }
        self::assertSame([200, ['ok' => true, 'balance' => 100.05]], self::send($wallet, self::QUERY));
        $reply = self::send($wallet, ['tx_id' => "b\u{FFFD}"] + self::BET);
        self::assertSame([200, ['ok' => true, 'balance' => 99.05]], $reply);
        $reply = self::send($wallet, str_replace('"b1"', '"b\ud83c\udfb0"', $bet));
        self::assertSame([200, ['ok' => true, 'balance' => 98.05]], $reply);
    }

    public function testABetOrRollbackInAnotherCurrencyIsRejectedForGoodAndAWinIsJudgedAnew(): void
    {
        $wallet = self::wallet();
        $mismatch = self::rejection(200, 'CURRENCY_MISMATCH');
        self::assertSame($mismatch, self::send($wallet, ['currency' => 'CLP', 'amount' => 0.001] + self::BET));
        self::assertSame($mismatch, self::send($wallet, self::BET));
        $win = ['action' => 'win', 'tx_id' => 'w1'] + self::BET;
        $paid = [200, ['ok' => true, 'balance' => 101.05]];
        self::assertSame($mismatch, self::send($wallet, ['currency' => 'USD'] + $win));
        self::assertSame($paid, self::send($wallet, $win));
        self::assertSame($paid, self::send($wallet, ['currency' => 'USD'] + $win), 'the stored reply');
        $rollback = ['action' => 'rollback', 'tx_id' => 'r1', 'ref_tx_id' => 'w1'] + self::BET;
        self::assertSame($mismatch, self::send($wallet, ['currency' => 'EUR'] + $rollback));
        self::assertSame($mismatch, self::send($wallet, $rollback));
    }

    public function testASecondRefundWithAnotherAmountIsRejectedForItsAmount(): void
    {
        $wallet = self::wallet();
        self::send($wallet, self::BET);
        $refund = ['action' => 'refund', 'ref_tx_id' => 'b1'] + self::BET;
        self::assertSame(200, self::send($wallet, ['tx_id' => 'f1'] + $refund)[0]);
        $second = self::send($wallet, ['tx_id' => 'f2', 'amount' => 2] + $refund);
        self::assertSame(self::rejection(200, 'AMOUNT_MISMATCH'), $second);
    }

    public function testWhileAMerchantsSecretChangesAtOnceAWrongSignatureIs503(): void
    {
        $wallet = self::wallet(merchants: [new WalletMerchant('shop', ['sk'], 'BRL', answer503: true)]);
        $unknown = self::rejection(503, 'INVALID_SIGNATURE');
        self::assertSame($unknown, self::send($wallet, self::QUERY, secret: 'sk_new'));
        self::assertSame(200, self::send($wallet, self::QUERY)[0]);
        self::assertSame(401, self::send($wallet, self::QUERY, merchant: 'unknown')[0]);
    }

    public function testAMerchantThatIsInTheListTwiceIsRefusedAtOnce(): void
    {
        $this->expectExceptionMessage('Merchant shop is in the list twice');
        self::wallet(merchants: [new WalletMerchant('shop', ['a'], 'BRL'), new WalletMerchant('shop', ['b'], 'BRL')]);
    }

    public function testAFaultIsA500WithoutItsTextAndIsToldToOnError(): void
    {
        $storage = new class implements Storage {
            public function transaction(string $merchant, string $playerId, callable $work): mixed
            {
                throw new \RuntimeException('password=hunter2');
            }
        };
        $faults = [];
        $wallet = self::wallet(storage: $storage, onError: static function (\Throwable $cause) use (&$faults): void {
            $faults[] = $cause->getMessage();
        });
        self::assertSame(self::rejection(500, 'INTERNAL_ERROR'), self::send($wallet, self::QUERY));
        self::assertSame(['password=hunter2'], $faults);
    }

    public function testAMerchantMayBeLookedUpAndATargetConfigured(): void
    {
        $wallet = self::wallet(
            merchants: static fn(string $code) => $code === 'shop' ? new WalletMerchant($code, ['sk'], 'BRL') : null,
            target: '/public/wallet',
        );
        self::assertSame(401, self::send($wallet, self::QUERY)[0]);
        self::assertSame(401, self::send($wallet, self::QUERY, merchant: 'other', target: '/public/wallet')[0]);
        self::assertSame(200, self::send($wallet, self::QUERY, target: '/public/wallet')[0]);
    }

    public function testMerchantsWithoutSecretOrWithAnotherCurrencyAreRefusedAtOnce(): void
    {
        $faulty = [[[], 'BRL', 'needs a secret'], [[''], 'BRL', 'needs a secret'], [['sk'], 'EUR', 'currency EUR']];
        foreach ($faulty as [$secrets, $currency, $fault]) {
            try {
                new WalletMerchant('shop', $secrets, $currency);
                self::fail($fault);
            } catch (\InvalidArgumentException $cause) {
                self::assertStringContainsString($fault, $cause->getMessage());
            }
        }
    }

    public function testPsr15AsHandlerAndAsMiddleware(): void
    {
        if (!class_exists('Nyholm\Psr7\Factory\Psr17Factory') && !@include_once 'Nyholm/Psr7/autoload.php') {
            self::markTestSkipped('nyholm/psr7 is missing');
        }
        if (!interface_exists('Psr\Http\Server\MiddlewareInterface')) {
            require __DIR__ . '/psr-http-server.php';
        }
        $factory = new \Nyholm\Psr7\Factory\Psr17Factory();
        $handler = new Psr15Handler(self::wallet(), $factory, $factory, '/hooks/wallet');
        $body = (string) json_encode(self::QUERY);
        $target = '/hooks/wallet?b=1&c=%C3%A3';
        $request = $factory->createServerRequest('POST', "https://shop.example$target");
        $request = $request->withBody($factory->createStream($body));
        foreach (Signing::headers('shop', 'sk', 'POST', $target, $body) as $name => $value) {
            $request = $request->withHeader($name, $value);
        }
        $reply = $handler->handle($request);
        self::assertSame([200, 'application/json'], [$reply->getStatusCode(), $reply->getHeaderLine('Content-Type')]);
        self::assertSame('{"ok":true,"balance":100.05}', (string) $reply->getBody());
        self::assertSame(401, $handler->handle($request->withAddedHeader('X-Nonce', 'x'))->getStatusCode());

        $next = new class ($factory) implements \Psr\Http\Server\RequestHandlerInterface {
            public function __construct(private readonly \Nyholm\Psr7\Factory\Psr17Factory $factory)
            {
            }

            public function handle(ServerRequestInterface $request): ResponseInterface
            {
                return $this->factory->createResponse(204);
            }
        };
        self::assertSame(200, $handler->process($request, $next)->getStatusCode());
        $elsewhere = $request->withUri($factory->createUri('https://shop.example/'));
        self::assertSame(204, $handler->process($elsewhere, $next)->getStatusCode());
    }
}

<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Tests;

use GameAggregator\Kit\Client\AggregatorClient;
use GameAggregator\Kit\Client\Caller as ClientCaller;
use GameAggregator\Kit\Error\AggregatorException;
use GameAggregator\Kit\Error\ConnectionException;
use GameAggregator\Kit\Error\RateLimitedException;
use GameAggregator\Kit\Error\UnavailableException;
use GameAggregator\Kit\Error\ValidationException;
use GameAggregator\Kit\Json;
use GameAggregator\Kit\Money;
use PHPUnit\Framework\TestCase;

final class ClientTest extends TestCase
{
    /** @var resource|null */
    private mixed $server = null;
    private string $log = '';

    protected function tearDown(): void
    {
        if ($this->server !== null) {
            proc_terminate($this->server);
            proc_close($this->server);
            unlink($this->log);
        }
    }

    /** A client of a server that sends these answers in order. An answer has a status, headers and a body. */
    private function client(array ...$answers): AggregatorClient
    {
        $listener = stream_socket_server('tcp://127.0.0.1:0') ?: self::fail('no port');
        $address = stream_socket_get_name($listener, false);
        fclose($listener);
        $this->log = (string) tempnam(sys_get_temp_dir(), 'calls-');
        $this->server = proc_open(
            [PHP_BINARY, '-q', '-S', $address, __DIR__ . '/answers.php'],
            [1 => ['file', '/dev/null', 'w'], 2 => ['file', '/dev/null', 'w']],
            $pipes,
            null,
            ['ANSWERS' => json_encode($answers), 'LOG' => $this->log] + getenv(),
        );
        for ($i = 0; ($connection = @stream_socket_client("tcp://$address")) === false && $i < 250; $i++) {
            usleep(20_000);
        }
        fclose($connection);
        return new AggregatorClient("http://$address", 'shop', 'sk', attempts: 3);
    }

    /** @return list<string> method, target and nonce of each call */
    private function calls(): array
    {
        return file($this->log, FILE_IGNORE_NEW_LINES) ?: [];
    }

    private static function refusal(string $code, array $more = []): string
    {
        $error = ['code' => $code, 'message' => 'Não.', 'request_id' => 'id'] + $more;
        return (string) json_encode(['success' => false, 'error' => $error]);
    }

    private static function success(array $data): string
    {
        return (string) json_encode(['success' => true, 'data' => $data]);
    }

    public function testEveryCodeThatMerchantsMeetHasATypeOfItsOwnKind(): void
    {
        $file = getenv('ERRORS_PAGE') ?: dirname(__DIR__, 3) . '/docs/specification/errors.md';
        $row = '/^\| ([A-Z_]+) \|.*\| (never|same_request) \| [^|]*merchants[^|]* \|/m';
        preg_match_all($row, (string) file_get_contents($file), $found, PREG_SET_ORDER);
        self::assertGreaterThan(25, count($found));
        foreach ($found as [, $code, $retry]) {
            $error = AggregatorException::of($code, 400, '', '');
            self::assertNotSame(AggregatorException::class, $error::class, $code);
            $isForLater = $error instanceof UnavailableException || $error instanceof RateLimitedException;
            self::assertSame($retry === 'same_request', $isForLater, $code);
        }
        self::assertSame(AggregatorException::class, AggregatorException::of('NEWER_CODE', 400, '', '')::class);
    }

    public function testMoneyKeepsEveryDigitOtherNumbersAreNumbers(): void
    {
        $text = '{"bets":90071992547409931.23,"rtp":96.5,"note":"1.50 \"2\"","list":[1,-2.5e3],"n":null,"ggr":-0.10}';
        self::assertSame(
            [
                'bets' => '90071992547409931.23',
                'rtp' => 96.5,
                'note' => '1.50 "2"',
                'list' => [1, -2500.0],
                'n' => null,
                'ggr' => '-0.10',
            ],
            Json::decode($text),
        );
    }

    public function testDecimalsAndMinorUnitsAreExact(): void
    {
        $large = ['90071992547409931.23' => 9_007_199_254_740_993_123];
        foreach (['2.5' => 250, '-0.05' => -5, '0' => 0, '10.500' => 1050] + $large as $text => $minor) {
            self::assertSame($minor, Money::toMinor((string) $text, 'BRL'));
        }
        self::assertSame('-0.05', Money::toDecimal(-5, 'BRL'));
        self::assertSame('0.00', Money::toDecimal(0, 'BRL'));
        self::assertSame('1500', Money::toDecimal(1_500, 'CLP'));
        self::assertSame(1_500, Money::toMinor('1500', 'CLP'));
        foreach (['1.005', '', '1,5', '1e3', 'abc', "1\n", '99999999999999999999', '92233720368547758.08'] as $text) {
            try {
                Money::toMinor($text, 'BRL');
                self::fail("$text passed");
            } catch (\RangeException $cause) {
                self::assertSame("$text is no amount of BRL", $cause->getMessage());
            }
        }
    }

    public function testAnErrorHasTheCodeTheDetailsAndTheRequestsId(): void
    {
        $details = [['field' => 'game', 'rule' => 'required', 'message' => '...']];
        $client = $this->client([422, [], self::refusal('VALIDATION_ERROR', ['details' => $details])]);
        try {
            $client->launch('ana', '');
            self::fail('it passed');
        } catch (ValidationException $error) {
            self::assertSame(
                ['VALIDATION_ERROR', 422, 'id', $details],
                [$error->errorCode, $error->status, $error->requestId, $error->details],
            );
        }
    }

    public function testACallIsGivenUpAfterItsAttemptsAndIsSignedAnewEachTime(): void
    {
        $client = $this->client([429, ['Retry-After: 0'], '<h1>slow down</h1>']);
        try {
            $client->merchant();
            self::fail('it passed');
        } catch (RateLimitedException $error) {
            self::assertSame(0, $error->retryAfter);
        }
        self::assertCount(3, $this->calls());
        self::assertCount(3, array_unique($this->calls()), 'each call has a nonce of its own');
    }

    public function testARetryAfterOfDaysIsWaitedForFiveMinutes(): void
    {
        foreach ([301, 2_592_000, PHP_INT_MAX] as $asked) {
            $ms = ClientCaller::pauseMs(1, $asked);
            self::assertTrue(300_000 <= $ms && $ms <= 300_250, "$asked: $ms");
        }
        $ms = ClientCaller::pauseMs(1, 1);
        self::assertTrue(1_000 <= $ms && $ms <= 1_250, (string) $ms);
    }

    public function testARefusalThatWillNotPassIsNotRepeatedNorIsALaunch(): void
    {
        $client = $this->client(
            [404, [], self::refusal('TRANSACTION_NOT_FOUND')],
            [503, [], self::refusal('SERVICE_UNAVAILABLE')],
        );
        foreach ([static fn() => $client->transaction('x'), static fn() => $client->launch('ana', 'g')] as $call) {
            try {
                $call();
                self::fail('it passed');
            } catch (AggregatorException) {
            }
        }
        self::assertCount(2, $this->calls());
    }

    public function testAReplyOfSomebodyElseIsAConnectionException(): void
    {
        $client = $this->client([200, [], '<html>']);
        $this->expectException(ConnectionException::class);
        $client->launch('ana', 'g');
    }

    public function testAnExportWithoutItsLastLineIsAnError(): void
    {
        $names = [
            'tx_id', 'round_id', 'action', 'currency', 'status', 'provider', 'game',
            'player_id', 'created_at', 'updated_at',
        ];
        $item = ['ref_tx_id' => null, 'error' => null, 'balance' => null, 'attempts' => 1, 'last_result' => null,
            'next_attempt_at' => null, 'resolved_by' => null, 'amount' => 1.5] + array_fill_keys($names, 'x');
        $line = json_encode($item) . "\n";
        $client = $this->client([200, [], $line . $line . '{"complete":true,"items":2}' . "\n"], [200, [], $line]);
        $amounts = array_map(static fn($one): string => $one->amount, iterator_to_array($client->exportTransactions()));
        self::assertSame(['1.5', '1.5'], $amounts);
        $this->expectException(ConnectionException::class);
        iterator_to_array($client->exportTransactions());
    }

    public function testTheFeedWaitsAtItsEndAndGoesOnWhereItWas(): void
    {
        $page = static fn(string $cursor): array => [
            200,
            [],
            self::success(['items' => [], 'next_cursor' => $cursor, 'behind_ms' => 5]),
        ];
        $client = $this->client($page('c1'), $page('c1'), $page('c2'));
        $cursors = [];
        $began = microtime(true);
        $feed = $client->changes(since: '2026-01-01T00:00:00Z', filter: ['action' => 'bet'], pauseMs: 50);
        foreach ($feed as $changes) {
            $cursors[] = $changes->cursor;
            if (count($cursors) === 3) {
                break;
            }
        }
        self::assertSame(['c1', 'c1', 'c2'], $cursors);
        self::assertGreaterThan(0.1, microtime(true) - $began, 'it waited at the end');
        $query = 'updated_since=2026-01-01T00%3A00%3A00Z&action=bet&limit=100';
        self::assertStringContainsString($query, $this->calls()[0]);
        self::assertStringContainsString('/v1/transactions?cursor=c1&limit=100', $this->calls()[1]);
    }

    public function testAnAddressThatCannotBeOneIsRefusedAtOnce(): void
    {
        foreach (['api.example', 'https://api.example/v1/'] as $address) {
            try {
                new AggregatorClient($address, 'shop', 'sk');
                self::fail($address);
            } catch (\InvalidArgumentException $cause) {
                self::assertStringContainsString('baseUrl must be', $cause->getMessage());
            }
        }
    }
}

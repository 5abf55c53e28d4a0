<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Tests;

use GameAggregator\Kit\Signing;
use PHPUnit\Framework\TestCase;

final class SigningTest extends TestCase
{
    private const NOW = 1_767_225_600_000;

    public static function vectors(): iterable
    {
        $file = getenv('SIGNING_VECTORS') ?: dirname(__DIR__, 3) . '/test/domain/signing/vectors.json';
        $all = json_decode((string) file_get_contents($file), true, flags: JSON_THROW_ON_ERROR);
        foreach ($all['cases'] as $vector) {
            yield $vector['name'] => [$all['secret'], $vector];
        }
    }

    public function testThereAreVectorsWrongOnesAmongThem(): void
    {
        $all = iterator_to_array(self::vectors());
        self::assertCount(30, $all);
        self::assertCount(13, array_filter($all, static fn(array $one): bool => !$one[1]['valid']));
    }

    /** @dataProvider vectors */
    public function testVector(string $secret, array $v): void
    {
        $headers = ['X-Timestamp' => $v['timestamp'], 'X-Nonce' => $v['nonce'], 'X-Signature' => $v['signature']];
        $now = (int) $v['timestamp'];
        $isGenuine = Signing::verify([$secret], $headers, $v['method'], $v['target'], $v['body'], $now);
        self::assertSame($v['valid'], $isGenuine);
        if ($v['valid']) {
            $signature = Signing::sign($secret, $v['timestamp'], $v['nonce'], $v['method'], $v['target'], $v['body']);
            self::assertSame($v['signature'], $signature);
        }
    }

    private static function signed(int $timestampMs, string $secret = 'sk_a'): array
    {
        return Signing::headers('shop', $secret, 'POST', '/wallet', '{}', (string) $timestampMs);
    }

    private static function verify(array $secrets, array $headers): bool
    {
        return Signing::verify($secrets, $headers, 'POST', '/wallet', '{}', self::NOW);
    }

    public function testATimestampIsAcceptedUpToFiveMinutesOffInBothDirections(): void
    {
        foreach ([-300_000, 0, 300_000] as $off) {
            self::assertTrue(self::verify(['sk_a'], self::signed(self::NOW + $off)), (string) $off);
        }
        foreach ([-300_001, 300_001] as $off) {
            self::assertFalse(self::verify(['sk_a'], self::signed(self::NOW + $off)), (string) $off);
        }
    }

    public function testACallbackIsGenuineWhenEitherSignatureFitsEitherSecret(): void
    {
        $old = self::signed(self::NOW, 'sk_old');
        $next = Signing::sign('sk_new', $old['X-Timestamp'], $old['X-Nonce'], 'POST', '/wallet', '{}');
        $both = $old + ['X-Signature-Next' => $next];
        self::assertTrue(self::verify(['sk_old'], $both));
        self::assertTrue(self::verify(['sk_new'], $both));
        self::assertTrue(self::verify(['sk_new', 'sk_old'], $old));
        self::assertFalse(self::verify(['sk_new'], $old));
        self::assertFalse(self::verify(['sk_other'], $both));
        self::assertFalse(self::verify([], $both));
    }

    public function testAnEmptySecretProvesNothing(): void
    {
        $empty = self::signed(self::NOW, '');
        self::assertFalse(self::verify([''], $empty));
        self::assertFalse(self::verify(['sk_a', ''], $empty));
        self::assertTrue(self::verify(['', 'sk_a'], self::signed(self::NOW)));
    }

    public function testAbsentRepeatedAndMalformedHeadersAreRefused(): void
    {
        $good = self::signed(self::NOW);
        self::assertTrue(self::verify(['sk_a'], $good));
        self::assertTrue(self::verify(['sk_a'], array_change_key_case($good)));
        foreach (['X-Timestamp', 'X-Nonce', 'X-Signature'] as $name) {
            self::assertFalse(self::verify(['sk_a'], array_diff_key($good, [$name => 1])), "$name is absent");
            $value = $good[$name];
            self::assertFalse(self::verify(['sk_a'], [$name => [$value, $value]] + $good), "$name is repeated");
            self::assertFalse(self::verify(['sk_a'], [$name => "$value\n"] + $good), "$name has a line end");
        }
        $upper = ['X-Signature' => strtoupper($good['X-Signature'])] + $good;
        self::assertFalse(self::verify(['sk_a'], $upper));
    }
}

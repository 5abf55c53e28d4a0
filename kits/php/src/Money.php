<?php

declare(strict_types=1);

namespace GameAggregator\Kit;

/**
 * Money is exact. The API sends decimals of the major unit as JSON numbers. This package returns them as decimal texts
 * such as `"2.5"`, or as integers of minor units (cents; pesos of CLP). It never uses floats for money.
 */
final class Money
{
    public const CURRENCIES = ['BRL', 'MXN', 'ARS', 'COP', 'CLP', 'PEN', 'USD'];

    public static function decimals(string $currency): int
    {
        return $currency === 'CLP' ? 0 : 2;
    }

    /**
     * `"2.5"` BRL is 250.
     *
     * @throws \RangeException when the text is not a decimal, has more decimals than the currency, or is too large for
     * an integer
     */
    public static function toMinor(string $decimal, string $currency): int
    {
        $decimals = self::decimals($currency);
        $fault = new \RangeException("$decimal is no amount of $currency");
        if (!preg_match('/^(-?)(\d+)(?:\.(\d+))?$/D', $decimal, $match)) {
            throw $fault;
        }
        $fraction = rtrim($match[3] ?? '', '0');
        if (strlen($fraction) > $decimals) {
            throw $fault;
        }
        $digits = ltrim($match[2] . str_pad($fraction, $decimals, '0'), '0');
        $minor = (int) ($match[1] . ($digits === '' ? '0' : $digits));
        // If the text is too large, a cast gives the nearest integer.
        if (ltrim((string) abs($minor), '0') !== $digits) {
            throw $fault;
        }
        return $minor;
    }

    /** 250 BRL is `"2.50"`, always with all decimals of the currency. */
    public static function toDecimal(int $minor, string $currency): string
    {
        $decimals = self::decimals($currency);
        $digits = str_pad(ltrim((string) $minor, '-'), $decimals + 1, '0', STR_PAD_LEFT);
        $text = $decimals === 0 ? $digits : substr($digits, 0, -$decimals) . '.' . substr($digits, -$decimals);
        return $minor < 0 ? "-$text" : $text;
    }
}

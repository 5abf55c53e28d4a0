<?php

declare(strict_types=1);

namespace GameAggregator\Kit;

/** Reads JSON and keeps the digits of its numbers. PHP's own parser would turn decimals into floats. */
final class Json
{
    /** The first character of a text that replaces a number. No text of the service begins with a control character. */
    private const MARK = "\0";
    /** Fields that hold money, in any object. */
    private const MONEY = ['amount', 'balance', 'bets', 'refunds', 'wins', 'rollbacks', 'ggr'];
    private const STRING_OR_NUMBER = '/"(?:[^"\\\\]++|\\\\.)*+"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/s';

    /**
     * Money is returned as decimal text, any other number as int or float. Objects are returned as arrays.
     *
     * @throws \JsonException
     */
    public static function decode(string $text): mixed
    {
        return self::unmark(self::parse($text), '');
    }

    /**
     * An object in which every number is a {@see JsonNumber}; null: the text is not a JSON object.
     *
     * @return array<string, mixed>|null
     */
    public static function fields(string $text): ?array
    {
        try {
            $value = self::parse($text);
        } catch (\JsonException) {
            return null;
        }
        if (!is_array($value) || ltrim($text, " \t\r\n")[0] !== '{') {
            return null;
        }
        return array_map(
            static fn(mixed $field): mixed => self::isMarked($field) ? new JsonNumber(substr($field, 1)) : $field,
            $value,
        );
    }

    private static function parse(string $text): mixed
    {
        $marked = preg_replace_callback(
            self::STRING_OR_NUMBER,
            static fn(array $match): string => $match[0][0] === '"' ? $match[0] : "\"\\u0000{$match[0]}\"",
            $text,
        );
        return json_decode($marked ?? '', true, 64, JSON_THROW_ON_ERROR);
    }

    private static function unmark(mixed $value, string $key): mixed
    {
        if (is_array($value)) {
            foreach ($value as $name => $inner) {
                $value[$name] = self::unmark($inner, (string) $name);
            }
            return $value;
        }
        if (!self::isMarked($value)) {
            return $value;
        }
        $digits = substr($value, 1);
        if (in_array($key, self::MONEY, true)) {
            return $digits;
        }
        return ctype_digit(ltrim($digits, '-')) ? (int) $digits : (float) $digits;
    }

    private static function isMarked(mixed $value): bool
    {
        return is_string($value) && str_starts_with($value, self::MARK);
    }
}

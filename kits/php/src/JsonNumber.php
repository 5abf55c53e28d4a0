<?php

declare(strict_types=1);

namespace GameAggregator\Kit;

/** A JSON number with its original digits. */
final readonly class JsonNumber
{
    private const EXPONENT_MAX = 40;

    public function __construct(public string $digits)
    {
    }

    /** The number without an exponent; null: it is negative, or far from every amount. */
    public function plain(): ?string
    {
        if (!preg_match('/^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/D', $this->digits, $match)) {
            return null;
        }
        // A cast makes the nearest integer of a text that is too large.
        $exponent = (int) ($match[3] ?? '0');
        if (abs($exponent) > self::EXPONENT_MAX) {
            return null;
        }
        $zeros = str_repeat('0', self::EXPONENT_MAX);
        $digits = $zeros . $match[1] . ($match[2] ?? '') . $zeros;
        $point = self::EXPONENT_MAX + strlen($match[1]) + $exponent;
        return substr($digits, 0, $point) . '.' . substr($digits, $point);
    }
}

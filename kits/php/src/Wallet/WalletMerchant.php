<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Wallet;

use GameAggregator\Kit\Money;

final readonly class WalletMerchant
{
    /**
     * @param list<string> $secrets one secret; two during a change of the secret
     * @param bool $answer503 whether a wrong signature is answered 503 instead of 401. Use it while the secret is changed
     *     at once, so that callbacks stay pending and are not finally rejected
     * @throws \InvalidArgumentException without a secret, or with a currency that the service does not support
     */
    public function __construct(
        public string $code,
        #[\SensitiveParameter] public array $secrets,
        public string $currency,
        public bool $answer503 = false,
    ) {
        if ($secrets === [] || in_array('', $secrets, true)) {
            throw new \InvalidArgumentException(
                "Merchant $code needs a secret: secrets is an empty list, or has an empty text.",
            );
        }
        if (!in_array($currency, Money::CURRENCIES, true)) {
            $all = implode(', ', Money::CURRENCIES);
            throw new \InvalidArgumentException("Merchant $code has the currency $currency; it is one of $all.");
        }
    }
}

<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Wallet;

use GameAggregator\Kit\Money;

final readonly class WalletMerchant
{
    /**
     * @param list<string> $secrets one secret; two during a change of the secret
     * @throws \InvalidArgumentException without a secret, or with a currency that the service does not support
     */
    public function __construct(
        public string $code,
        #[\SensitiveParameter] public array $secrets,
        public string $currency,
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

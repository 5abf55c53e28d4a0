package aggregator.kit.wallet;

import aggregator.kit.money.Currency;
import java.util.List;

/**
 * A merchant that the wallet serves.
 *
 * @param code the merchant's code, as in X-Merchant-Id
 * @param secrets the current secret; both secrets during a change of the secret
 * @param currency the merchant's only currency
 * @param answer503 whether a wrong signature is answered 503 instead of 401. Use it while the secret is changed at
 *     once, so that callbacks stay pending and are not finally rejected
 */
public record MerchantAccount(String code, List<String> secrets, Currency currency, boolean answer503) {
  public MerchantAccount {
    secrets = List.copyOf(secrets);
    if (secrets.isEmpty() || secrets.contains(""))
      throw new IllegalArgumentException("secrets of merchant " + code + ": give at least one, and none that is empty");
  }

  /** An account whose wrong signatures are answered 401. */
  public MerchantAccount(String code, List<String> secrets, Currency currency) {
    this(code, secrets, currency, false);
  }
}

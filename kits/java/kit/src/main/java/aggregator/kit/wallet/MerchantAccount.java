package aggregator.kit.wallet;

import aggregator.kit.money.Currency;
import java.util.List;

/**
 * A merchant that the wallet serves.
 *
 * @param code the merchant's code, as in X-Merchant-Id
 * @param secrets the current secret; both secrets during a change of the secret
 * @param currency the merchant's only currency
 */
public record MerchantAccount(String code, List<String> secrets, Currency currency) {
  public MerchantAccount {
    secrets = List.copyOf(secrets);
    if (secrets.isEmpty() || secrets.contains(""))
      throw new IllegalArgumentException("secrets of merchant " + code + ": give at least one, and none that is empty");
  }
}

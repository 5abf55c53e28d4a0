package aggregator.kit.wallet;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The handler's look-up of merchants. Each callback calls it, so a changed secret is used at once. */
@FunctionalInterface
public interface Merchants {
  /** The merchant with this code; empty: this wallet does not serve it. */
  Optional<MerchantAccount> find(String code);

  /** A fixed list of merchants. @throws IllegalArgumentException if two have the same code */
  static Merchants of(Collection<MerchantAccount> accounts) {
    Map<String, MerchantAccount> byCode = new HashMap<>();
    for (MerchantAccount account : accounts)
      // Collectors.toMap would write the secrets into its message.
      if (byCode.put(account.code(), account) != null)
        throw new IllegalArgumentException(
            "merchant " + account.code() + " is in the list twice: list it once, with all of its secrets");
    return code -> Optional.ofNullable(byCode.get(code));
  }
}

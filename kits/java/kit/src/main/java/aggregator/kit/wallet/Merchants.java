package aggregator.kit.wallet;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The handler's look-up of merchants. Each callback calls it, so a changed secret is used at once. */
@FunctionalInterface
public interface Merchants {
  /** The merchant with this code; empty: this wallet does not serve it. */
  Optional<MerchantAccount> find(String code);

  /** A fixed list of merchants. */
  static Merchants of(Collection<MerchantAccount> accounts) {
    Map<String, MerchantAccount> byCode =
        accounts.stream().collect(Collectors.toUnmodifiableMap(MerchantAccount::code, Function.identity()));
    return code -> Optional.ofNullable(byCode.get(code));
  }
}

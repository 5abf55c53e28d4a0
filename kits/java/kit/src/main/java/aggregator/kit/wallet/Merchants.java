package aggregator.kit.wallet;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Where the handler looks up a merchant at each callback. So a changed secret counts at once. */
@FunctionalInterface
public interface Merchants {
  /** The merchant of this code; empty: this wallet does not serve it. */
  Optional<MerchantAccount> find(String code);

  /** A fixed list of merchants. */
  static Merchants of(Collection<MerchantAccount> accounts) {
    Map<String, MerchantAccount> byCode =
        accounts.stream().collect(Collectors.toUnmodifiableMap(MerchantAccount::code, Function.identity()));
    return code -> Optional.ofNullable(byCode.get(code));
  }
}

package aggregator.kit.wallet;

import aggregator.kit.signing.Signing;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Clock;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Answers the callbacks of a wallet: it checks the signature, then applies each transaction at most once. It is safe
 * for many threads.
 *
 * <p>It does not store nonces. A callback that an attacker recorded and sends again has a known tx_id, so it moves no
 * money. Soon its timestamp is too old.
 */
public final class WalletHandler {
  /**
   * Much more than the size of a callback. An adapter reads at most one byte more, and the handler refuses such a body.
   */
  public static final int BODY_BYTES_MAX = 65_536;

  private static final Logger LOG = System.getLogger(WalletHandler.class.getName());

  private final Merchants merchants;
  private final Storage storage;
  private final Clock clock;

  public WalletHandler(Merchants merchants, Storage storage) {
    this(merchants, storage, Clock.systemUTC());
  }

  private WalletHandler(Merchants merchants, Storage storage, Clock clock) {
    this.merchants = merchants;
    this.storage = storage;
    this.clock = clock;
  }

  /** The same handler, with another clock for the check of timestamps. */
  public WalletHandler withClock(Clock other) {
    return new WalletHandler(merchants, storage, other);
  }

  /**
   * Never throws. After an error the reply has the status 500, so that the transaction stays pending and may come
   * again.
   */
  public WalletReply handle(WalletRequest request) {
    try {
      return answer(request);
    } catch (RuntimeException cause) {
      // The reply has no text of the error. It only shows that the outcome is unknown.
      LOG.log(Level.ERROR, "a callback of merchant " + request.headers().merchant() + " failed", cause);
      return WalletReply.rejected(500, "INTERNAL_ERROR");
    }
  }

  private WalletReply answer(WalletRequest request) {
    if (!request.method().equals("POST")) return WalletReply.rejected(405, "METHOD_NOT_ALLOWED");
    if (request.body().length > BODY_BYTES_MAX) return WalletReply.rejected(413, "PAYLOAD_TOO_LARGE");
    String code = request.headers().merchant();
    Optional<MerchantAccount> found = code == null ? Optional.empty() : merchants.find(code);
    if (found.isEmpty()) return WalletReply.rejected(401, "INVALID_SIGNATURE");
    MerchantAccount merchant = found.get();
    if (!isGenuine(merchant, request))
      return WalletReply.rejected(merchant.answer503() ? 503 : 401, "INVALID_SIGNATURE");
    Callback callback;
    try {
      callback = Callback.read(request.body(), merchant.currency());
    } catch (Callback.Malformed cause) {
      LOG.log(Level.WARNING, "a callback of merchant {0} was refused: {1}", code, cause.getMessage());
      return WalletReply.rejected(400, "INVALID_REQUEST");
    }
    if (callback instanceof Callback.Move move) return move(merchant, move);
    if (!callback.currency().equals(merchant.currency().name())) return WalletReply.rejected(200, "CURRENCY_MISMATCH");
    OptionalLong balance = storage.balance(code, callback.playerId());
    return balance.isPresent()
        ? WalletReply.done(merchant.currency(), balance.getAsLong())
        : WalletReply.rejected(200, "PLAYER_NOT_FOUND");
  }

  private boolean isGenuine(MerchantAccount merchant, WalletRequest request) {
    return Signing.verify(
        merchant.secrets(), request.headers(), request.method(), request.target(), request.body(), clock.instant());
  }

  private WalletReply move(MerchantAccount merchant, Callback.Move move) {
    Rules.Verdict verdict =
        storage.inTransaction(
            merchant.code(), move.playerId(), stored -> Rules.judge(move, merchant.currency(), stored));
    if (verdict instanceof Rules.Verdict.Rejected rejected) return WalletReply.rejected(200, rejected.error());
    return WalletReply.done(merchant.currency(), ((Rules.Verdict.Done) verdict).balanceMinor());
  }
}

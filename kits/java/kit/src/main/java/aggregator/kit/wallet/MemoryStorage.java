package aggregator.kit.wallet;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/** Stores all data in memory, for tests and first steps. One transaction runs at a time. */
public final class MemoryStorage implements Storage {
  private final Map<String, Books> merchants = new HashMap<>();

  /** Adds a player, unless a player with this id exists. */
  public synchronized void createPlayer(String merchant, String playerId, long balanceMinor, boolean blocked) {
    books(merchant).players.putIfAbsent(playerId, new Player(balanceMinor, blocked));
  }

  @Override
  public synchronized OptionalLong balance(String merchant, String playerId) {
    Player player = books(merchant).players.get(playerId);
    return player == null ? OptionalLong.empty() : OptionalLong.of(player.balanceMinor());
  }

  @Override
  public synchronized <T> T inTransaction(String merchant, String playerId, Function<Transaction, T> work) {
    Writes writes = new Writes(books(merchant), playerId);
    T result = work.apply(writes);
    writes.store();
    return result;
  }

  private Books books(String merchant) {
    return merchants.computeIfAbsent(merchant, code -> new Books());
  }

  private static final class Books {
    final Map<String, Player> players = new HashMap<>();
    final Map<String, Applied> applied = new HashMap<>();
    final Map<String, String> rejections = new HashMap<>();
    final Set<String> tombstones = new HashSet<>();
    final Set<String> reversed = new HashSet<>();
  }

  /** Collects the work's changes until the work has ended without an exception. */
  private static final class Writes implements Transaction {
    private final Books books;
    private final String playerId;
    private final List<Runnable> pending = new ArrayList<>();

    Writes(Books books, String playerId) {
      this.books = books;
      this.playerId = playerId;
    }

    void store() {
      pending.forEach(Runnable::run);
    }

    @Override
    public Optional<Player> player() {
      return Optional.ofNullable(books.players.get(playerId));
    }

    @Override
    public Optional<Applied> applied(String txId) {
      return Optional.ofNullable(books.applied.get(txId));
    }

    @Override
    public Optional<String> rejection(String txId) {
      return Optional.ofNullable(books.rejections.get(txId));
    }

    @Override
    public boolean isTombstone(String txId) {
      return books.tombstones.contains(txId);
    }

    @Override
    public boolean isReversed(String refTxId) {
      return books.reversed.contains(refTxId);
    }

    @Override
    public void apply(Applied applied) {
      pending.add(
          () -> {
            books.applied.put(applied.txId(), applied);
            if (applied.refTxId() != null) books.reversed.add(applied.refTxId());
            books.players.computeIfPresent(
                playerId, (id, player) -> new Player(applied.balanceMinor(), player.blocked()));
          });
    }

    @Override
    public void reject(String txId, String error) {
      pending.add(() -> books.rejections.put(txId, error));
    }

    @Override
    public void addTombstone(String txId) {
      pending.add(() -> books.tombstones.add(txId));
    }
  }
}

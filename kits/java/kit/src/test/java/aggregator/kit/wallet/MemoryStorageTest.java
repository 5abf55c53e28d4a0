package aggregator.kit.wallet;

import org.junit.jupiter.api.DisplayName;

@DisplayName("Storage in memory")
class MemoryStorageTest extends StorageContract {
  private final MemoryStorage storage = new MemoryStorage();

  @Override
  Storage storage() {
    return storage;
  }

  @Override
  void createPlayer(String merchant, String playerId, long balanceMinor, boolean blocked) {
    storage.createPlayer(merchant, playerId, balanceMinor, blocked);
  }
}

package aggregator.kit.wallet.jdbc;

import java.sql.SQLException;

/** The database refused a statement or could not be reached. */
public final class StorageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StorageException(SQLException cause) {
    super(cause);
  }

  SQLException sql() {
    return (SQLException) getCause();
  }
}

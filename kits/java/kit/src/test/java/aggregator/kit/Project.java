package aggregator.kit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The repository that this kit is a part of. */
public final class Project {
  private Project() {}

  /** Reads a file of the repository. If the kit was copied to another place, the variable PROJECT names the root. */
  public static String read(String path) throws IOException {
    return Files.readString(Path.of(System.getenv().getOrDefault("PROJECT", "../../.."), path));
  }
}

package aggregator.kit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The repository that this kit is a part of. */
public final class Project {
  private Project() {}

  /** A file of the repository. PROJECT names its root when the kit was copied elsewhere. */
  public static String read(String path) throws IOException {
    return Files.readString(Path.of(System.getenv().getOrDefault("PROJECT", "../../.."), path));
  }
}

import { ConsoleBuilder } from "../../../src/adapters/connect/console/console-builder.ts";
import { ConsoleSite } from "../../../src/adapters/connect/console/console-site.ts";
import { SessionEndpoint } from "../../../src/adapters/connect/console/session-endpoint.ts";
import { SqlConsoleSessionStore } from "../../../src/adapters/sql/access/console-session-store.ts";
import { openDatabase } from "../../../src/adapters/sql/connection/database.ts";
import { SystemClock } from "../../../src/adapters/system/system-clock.ts";
import { SystemRandom } from "../../../src/adapters/system/system-random.ts";
import { AdminKeys } from "../../../src/app/access/admin-keys.ts";
import { ConsoleSessions } from "../../../src/app/access/console-sessions.ts";
import { RateLimits } from "../../../src/app/capacity/rate-limits.ts";
import { WrongKeys } from "../../../src/app/capacity/wrong-keys.ts";
import { RecordedTelemetry } from "../../../testbed/in-process/recorded-telemetry.ts";

/**
 * A console without admin keys.
 *
 * @param builds - the folder of its builds.
 * @param sportsbookUrl - null: there is none.
 * @param project - the folder in which the console is built if there is no build. By default it is not built.
 */
export function consoleSite(builds: string, sportsbookUrl: string | null = null, project = "no-project"): ConsoleSite {
  const [clock, telemetry] = [new SystemClock(), new RecordedTelemetry()];
  const keys = new AdminKeys({ adminKeyByHash: () => undefined, readForUnknown: async () => true }, null);
  const wrongKeys = new WrongKeys(new RateLimits(clock, () => 1), clock, telemetry);
  const sessions = new ConsoleSessions(
    keys,
    new SqlConsoleSessionStore(openDatabase("sqlite::memory:")),
    { record: async () => {} },
    { ensureFresh: async () => true },
    wrongKeys,
    new SystemRandom(),
  );
  return new ConsoleSite(new SessionEndpoint(sessions, telemetry), sportsbookUrl, builds, new ConsoleBuilder(project));
}

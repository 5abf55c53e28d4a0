import type { Migration } from "./migration.ts";
import { tables } from "./migrations/001-tables.ts";
import { administration } from "./migrations/002-administration.ts";
import { sportsbook } from "./migrations/003-sportsbook.ts";
import { catalog } from "./migrations/004-catalog.ts";
import { sessionHashes } from "./migrations/005-session-hashes.ts";
import { ggrAudits } from "./migrations/006-ggr-audits.ts";
import { secretRotation } from "./migrations/007-secret-rotation.ts";
import { consoleSessions } from "./migrations/008-console-sessions.ts";
import { auditTargets } from "./migrations/009-audit-targets.ts";
import { walletMinutes } from "./migrations/010-wallet-minutes.ts";
import { stuckMoney } from "./migrations/011-stuck-money.ts";
import { traceContext } from "./migrations/012-trace-context.ts";
import { alerts } from "./migrations/013-alerts.ts";
import { sourceHours } from "./migrations/014-source-hours.ts";
import { gameSums } from "./migrations/015-game-sums.ts";
import { settlements } from "./migrations/016-settlements.ts";
import { kinds } from "./migrations/017-kinds.ts";
import { rounds } from "./migrations/018-rounds.ts";
import { plays } from "./migrations/019-plays.ts";
import { kindLists } from "./migrations/020-kind-lists.ts";
import { kindSums } from "./migrations/021-kind-sums.ts";
import { jurisdiction } from "./migrations/022-jurisdiction.ts";

/** All migrations in their order. Add a new migration at the end. */
export const MIGRATIONS: readonly Migration[] = [
  tables,
  administration,
  sportsbook,
  catalog,
  sessionHashes,
  ggrAudits,
  secretRotation,
  consoleSessions,
  auditTargets,
  walletMinutes,
  stuckMoney,
  traceContext,
  alerts,
  sourceHours,
  gameSums,
  settlements,
  kinds,
  rounds,
  plays,
  kindLists,
  kindSums,
  jurisdiction,
];

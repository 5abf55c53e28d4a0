import { tables } from "./001-tables.ts";
import { administration } from "./002-administration.ts";
import { sportsbook } from "./003-sportsbook.ts";
import { catalog } from "./004-catalog.ts";
import { sessionHashes } from "./005-session-hashes.ts";
import { ggrAudits } from "./006-ggr-audits.ts";
import { secretRotation } from "./007-secret-rotation.ts";
import { consoleSessions } from "./008-console-sessions.ts";
import { auditTargets } from "./009-audit-targets.ts";
import { walletMinutes } from "./010-wallet-minutes.ts";
import { stuckMoney } from "./011-stuck-money.ts";
import { traceContext } from "./012-trace-context.ts";
import { alerts } from "./013-alerts.ts";
import { sourceHours } from "./014-source-hours.ts";
import { gameSums } from "./015-game-sums.ts";
import type { Migration } from "./migration.ts";

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
];

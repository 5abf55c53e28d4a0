import type { Program } from "./command.ts";
import { audit } from "./commands/audit.ts";
import { brand } from "./commands/brand.ts";
import { game } from "./commands/game.ts";
import { key } from "./commands/key.ts";
import { merchant } from "./commands/merchant.ts";
import { provider } from "./commands/provider.ts";
import { report } from "./commands/report.ts";
import { transaction } from "./commands/transaction.ts";

/** All nouns, in the order in which an operator needs them to set up a new service. */
export const PROGRAM: Program = { brand, merchant, provider, game, key, transaction, report, audit };

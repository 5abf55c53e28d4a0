import { inFolder, type PlantedBug } from "./planted-bug.ts";

const inSlotegrator = inFolder("slotegrator", "slotegrator");

export const slotegrator: readonly PlantedBug[] = [
  inSlotegrator("the signature is not checked", "if (!verifies(", "if (false && !verifies("),
  inSlotegrator("the merchant id is not checked", "return isMerchant && isSigned;", "return isSigned;", "sign"),
  inSlotegrator("nested keys may be signed in one order only", "[false, true].some(", "[true].some(", "sign"),
  inSlotegrator("a key that comes twice is accepted", "if (old !== undefined) throw", "if (false) throw", "form"),
  inSlotegrator("a refund of a win takes the win back", "onlyBet: true, amountMinor", "amountMinor"),
  inSlotegrator(
    "a refund has its bet's round",
    "game: player.game, onlyBet: true",
    'game: player.game, roundId: fields.optionalText("round_id") ?? "none", onlyBet: true',
  ),
  inSlotegrator("another amount is refunded", "onlyBet: true, amountMinor }", "onlyBet: true }"),
  inSlotegrator("a list is reversed up to its first fault", "if (fault !== undefined) throw", "if (false) throw"),
  inSlotegrator(
    "a rollback's reversals have one id",
    'derivedId("rollback~", `${txId}~${item.txId}`)',
    'derivedId("rollback~", txId)',
  ),
  inSlotegrator(
    "the repeat of a rollback has the present balance",
    "if (found.wireId.endsWith(`:${own}`)) last = found;",
    "if (!found.replayed) last = { ...found, balance: (found.balance ?? 0n) + 1n };",
  ),
  inSlotegrator(
    "the repeat of a refunded bet is an error",
    "if (transaction !== undefined && transaction.reversedBy",
    "if (false && transaction?.reversedBy",
  ),
  inSlotegrator("a bet of 0 after its refund is an error", 'verdict === "reversed" && amount.minor === 0n', "false"),
  inSlotegrator(
    "a session of another player may bet",
    "if (session?.alias !== player.alias) throw",
    "if (session === undefined) throw",
  ),
  inSlotegrator("a balance has two decimals", "const PLACES = 4;", "const PLACES = 2;"),
  inSlotegrator("funds are an internal error", 'funds: "INSUFFICIENT_FUNDS"', 'funds: "INTERNAL_ERROR"', "answers"),
  inSlotegrator(
    "another currency is taken",
    'if (fields.text("currency", 8) !== player.currency) throw',
    "if (false) throw",
  ),
];

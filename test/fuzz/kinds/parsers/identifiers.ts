import {
  isGameCode,
  isName,
  isOwnTxId,
  isPartyCode,
  isPlayerId,
  isProviderCode,
  isReason,
  isRoundId,
  isSlipId,
  keyText,
  ownTxId,
  type ProviderCode,
  wireTxId,
} from "../../../../src/domain/values/identifiers.ts";
import type { SeededRandom } from "../../../../testbed/seeded-random.ts";
import type { Kind } from "../../kind.ts";
import { mutateText } from "../../mutate.ts";

const LETTERS = ["a", "Z", "0", "_", "-", ":", "~", " ", "é", "ß", "€", "中", "😀", "\u0301"];

const idText = (random: SeededRandom): string =>
  Array.from({ length: random.pick([1, 2, 8, 30, 64, 88, 95, 128]) }, () => random.pick(LETTERS)).join("");

/** Ids of players, rounds, transactions, slips, games, providers and merchants; names and reasons. */
export const identifiers: Kind<string> = {
  name: "identifiers",
  reader: "domain/values/identifiers",
  perMillion: 100_000,
  generate: (random) =>
    random.chance(0.3)
      ? random.pick(["ACME", "SPORTSBOOK", "shop-brl", "tx-1", "ana", "refund~b1", "r1"])
      : idText(random),
  mutate: mutateText,
  check: (text) => {
    const isId = text !== "" && isClean(text);
    const [bytes, points] = [Buffer.byteLength(text), [...text].length];
    return [
      ...BYTE_BOUNDS.filter(([, accepts, max]) => accepts(text) !== (isId && bytes <= max)).map(([name]) => name),
      ...(isPlayerId(text) === (isId && points <= 128) ? [] : ["player_id"]),
      ...(isProviderCode(text) === (text.length >= 2 && text.length <= 32 && plain(text, UPPER))
        ? []
        : ["provider code"]),
      ...(isPartyCode(text) === (text.length >= 1 && text.length <= 64 && plain(text, PARTY)) ? [] : ["merchant code"]),
      ...(isName(text, 255) && (!isId || text.trim() === "" || points > 255) ? ["name"] : []),
      ...(isReason(text) && !isClean(text.replace(/[\r\n\t]/g, "")) ? ["reason"] : []),
      ...wireFaults(text),
    ];
  },
};

const BYTE_BOUNDS = [
  ["game code", isGameCode, 128],
  ["round_id", isRoundId, 128],
  ["tx_id", isOwnTxId, 95],
  ["slip_id", isSlipId, 88],
] as const;

const UPPER = new Set("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
const PARTY = new Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-");
const plain = (text: string, letters: ReadonlySet<string>): boolean => [...text].every((char) => letters.has(char));

/** The text is unchanged after UTF-8, and has no character of C0 or C1. */
function isClean(text: string): boolean {
  if (Buffer.from(text).toString() !== text) return false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return false;
  }
  return true;
}

function wireFaults(own: string): string[] {
  if (!isOwnTxId(own)) return [];
  const wire = wireTxId("ACME" as ProviderCode, own);
  const faults: string[] = [];
  if (ownTxId(wire) !== own) faults.push(`${wire} is no more ${own}`);
  // A lookup by tx_id first checks the id with isRoundId, so every wire id must pass this check.
  if (!isRoundId(wireTxId("A".repeat(32) as ProviderCode, own))) faults.push(`${wire} is too long`);
  if (keyText({ merchantId: 1, txId: wire }) === keyText({ merchantId: 11, txId: wire }))
    faults.push("two merchants share a key");
  return faults;
}

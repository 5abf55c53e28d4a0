/** Messages of any type: every field may be set, with values that fit its name. */
import {
  create,
  type DescField,
  type DescMessage,
  fromBinary,
  type Message,
  ScalarType,
  toBinary,
} from "@bufbuild/protobuf";
import type { SeededRandom } from "../../testbed/seeded-random.ts";
import { KEYS, MERCHANTS, SESSIONS } from "./in-process.ts";
import { mutateBytes, mutateText, oddText } from "./mutate.ts";

/** Only a few ids, so that values repeat. */
const TX_IDS = [
  ...Array.from({ length: 60 }, (_, i) => `t${i}`),
  "refund~t1",
  "x".repeat(95),
  "x".repeat(96),
  "é",
  "ACME:1",
];
/** Values by the names of their fields. The first value is used in half of the cases. */
export type Likely = Readonly<Record<string, readonly (string | bigint | number)[]>>;

const LIKELY: Likely = {
  session_id: [...SESSIONS.ACME, ...SESSIONS.OTHER, ...SESSIONS.SPORTSBOOK],
  player_ref: [...SESSIONS.ACME, ...SESSIONS.SPORTSBOOK].map((id) => `${id.slice(0, 31)}A`),
  tx_id: [...TX_IDS],
  ref_tx_id: [...TX_IDS],
  slip_id: ["s1", ...TX_IDS, "x".repeat(88)],
  round_id: ["r1", "r2", "é".repeat(64)],
  amount_minor: [250n, 0n, 1n, 999_999_999_999n, 1_000_000_000_000n, -1n, 2n ** 63n - 1n, -(2n ** 63n)],
  currency: ["BRL", "CLP", "USD", "XXX"],
  game: ["fruits", "old", "of-ACME", "sportsbook"],
  game_code: ["fruits"],
  code: ["shop-brl", "shop-clp", "house", "ACME", "fruits", "NEW", "new-1"],
  merchant: [...MERCHANTS, "nobody"],
  merchant_code: MERCHANTS,
  brand: ["house", "none"],
  brand_id: ["house", "none"],
  provider: ["ACME", "OTHER", "SPORTSBOOK"],
  player_id: ["ana-0", "ana-1", "joão"],
  name: ["A name", "key-1", "fuzz"],
  type: ["slot", "live", "sportsbook"],
  theme: ["mint-carbon", "gold-navy"],
  layout: ["sidebar", "tile"],
  role: ["viewer", "support", "manager", "owner"],
  wallet_url: ["https://wallet.example/", "https://127.0.0.1/", "http://wallet.example/"],
  address: ["https://games.example:443", "http://127.0.0.1:1"],
  default_language: ["pt", "en-US"],
  products: ["slot", "live", "sportsbook"],
  ip_list: ["192.0.2.0/24", "::1", "::ffff:10.0.0.0/104"],
  allowed_origins: ["https://shop.example", "http://localhost:3000"],
  status: ["success", "failed", "pending"],
  action: ["bet", "win", "merchant set"],
  reason: ["because", "", "because\nof"],
  group_by: ["day", "player"],
  tz: ["UTC", "America/Sao_Paulo"],
  from: ["2026-01-01"],
  to: ["2026-01-31"],
  format: ["csv", "json"],
  limit: [1, 100, 0, 4_294_967_295],
  clear: ["rtp", "images", "nothing"],
  lang: ["pt", "en-US"],
  lobby_url: ["https://casino.example/"],
  token: ["eyJhbGciOiJIUzI1NiJ9.e30.x"],
  seconds: [1_767_225_600n, 0n, -62_135_596_800n, 253_402_300_799n, 2n ** 62n],
  nanos: [0, 999_999_999, -1],
};

export const ALL_KEYS = [...Object.values(KEYS), "wrong"];

const DEPTH_MAX = 3;

/**
 * A random message.
 *
 * @param likely - more suitable values for this caller's fields.
 */
export const randomMessage = (random: SeededRandom, type: DescMessage, likely: Likely = {}, depth = 0): Message => {
  const fields: Record<string, unknown> = {};
  for (const field of type.fields) {
    if (
      field.oneof !== undefined ? field.oneof.fields[0] !== field : random.chance(OPTIONAL.has(field.name) ? 0.7 : 0.05)
    )
      continue;
    const value = fieldValue(random, field, { ...LIKELY, ...likely }, depth);
    if (value === undefined) continue;
    if (field.oneof === undefined) fields[field.localName] = value;
    else fields[field.oneof.localName] = { case: field.localName, value };
  }
  return create(type, fields as never);
};

/** Fields that most calls leave out. */
const OPTIONAL = new Set([
  "player_ref",
  "game",
  "expires_at",
  "clear",
  "limits",
  "ip_list",
  "default_language",
  "cursor",
  "country",
  "lang",
  "demo",
  "lobby_url",
]);

function fieldValue(random: SeededRandom, field: DescField, likely: Likely, depth: number): unknown {
  switch (field.fieldKind) {
    case "scalar":
      return scalar(random, likely[field.name], field.scalar);
    case "enum":
      return random.pick([0, 1, 2, 99]);
    case "message":
      return depth < DEPTH_MAX ? randomMessage(random, field.message, likely, depth + 1) : undefined;
    case "list":
      return Array.from({ length: random.pick([1, 1, 2, 3, 0, 51]) }, () =>
        field.listKind === "scalar"
          ? scalar(random, likely[field.name], field.scalar)
          : field.listKind === "message"
            ? randomMessage(random, field.message, likely, depth + 1)
            : 1,
      );
    default:
      return {
        [oddText(random).toWellFormed()]:
          field.mapKind === "message" ? randomMessage(random, field.message, likely, depth + 1) : "x",
      };
  }
}

/**
 * The maximum length of a short list, whose first value is preferred. In a longer list every value is equally likely.
 */
const SHORT = 20;

function scalar(
  random: SeededRandom,
  likely: readonly (string | bigint | number)[] | undefined,
  type: ScalarType,
): unknown {
  const value =
    likely === undefined || (likely.length < SHORT && random.chance(0.5)) ? likely?.[0] : random.pick(likely);
  switch (type) {
    case ScalarType.STRING: {
      const text = typeof value === "string" ? value : random.pick(["", "a", "shop-brl"]);
      return random.chance(0.95) ? text : mutateText(random, text).toWellFormed();
    }
    case ScalarType.BOOL:
      return random.chance(0.5);
    case ScalarType.BYTES:
      return Buffer.from(oddText(random));
    case ScalarType.INT64:
      return typeof value === "bigint" ? value : BigInt(random.int(-1, 1_000));
    case ScalarType.DOUBLE:
      return random.pick([0, -0, 96.5, Number.NaN, Number.POSITIVE_INFINITY, 201]);
    case ScalarType.INT32:
    case ScalarType.UINT32:
      return typeof value === "number" ? value : random.int(0, 3);
    default:
      throw new Error(`no values of scalar type ${type}`);
  }
}

/** A similar message of the type, or bytes that are not a message. */
export function mutateMessage(random: SeededRandom, type: DescMessage, bytes: Uint8Array, likely: Likely): Uint8Array {
  if (random.chance(0.4)) return mutateBytes(random, bytes);
  try {
    const message = fromBinary(type, bytes) as Message & Record<string, unknown>;
    const other = randomMessage(random, type, likely) as Message & Record<string, unknown>;
    const { localName } = random.pick(type.fields);
    message[localName] = other[localName] ?? message[localName];
    return toBinary(type, message);
  } catch {
    return mutateBytes(random, bytes);
  }
}

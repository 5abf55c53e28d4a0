import { readJsonBody } from "../../../../src/adapters/rest/requests/json-body.ts";
import { decideLaunch, type LaunchingMerchant, readLaunch } from "../../../../src/domain/merchant/launch-policy.ts";
import { isPlayerId } from "../../../../src/domain/values/identifiers.ts";
import type { SeededRandom } from "../../../../testbed/seeded-random.ts";
import type { Kind } from "../../kind.ts";
import { mutateBytes, mutateFields, mutateText } from "../../mutate.ts";

interface Input {
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>;
  readonly body: Uint8Array;
}

const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  player_id: ["ana", "joão", "😀".repeat(128)],
  game: ["fruits", "sportsbook"],
  provider: [null, "ACME"],
  currency: ["BRL", "brl", "XXX"],
  country: ["BR", "br"],
  lang: ["pt", "en-US", "ES-419"],
  demo: [true, false],
  lobby_url: ["https://casino.example/lobby?a=b#c", "http://[2001:db8::1]:8080/"],
  player_ip: ["203.0.113.9", "2001:db8::7"],
  device: ["desktop", "mobile"],
  deposit_url: ["https://casino.example/cashier"],
  history_url: ["https://casino.example/history"],
  display_name: ["Ana", "😀".repeat(64)],
};

export const launchFields = (random: SeededRandom): Record<string, unknown> => {
  const rest = Object.entries(VALUES).filter(([name]) => name !== "player_id" && name !== "game" && random.chance(0.4));
  const all = [["player_id", VALUES.player_id], ["game", VALUES.game], ...rest] as [string, readonly unknown[]][];
  return Object.fromEntries(all.map(([name, values]) => [name, random.pick(values.map((value) => [value]))[0]]));
};

const MERCHANT: LaunchingMerchant = {
  currency: "BRL",
  walletUrl: "https://wallet.example/",
  defaultLanguage: null,
  products: ["slot"],
};
const FRUITS = {
  game: { code: "fruits", type: "slot", active: true, demoAvailable: true },
  provider: { code: "ACME", active: true, sources: [{ enabled: true }] },
};
const CODES = ["UNSUPPORTED_MEDIA_TYPE", "BAD_REQUEST", "VALIDATION_ERROR"];

/** Bodies of launches, from their bytes to the decision. */
export const jsonBodies: Kind<Input> = {
  name: "json-bodies",
  reader: "rest/json-body, domain/merchant/launch-policy",
  perMillion: 70_000,
  generate: (random) => ({
    headers: { "content-type": ["application/json"] },
    body: Buffer.from(JSON.stringify(launchFields(random))),
  }),
  mutate: (random, { headers, body }) => {
    const name = random.pick(["content-type", "content-encoding"]);
    if (random.chance(0.15))
      return { headers: { ...headers, [name]: [mutateText(random, headers[name]?.[0] ?? "application/json")] }, body };
    const fields = parsed(body);
    const isObject = typeof fields === "object" && fields !== null && !Array.isArray(fields);
    if (isObject && random.chance(0.6))
      return { headers, body: Buffer.from(JSON.stringify(mutateFields(random, fields as Record<string, unknown>))) };
    return { headers, body: mutateBytes(random, body) };
  },
  check: ({ headers, body }) => {
    const read = readJsonBody({ headers, body });
    if (!read.ok) return CODES.includes(read.refusal.code) ? [] : [`refused with ${read.refusal.code}`];
    const faults = JSON.stringify(read.value) === JSON.stringify(parsed(body)) ? [] : ["is not what the bytes say"];
    const launch = readLaunch(read.value);
    if (!launch.ok) {
      const details = launch.refusal.details;
      return Array.isArray(details) &&
        details.length > 0 &&
        details.every(({ rule, message }) => rule !== "" && message !== "")
        ? faults
        : [...faults, "no fault is told"];
    }
    if (!isPlayerId(launch.value.playerId) || launch.value.playerId !== read.value.player_id)
      faults.push("the player is another");
    if (launch.value.lobbyUrl !== null) faults.push(...lobbyFaults(launch.value.lobbyUrl));
    const decided = decideLaunch(launch.value, MERCHANT, [FRUITS], false);
    if (
      decided.ok &&
      (decided.value.currency !== "BRL" ||
        !/^[A-Z]{2}$/.test(decided.value.country) ||
        !/^(pt|es|en)(-|$)/.test(decided.value.language))
    )
      faults.push(`launched as ${JSON.stringify(decided.value)}`);
    return faults;
  },
};

/**
 * The faults of a lobby address. It is written into the game's page and address, so no part of it may run as code, or
 * end a header's line.
 */
export function lobbyFaults(text: string): string[] {
  const url = URL.parse(text);
  const isPlain =
    url !== null && /^https?:$/.test(url.protocol) && !/^[^/]*\/\/[^/?#]*@/.test(text) && !/[\s\p{Cc}\\]/u.test(text);
  return isPlain ? [] : [`the address ${text}`];
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString());
  } catch {
    return undefined;
  }
}

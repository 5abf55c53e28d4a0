/** What a provider's record may hold: its sources and API keys (docs/specification/administration.md#admin-providers). */
import type { FieldFault } from "./errors.ts";
import { faultsOf, type Rules } from "./field-fault.ts";
import { isName, isProviderCode } from "./identifiers.ts";

/** The sportsbook's provider and game: there from the first migration on. */
export const SPORTSBOOK = "SPORTSBOOK";
export const SPORTSBOOK_GAME = "sportsbook";

export const SOURCE_DEADLINE_MS = 5_000;
const SOURCES_MAX = 10;
const LIVE_KEYS_MAX = 20;

interface ProviderRecord {
  readonly code: string;
  readonly name: string;
  readonly sources: readonly { readonly address: string; readonly deadlineMs: number }[];
  readonly keys: readonly { readonly revoked: boolean }[];
}

/** `https://host:port` or `http://host:port` and nothing more. */
function isSourceAddress(text: string): boolean {
  const url = /^https?:\/\/[^\s\\/?#@]+$/.test(text) && text.length <= 512 ? URL.parse(text) : null;
  return url !== null && /:\d+$/.test(text);
}

const RULES: Rules<ProviderRecord> = [
  ["code", "2 to 32 of A-Z, 0-9 and _", ({ code }) => isProviderCode(code)],
  ["name", "1 to 255 characters", ({ name }) => isName(name, 255)],
  ["address", "https://host:port, or http://host:port without TLS", ({ sources }) => sources.every(({ address }) => isSourceAddress(address))],
  ["deadline_ms", "100 to 9000", ({ sources }) => sources.every(({ deadlineMs }) => Number.isInteger(deadlineMs) && deadlineMs >= 100 && deadlineMs <= 9_000)],
  ["sources", `at most ${SOURCES_MAX}; none of the sportsbook`, ({ code, sources }) => sources.length <= (code === SPORTSBOOK ? 0 : SOURCES_MAX)],
  ["keys", `at most ${LIVE_KEYS_MAX} that are not revoked`, ({ keys }) => keys.filter(({ revoked }) => !revoked).length <= LIVE_KEYS_MAX],
];

export const providerFaults = (provider: ProviderRecord): FieldFault[] => faultsOf(RULES, provider);

/**
 * The rules of a provider's record with its sources and API keys
 * (docs/specification/administration.md#admin-providers).
 */

import { hostAddress, mayBeCalled } from "../access/public-address.ts";
import type { FieldFault } from "../errors.ts";
import { faultsOf, fieldFault, type Rules } from "../values/field-fault.ts";
import { isName, isProviderCode } from "../values/identifiers.ts";

/** The codes of the sportsbook's provider and of its game, which the first migration creates. */
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

/** Whether the text is `https://host:port` or `http://host:port`, without anything else. */
function isSourceAddress(text: string): boolean {
  const url = /^https?:\/\/[^\s\\/?#@]+$/.test(text) && text.length <= 512 ? URL.parse(text) : null;
  return url !== null && /:\d+$/.test(text);
}

/**
 * The fault of a new source's host, if its text shows one. The addresses to which a host name resolves are checked at
 * each look-up.
 */
export function sourceHostFaults(address: string, allowPrivate: boolean): FieldFault[] {
  const url = URL.parse(address);
  const literal = url === null ? undefined : hostAddress(url);
  const local = /(^|\.)localhost\.?$/.test(url?.hostname ?? "");
  if (literal === undefined ? allowPrivate || !local : mayBeCalled(literal, allowPrivate)) return [];
  return [
    fieldFault(
      "address",
      allowPrivate
        ? "neither a link-local address nor one of a cloud's metadata service"
        : "a public host; a private one needs PROVIDER_ALLOW_PRIVATE",
    ),
  ];
}

const RULES: Rules<ProviderRecord> = [
  ["code", "2 to 32 of A-Z, 0-9 and _", ({ code }) => isProviderCode(code)],
  ["name", "1 to 255 characters", ({ name }) => isName(name, 255)],
  [
    "address",
    "https://host:port, or http://host:port without TLS",
    ({ sources }) => sources.every(({ address }) => isSourceAddress(address)),
  ],
  [
    "deadline_ms",
    "100 to 9000",
    ({ sources }) =>
      sources.every(({ deadlineMs }) => Number.isInteger(deadlineMs) && deadlineMs >= 100 && deadlineMs <= 9_000),
  ],
  [
    "sources",
    `at most ${SOURCES_MAX}; the sportsbook has none`,
    ({ code, sources }) => sources.length <= (code === SPORTSBOOK ? 0 : SOURCES_MAX),
  ],
  [
    "keys",
    `at most ${LIVE_KEYS_MAX} that are not revoked`,
    ({ keys }) => keys.filter(({ revoked }) => !revoked).length <= LIVE_KEYS_MAX,
  ],
];

export const providerFaults = (provider: ProviderRecord): FieldFault[] => faultsOf(RULES, provider);

import type { ComponentChildren, VNode } from "preact";
import type { Tone } from "../../parts/badge.tsx";
import { ALL_MERCHANTS } from "../../parts/filters/all-merchants.ts";
import { count, duration, money } from "../../parts/format.ts";
import { words } from "../../shell/language.ts";
import { addressOf } from "../../shell/route.ts";
import { useMay } from "../../shell/session-context.ts";
import { owedOf, type Today } from "./figures.ts";

/** Pending transactions that are younger than this are mostly calls that are sent again soon. */
const OLD_S = 600;

interface Tile {
  readonly name: string;
  readonly value: number;
  readonly hints: readonly ComponentChildren[];
  readonly tone?: Tone;
  readonly href?: string | undefined;
}

/** The figures of all merchants together. */
export function Tiles({ today }: { readonly today: Today }): VNode {
  const { merchants = [] } = today;
  const say = words.today;
  const sum = (of: (one: (typeof merchants)[number]) => number | undefined): number =>
    merchants.reduce((all, one) => all + (of(one) ?? 0), 0);
  const pending = (leastS: number): number =>
    sum(({ pending: ages = [] }) => ages.find(({ olderThanS = 0 }) => olderThanS === leastS)?.count);
  const owed = sum(({ owed }) => owed?.count);
  const alsoOwed = sum(({ owed }) => owed?.pending);
  const needsPerson = sum(({ owed }) => owed?.needsPerson);
  const inState = (state: string): number =>
    merchants.filter(({ walletVerdict }) => walletVerdict?.state === state).length;
  const [failing, slow] = [inState("failing"), inState("slow")];
  const maySee = useMay("support");
  const tiles: Tile[] = [
    { name: say.bets, value: sum(({ betsPerMinute }) => betsPerMinute), hints: [say.minute] },
    { name: say.players, value: sum(({ players }) => players), hints: [say.minute] },
    {
      name: say.owed,
      value: owed,
      hints:
        owed === 0
          ? [say.owedNone]
          : [
              <span class="amounts">
                {owedOf(today).map(({ currency, minor }) => (
                  <span>{money(String(minor), currency)}</span>
                ))}
              </span>,
              needsPerson === 0 ? say.tried : say.needs(count(needsPerson)),
            ],
      tone: needsPerson > 0 ? "bad" : owed > 0 ? "wait" : "plain",
      href: addressOf("stuck"),
    },
    {
      name: say.pending,
      value: pending(0),
      hints: [
        say.old(count(pending(OLD_S)), duration(OLD_S * 1_000)),
        ...(alsoOwed > 0 ? [say.alsoOwed(count(alsoOwed))] : []),
      ],
      tone: pending(OLD_S) > 0 ? "wait" : "plain",
      href: maySee ? addressOf("transactions", { merchant: ALL_MERCHANTS, status: "pending" }) : undefined,
    },
    {
      name: say.trouble,
      value: failing + slow,
      hints: [say.troubles(count(failing), count(slow)), say.ofMerchants(count(merchants.length))],
      tone: failing > 0 ? "bad" : slow > 0 ? "wait" : "plain",
      href: addressOf("wallets"),
    },
  ];
  return (
    <dl class="tiles">
      {tiles.map(({ name, value, hints, tone, href }) => (
        <div key={name} class="card" data-tone={tone ?? "plain"}>
          <dt>{href === undefined ? name : <a href={href}>{name}</a>}</dt>
          <dd>
            <strong>{count(value)}</strong>
            {hints.map((hint, i) => (
              <small key={i}>{hint}</small>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}

import type { VNode } from "preact";
import type { Tone } from "../../parts/badge.ts";
import { count, duration } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { words } from "../../shell/language.ts";
import { addressOf } from "../../shell/route.ts";
import type { Today } from "./figures.ts";

/** Pending transactions that are younger than this are mostly calls that are sent again soon. */
const OLD_S = 600;

interface Tile {
  readonly name: string;
  readonly value: number;
  readonly hint: string;
  readonly tone?: Tone;
  readonly href?: string;
}

/** The figures of all merchants together. */
export function Tiles({ today: { merchants = [] } }: { readonly today: Today }): VNode {
  const say = words.today;
  const sum = (of: (one: (typeof merchants)[number]) => number | undefined): number =>
    merchants.reduce((all, one) => all + (of(one) ?? 0), 0);
  const pending = (leastS: number): number =>
    sum(({ pending: ages = [] }) => ages.find(({ olderThanS = 0 }) => olderThanS === leastS)?.count);
  const inTrouble = merchants.filter(({ walletInTrouble }) => walletInTrouble).length;
  const tiles: Tile[] = [
    { name: say.bets, value: sum(({ betsPerMinute }) => betsPerMinute), hint: say.minute },
    { name: say.players, value: sum(({ players }) => players), hint: say.minute },
    {
      name: say.pending,
      value: pending(0),
      hint: say.old(count(pending(OLD_S)), duration(OLD_S * 1_000)),
      tone: pending(OLD_S) > 0 ? "wait" : "plain",
    },
    {
      name: say.trouble,
      value: inTrouble,
      hint: say.ofMerchants(count(merchants.length)),
      tone: inTrouble > 0 ? "bad" : "plain",
      href: addressOf("wallets"),
    },
  ];
  return html`
    <dl class="tiles">
      ${tiles.map(
        ({ name, value, hint, tone, href }) => html`
          <div key=${name} class="card" data-tone=${tone ?? "plain"}>
            <dt>${href === undefined ? name : html`<a href=${href}>${name}</a>`}</dt>
            <dd><strong>${count(value)}</strong><small>${hint}</small></dd>
          </div>
        `,
      )}
    </dl>
  `;
}

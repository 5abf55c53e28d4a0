import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Folded } from "../../parts/folded.tsx";
import { count } from "../../parts/format.ts";
import { type Column, Table } from "../../parts/table.tsx";
import { StateBadge } from "../../parts/wallet-health.tsx";
import { callsOf } from "../../service/wallet-health.ts";
import { words } from "../../shell/language.ts";
import { addressOf } from "../../shell/route.ts";
import { type MerchantNow, oldestOf, type Today, troubleFirst } from "./figures.ts";
import { ageText } from "./pending.tsx";

/** The merchants that are shown before the reader asks for all. */
const FIRST = 25;

/** Every merchant with its wallet, those in trouble first. The number of rows stays when the figures change. */
export function Merchants({ today: { merchants = [], more } }: { readonly today: Today }): VNode {
  const say = words.today;
  const [isWhole, setWhole] = useState(false);
  const rows = troubleFirst(merchants).slice(0, isWhole ? undefined : FIRST);
  return (
    <section class="merchants" aria-labelledby="merchants-title">
      <h2 id="merchants-title">{say.merchants}</h2>
      <Folded summary={say.merchantsFold}>
        <p class="lead">{say.merchantsText}</p>
      </Folded>
      {more && <p class="effect">{say.cutMerchants(count(merchants.length))}</p>}
      <Table
        caption={say.merchants}
        columns={columnsOf()}
        rows={rows}
        keyOf={({ merchant }: MerchantNow) => merchant}
      />
      {merchants.length > rows.length && (
        <div class="more">
          <button type="button" class="button" onClick={() => setWhole(true)}>
            {say.all(count(merchants.length))}
          </button>
        </div>
      )}
    </section>
  );
}

function columnsOf(): Column<MerchantNow>[] {
  const say = words.today;
  return [
    {
      title: words.merchants.merchant,
      isName: true,
      cell: ({ merchant }) => (
        <a class="id" href={addressOf("wallet", { merchant, span: "1h" })}>
          {merchant}
        </a>
      ),
    },
    {
      title: words.wallets.state,
      cell: ({ walletVerdict, walletCounting }) => <StateBadge of={walletVerdict} isCounting={walletCounting} />,
    },
    { title: words.wallets.calls, isFigure: true, cell: ({ wallet = {} }) => count(callsOf(wallet)) },
    { title: say.bets, isFigure: true, cell: ({ betsPerMinute }) => count(betsPerMinute) },
    { title: say.players, isFigure: true, cell: ({ players }) => count(players) },
    { title: say.pending, isFigure: true, cell: ({ pending = [] }) => count(pending[0]?.count) },
    {
      title: say.oldest,
      cell: (one) => {
        const oldest = oldestOf(one);
        return oldest === undefined ? "–" : ageText(oldest);
      },
    },
  ];
}

import type { ComponentChildren, VNode } from "preact";
import type { Whole } from "../../parts/amount.ts";
import { count, money } from "../../parts/format.ts";
import { Failed, Loading } from "../../parts/state.tsx";
import type { Transaction } from "../../service/types.ts";
import { useCall } from "../../service/use-call.ts";
import { timelineWords } from "../../shell/language.ts";
import { addressOf } from "../../shell/route.ts";
import { Balance } from "./balance.tsx";

/** The reply of GetPlayer. */
interface Reply {
  readonly currency: string;
  readonly troubles?: readonly { readonly kind: string; readonly transaction: Transaction }[];
  readonly lastBalance?: Transaction;
  readonly more?: boolean;
}

type GroupName = keyof (typeof timelineWords)["player"]["groups"];

/** Transactions of a player with the same trouble. */
interface Group {
  readonly name: GroupName;
  readonly transactions: readonly Transaction[];
}

/** What is shown below the summary. */
export interface Below {
  /** The transactions of the chosen group; undefined: no group is chosen. */
  readonly narrowed: readonly Transaction[] | undefined;
  /** Reads the summary again. */
  readonly again: () => void;
}

interface PlayerProps {
  readonly merchant: string;
  readonly player: string;
  /** The name of the chosen group, as it stands in the address. */
  readonly chosen?: string | undefined;
  readonly children: (below: Below) => ComponentChildren;
}

/**
 * What is wrong with a player's money, and what the wallet says. What stands below appears together with it, so that no
 * line moves while somebody points at it.
 */
export function Player({ merchant, player, chosen, children }: PlayerProps): VNode {
  const { reply, failure, again } = useCall<Reply>("admin.ConsoleService/GetPlayer", { merchant, player });
  if (reply === undefined)
    return failure === undefined ? (
      <Loading />
    ) : (
      <>
        <Failed failure={failure} again={again} />
        {children({ narrowed: undefined, again })}
      </>
    );
  const groups = groupsOf(reply);
  const narrowed = groups.find(({ name }) => name === chosen)?.transactions;
  return (
    <>
      <Summary
        key={`${merchant} ${player}`}
        merchant={merchant}
        player={player}
        chosen={chosen}
        reply={reply}
        groups={groups}
      />
      {children({ narrowed, again })}
    </>
  );
}

interface SummaryProps extends Omit<PlayerProps, "children"> {
  readonly reply: Reply;
  readonly groups: readonly Group[];
}

function Summary({ merchant, player, chosen, reply, groups }: SummaryProps): VNode {
  const say = timelineWords.player;
  const { currency, lastBalance, more } = reply;
  const refused = REFUSED.flatMap((name) => {
    const own = groups.find((group) => group.name === name)?.transactions ?? [];
    return own.length === 0 ? [] : [[own, say.credits[name](count(own.length), own.length === 1)] as const];
  });
  const missing = refused.length === 0 ? undefined : money(sumOf(refused.flatMap(([own]) => own)), currency);
  const to = (wrong?: string): string => addressOf("transactions", { merchant, player, wrong });
  // A lone transaction needs no list.
  const toGroup = ({ name, transactions: [first, ...others] }: Group): string =>
    first !== undefined && others.length === 0 ? addressOf("transaction", { merchant, tx: first.txId }) : to(name);
  return (
    <section class="card player" aria-labelledby={`player-${merchant}`}>
      <h2 id={`player-${merchant}`}>{say.title(player, merchant)}</h2>
      {missing !== undefined && (
        <p>
          <strong>{say.tooLow(missing, refused.map(([, text]) => text).join(` ${say.and} `))}</strong>
        </p>
      )}
      <p>{groups.length === 0 ? say.nothing : say.wrong}</p>
      {groups.length > 0 && (
        <ul class="links">
          {groups.map((group) => (
            <li key={group.name}>
              <a href={toGroup(group)} aria-current={group.name === chosen ? "true" : undefined}>
                {say.groups[group.name](count(group.transactions.length), group.transactions.length === 1)}:{" "}
                {money(sumOf(group.transactions), currency)}
              </a>
            </li>
          ))}
          {chosen && (
            <li>
              <a href={to()}>{say.all}</a>
            </li>
          )}
        </ul>
      )}
      {more && (
        <p>
          <small>{say.more}</small>
        </p>
      )}
      <Balance merchant={merchant} player={player} currency={currency} known={lastBalance} missing={missing} />
    </section>
  );
}

/** Credits that the wallet refused: the player's balance lacks them. */
const REFUSED = ["owed win", "owed refund"] as const;

const sumOf = (transactions: readonly Transaction[]): Whole =>
  String(transactions.reduce((sum, { amountMinor }) => sum + BigInt(amountMinor ?? 0), 0n));

/** The groups in the order of their texts. */
function groupsOf({ troubles = [] }: Reply): Group[] {
  const byName = Map.groupBy(troubles, ({ kind, transaction }) =>
    kind === "contradiction" ? kind : `${kind} ${transaction.action}`,
  );
  return (Object.keys(timelineWords.player.groups) as GroupName[]).flatMap((name) => {
    const own = byName.get(name);
    return own === undefined ? [] : [{ name, transactions: own.map(({ transaction }) => transaction) }];
  });
}

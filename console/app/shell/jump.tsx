import type { VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/fields.tsx";
import { call } from "../service/call.ts";
import { mayAct } from "../service/session.ts";
import type { Merchant, Transaction } from "../service/types.ts";
import { useRead } from "../service/use-call.ts";
import { moreWords, words } from "./language.ts";
import type { NavigationName } from "./places.ts";
import { addressOf } from "./route.ts";
import { useSession } from "./session-context.ts";

/** How long the reader must pause before the text is searched at the service, in ms. */
const PAUSE_MS = 250;
/** The service looks for beginnings of at least so many characters. */
const TEXT_MIN = 2;
/** The entries of one kind that are shown. */
const SHOWN_MAX = 6;
/** The merchants that one call lists. */
const MERCHANTS_MAX = 500;

/** A place to which the reader can go. */
interface Entry {
  readonly text: string;
  readonly kind: string;
  readonly href: string;
}

interface Found {
  readonly hits?: readonly { readonly transaction: Transaction }[];
  readonly beginnings?: readonly { readonly matched: string; readonly merchant: string; readonly value: string }[];
}

interface JumpProps {
  /** The pages that the reader may see. */
  readonly pages: readonly NavigationName[];
  readonly onClose: () => void;
}

/**
 * Leads to a page, a merchant, a transaction, a round or a player by what the reader types. Enter opens the first place,
 * the arrow keys go through the others.
 */
export function Jump({ pages, onClose }: JumpProps): VNode {
  const say = moreWords.jump;
  const [text, setText] = useState("");
  const box = useRef<HTMLFormElement>(null);
  const entries = useEntries(text.trim(), pages);
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const stops = [...(box.current?.querySelectorAll<HTMLElement>("input, a") ?? [])];
    const next = stops.indexOf(document.activeElement as HTMLElement) + step;
    stops.at(next % stops.length)?.focus();
  };
  const open = (event: Event): void => {
    event.preventDefault();
    const first = entries[0];
    if (first === undefined) return;
    onClose();
    location.hash = first.href;
  };
  return (
    <Dialog title={say.title} onClose={onClose}>
      <form class="jump" ref={box} onSubmit={open} onKeyDown={move}>
        <Field label={say.label} type="search" value={text} onValue={setText} />
        <p class="visually-hidden" role="status">
          {entries.length === 0 ? "" : say.found(entries.length)}
        </p>
        {entries.length === 0 && (
          <p class="none" role="status">
            {say.none}
          </p>
        )}
        <ul>
          {entries.map(({ href, text: name, kind }) => (
            <li key={href}>
              <a href={href} onClick={onClose}>
                <span>{name}</span> <small>{kind}</small>
              </a>
            </li>
          ))}
        </ul>
      </form>
    </Dialog>
  );
}

/** What fits the text: pages by their names, merchants by a part of their codes, and what the service finds. */
function useEntries(text: string, pages: readonly NavigationName[]): Entry[] {
  const say = moreWords.jump;
  const maySearch = mayAct(useSession().role, "support");
  const settled = useSettled(text);
  const merchants = useRead("merchants", (signal) =>
    call<{ readonly merchants?: readonly Merchant[] }>(
      "admin.MerchantAdminService/ListMerchants",
      { limit: MERCHANTS_MAX },
      signal,
    ),
  );
  const found = useRead(maySearch && settled.length >= TEXT_MIN ? settled : null, (signal) =>
    call<Found>("admin.ConsoleService/SearchTransactions", { text: settled }, signal),
  );
  return useMemo(() => {
    const ofPages = pages
      .filter((name) => plain(words.navigation[name]).includes(plain(text)))
      .map((name): Entry => ({ text: words.navigation[name], kind: say.page, href: addressOf(name) }));
    if (text === "") return ofPages;
    const ofMerchants = (merchants.reply?.merchants ?? [])
      .filter(({ code }) => plain(code).includes(plain(text)))
      .slice(0, SHOWN_MAX)
      .map(
        ({ code }): Entry => ({ text: code, kind: words.merchants.merchant, href: addressOf("merchant", { code }) }),
      );
    const { hits = [], beginnings = [] } = found.reply ?? {};
    const ofHits = hits.slice(0, SHOWN_MAX).map(({ transaction: { merchant, txId, playerId, roundId } }): Entry => {
      const kind =
        playerId === settled ? words.transactions.player : roundId === settled ? words.transactions.round : "";
      return {
        text: txId,
        kind: kind || words.transactions.id,
        href: addressOf("transaction", { merchant, tx: txId }),
      };
    });
    const ofBeginnings = beginnings.slice(0, SHOWN_MAX).map(({ value, merchant }): Entry => {
      return { text: value, kind: merchant, href: addressOf("transactions", { q: value }) };
    });
    const all: Entry[] = maySearch
      ? [{ text: say.all(text), kind: words.navigation.transactions, href: addressOf("transactions", { q: text }) }]
      : [];
    const some = [...ofPages, ...ofMerchants, ...ofHits, ...ofBeginnings, ...all];
    return some.filter((one, i) => some.findIndex(({ href }) => href === one.href) === i);
  }, [text, settled, pages, merchants.reply, found.reply]);
}

/** The text when the reader has paused. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** In lower case and without accents, as people type. */
const plain = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

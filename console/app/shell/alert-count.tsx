import { createContext, type VNode } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import { Badge } from "../parts/badge.tsx";
import { count } from "../parts/format.ts";
import { call } from "../service/call.ts";
import { words } from "./language.ts";

/** The service counts up to this number of open alerts, and one more. */
const COUNTED_MAX = 200;

type SetCount = (total: number) => void;
export const AlertCountContext = createContext<SetCount>(() => {});

/** Tells the frame how many alerts are open. For a page that reads all of them. */
export const useSetAlertCount = (): SetCount => useContext(AlertCountContext);

/**
 * The number of open alerts. It is read when a page opens, and never by itself, because each call is a use of the
 * session. undefined: it is not known.
 *
 * @param page - the open page. The page Today reads the alerts itself.
 */
export function useAlertCount(page: string): [number | undefined, SetCount] {
  const [total, setTotal] = useState<number>();
  useEffect(() => {
    if (page === "today") return;
    const stop = new AbortController();
    call<{ readonly total?: number }>("admin.ConsoleService/ListAlerts", { limit: 1 }, stop.signal).then(
      (reply) => stop.signal.aborted || setTotal(reply.total ?? 0),
      // The page itself says that the service fails. An older number would be wrong.
      () => stop.signal.aborted || setTotal(undefined),
    );
    return () => stop.abort();
  }, [page]);
  return [total, setTotal];
}

const alertCountText = (total: number): string => (total > COUNTED_MAX ? `${count(COUNTED_MAX)}+` : count(total));

interface AlertCountProps {
  readonly total: number | undefined;
  /** Whether a word stands beside the number. */
  readonly hasWord?: boolean;
}

/** The number of open alerts, if there are any. */
export function AlertCount({ total = 0, hasWord }: AlertCountProps): VNode | null {
  if (total === 0) return null;
  const text = alertCountText(total);
  if (hasWord)
    return (
      <span class="alert-count">
        <Badge tone="bad" text={words.alerts.count(text)} />
      </span>
    );
  return (
    <span class="alert-count" title={words.alerts.count(text)}>
      <span aria-hidden="true">
        <Badge tone="bad" text={text} />
      </span>
      <span class="visually-hidden">{words.alerts.count(text)}</span>
    </span>
  );
}

import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { time } from "../../parts/format.ts";
import { failureText } from "../../parts/state.tsx";
import { call } from "../../service/call.ts";
import { Failure } from "../../service/failure.ts";
import type { AuditEntry, Merchant, Paged } from "../../service/types.ts";
import { setUpWords, words } from "../../shell/language.ts";
import { addressOf } from "../../shell/route.ts";
import { readChange } from "./audit/values.ts";

interface Reply extends Paged {
  readonly entries?: readonly AuditEntry[];
}

const FIELD = "wallet_url";
/** The longest page that the audit log gives. */
const LIMIT = 500;

/** The newest change of a merchant's wallet address; null: there is none. @throws Failure */
async function newestChange(code: string, signal: AbortSignal): Promise<AuditEntry | null> {
  const asked = { target: `merchant ${code}`, action: "merchant set", limit: LIMIT };
  for (let cursor = ""; ; ) {
    const page = await call<Reply>("admin.AuditService/ListAuditEntries", { ...asked, cursor }, signal);
    const found = page.entries?.find(({ changes = [] }) => changes.some(({ field }) => field === FIELD));
    cursor = page.nextCursor ?? "";
    if (found !== undefined || cursor === "") return found ?? null;
  }
}

/** Shows the last change of a merchant's wallet address: who made it, when and why, the old address and the new one. */
export function WalletChange({ merchant: { code, walletUrl } }: { readonly merchant: Merchant }): VNode | null {
  const say = setUpWords.walletChange;
  const [found, setFound] = useState<AuditEntry | Failure | null>();
  useEffect(() => {
    const stop = new AbortController();
    newestChange(code, stop.signal).then(
      (entry) => stop.signal.aborted || setFound(entry),
      (cause: unknown) =>
        stop.signal.aborted || setFound(cause instanceof Failure ? cause : new Failure("NOT_READABLE", String(cause))),
    );
    return () => stop.abort();
  }, [code, walletUrl]);
  if (found === undefined) return null;
  if (found instanceof Failure)
    return (
      <small class="fault" role="alert">
        {failureText(found)}
      </small>
    );
  if (found === null) return <small>{say.never}</small>;
  const { id, at, actor, reason, changes = [] } = found;
  const { from, to } = changes.find(({ field }) => field === FIELD) ?? {};
  const { before, after } = readChange(FIELD, from, to);
  return (
    <small class="wallet-change">
      {say.changed(time(at), actor, before.join("") || say.nothing, after.join("") || say.nothing)}
      <br />
      {reason && (
        <>
          <span class="reason">{words.audit.because(reason)}</span>
          <br />
        </>
      )}
      <a href={addressOf("audit", { entry: id })}>{say.entry}</a>
    </small>
  );
}

import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Whole } from "../../parts/amount.ts";
import { Badge } from "../../parts/badge.tsx";
import { Facts, Field } from "../../parts/fields.tsx";
import { duration, money } from "../../parts/format.ts";
import { Failed } from "../../parts/state.tsx";
import { call } from "../../service/call.ts";
import { Failure } from "../../service/failure.ts";
import type { Merchant } from "../../service/types.ts";
import { setUpWords, words } from "../../shell/language.ts";

interface Finding {
  readonly outcome: string;
  readonly ok?: boolean;
  readonly text?: string;
  readonly httpStatus?: number;
  readonly balanceMinor?: Whole;
  readonly timings?: { readonly totalMs?: number };
  readonly requestId?: string;
}

/** Asks the merchant's wallet for the balance of one player, and shows what came back. It moves no money. */
export function WalletPing({ merchant }: { readonly merchant: Merchant }): VNode {
  const say = setUpWords.ping;
  const [player, setPlayer] = useState("");
  const [isAsking, setAsking] = useState(false);
  const [found, setFound] = useState<Finding | Failure>();
  const submit = (event: Event): void => {
    event.preventDefault();
    if (isAsking) return;
    setAsking(true);
    setFound(undefined);
    call<Finding>("admin.MerchantAdminService/PingWallet", { code: merchant.code, player }).then(
      (finding) => {
        setFound(finding);
        setAsking(false);
      },
      (cause: unknown) => {
        setFound(cause instanceof Failure ? cause : new Failure("NOT_READABLE", String(cause)));
        setAsking(false);
      },
    );
  };
  return (
    <section aria-labelledby="ping-title">
      <h2 id="ping-title">{say.title}</h2>
      <p>{say.lead}</p>
      <form class="line" onSubmit={submit}>
        <Field label={words.transactions.player} value={player} onValue={setPlayer} required maxLength={128} />
        <button type="submit" class="button primary" disabled={isAsking}>
          {isAsking ? say.asking : say.act}
        </button>
      </form>
      <div aria-live="polite">
        {found instanceof Failure && <Failed failure={found} />}
        {found !== undefined && !(found instanceof Failure) && (
          <div class="card finding">
            <p>
              <Badge tone={found.ok ? "good" : "bad"} text={found.ok ? say.ok : say.notOk} />{" "}
              <span class="id">{found.outcome}</span>
            </p>
            <p lang="en">{found.text}</p>
            <Facts
              facts={[
                ["HTTP", found.httpStatus],
                [say.balance, found.balanceMinor !== undefined && money(found.balanceMinor, merchant.currency)],
                [say.took, duration(found.timings?.totalMs ?? 0)],
                ["X-Request-Id", <span class="id">{found.requestId}</span>],
              ]}
            />
          </div>
        )}
      </div>
    </section>
  );
}

import type { VNode } from "preact";
import type { PlainInput } from "../../../../contract/merchants/fields.ts";
import { useDone } from "../../parts/done.tsx";
import { Facts } from "../../parts/fields.tsx";
import { Shown } from "../../parts/state.tsx";
import type { Merchant } from "../../service/types.ts";
import { useCall } from "../../service/use-call.ts";
import { words } from "../../shell/language.ts";
import { addressOf } from "../../shell/route.ts";
import { useMay } from "../../shell/session-context.ts";
import { languageName } from "./language-name.ts";
import { MerchantActs } from "./merchant-acts.tsx";
import { EnabledBadge } from "./merchants.tsx";
import { Rotation } from "./rotation.tsx";
import { WalletChange } from "./wallet-change.tsx";
import { WalletPing } from "./wallet-ping.tsx";

interface Reply {
  readonly merchant: Merchant;
  readonly apiUrl?: string;
}

interface PageProps {
  readonly query: Readonly<Record<string, string>>;
}

/** One merchant: its settings, its wallet, its secrets, and who changed it. */
export function MerchantPage({ query }: PageProps): VNode {
  const { code = "" } = query;
  const say = words.merchants;
  const asked = useCall<Reply>("admin.MerchantAdminService/GetMerchant", { code });
  const [done, finished] = useDone(asked.again);
  return (
    <section>
      <p>
        <a href={addressOf("merchants")}>{say.back}</a>
      </p>
      <h1 class="id">{code}</h1>
      {done}
      <Shown asked={asked}>{(reply: Reply) => <Details reply={reply} onDone={finished} />}</Shown>
    </section>
  );
}

/** The console gets false as an absent field. A sign is the same in all languages. */
const shown = (value: string | boolean | undefined) => (typeof value === "boolean" ? "✓" : value);

function Details({ reply, onDone }: { readonly reply: Reply; readonly onDone: (done: string) => void }): VNode {
  const { merchant, apiUrl } = reply;
  const say = words.merchants;
  const { code } = merchant;
  const isSupport = useMay("support");
  const isManager = useMay("manager");
  return (
    <div class="columns">
      <section aria-labelledby="settings-title">
        <h2 id="settings-title">{say.settings}</h2>
        <Facts
          facts={[
            [say.state, <EnabledBadge enabled={merchant.enabled} />],
            [say.name, merchant.name],
            [say.brand, merchant.brand],
            [say.currency, merchant.currency],
            [say.products, merchant.products?.join(", ")],
            [say.language, merchant.defaultLanguage && languageName(merchant.defaultLanguage)],
            [
              say.wallet,
              <>
                <span class="id">{merchant.walletUrl || say.noWallet}</span>
                {isManager && (
                  <>
                    <br />
                    <WalletChange merchant={merchant} />
                  </>
                )}
              </>,
            ],
            [say.ipList, <span class="id">{merchant.ipList?.join(", ") || say.anyAddress}</span>],
            ...Object.entries(say.facts).map(
              ([field, label]) => [label, shown(merchant[field as keyof PlainInput])] as const,
            ),
            [say.api, apiUrl && <span class="id">{apiUrl}</span>],
          ]}
        />
        {isManager && <MerchantActs merchant={merchant} onDone={onDone} />}
        <ul class="links">
          {isSupport && (
            <li>
              <a href={addressOf("transactions", { merchant: code })}>{say.itsTransactions}</a>
            </li>
          )}
          <li>
            <a href={addressOf("reports", { merchant: code })}>{say.itsReport}</a>
          </li>
          {isManager && (
            <li>
              <a href={addressOf("audit", { target: `merchant ${code}` })}>{say.whoChanged}</a>
            </li>
          )}
        </ul>
      </section>
      <div>
        {isSupport && <WalletPing merchant={merchant} />}
        <Rotation merchant={merchant} onDone={onDone} />
      </div>
    </div>
  );
}

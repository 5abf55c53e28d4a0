import type { VNode } from "preact";
import { useDone } from "../../parts/done.ts";
import { Facts } from "../../parts/fields.ts";
import { html } from "../../parts/html.ts";
import { Shown } from "../../parts/state.ts";
import type { Merchant } from "../../service/types.ts";
import { useCall } from "../../service/use-call.ts";
import { words } from "../../shell/language.ts";
import { addressOf } from "../../shell/route.ts";
import { useMay } from "../../shell/session-context.ts";
import { languageName } from "./language-name.ts";
import { MerchantActs } from "./merchant-acts.ts";
import { EnabledBadge } from "./merchants.ts";
import { Rotation } from "./rotation.ts";
import { WalletChange } from "./wallet-change.ts";
import { WalletPing } from "./wallet-ping.ts";

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
  return html`
    <section>
      <p><a href=${addressOf("merchants")}>${say.back}</a></p>
      <h1 class="id">${code}</h1>
      ${done}
      <${Shown} asked=${asked}>${(reply: Reply) => html`<${Details} reply=${reply} onDone=${finished} />`}<//>
    </section>
  `;
}

function Details({ reply, onDone }: { readonly reply: Reply; readonly onDone: (done: string) => void }): VNode {
  const { merchant, apiUrl } = reply;
  const say = words.merchants;
  const { code } = merchant;
  const isSupport = useMay("support");
  const isManager = useMay("manager");
  return html`
    <div class="columns">
      <section aria-labelledby="settings-title">
        <h2 id="settings-title">${say.settings}</h2>
        <${Facts} facts=${[
          [say.state, html`<${EnabledBadge} enabled=${merchant.enabled} />`],
          [say.name, merchant.name],
          [say.brand, merchant.brand],
          [say.currency, merchant.currency],
          [say.products, merchant.products?.join(", ")],
          [say.language, merchant.defaultLanguage && languageName(merchant.defaultLanguage)],
          [
            say.wallet,
            html`<span class="id">${merchant.walletUrl || say.noWallet}</span>${isManager && html`<br /><${WalletChange} merchant=${merchant} />`}`,
          ],
          [say.ipList, html`<span class="id">${merchant.ipList?.join(", ") || say.anyAddress}</span>`],
          [say.api, apiUrl && html`<span class="id">${apiUrl}</span>`],
        ]} />
        ${isManager && html`<${MerchantActs} merchant=${merchant} onDone=${onDone} />`}
        <ul class="links">
          ${isSupport && html`<li><a href=${addressOf("transactions", { merchant: code })}>${say.itsTransactions}</a></li>`}
          <li><a href=${addressOf("reports", { merchant: code })}>${say.itsReport}</a></li>
          ${isManager && html`<li><a href=${addressOf("audit", { target: `merchant ${code}` })}>${say.whoChanged}</a></li>`}
        </ul>
      </section>
      <div>
        ${isSupport && html`<${WalletPing} merchant=${merchant} />`}
        <${Rotation} merchant=${merchant} onDone=${onDone} />
      </div>
    </div>
  `;
}

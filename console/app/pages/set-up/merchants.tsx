import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Badge } from "../../parts/badge.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import type { Merchants as Reply } from "../../parts/filters/merchant-choice.tsx";
import { Listing } from "../../parts/more.tsx";
import { Empty } from "../../parts/state.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import type { Merchant } from "../../service/types.ts";
import { usePages } from "../../service/use-pages.ts";
import { setUpWords, words } from "../../shell/language.ts";
import { addressOf } from "../../shell/route.ts";
import { useMay } from "../../shell/session-context.ts";
import { MerchantForm, MerchantSecret, type NewMerchant } from "./merchant-form.tsx";

/** All merchants. Each leads to its own page. */
export function Merchants(): VNode {
  const say = words.merchants;
  const mayCreate = useMay("manager");
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<NewMerchant>();
  const asked = usePages<Reply>("admin.MerchantAdminService/ListMerchants", {});
  const merchants = asked.pages.flatMap((page) => page.merchants ?? []);
  const columns: Column<Merchant>[] = [
    {
      title: say.code,
      isName: true,
      cell: ({ code }) => (
        <a class="id" href={addressOf("merchant", { code })}>
          {code}
        </a>
      ),
    },
    { title: say.name, cell: ({ name }) => name },
    { title: say.brand, cell: ({ brand }) => brand },
    { title: say.currency, cell: ({ currency }) => currency },
    { title: say.state, cell: ({ enabled }) => <EnabledBadge enabled={enabled} /> },
    { title: say.wallet, cell: ({ walletUrl }) => <span class="id">{walletUrl || say.noWallet}</span> },
  ];
  return (
    <section>
      <h1>{say.title}</h1>
      <p class="lead">{say.lead}</p>
      {mayCreate && (
        <div class="actions">
          <button type="button" class="button primary" onClick={() => setMaking(true)}>
            {setUpWords.newMerchant.create}
          </button>
        </div>
      )}
      <Listing
        asked={asked}
        empty={
          merchants.length === 0 ? (
            <Empty title={say.none}>{mayCreate && <a href={addressOf("start")}>{say.noneText}</a>}</Empty>
          ) : null
        }
      >
        <Table caption={say.title} columns={columns} rows={merchants} keyOf={({ code }: Merchant) => code} />
      </Listing>
      {isMaking && (
        <Dialog title={setUpWords.newMerchant.create} onClose={() => setMaking(false)}>
          <MerchantForm
            onCancel={() => setMaking(false)}
            onDone={(merchant: NewMerchant) => {
              setMaking(false);
              setMade(merchant);
              asked.first.again();
            }}
          />
        </Dialog>
      )}
      {made && <MerchantSecret made={made} onClose={() => setMade(undefined)} />}
    </section>
  );
}

export const EnabledBadge = ({ enabled = false }: { readonly enabled: boolean | undefined }): VNode => (
  <Badge tone={enabled ? "good" : "bad"} text={enabled ? words.merchants.enabled : words.merchants.disabled} />
);

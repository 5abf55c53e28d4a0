import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { CURRENCIES } from "../../../../contract/values/currencies.ts";
import { PRODUCTS } from "../../../../contract/values/products.ts";
import { LANGUAGES } from "../../../../web-renderer/protocol.ts";
import { ActForm } from "../../parts/act-form.tsx";
import { Secret } from "../../parts/dialog.tsx";
import { Check, Choice, Field } from "../../parts/fields.tsx";
import { Shown } from "../../parts/state.tsx";
import { call } from "../../service/call.ts";
import type { Brand, Brands } from "../../service/types.ts";
import { useCall } from "../../service/use-call.ts";
import { setUpWords, words } from "../../shell/language.ts";
import { languageName } from "./language-name.ts";

/** The most that one call lists. */
const LIMIT = 500;

/** What the merchant gets. Its secret can't be read again. */
export interface NewMerchant {
  readonly code: string;
  readonly secret: string;
  readonly apiUrl: string;
}

interface MerchantFormProps {
  readonly onDone: (made: NewMerchant) => void;
  readonly onCancel?: () => void;
}

/** Creates a merchant of a brand. */
export function MerchantForm(props: MerchantFormProps): VNode {
  const asked = useCall<Brands>("admin.BrandAdminService/ListBrands", { limit: LIMIT });
  return <Shown asked={asked}>{({ brands = [] }: Brands) => <Form {...props} brands={brands} />}</Shown>;
}

function Form({ brands, onDone, onCancel }: MerchantFormProps & { readonly brands: readonly Brand[] }): VNode {
  const say = setUpWords.newMerchant;
  const [draft, setDraft] = useState({
    code: "",
    name: "",
    currency: Object.keys(CURRENCIES)[0] as string,
    brand: brands[0]?.code ?? "",
    walletUrl: "",
    defaultLanguage: "",
    jurisdiction: "",
  });
  const [products, setProducts] = useState<readonly string[]>(["slot", "live"]);
  const set = (name: keyof typeof draft) => (value: string) => setDraft((now) => ({ ...now, [name]: value }));
  const act = async (reason: string): Promise<void> => {
    const code = draft.code.trim();
    const [name, walletUrl, jurisdiction] = [draft.name, draft.walletUrl, draft.jurisdiction].map((text) =>
      text.trim(),
    );
    const request = { ...draft, code, name, walletUrl, jurisdiction, products, reason };
    const made = await call<Omit<NewMerchant, "code">>("admin.MerchantAdminService/CreateMerchant", request);
    onDone({ code, secret: made.secret, apiUrl: made.apiUrl });
  };
  return (
    <ActForm act={say.create} reason={words.state.reason} isReasonRequired={false} onAct={act} onCancel={onCancel}>
      <Field
        label={words.merchants.code}
        value={draft.code}
        onValue={set("code")}
        required
        maxLength={64}
        hint={setUpWords.brands.codeHint}
      />
      <Field label={words.merchants.name} value={draft.name} onValue={set("name")} maxLength={255} />
      <Choice
        label={words.merchants.brand}
        value={draft.brand}
        onValue={set("brand")}
        options={brands.map(({ code }) => [code, code])}
      />
      <Choice
        label={words.merchants.currency}
        value={draft.currency}
        onValue={set("currency")}
        options={Object.keys(CURRENCIES).map((one) => [one, one])}
      />
      <Field
        label={words.merchants.wallet}
        value={draft.walletUrl}
        onValue={set("walletUrl")}
        type="url"
        maxLength={2_048}
        hint={say.walletHint}
      />
      <Choice
        label={words.merchants.language}
        value={draft.defaultLanguage}
        onValue={set("defaultLanguage")}
        options={["", ...LANGUAGES].map((one) => [one, languageName(one)])}
      />
      <Field
        label={words.merchants.facts.jurisdiction}
        value={draft.jurisdiction}
        onValue={set("jurisdiction")}
        maxLength={16}
        hint={say.jurisdictionHint}
      />
      <fieldset>
        <legend>{words.merchants.products}</legend>
        {PRODUCTS.map((one) => (
          <Check
            key={one}
            label={words.reports.types[one]}
            isOn={products.includes(one)}
            onChange={(isOn: boolean) =>
              setProducts((now) => PRODUCTS.filter((name) => (name === one ? isOn : now.includes(name))))
            }
          />
        ))}
      </fieldset>
    </ActForm>
  );
}

/** Shows the secret of a new merchant, with what the merchant needs beside it. */
export const MerchantSecret = ({
  made,
  onClose,
}: {
  readonly made: NewMerchant;
  readonly onClose: () => void;
}): VNode => (
  <Secret
    title={setUpWords.newMerchant.secret}
    text={setUpWords.newMerchant.secretText(made.code, made.apiUrl)}
    secret={made.secret}
    onClose={onClose}
  />
);

import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Check, Choice, Field } from "../../../parts/fields.tsx";
import { useCall } from "../../../service/use-call.ts";
import { setUpWords, words } from "../../../shell/language.ts";
import { fieldName } from "../audit/values.ts";

interface Providers {
  readonly providers?: readonly { readonly code: string; readonly name: string }[];
}

const EMPTY = { provider: "", code: "", name: "", type: "slot", demo_available: false };

/**
 * A form for one game. It gives the game as a file, so that the same check and the same preview follow.
 */
export function OneGame({ onFile }: { readonly onFile: (file: File) => void }): VNode {
  const say = setUpWords.games;
  const [draft, setDraft] = useState(EMPTY);
  const [isOpen, setOpen] = useState(false);
  const asked = useCall<Providers>(isOpen ? "admin.ProviderAdminService/ListProviders" : null);
  const codes = (asked.reply?.providers ?? []).map(({ code }) => code);
  const set =
    <K extends keyof typeof EMPTY>(field: K) =>
    (value: (typeof EMPTY)[K]): void =>
      setDraft({ ...draft, [field]: value });
  const submit = (event: Event): void => {
    event.preventDefault();
    onFile(new File([JSON.stringify([draft])], "game.json"));
  };
  return (
    <details onToggle={(event: Event) => setOpen((event.currentTarget as HTMLDetailsElement).open)}>
      <summary>{say.one}</summary>
      <form onSubmit={submit}>
        <p>{say.oneText}</p>
        <Field
          label={words.transactions.provider}
          value={draft.provider}
          onValue={set("provider")}
          list={codes}
          required
        />
        <Field label={words.merchants.code} value={draft.code} onValue={set("code")} hint={say.codeHint} required />
        <Field label={words.merchants.name} value={draft.name} onValue={set("name")} maxLength={255} required />
        <Choice
          label={fieldName("type")}
          value={draft.type}
          onValue={set("type")}
          options={(["slot", "live"] as const).map((type) => [type, words.reports.types[type]])}
        />
        <Check label={fieldName("demo_available")} isOn={draft.demo_available} onChange={set("demo_available")} />
        <div class="actions">
          <button type="submit" class="button">
            {say.look}
          </button>
        </div>
      </form>
    </details>
  );
}

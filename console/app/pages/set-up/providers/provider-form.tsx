import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { ActForm } from "../../../parts/act-form.tsx";
import { Field } from "../../../parts/fields.tsx";
import { call } from "../../../service/call.ts";
import { setUpWords, words } from "../../../shell/language.ts";

interface ProviderFormProps {
  readonly onDone: (code: string, key: string) => void;
  readonly onCancel?: () => void;
}

/** Creates a provider with its first key. */
export function ProviderForm({ onDone, onCancel }: ProviderFormProps): VNode {
  const say = setUpWords.providers;
  const [code, setCode] = useState("");
  const [name, setName] = useState("");
  const act = async (reason: string): Promise<void> => {
    const request = { code: code.trim(), name: name.trim(), reason };
    const { key } = await call<{ readonly key: string }>("admin.ProviderAdminService/CreateProvider", request);
    onDone(request.code, key);
  };
  return (
    <ActForm act={say.create} reason={words.state.reason} isReasonRequired={false} onAct={act} onCancel={onCancel}>
      <Field label={words.merchants.code} value={code} onValue={setCode} required maxLength={32} hint={say.codeHint} />
      <Field label={words.merchants.name} value={name} onValue={setName} maxLength={255} />
    </ActForm>
  );
}

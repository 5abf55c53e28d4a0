import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { ActForm } from "../../../parts/act-form.tsx";
import { Field } from "../../../parts/fields.tsx";
import { call } from "../../../service/call.ts";
import type { Source } from "../../../service/types.ts";
import { setUpWords, words } from "../../../shell/language.ts";

interface SourceFormProps {
  readonly provider: string;
  /** The source that the form changes, and its place counted from 1. Absent: the form adds a source. */
  readonly changed?: { readonly source: Source; readonly place: number };
  readonly onDone: () => void;
  readonly onCancel?: () => void;
}

/** Adds a source to a provider, or changes its time limit and place. */
export function SourceForm({ provider, changed, onDone, onCancel }: SourceFormProps): VNode {
  const say = setUpWords.providers;
  const [address, setAddress] = useState(changed?.source.address ?? "");
  const [deadline, setDeadline] = useState(String(changed?.source.deadlineMs ?? 5_000));
  const [place, setPlace] = useState(String(changed?.place ?? ""));
  const act = async (reason: string): Promise<void> => {
    const request = {
      code: provider,
      address: address.trim(),
      deadlineMs: Number(deadline),
      reason,
      ...(changed !== undefined && { position: Number(place) }),
    };
    await call("admin.ProviderAdminService/AddSource", request);
    onDone();
  };
  return (
    <ActForm
      act={changed === undefined ? say.addSource : words.merchants.save}
      reason={words.state.reason}
      isReasonRequired={false}
      onAct={act}
      onCancel={onCancel}
    >
      {changed === undefined && (
        <Field
          label={say.address}
          value={address}
          onValue={setAddress}
          required
          type="url"
          maxLength={512}
          hint={say.addressHint}
        />
      )}
      <Field
        label={say.deadline}
        value={deadline}
        onValue={setDeadline}
        required
        type="number"
        hint={say.deadlineHint}
      />
      {changed !== undefined && (
        <Field label={say.place} value={place} onValue={setPlace} required type="number" hint={say.placeHint} />
      )}
    </ActForm>
  );
}

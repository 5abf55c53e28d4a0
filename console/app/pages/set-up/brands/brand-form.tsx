import type { VNode } from "preact";
import { LANGUAGES, LAYOUTS, type Layout, THEMES } from "../../../../../web-renderer/protocol.ts";
import { ActForm } from "../../../parts/act-form.tsx";
import { Choice, Field } from "../../../parts/fields.tsx";
import { call } from "../../../service/call.ts";
import { Failure } from "../../../service/failure.ts";
import type { Brand } from "../../../service/types.ts";
import { setUpWords, words } from "../../../shell/language.ts";
import { languageName } from "../language-name.ts";

/** A brand as the form has it. */
export interface BrandDraft {
  readonly code: string;
  readonly name: string;
  readonly theme: string;
  readonly layout: Layout;
  /** Empty: the brand has no language of its own. */
  readonly language: string;
  /** One origin a line. */
  readonly origins: string;
  /** A JSON object. */
  readonly settings: string;
}

/** The draft of a brand, or of a new one. */
export const draftOf = (brand?: Brand): BrandDraft => ({
  code: brand?.code ?? "",
  name: brand?.name ?? "",
  theme: brand?.theme ?? THEMES[0],
  layout: brand?.layout ?? LAYOUTS[0],
  language: brand?.defaultLanguage ?? "",
  origins: (brand?.allowedOrigins ?? []).join("\n"),
  settings: JSON.stringify(brand?.settings ?? {}, null, 2),
});

export const originsOf = ({ origins }: BrandDraft): string[] => origins.split(/[\s,]+/).filter((one) => one !== "");

interface BrandFormProps {
  /** Absent: the form creates a brand. */
  readonly brand?: Brand | undefined;
  readonly draft: BrandDraft;
  readonly onDraft: (draft: BrandDraft) => void;
  readonly onDone: (code: string) => void;
}

/** Creates or changes a brand. */
export function BrandForm({ brand, draft, onDraft, onDone }: BrandFormProps): VNode {
  const say = setUpWords.brands;
  const set = (name: keyof BrandDraft) => (value: string) => onDraft({ ...draft, [name]: value });
  const act = async (reason: string): Promise<void> => {
    const { code, name, theme, layout, language } = draft;
    const origins = originsOf(draft);
    const fields = {
      code: code.trim(),
      name: name.trim(),
      theme,
      layout,
      defaultLanguage: language,
      settings: settingsOf(draft),
      reason,
    };
    if (brand === undefined) await call("admin.BrandAdminService/CreateBrand", { ...fields, allowedOrigins: origins });
    else await call("admin.BrandAdminService/SetBrand", { ...fields, allowedOrigins: { values: origins } });
    onDone(fields.code);
  };
  const languages = ["", ...LANGUAGES];
  // A brand of a newer release may have another language.
  const offered = languages.includes(draft.language) ? languages : [...languages, draft.language];
  return (
    <ActForm
      act={brand === undefined ? say.create : words.merchants.save}
      reason={words.state.reason}
      isReasonRequired={false}
      onAct={act}
    >
      {brand === undefined && (
        <Field
          label={words.merchants.code}
          value={draft.code}
          onValue={set("code")}
          required
          maxLength={64}
          hint={say.codeHint}
        />
      )}
      <Field
        label={words.merchants.name}
        value={draft.name}
        onValue={set("name")}
        required={brand !== undefined}
        maxLength={255}
      />
      <Choice label={say.theme} value={draft.theme} onValue={set("theme")} options={THEMES.map((one) => [one, one])} />
      <Choice
        label={say.layout}
        value={draft.layout}
        onValue={set("layout")}
        options={LAYOUTS.map((one) => [one, say.layouts[one]])}
      />
      <Choice
        label={words.merchants.language}
        value={draft.language}
        onValue={set("language")}
        options={offered.map((one) => [one, languageName(one)])}
      />
      <Field label={say.origins} value={draft.origins} onValue={set("origins")} lines={3} hint={say.originsHint} />
      <details open={draft.settings !== "{}"}>
        <summary>{say.settings}</summary>
        <Field
          label={say.settings}
          value={draft.settings}
          onValue={set("settings")}
          lines={4}
          hint={say.settingsHint}
        />
      </details>
    </ActForm>
  );
}

function settingsOf({ settings }: BrandDraft): object {
  try {
    const value: unknown = settings.trim() === "" ? {} : JSON.parse(settings);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // The same fault as for a value that is no object.
  }
  throw new Failure("VALIDATION_ERROR", "", "", [{ field: "settings", text: setUpWords.brands.settingsHint }]);
}

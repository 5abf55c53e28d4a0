import type { ComponentChildren, VNode } from "preact";
import { useId } from "preact/hooks";
import { html } from "./html.ts";

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly type?: string;
  readonly hint?: string;
  readonly required?: boolean;
  readonly maxLength?: number;
  readonly list?: readonly string[];
  readonly lines?: number;
  readonly autocomplete?: string;
}

/** A text field with its label. With `lines` it has several lines, with `list` it proposes values. */
export function Field(props: FieldProps): VNode {
  const { label, value, onValue, hint, type = "text", required = false, maxLength, list, lines } = props;
  const id = useId();
  const shared = {
    id,
    value,
    required,
    maxlength: maxLength,
    "aria-describedby": hint === undefined ? undefined : `${id}-hint`,
    onInput: (event: Event) => onValue((event.currentTarget as HTMLInputElement).value),
  };
  return html`
    <div class="field">
      <label for=${id}>${label}</label>
      ${
        lines === undefined
          ? html`<input ...${shared} type=${type} autocomplete=${props.autocomplete ?? "off"} spellcheck=${false} list=${list && `${id}-list`} />`
          : html`<textarea ...${shared} rows=${lines} spellcheck=${false}></textarea>`
      }
      ${list && html`<datalist id="${id}-list">${list.map((one) => html`<option value=${one}></option>`)}</datalist>`}
      ${hint !== undefined && html`<small id="${id}-hint">${hint}</small>`}
    </div>
  `;
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** Values and their texts. */
  readonly options: readonly (readonly [value: string, text: string])[];
}

/** A choice of a few values. */
export function Choice({ label, value, onValue, options }: ChoiceProps): VNode {
  const id = useId();
  return html`
    <div class="field">
      <label for=${id}>${label}</label>
      <select id=${id} value=${value} onChange=${(event: Event) => onValue((event.currentTarget as HTMLSelectElement).value)}>
        ${options.map(([key, text]) => html`<option key=${key} value=${key} selected=${key === value}>${text}</option>`)}
      </select>
    </div>
  `;
}

interface FactsProps {
  /** Names and values. A value that is undefined or empty is left out. */
  readonly facts: readonly (readonly [name: string, value: ComponentChildren])[];
}

/** A list of names and values. */
export const Facts = ({ facts }: FactsProps): VNode => html`
  <dl class="facts">
    ${facts
      .filter(([, value]) => value !== undefined && value !== null && value !== "" && value !== false)
      .map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}
  </dl>
`;

interface CheckProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** A choice of yes or no. */
export const Check = ({ label, isOn, onChange }: CheckProps): VNode => html`
  <label class="check">
    <input type="checkbox" checked=${isOn} onChange=${(event: Event) => onChange((event.currentTarget as HTMLInputElement).checked)} />
    ${label}
  </label>
`;

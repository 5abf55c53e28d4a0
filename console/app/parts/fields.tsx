import type { ComponentChildren, VNode } from "preact";
import { useId } from "preact/hooks";

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly type?: "text" | "password" | "search" | "url" | "number" | "date" | "datetime-local";
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
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {lines === undefined ? (
        <input
          {...shared}
          // Preact types each kind of field apart. All of these kinds take the same attributes.
          type={type as "text"}
          autocomplete={props.autocomplete ?? "off"}
          spellcheck={false}
          list={list && `${id}-list`}
        />
      ) : (
        <textarea {...shared} rows={lines} spellcheck={false} />
      )}
      {list && (
        <datalist id={`${id}-list`}>
          {list.map((one) => (
            <option value={one} />
          ))}
        </datalist>
      )}
      {hint !== undefined && <small id={`${id}-hint`}>{hint}</small>}
    </div>
  );
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
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        onChange={(event: Event) => onValue((event.currentTarget as HTMLSelectElement).value)}
      >
        {options.map(([key, text]) => (
          <option key={key} value={key} selected={key === value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

interface FactsProps {
  /** Names and values. A value that is undefined or empty is left out. */
  readonly facts: readonly (readonly [name: string, value: ComponentChildren])[];
}

/** A list of names and values. */
export const Facts = ({ facts }: FactsProps): VNode => (
  <dl class="facts">
    {facts
      .filter(([, value]) => value !== undefined && value !== null && value !== "" && value !== false)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);

interface CheckProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** A choice of yes or no. */
export const Check = ({ label, isOn, onChange }: CheckProps): VNode => (
  <label class="check">
    <input
      type="checkbox"
      checked={isOn}
      onChange={(event: Event) => onChange((event.currentTarget as HTMLInputElement).checked)}
    />
    {label}
  </label>
);

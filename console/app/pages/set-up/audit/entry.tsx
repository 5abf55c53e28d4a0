import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Facts } from "../../../parts/fields.tsx";
import { time } from "../../../parts/format.ts";
import { failureText } from "../../../parts/state.tsx";
import type { AuditEntry } from "../../../service/types.ts";
import { useCall } from "../../../service/use-call.ts";
import { setUpWords, words } from "../../../shell/language.ts";
import { sentenceOf } from "./sentence.ts";
import { fieldName, readChange } from "./values.ts";

interface EntryProps {
  readonly entry: AuditEntry;
}

/** An entry as a sentence, with its reason and a table of what changed. What a read asked for stands without a table. */
export function Entry({ entry }: EntryProps): VNode {
  const { id, at, actor, action, reason, changes = [] } = entry;
  const [isWhole, setWhole] = useState(false);
  const asked = useCall<{ readonly entry: AuditEntry }>(isWhole ? "admin.AuditService/GetAuditEntry" : null, { id });
  const { before, name, after, address } = sentenceOf(entry);
  const shown = (asked.reply?.entry.changes ?? changes).map((change) => ({
    field: change.field,
    ...readChange(change.field, change.from, change.to),
  }));
  const isChange = action.endsWith(" create") || shown.some(({ before: old }) => old.length > 0);
  return (
    <li data-entry={id} data-action={action}>
      <p class="sentence">
        <strong>{actor}</strong> {before}
        {name !== "" &&
          (address === undefined ? (
            <span class="id">{name}</span>
          ) : (
            <a class="id" href={address}>
              {name}
            </a>
          ))}
        {after}
      </p>
      <time datetime={at}>{time(at)}</time>
      {reason && <p class="reason">{words.audit.because(reason)}</p>}
      {shown.length > 0 && (isChange ? <Changes shown={shown} /> : <Told shown={shown} />)}
      {asked.failure && (
        <p class="fault" role="alert">
          {failureText(asked.failure)}
        </p>
      )}
      {shown.some(({ isCut }) => isCut) && (
        <button
          type="button"
          class="button small whole"
          disabled={isWhole && asked.isLoading}
          onClick={() => (isWhole ? asked.again() : setWhole(true))}
        >
          {setUpWords.audit.whole}
        </button>
      )}
    </li>
  );
}

interface ChangesProps {
  readonly shown: readonly ({ readonly field: string } & ReturnType<typeof readChange>)[];
}

function Changes({ shown }: ChangesProps): VNode {
  const say = setUpWords.audit;
  return (
    <table class="changes">
      <caption class="visually-hidden">{say.changes}</caption>
      <thead>
        <tr>
          <th scope="col">{say.field}</th>
          <th scope="col">{say.before}</th>
          <th scope="col">{say.after}</th>
        </tr>
      </thead>
      <tbody>
        {shown.map(({ field, before, after }) => (
          <tr key={field} data-field={field}>
            <th scope="row">{fieldName(field)}</th>
            <td>
              {before.length === 0 ? (
                say.nothing
              ) : (
                <del>
                  <Lines lines={before} />
                </del>
              )}
            </td>
            <td>
              {after.length === 0 ? (
                say.nothing
              ) : (
                <ins>
                  <Lines lines={after} />
                </ins>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const Told = ({ shown }: ChangesProps): VNode => (
  <Facts facts={shown.map(({ field, after }) => [fieldName(field), after.length > 0 && <Lines lines={after} />])} />
);

const Lines = ({ lines }: { readonly lines: readonly string[] }): VNode => (
  <>
    {lines.map((line, i) => (
      <div key={i}>{line}</div>
    ))}
  </>
);

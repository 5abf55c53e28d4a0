import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Badge } from "../../parts/badge.tsx";
import { Ask, Secret } from "../../parts/dialog.tsx";
import { useDone } from "../../parts/done.tsx";
import { Choice, Field } from "../../parts/fields.tsx";
import { time } from "../../parts/format.ts";
import { Listing } from "../../parts/more.tsx";
import { Empty } from "../../parts/state.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { call } from "../../service/call.ts";
import { ROLES } from "../../service/session.ts";
import type { Key, Paged } from "../../service/types.ts";
import { usePages } from "../../service/use-pages.ts";
import { setUpWords, words } from "../../shell/language.ts";
import { useMay } from "../../shell/session-context.ts";
import { instantOf, ZONE } from "../../shell/zone.ts";

interface Reply extends Paged {
  readonly keys?: readonly Key[];
}

/** The admin keys and the providers' keys. Only an owner makes and ends admin keys. */
export function Keys(): VNode {
  const say = setUpWords.keys;
  const isOwner = useMay("owner");
  const asked = usePages<Reply>("admin.KeyAdminService/ListKeys", {});
  const keys = asked.pages.flatMap((page) => page.keys ?? []);
  const [isMaking, setMaking] = useState(false);
  const [ending, setEnding] = useState<Key>();
  const [secret, setSecret] = useState("");
  const [done, finished] = useDone(asked.first.again);
  const columns: Column<Key>[] = [
    { title: say.name, isName: true, cell: ({ name }) => <span class="id">{name}</span> },
    // A narrow window shows the first columns: whose key it is, and whether it is valid.
    { title: say.state, cell: (key) => <StateBadge of={key} /> },
    { title: say.holder, cell: ({ provider }) => provider || say.admin },
    { title: say.role, cell: ({ role }) => (role ? words.shell.roles[role as (typeof ROLES)[number]] : "") },
    { title: say.expires, cell: ({ expiresAt }) => (expiresAt ? time(expiresAt) : say.never) },
    {
      title: say.act,
      cell: (key) =>
        (isOwner || (key.provider ?? "") !== "") &&
        key.revoked !== true && (
          <button
            type="button"
            class="button small"
            aria-label={say.revokeOne(key.name)}
            onClick={() => setEnding(key)}
          >
            {say.revoke}
          </button>
        ),
    },
  ];
  return (
    <section>
      <h1>{say.title}</h1>
      <p class="lead">{say.lead}</p>
      <Roles />
      {isOwner && (
        <div class="actions">
          <button type="button" class="button primary" onClick={() => setMaking(true)}>
            {say.create}
          </button>
        </div>
      )}
      {done}
      <Listing asked={asked} empty={keys.length === 0 ? <Empty title={say.none}>{say.noneText}</Empty> : null}>
        <Table
          caption={say.title}
          columns={columns}
          rows={keys}
          keyOf={(key: Key) => `${key.provider ?? ""}/${key.name}`}
        />
      </Listing>
      {isMaking && (
        <Create
          onClose={() => setMaking(false)}
          onKey={(key: string) => {
            setMaking(false);
            setSecret(key);
            asked.first.again();
          }}
        />
      )}
      {ending && (
        <Revoke
          of={ending}
          onClose={() => setEnding(undefined)}
          onDone={() => {
            setEnding(undefined);
            finished(say.revoked(ending.name));
          }}
        />
      )}
      {secret !== "" && <Secret title={say.made} text={say.madeText} secret={secret} onClose={() => setSecret("")} />}
    </section>
  );
}

function Roles(): VNode {
  return (
    <details class="card">
      <summary>{setUpWords.keys.roles}</summary>
      <dl class="facts">
        {ROLES.map((role) => (
          <div key={role}>
            <dt>{words.shell.roles[role]}</dt>
            <dd>{setUpWords.keys.rights[role]}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

export function StateBadge({ of }: { readonly of: Key }): VNode {
  const say = setUpWords.keys.states;
  if (of.revoked) return <Badge tone="bad" text={say.revoked} />;
  if (of.expiresAt !== undefined && Date.parse(of.expiresAt) <= Date.now())
    return <Badge tone="wait" text={say.expired} />;
  return <Badge tone="good" text={say.valid} />;
}

interface CreateProps {
  readonly onKey: (key: string) => void;
  readonly onClose: () => void;
}

function Create({ onKey, onClose }: CreateProps): VNode {
  const say = setUpWords.keys;
  const [name, setName] = useState("");
  const [role, setRole] = useState("viewer");
  const [until, setUntil] = useState("");
  const act = async (reason: string): Promise<void> => {
    const expiresAt = until === "" ? {} : { expiresAt: instantOf(`${until}T00:00`) };
    const { key } = await call<{ key: string }>("admin.KeyAdminService/CreateKey", {
      name: name.trim(),
      role,
      reason,
      ...expiresAt,
    });
    onKey(key);
  };
  return (
    <Ask
      title={say.create}
      act={say.create}
      reason={words.state.reason}
      isReasonRequired={role === "owner"}
      onAct={act}
      onClose={onClose}
    >
      <Field label={say.name} value={name} onValue={setName} required maxLength={64} hint={say.nameHint} />
      <Choice
        label={say.role}
        value={role}
        onValue={setRole}
        options={ROLES.map((one) => [one, words.shell.roles[one]])}
      />
      <p class="effect">{say.rights[role as (typeof ROLES)[number]]}</p>
      <Field label={say.expires} type="date" value={until} onValue={setUntil} hint={`${say.expiresHint} (${ZONE})`} />
    </Ask>
  );
}

interface RevokeProps {
  readonly of: Key;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function Revoke({ of, onDone, onClose }: RevokeProps): VNode {
  const say = setUpWords.keys;
  const act = async (reason: string): Promise<void> => {
    await call("admin.KeyAdminService/RevokeKey", { name: of.name, provider: of.provider ?? "", reason });
    onDone();
  };
  return (
    <Ask title={say.revokeOne(of.name)} act={say.revoke} reason={words.state.reason} onAct={act} onClose={onClose}>
      <p>{say.revokeEffect}</p>
    </Ask>
  );
}

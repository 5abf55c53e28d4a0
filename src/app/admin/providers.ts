import { freeKeyName, newKeyFaults } from "../../domain/access/api-key.ts";
import type { Fields } from "../../domain/access/audit.ts";
import { providerFaults, SOURCE_DEADLINE_MS, sourceHostFaults } from "../../domain/catalog/provider.ts";
import { type FieldFault, ok, type Result } from "../../domain/errors.ts";
import { fieldFault } from "../../domain/values/field-fault.ts";
import type { ProviderCode } from "../../domain/values/identifiers.ts";
import type { Decision } from "../../ports/admin-store.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Random } from "../../ports/random.ts";
import type { ApiKey, Provider, ProviderRecord, Source } from "../../ports/settings-store.ts";
import type { Settings } from "../runtime/settings.ts";
import {
  type AdminRequest,
  alreadyThere,
  auditEntry,
  type Changes,
  judge,
  notFound,
  reasonFaults,
  refuseFaults,
} from "./changes.ts";
import { type Page, type PageRequest, pageOf } from "./page.ts";
import { newKey } from "./secrets.ts";

/** A provider and the text of its new key. */
export interface NewProviderKey {
  readonly provider: ProviderRecord;
  /** The key's text. Only this result contains it. */
  readonly key: string;
}

/** Fields of a provider. undefined: the field does not change, or has its default in a new provider. */
export interface ProviderInput {
  readonly name?: string | undefined;
  readonly active?: boolean | undefined;
}

/** Fields of a source. undefined: the field does not change, or has its default in a new source. */
export interface SourceInput {
  readonly address: string;
  readonly deadlineMs?: number | undefined;
  readonly enabled?: boolean | undefined;
  /** The source's place in the list, counted from 1. */
  readonly position?: number | undefined;
}

/** A new key's fields. */
export interface KeyInput {
  /** The key's name. Empty: the key gets the first free name of key-1, key-2 and so on. */
  readonly name: string;
  /** In ms since 1970; null: the key never expires. */
  readonly expiresAt: number | null;
}

/** Rules that depend on the environment of the service. */
export interface ProviderPolicy {
  readonly allowPrivateSources: boolean;
}

/** Creates, changes and shows providers with their sources and keys. */
export class Providers {
  readonly #changes: Changes;
  readonly #settings: Settings;
  readonly #random: Random;
  readonly #clock: Clock;
  readonly #policy: ProviderPolicy;

  constructor(changes: Changes, settings: Settings, random: Random, clock: Clock, policy: ProviderPolicy) {
    this.#changes = changes;
    this.#settings = settings;
    this.#random = random;
    this.#clock = clock;
    this.#policy = policy;
  }

  async create(
    request: AdminRequest,
    code: string,
    { name = code, active = true }: ProviderInput,
  ): Promise<Result<NewProviderKey>> {
    const { text, hash } = newKey(this.#random);
    const provider: ProviderRecord = {
      code: code as ProviderCode,
      name,
      active,
      sources: [],
      keys: [{ name: freeKeyName([]), hash, expiresAt: null, revoked: false }],
    };
    const made = await this.#changes.make({ providers: [provider.code] }, ({ providers: [known] }) =>
      known === undefined ? decide(request, "provider create", undefined, provider) : alreadyThere("code"),
    );
    return made.ok ? ok({ provider: made.value, key: text }) : made;
  }

  /** Changes a provider. The request must have a reason if it makes the provider inactive. */
  set(request: AdminRequest, code: string, { name, active }: ProviderInput): Promise<Result<ProviderRecord>> {
    return this.#change(request, "provider set", code, (known) => ({
      ...known,
      name: name ?? known.name,
      active: active ?? known.active,
    }));
  }

  addSource(request: AdminRequest, code: string, input: SourceInput): Promise<Result<ProviderRecord>> {
    const position = input.position === 0 ? [fieldFault("position", "1 or more")] : [];
    // The host of an existing source is not checked again, because the source may be older than this rule.
    const host = ({ sources }: Provider) =>
      sources.some(({ address }) => address === input.address)
        ? []
        : sourceHostFaults(input.address, this.#policy.allowPrivateSources);
    const next = (known: Provider) => ({ ...known, sources: withSource(known.sources, input) });
    return this.#change(request, "provider add-source", code, next, (known) => [...position, ...host(known)]);
  }

  removeSource(request: AdminRequest, code: string, address: string): Promise<Result<ProviderRecord>> {
    return this.#changes.make({ providers: [code as ProviderCode] }, ({ providers: [known] }) => {
      if (known === undefined) return notFound("code");
      const sources = known.sources.filter((source) => source.address !== address);
      return sources.length === known.sources.length
        ? notFound("address")
        : decide(request, "provider remove-source", known, { ...known, sources });
    });
  }

  /** Creates a key and revokes all other keys. The request must have a reason. */
  async rotateKey(request: AdminRequest, code: string, input: KeyInput): Promise<Result<NewProviderKey>> {
    const faults = reasonFaults(request, true);
    if (faults.length > 0) return refuseFaults(faults);
    return this.addKey(request, "provider rotate-key", code, input, (keys) =>
      keys.map((key) => ({ ...key, revoked: true })),
    );
  }

  /**
   * Creates a key.
   *
   * @param others - returns the provider's other keys in the form in which they are then stored.
   */
  async addKey(
    request: AdminRequest,
    action: string,
    code: string,
    input: KeyInput,
    others: (keys: readonly ApiKey[]) => readonly ApiKey[] = (keys) => keys,
  ): Promise<Result<NewProviderKey & { readonly record: ApiKey }>> {
    const { text, hash } = newKey(this.#random);
    const now = this.#clock.now();
    let record: ApiKey | undefined;
    const made = await this.#changes.make({ providers: [code as ProviderCode] }, ({ providers: [known] }) => {
      if (known === undefined) return notFound("provider");
      record = {
        name: input.name === "" ? freeKeyName(known.keys) : input.name,
        hash,
        expiresAt: input.expiresAt,
        revoked: false,
      };
      const faults = newKeyFaults(record.name, record.expiresAt, known.keys, now);
      return decide(request, action, known, { ...known, keys: [...others(known.keys), record] }, faults);
    });
    return made.ok && record !== undefined
      ? ok({ provider: made.value, key: text, record })
      : (made as Extract<typeof made, { ok: false }>);
  }

  /** Revokes the key with this name for ever. The request must have a reason. */
  async revokeKey(request: AdminRequest, code: string, name: string): Promise<Result<ApiKey>> {
    const faults = reasonFaults(request, true);
    if (faults.length > 0) return refuseFaults(faults);
    const made = await this.#changes.make({ providers: [code as ProviderCode] }, ({ providers: [known] }) => {
      if (known === undefined) return notFound("provider");
      if (!known.keys.some((key) => key.name === name)) return notFound("name");
      const keys = known.keys.map((key) => (key.name === name ? { ...key, revoked: true } : key));
      return decide(request, "key revoke", known, { ...known, keys });
    });
    return made.ok ? ok(made.value.keys.find((key) => key.name === name) as ApiKey) : made;
  }

  get(code: string): Promise<Result<Provider>> {
    return this.#changes.read(() => {
      const provider = this.#settings.provider(code);
      return provider === undefined ? notFound("code") : ok(provider);
    });
  }

  list(pageRequest: PageRequest): Promise<Result<Page<Provider>>> {
    return this.#changes.read(() => pageOf("providers", this.#settings.providers(), ({ code }) => [code], pageRequest));
  }

  #change(
    request: AdminRequest,
    action: string,
    code: string,
    next: (known: Provider) => ProviderRecord,
    faults: (known: Provider) => readonly FieldFault[] = () => [],
  ) {
    return this.#changes.make(
      { providers: [code as ProviderCode] },
      ({ providers: [known] }): Result<Decision<ProviderRecord>> =>
        known === undefined ? notFound("code") : decide(request, action, known, next(known), faults(known)),
    );
  }
}

function decide(
  request: AdminRequest,
  action: string,
  before: Provider | undefined,
  provider: ProviderRecord,
  more: readonly FieldFault[] = [],
): Result<Decision<ProviderRecord>> {
  const ends = before?.active === true && !provider.active;
  const judged = judge(before && providerFields(before), providerFields(provider), providerFaults(provider), [
    ...more,
    ...reasonFaults(request, ends),
  ]);
  if (!judged.ok) return judged;
  if (judged.value.length === 0) return ok({ writes: [], audit: [], value: provider });
  return ok({
    writes: [{ kind: "provider", provider }],
    audit: [auditEntry(request, action, `provider ${provider.code}`, judged.value)],
    value: provider,
  });
}

/**
 * The list of sources after this source was changed, moved to another position, or added. Without a position a new
 * source comes last.
 */
function withSource(sources: readonly Source[], { address, deadlineMs, enabled, position }: SourceInput): Source[] {
  const at = sources.findIndex((source) => source.address === address);
  const known = at === -1 ? { address, deadlineMs: SOURCE_DEADLINE_MS, enabled: true } : (sources[at] as Source);
  const others = sources.filter((source) => source.address !== address);
  const place = position === undefined ? (at === -1 ? others.length : at) : position - 1;
  return others.toSpliced(place, 0, {
    ...known,
    deadlineMs: deadlineMs ?? known.deadlineMs,
    enabled: enabled ?? known.enabled,
  });
}

/** A provider's fields by their names in the API, without the hashes of its keys. */
function providerFields({ code, name, active, sources, keys }: ProviderRecord): Fields {
  return {
    code,
    name,
    active,
    sources: sources.map(({ address, deadlineMs, enabled }) => ({ address, deadline_ms: deadlineMs, enabled })),
    keys: keys.map(keyFields),
  };
}

/** A key's fields by their names in the API, without its hash. */
export const keyFields = ({ name, expiresAt, revoked }: ApiKey): Fields => ({
  name,
  expires_at:
    expiresAt === null
      ? null
      : Temporal.Instant.fromEpochMilliseconds(expiresAt).toString({ fractionalSecondDigits: 3 }),
  revoked,
});

import { freeKeyName, newKeyFaults } from "../../domain/access/api-key.ts";
import { isRole, type Role } from "../../domain/access/role.ts";
import { type FieldFault, ok, type Result, refuse } from "../../domain/errors.ts";
import { fieldFault } from "../../domain/values/field-fault.ts";
import type { AdminStore, Decision, Resealed } from "../../ports/admin-store.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Random } from "../../ports/random.ts";
import type { AdminKey, ApiKey } from "../../ports/settings-store.ts";
import type { Settings } from "../runtime/settings.ts";
import { type AdminRequest, auditEntry, type Changes, judge, notFound, reasonFaults, refuseFaults } from "./changes.ts";
import { type Page, type PageRequest, pageOf } from "./page.ts";
import { type KeyInput, keyFields, type Providers } from "./providers.ts";
import { newKey } from "./secrets.ts";

/** A provider's key with its provider, or an admin key with its role. */
export interface KeyWithOwner {
  readonly key: ApiKey;
  /** The code of the key's provider. Empty: the key is an admin key. */
  readonly provider: string;
  /** The role of an admin key. Empty: the key is a provider's key. */
  readonly role: Role | "";
}

/** The fields of a new key. Either `provider` or `role` is not empty. */
export interface NewKeyInput extends KeyInput {
  readonly provider: string;
  readonly role: string;
}

/** Creates, revokes and shows the keys of providers and the admin keys. Rotates the master key. */
export class Keys {
  readonly #changes: Changes;
  readonly #store: AdminStore;
  readonly #settings: Settings;
  readonly #providers: Providers;
  readonly #random: Random;
  readonly #clock: Clock;

  constructor(
    changes: Changes,
    store: AdminStore,
    settings: Settings,
    providers: Providers,
    random: Random,
    clock: Clock,
  ) {
    this.#changes = changes;
    this.#store = store;
    this.#settings = settings;
    this.#providers = providers;
    this.#random = random;
    this.#clock = clock;
  }

  /** Creates a key. Only this result contains the key's text. A key with the role owner needs a reason. */
  async create(
    request: AdminRequest,
    input: NewKeyInput,
  ): Promise<Result<{ readonly held: KeyWithOwner; readonly text: string }>> {
    if ((input.provider === "") === (input.role === ""))
      return refuseFaults([fieldFault("provider", "either provider or role")]);
    if (input.provider === "") return this.#createAdminKey(request, input);
    const made = await this.#providers.addKey(request, "key create", input.provider, input);
    return made.ok
      ? ok({ held: { key: made.value.record, provider: input.provider, role: "" }, text: made.value.key })
      : made;
  }

  async #createAdminKey(
    request: AdminRequest,
    { role, name: givenName, expiresAt }: NewKeyInput,
  ): Promise<Result<{ readonly held: KeyWithOwner; readonly text: string }>> {
    if (request.role !== "owner") return refuse("ROLE_NOT_ALLOWED");
    const { text, hash } = newKey(this.#random);
    const now = this.#clock.now();
    const made = await this.#changes.make({ adminKeys: true }, ({ adminKeys }) => {
      const name = givenName === "" ? freeKeyName(adminKeys) : givenName;
      const key: AdminKey = { name, role: role as Role, hash, expiresAt, revoked: false };
      return decide(request, "key create", undefined, key, [
        ...(isRole(role) ? [] : [fieldFault("role", "viewer, support, manager or owner")]),
        ...newKeyFaults(name, expiresAt, adminKeys, now),
        ...reasonFaults(request, role === "owner"),
      ]);
    });
    return made.ok ? ok({ held: held(made.value), text }) : made;
  }

  /**
   * Revokes a key. The request must have a reason.
   *
   * @param provider - empty: the key is an admin key.
   */
  async revoke(request: AdminRequest, provider: string, name: string): Promise<Result<KeyWithOwner>> {
    if (provider !== "") {
      const made = await this.#providers.revokeKey(request, provider, name);
      return made.ok ? ok({ key: made.value, provider, role: "" }) : made;
    }
    if (request.role !== "owner") return refuse("ROLE_NOT_ALLOWED");
    const made = await this.#changes.make({ adminKeys: true }, ({ adminKeys }) => {
      const key = adminKeys.find((candidate) => candidate.name === name);
      return key === undefined
        ? notFound("name")
        : decide(request, "key revoke", key, { ...key, revoked: true }, reasonFaults(request, true));
    });
    return made.ok ? ok(held(made.value)) : made;
  }

  get(provider: string, name: string): Promise<Result<KeyWithOwner>> {
    return this.#changes.read(() => {
      const key = this.#all().find((candidate) => candidate.provider === provider && candidate.key.name === name);
      return key === undefined ? notFound("name") : ok(key);
    });
  }

  /** @param provider, role - only keys of this provider, only keys of this role. An empty value excludes no key. */
  list(provider: string, role: string, pageRequest: PageRequest): Promise<Result<Page<KeyWithOwner>>> {
    return this.#changes.read(() => {
      const wanted = this.#all().filter(
        (key) => (provider === "" || key.provider === provider) && (role === "" || key.role === role),
      );
      return pageOf("keys", wanted, (key) => [key.provider, key.key.name], pageRequest);
    });
  }

  /** Encrypts every merchant's secrets with the first master key. */
  async rotateMaster(request: AdminRequest): Promise<Result<Resealed>> {
    const faults = reasonFaults(request);
    if (faults.length > 0) return refuseFaults(faults);
    const done = await this.#store.reseal();
    const changes = [{ field: "reencrypted", to: done.resealed }];
    await this.#store.record(auditEntry(request, "key rotate-master", "merchants", changes));
    return ok(done);
  }

  #all(): KeyWithOwner[] {
    const providers = this.#settings
      .providers()
      .flatMap(({ code, keys }) => keys.map((key): KeyWithOwner => ({ key, provider: code, role: "" })));
    return [...this.#settings.adminKeys().map(held), ...providers];
  }
}

const held = (key: AdminKey): KeyWithOwner => ({ key, provider: "", role: key.role });

function decide(
  request: AdminRequest,
  action: string,
  before: AdminKey | undefined,
  key: AdminKey,
  faults: readonly FieldFault[],
): Result<Decision<AdminKey>> {
  const fields = (of: AdminKey) => ({ ...keyFields(of), role: of.role });
  const judged = judge(before && fields(before), fields(key), [], faults);
  if (!judged.ok) return judged;
  if (judged.value.length === 0) return ok({ writes: [], audit: [], value: key });
  return ok({
    writes: [{ kind: "adminKey", key }],
    audit: [auditEntry(request, action, `key ${key.name}`, judged.value)],
    value: key,
  });
}

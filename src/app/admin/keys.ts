import { freeKeyName, newKeyFaults } from "../../domain/access/api-key.ts";
import { isRole, type Role } from "../../domain/access/role.ts";
import { type FieldFault, ok, type Result, refuse } from "../../domain/errors.ts";
import { fieldFault } from "../../domain/values/field-fault.ts";
import type { AdminStore, Decision, Resealed } from "../../ports/admin-store.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Random } from "../../ports/random.ts";
import type { AdminKey, ApiKey } from "../../ports/settings-store.ts";
import type { Settings } from "../runtime/settings.ts";
import { type Asked, auditEntry, type Changes, judge, notFound, reasonFaults, refuseFaults } from "./changes.ts";
import { type Page, type PageAsked, pageOf } from "./page.ts";
import { type KeySaid, keyFields, type Providers } from "./providers.ts";
import { newKey } from "./secrets.ts";

/** A key and whose it is: a provider's, or an admin key with its role. */
export interface HeldKey {
  readonly key: ApiKey;
  /** Empty: an admin key. */
  readonly provider: string;
  /** Empty: a provider's key. */
  readonly role: Role | "";
}

/** What is said of a new key: either `provider` or `role` is there. */
export interface NewKeySaid extends KeySaid {
  readonly provider: string;
  readonly role: string;
}

/** Keys of providers and of the administration itself, and the master keys. */
export class Keys {
  readonly #changes: Changes;
  readonly #store: AdminStore;
  readonly #settings: Settings;
  readonly #providers: Providers;
  readonly #random: Random;
  readonly #clock: Clock;

  constructor(changes: Changes, store: AdminStore, settings: Settings, providers: Providers, random: Random, clock: Clock) {
    this.#changes = changes;
    this.#store = store;
    this.#settings = settings;
    this.#providers = providers;
    this.#random = random;
    this.#clock = clock;
  }

  /** The text of the key, too, shown this once. An owner's key needs a reason. */
  async create(asked: Asked, said: NewKeySaid): Promise<Result<{ readonly held: HeldKey; readonly text: string }>> {
    if ((said.provider === "") === (said.role === "")) return refuseFaults([fieldFault("provider", "either provider or role")]);
    if (said.provider === "") return this.#createAdminKey(asked, said);
    const made = await this.#providers.addKey(asked, "key create", said.provider, said);
    return made.ok ? ok({ held: { key: made.value.record, provider: said.provider, role: "" }, text: made.value.key }) : made;
  }

  async #createAdminKey(asked: Asked, { role, name: said, expiresAt }: NewKeySaid): Promise<Result<{ readonly held: HeldKey; readonly text: string }>> {
    if (asked.role !== "owner") return refuse("ROLE_NOT_ALLOWED");
    const { text, hash } = newKey(this.#random);
    const now = this.#clock.now();
    const made = await this.#changes.make({ adminKeys: true }, ({ adminKeys }) => {
      const name = said === "" ? freeKeyName(adminKeys) : said;
      const key: AdminKey = { name, role: role as Role, hash, expiresAt, revoked: false };
      return decide(asked, "key create", undefined, key, [
        ...(isRole(role) ? [] : [fieldFault("role", "viewer, support, manager or owner")]),
        ...newKeyFaults(name, expiresAt, adminKeys, now),
        ...reasonFaults(asked, role === "owner"),
      ]);
    });
    return made.ok ? ok({ held: held(made.value), text }) : made;
  }

  /** Needs a reason. */
  async revoke(asked: Asked, provider: string, name: string): Promise<Result<HeldKey>> {
    if (provider !== "") {
      const made = await this.#providers.revokeKey(asked, provider, name);
      return made.ok ? ok({ key: made.value, provider, role: "" }) : made;
    }
    if (asked.role !== "owner") return refuse("ROLE_NOT_ALLOWED");
    const made = await this.#changes.make({ adminKeys: true }, ({ adminKeys }) => {
      const key = adminKeys.find((candidate) => candidate.name === name);
      return key === undefined ? notFound("name") : decide(asked, "key revoke", key, { ...key, revoked: true }, reasonFaults(asked, true));
    });
    return made.ok ? ok(held(made.value)) : made;
  }

  get(provider: string, name: string): Promise<Result<HeldKey>> {
    return this.#changes.read(() => {
      const key = this.#all().find((candidate) => candidate.provider === provider && candidate.key.name === name);
      return key === undefined ? notFound("name") : ok(key);
    });
  }

  /** @param provider, role - only this provider's, only this role's; empty: all. */
  list(provider: string, role: string, asked: PageAsked): Promise<Result<Page<HeldKey>>> {
    return this.#changes.read(() => {
      const wanted = this.#all().filter((key) => (provider === "" || key.provider === provider) && (role === "" || key.role === role));
      return pageOf("keys", wanted, (key) => [key.provider, key.key.name], asked);
    });
  }

  /** Encrypts every merchant's secrets under the first master key. */
  async rotateMaster(asked: Asked): Promise<Result<Resealed>> {
    const faults = reasonFaults(asked);
    if (faults.length > 0) return refuseFaults(faults);
    const done = await this.#store.reseal();
    const changes = [{ field: "reencrypted", to: done.resealed }];
    await this.#store.record(auditEntry(asked, "key rotate-master", "merchants", changes));
    return ok(done);
  }

  #all(): HeldKey[] {
    const providers = this.#settings.providers().flatMap(({ code, keys }) => keys.map((key): HeldKey => ({ key, provider: code, role: "" })));
    return [...this.#settings.adminKeys().map(held), ...providers];
  }
}

const held = (key: AdminKey): HeldKey => ({ key, provider: "", role: key.role });

function decide(asked: Asked, action: string, before: AdminKey | undefined, key: AdminKey, faults: readonly FieldFault[]): Result<Decision<AdminKey>> {
  const fields = (of: AdminKey) => ({ ...keyFields(of), role: of.role });
  const judged = judge(before && fields(before), fields(key), [], faults);
  if (!judged.ok) return judged;
  if (judged.value.length === 0) return ok({ writes: [], audit: [], value: key });
  return ok({ writes: [{ kind: "adminKey", key }], audit: [auditEntry(asked, action, `key ${key.name}`, judged.value)], value: key });
}

import { createHash, timingSafeEqual } from "node:crypto";
import type { DescMethod } from "@bufbuild/protobuf";
import type { WrongKeys } from "../../../app/capacity/wrong-keys.ts";
import type { Settings } from "../../../app/runtime/settings.ts";
import { BOOTSTRAP_KEY } from "../../../domain/access/api-key.ts";
import { mayAct, type Role } from "../../../domain/access/role.ts";
import { ok, type Result, refuse } from "../../../domain/errors.ts";
import { bearerKey } from "../server/bearer-key.ts";
import { type CallIdentity, callerAddress } from "../server/caller-address.ts";
import { roleFor } from "./roles.ts";

/** The admin key that a call was made with. */
export interface Caller {
  /** The key's name. */
  readonly actor: string;
  readonly role: Role;
}

type Lookup = Pick<Settings, "ensureFresh" | "adminKeyByText" | "readForUnknown">;

/**
 * Finds the caller by `authorization: Bearer <admin key>` and checks that its role may make the call. No call costs a
 * query, not even one with an unknown key.
 */
export class AdminAccess {
  readonly #settings: Lookup;
  readonly #wrongKeys: WrongKeys;
  readonly #bootstrap: Buffer | null;

  /** @param bootstrapKey - the key of ADMIN_KEY, whose role is owner; null: there is none. */
  constructor(settings: Lookup, wrongKeys: WrongKeys, bootstrapKey: string | null) {
    this.#settings = settings;
    this.#wrongKeys = wrongKeys;
    this.#bootstrap = bootstrapKey === null ? null : digest(bootstrapKey);
  }

  /**
   * Refusals: INVALID_API_KEY (RATE_LIMITED after too many of them from one address), ROLE_NOT_ALLOWED;
   * SERVICE_UNAVAILABLE when the settings can't be confirmed.
   */
  async admit(method: DescMethod, call: CallIdentity): Promise<Result<Caller>> {
    const needed = roleFor(method);
    const text = bearerKey(call.requestHeader.get("authorization"));
    if (text === undefined) return this.#wrongKeys.refuse("admin", callerAddress(call));
    if (!(await this.#settings.ensureFresh())) return refuse("SERVICE_UNAVAILABLE");
    const caller = await this.#holder(text);
    if (caller === undefined) return this.#wrongKeys.refuse("admin", callerAddress(call));
    return mayAct(caller.role, needed) ? ok(caller) : refuse("ROLE_NOT_ALLOWED");
  }

  /** Whether this `authorization` header has an admin key, as far as is known now. Counts nothing. */
  isRight(authorization: string): boolean {
    const text = bearerKey(authorization);
    return text !== undefined && (this.#isBootstrap(text) || this.#settings.adminKeyByText(text) !== undefined);
  }

  async #holder(text: string): Promise<Caller | undefined> {
    if (this.#isBootstrap(text)) return { actor: BOOTSTRAP_KEY, role: "owner" };
    const known = this.#settings.adminKeyByText(text);
    // The settings in memory may be older than the key.
    if (known === undefined) await this.#settings.readForUnknown();
    const key = known ?? this.#settings.adminKeyByText(text);
    return key && { actor: key.name, role: key.role };
  }

  #isBootstrap(text: string): boolean {
    return this.#bootstrap !== null && timingSafeEqual(digest(text), this.#bootstrap);
  }
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

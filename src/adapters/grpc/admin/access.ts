import type { DescMethod } from "@bufbuild/protobuf";
import type { AdminKeys } from "../../../app/access/admin-keys.ts";
import type { ConsoleSessions } from "../../../app/access/console-sessions.ts";
import type { WrongKeys } from "../../../app/capacity/wrong-keys.ts";
import type { Settings } from "../../../app/runtime/settings.ts";
import { mayAct, type Role } from "../../../domain/access/role.ts";
import { ok, type Result, refuse } from "../../../domain/errors.ts";
import { CONSOLE_SESSION } from "../server/call-context.ts";
import { bearerKey, type CallIdentity, callerAddress } from "../server/caller.ts";
import { roleFor } from "./roles.ts";

/** Who makes a call, by its admin key or its console session. */
export interface Caller {
  /** The key's name. */
  readonly actor: string;
  readonly role: Role;
}

/**
 * Finds the caller by `authorization: Bearer <admin key>`, or else by its console session. Checks that the caller's
 * role may make the call. A call with a key needs no query of its own, even if the key is unknown. A call with a
 * session needs one read of one row.
 */
export class AdminAccess {
  readonly #settings: Pick<Settings, "ensureFresh">;
  readonly #keys: AdminKeys;
  readonly #sessions: ConsoleSessions;
  readonly #wrongKeys: WrongKeys;

  constructor(
    settings: Pick<Settings, "ensureFresh">,
    keys: AdminKeys,
    sessions: ConsoleSessions,
    wrongKeys: WrongKeys,
  ) {
    this.#settings = settings;
    this.#keys = keys;
    this.#sessions = sessions;
    this.#wrongKeys = wrongKeys;
  }

  /**
   * Refusals: INVALID_API_KEY (RATE_LIMITED after too many wrong keys from one address); ROLE_NOT_ALLOWED;
   * SERVICE_UNAVAILABLE if the settings can't be confirmed. Throws StoreUnavailable.
   */
  async admit(method: DescMethod, call: CallIdentity): Promise<Result<Caller>> {
    const needed = roleFor(method);
    const caller = await this.#caller(call);
    if (!caller.ok) return caller;
    return mayAct(caller.value.role, needed) ? caller : refuse("ROLE_NOT_ALLOWED");
  }

  /** Whether this `authorization` header has an admin key, by the settings in memory. The call is not counted. */
  isRight(authorization: string): boolean {
    const text = bearerKey(authorization);
    return text !== undefined && this.#keys.isKnown(text);
  }

  async #caller(call: CallIdentity): Promise<Result<Caller>> {
    const authorization = call.requestHeader.get("authorization");
    const session = call.values.get(CONSOLE_SESSION);
    if (authorization === null && session !== "") return this.#bySession(session);
    const text = bearerKey(authorization);
    if (text === undefined) return this.#wrongKeys.refuse("admin", callerAddress(call));
    if (!(await this.#settings.ensureFresh())) return refuse("SERVICE_UNAVAILABLE");
    const key = await this.#keys.find(text);
    if (key === undefined) return this.#wrongKeys.refuse("admin", callerAddress(call));
    return ok({ actor: key.name, role: key.role });
  }

  /**
   * A session that has ended does not count as a wrong key, because an open page still makes calls after its session
   * has ended.
   */
  async #bySession(id: string): Promise<Result<Caller>> {
    const found = await this.#sessions.find(id);
    if (!found.ok) return found;
    return found.value === undefined
      ? refuse("INVALID_API_KEY")
      : ok({ actor: found.value.name, role: found.value.role });
  }
}

import type {
  DescMessage,
  DescMethodClientStreaming,
  DescMethodUnary,
  DescService,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import { refuse } from "../../../domain/errors.ts";
import { StoreUnavailable } from "../../../ports/store-unavailable.ts";
import type { Telemetry } from "../../../ports/telemetry.ts";
import { guard, unwrap } from "../server/refusal-error.ts";
import type { AdminAccess, Caller } from "./access.ts";
import { roleFor } from "./roles.ts";

type Handler<M> =
  M extends DescMethodUnary<infer I extends DescMessage, infer O extends DescMessage>
    ? (request: MessageShape<I>, caller: Caller) => Promise<MessageInitShape<O>>
    : M extends DescMethodClientStreaming<infer I extends DescMessage, infer O extends DescMessage>
      ? (requests: AsyncIterable<MessageShape<I>>, caller: Caller) => Promise<MessageInitShape<O>>
      : never;

/**
 * The handlers of one service. Each handler gets the caller. Authentication, roles and errors are the same for all
 * services.
 */
export type AdminHandlers<S extends DescService> = { readonly [Name in keyof S["method"]]: Handler<S["method"][Name]> };

/** Builds the service. Each rpc authenticates its caller and checks the caller's role before its handler runs. */
export function adminService<S extends DescService>(
  service: S,
  handlers: AdminHandlers<S>,
  access: AdminAccess,
  telemetry: Telemetry,
): ServiceImpl<S> {
  const implementation: Record<string, unknown> = {};
  for (const method of service.methods) {
    roleFor(method);
    const handle = handlers[method.localName as keyof S["method"]] as (
      input: unknown,
      caller: Caller,
    ) => Promise<unknown>;
    implementation[method.localName] = (input: unknown, context: HandlerContext) =>
      guard(telemetry, method.name, () =>
        available(async () => handle(input, unwrap(await access.admit(method, context)))),
      );
  }
  return implementation as ServiceImpl<S>;
}

/** Refuses with SERVICE_UNAVAILABLE if the database can't serve. */
async function available<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (cause) {
    if (cause instanceof StoreUnavailable) return unwrap(refuse("SERVICE_UNAVAILABLE"));
    throw cause;
  }
}

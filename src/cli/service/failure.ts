import { Code, ConnectError } from "@connectrpc/connect";
import { BadRequestSchema, ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb.ts";
import { type Flags, flagName } from "../arguments/flag.ts";

/**
 * What to do after a refusal, by its code. VALIDATION_ERROR has no advice, because its message lists the wrong fields.
 */
export const ADVICE: Readonly<Record<string, string>> = {
  INVALID_API_KEY: "ADMIN_KEY is not an admin key of this service, or the key has expired or was revoked.",
  ROLE_NOT_ALLOWED:
    "Your key's role may not do this. Ask an owner for a key with a higher role (viewer, support, manager, owner). The owner makes one with key create --role.",
  FOREIGN_PAGE: "A session of the console is valid only for its own page. Programs use an admin key.",
  RECORD_NOT_FOUND: "No record has that name. The list command of the noun shows all records.",
  TRANSACTION_NOT_FOUND:
    "transaction list shows the merchant's transactions. A wire id begins with the provider's code, as in ACME:17.",
  ALREADY_EXISTS: "A record has this name already. The command show prints it, and set changes it.",
  ROTATION_RUNNING:
    "Two secrets are valid. First end this rotation: merchant finish-rotation keeps the new secret, and merchant cancel-rotation keeps the old one.",
  ROTATION_NOT_RUNNING:
    "Only one secret is valid. Either no rotation was begun with --overlap, or its overlap has ended and only the new secret is valid. merchant show prints rotation_ends_at.",
  NOT_RESENDABLE:
    "Only a pending or failed win or refund can be sent again, and not a win that waits for its rollback. transaction show prints the state of this one.",
  NOT_RESOLVABLE:
    "Only a transaction that has been pending for RESEND_HORIZON_HOURS, and whose last call ended REFUND_QUIET_PERIOD_MS ago, can be resolved by hand. transaction show prints the state of this one.",
  RATE_LIMITED:
    "Too many calls without a valid key came from your address, or too many pings were sent to one merchant. Check ADMIN_KEY. A ping can be repeated after some seconds.",
  OVERLOADED: "The service has too much work now. Give the command again.",
  SERVICE_UNAVAILABLE: "The service can't reach its database. Look at the service's log, and give the command again.",
  INTERNAL_ERROR: "The service has a fault. Its log says more.",
};

/** The text for people about a failed call. An error that is a bug of this program is thrown again. */
export function failureText(cause: unknown, url: string, flags: Flags): string {
  const error = cause instanceof ConnectError ? cause : undefined;
  if (error === undefined) throw cause;
  const [info] = error.findDetails(ErrorInfoSchema);
  if (info === undefined) return notOurs(error, url);

  const faults = error.findDetails(BadRequestSchema).flatMap(({ fieldViolations }) => fieldViolations);
  const { field = "", retry } = info.metadata;
  const alone = field === "" ? [] : [`  ${written(field, flags)}`];
  const lines =
    faults.length === 0 ? alone : faults.map((fault) => `  ${written(fault.field, flags)}: ${fault.description}`);
  const advice = ADVICE[info.reason] ?? (retry === "same_request" ? "You may give the same command again." : "");
  return [`Refused: ${info.reason}`, ...lines, advice].join("\n").trimEnd();
}

/**
 * The flag whose value the field got: `--ip-list` for `ip_list.values[0]`. For a field without a flag: the field's
 * name.
 */
function written(field: string, flags: Flags): string {
  const keys = field
    .split(/[.[]/)
    .map((part) => part.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()));
  const key = keys.reverse().find((one) => one in flags);
  return key === undefined ? field : flagName(key);
}

/**
 * The text for an answer that is not from the service. Either nothing answers at this address, or another program does.
 */
function notOurs({ code, rawMessage, cause }: ConnectError, url: string): string {
  const why = (cause as { code?: string } | undefined)?.code ?? rawMessage;
  if (code === Code.Unavailable)
    return `Nothing answers at ${url} (${why}).\nSet ADMIN_URL to where the service's INTERNAL_HTTP_PORT listens (http://127.0.0.1:9092 by default), and start the service: npm run serve`;
  if (code === Code.DeadlineExceeded)
    return `${url} did not answer in time. The command may or may not have been executed. Check this with show or list before you repeat it.`;
  return `${url} answered, but not as this service's admin API (${Code[code]}: ${rawMessage}).\nSet ADMIN_URL to where the service's INTERNAL_HTTP_PORT listens: http://127.0.0.1:9092 by default`;
}

import { Code, ConnectError } from "@connectrpc/connect";
import { ERRORS } from "../../../contract/errors/errors.ts";
import type { ErrorRow } from "../../../contract/errors/row.ts";
import { BadRequestSchema, ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb.ts";
import { type Flags, flagName } from "../arguments/flag.ts";

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
  const known = (ERRORS as Readonly<Record<string, ErrorRow>>)[info.reason]?.administration?.advice;
  const advice = known ?? (retry === "same_request" ? "You may give the same command again." : "");
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

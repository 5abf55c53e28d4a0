import { ERROR_ROWS } from "../../../contract/errors/errors.ts";
import { source } from "../source.ts";

const HEAD = source("contract/errors/");
const MEANING = "The kind of each code that merchants can get.";

/** The kits' lists of error codes. The Go kit needs none: it chooses an error's type by the HTTP status. */
export function kitErrors(): Readonly<Record<string, string>> {
  const codes = ERROR_ROWS.flatMap(([code, { merchants }]) =>
    merchants === undefined ? [] : [{ code, kind: merchants.kit }],
  );
  const list = (line: (code: string, kind: string) => string): string =>
    codes.map(({ code, kind }) => `${line(code, kind)}\n`).join("");
  return {
    "kits/typescript/src/client/gen/error-kinds.ts": `// ${HEAD}
/** ${MEANING} */
export const ERROR_KINDS = {
${list((code, kind) => `  ${code}: "${kind}",`)}} as const;
`,
    "kits/python/src/game_aggregator/error_kinds.py": `# ${HEAD}
"""${MEANING}"""

ERROR_KINDS: dict[str, str] = {
${list((code, kind) => `    "${code}": "${kind}",`)}}
`,
    "kits/php/src/Error/ErrorKinds.php": `<?php // ${HEAD}

declare(strict_types=1);

namespace GameAggregator\\Kit\\Error;

/** ${MEANING} */
final class ErrorKinds
{
    public const OF_CODE = [
${list((code, kind) => `        '${code}' => '${kind}',`)}    ];
}
`,
    "kits/java/kit/src/main/java/aggregator/kit/client/ApiErrors.java": `// ${HEAD}
package aggregator.kit.client;

/** One class for each code that a merchant can get, so that {@code catch} can name the code. */
@SuppressWarnings("serial")
public final class ApiErrors {
  private ApiErrors() {}

  /** The exception of this code. An unknown code gives a plain {@link ApiException}. */
  static ApiException of(ApiException.Refusal refusal) {
    return switch (refusal.code()) {
${list((code) => `      case "${code}" -> new ${pascal(code)}(refusal);`)}      default -> new ApiException(refusal);
    };
  }
${list(
  (code) => `
  public static final class ${pascal(code)} extends ApiException {
    ${pascal(code)}(Refusal refusal) {
      super(refusal);
    }
  }`,
)}}
`,
  };
}

const pascal = (code: string): string =>
  code
    .split("_")
    .map((part) => part.charAt(0) + part.slice(1).toLowerCase())
    .join("");

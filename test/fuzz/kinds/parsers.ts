import { asKind, type Kind } from "../kind.ts";
import { forwarded, ipLists } from "./parsers/addresses.ts";
import { frameMessages, frameRoutes } from "./parsers/browser.ts";
import { catalogFiles } from "./parsers/catalog-files.ts";
import { cursors } from "./parsers/cursors.ts";
import { httpReplies } from "./parsers/http-replies.ts";
import { identifiers } from "./parsers/identifiers.ts";
import { jsonBodies } from "./parsers/json-bodies.ts";
import { launchTokens } from "./parsers/launch-tokens.ts";
import { moneyTexts } from "./parsers/money.ts";
import { instants, reportRequests } from "./parsers/reports.ts";
import { signatureReasons, signatures } from "./parsers/signing.ts";
import { queries, targets } from "./parsers/targets.ts";
import { urls } from "./parsers/urls.ts";
import { walletReplies } from "./parsers/wallet-replies.ts";

/** The kinds of input for code that reads a text or bytes. */
export const PARSERS: readonly Kind<never>[] = [
  asKind(moneyTexts),
  asKind(identifiers),
  asKind(ipLists),
  asKind(forwarded),
  asKind(signatures),
  asKind(signatureReasons),
  asKind(targets),
  asKind(queries),
  asKind(cursors),
  asKind(jsonBodies),
  asKind(walletReplies),
  asKind(httpReplies),
  asKind(urls),
  asKind(instants),
  asKind(reportRequests),
  asKind(catalogFiles),
  asKind(launchTokens),
  asKind(frameRoutes),
  asKind(frameMessages),
];

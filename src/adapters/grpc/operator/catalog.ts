import { timestampMs } from "@bufbuild/protobuf/wkt";
import { PRODUCTS } from "../../../../contract/values/products.ts";
import type { OnBehalf } from "../../../app/admin/on-behalf.ts";
import {
  type Catalog,
  type GameSelection,
  isSearchText,
  namesOf,
  type OfferedGame,
  SEARCH_MAX,
} from "../../../app/merchant/catalog.ts";
import { nameIn } from "../../../domain/catalog/game-name.ts";
import { type FieldFault, refuse } from "../../../domain/errors.ts";
import { fieldFault } from "../../../domain/values/field-fault.ts";
import { isProviderCode } from "../../../domain/values/identifiers.ts";
import { isLanguage } from "../../../domain/values/language.ts";
import type { CatalogService, ListGamesRequest } from "../../../gen/aggregator/operator/v1/catalog_service_pb.ts";
import type { AdminHandlers } from "../admin/service.ts";
import { toGame } from "../messages/game-message.ts";
import { isTime, TIME_RULE } from "../messages/timestamp.ts";
import { withoutEmpty } from "../messages/without-empty.ts";
import { unwrap } from "../server/refusal-error.ts";
import { readPage } from "./listing.ts";

/** Serves aggregator.operator.v1.CatalogService. */
export const operatorCatalog = (onBehalf: OnBehalf, catalog: Catalog): AdminHandlers<typeof CatalogService> => ({
  async listGames(request) {
    const merchant = unwrap(await onBehalf.merchant(request.merchant));
    const texts = choiceOf(request);
    const { choice, limit, after, cursorOf } = readPage(
      "games",
      merchant.code,
      texts,
      request,
      faultsOf(texts),
      DEFAULTS,
    );
    const position = after === null ? null : { provider: after.provider ?? "", code: after.code ?? "" };
    const { games, total, next } = catalog.games(merchant, selectionOf(choice), limit, position);
    return {
      games: games.map((game) => toOffered(game, choice.lang)),
      total,
      nextCursor: cursorOf(next && { ...next }),
    };
  },
  async getGame({ merchant, provider, code, lang }) {
    const texts = withoutEmpty({ lang });
    const faults = faultsOf(texts);
    if (faults.length > 0) unwrap(refuse("VALIDATION_ERROR", { details: faults }));
    const game = catalog.game(unwrap(await onBehalf.merchant(merchant)), provider, code);
    return { game: toOffered(game ?? unwrap(refuse("GAME_NOT_FOUND", { field: "code" })), texts.lang) };
  },
  async listProviders(request) {
    const merchant = unwrap(await onBehalf.merchant(request.merchant));
    const { limit, after, cursorOf } = readPage("providers", merchant.code, {}, request, []);
    const all = catalog.providers(merchant);
    const left = after === null ? all : all.filter(({ code }) => code > (after.code ?? ""));
    const providers = left.slice(0, limit);
    const last = left.length > limit ? providers.at(-1) : undefined;
    return {
      providers: [...providers],
      total: all.length,
      nextCursor: cursorOf(last === undefined ? null : { code: last.code }),
    };
  },
});

type Choice = Readonly<
  Partial<Record<"type" | "provider" | "q" | "demo_available" | "active" | "updated_since" | "lang", string>>
>;

/** The request's parameters, each written in only one way, so that equal requests have equal texts. */
const choiceOf = ({ type, provider, q, demoAvailable, active, updatedSince, lang }: ListGamesRequest) =>
  withoutEmpty({
    type,
    provider,
    q,
    active,
    lang: lang.toLowerCase(),
    demo_available: demoAvailable === undefined ? "" : String(demoAvailable),
    updated_since: updatedSince === undefined ? "" : String(timestampMs(updatedSince)),
  }) as Readonly<Record<string, string>>;

const DEFAULTS = { active: "true" };
const RULES: readonly (readonly [field: keyof Choice, rule: string, accepts: (text: string) => boolean])[] = [
  ["type", PRODUCTS.join(" | "), (text) => (PRODUCTS as readonly string[]).includes(text)],
  ["provider", "the code of a provider", isProviderCode],
  ["q", `1..${SEARCH_MAX} characters`, isSearchText],
  ["active", "true | false | all", (text) => ["true", "false", "all"].includes(text)],
  ["updated_since", TIME_RULE, (text) => isTime(Number(text))],
  ["lang", "pt, es or en, with or without a region", isLanguage],
];

const faultsOf = (choice: Choice): FieldFault[] =>
  RULES.filter(([field, , accepts]) => choice[field] !== undefined && !accepts(choice[field])).map(([field, rule]) =>
    fieldFault(field, rule),
  );

const selectionOf = ({ type, provider, q, demo_available, active, updated_since }: Choice): GameSelection => ({
  type: (type ?? null) as GameSelection["type"],
  provider: provider ?? null,
  q: q ?? null,
  demoAvailable: demo_available === undefined ? null : demo_available === "true",
  active: active === "all" ? null : active === "true",
  updatedSince: updated_since === undefined ? null : Number(updated_since),
});

/** A game as merchants see it: with its name in the requested language, and active only if its provider is active. */
export const toOffered = ({ game, active, updatedAt }: OfferedGame, language: string | undefined) => {
  const names = namesOf(game);
  return {
    ...toGame({ ...game, active, updatedAt, name: nameIn(language ?? null, game.name, names) }),
    names: { ...names },
  };
};

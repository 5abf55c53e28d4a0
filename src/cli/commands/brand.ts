import { LAYOUTS, THEMES } from "../../../contract/values/look.ts";
import { BrandSchema } from "../../gen/aggregator/admin/v1/brand_pb.ts";
import { choice, clearable, jsonObject, list, replacing, required, text } from "../arguments/flag.ts";
import { command, type Noun } from "../command.ts";
import { listOutput, recordOutput } from "../output/command-output.ts";
import { cursor, limit, reason, somethingTo } from "./common-flags.ts";

const code = required(
  text("code", "The brand's code: 1 to 64 characters of A-Z a-z 0-9 _ and -. It never changes", "shop"),
);
const name = text("name", "A name for people, up to 255 characters", "'Shop'");
const theme = choice("The sportsbook's theme", ...THEMES);
const layout = choice("The sportsbook's layout", ...LAYOUTS);
const defaultLanguage = text(
  "tag",
  "The sportsbook's language for visitors: pt, es or en, with or without a region",
  "pt-BR",
);
const settings = jsonObject("Further settings of the sportsbook, as a JSON object", '{"odds":"decimal"}');
const allowedOrigins = list(
  "origin",
  "The sites that may frame the sportsbook",
  "https://shop.example,https://www.shop.example",
);

export const brand: Noun = {
  summary: "Groups of an operator's merchants, and the look of their sportsbook",
  verbs: {
    create: command({
      summary: "Creates a brand",
      flags: { code, name, theme, layout, defaultLanguage, settings, allowedOrigins, reason },
      examples: [
        "--code shop --name 'Shop'",
        "--code shop --theme azure-carbon --layout tile --default-language pt-BR --allowed-origins https://shop.example",
      ],
      run: async (api, given) =>
        recordOutput(BrandSchema, (await api.brand.createBrand(given)).brand, {
          sentence: `Made the brand ${given.code}.`,
        }),
    }),
    set: command({
      summary: "Changes the given fields of a brand",
      flags: {
        code,
        name,
        theme,
        layout,
        defaultLanguage: clearable(defaultLanguage, "", "the default, pt"),
        settings: clearable(settings, {}, "no further settings"),
        allowedOrigins: replacing(allowedOrigins, "no site may frame it (in development: every site)"),
        reason,
      },
      check: somethingTo(
        ["name", "theme", "layout", "defaultLanguage", "settings", "allowedOrigins"],
        "--theme gold-navy, for example",
      ),
      examples: [
        "--code shop --theme gold-navy --layout classic",
        "--code shop --allowed-origins https://shop.example,https://www.shop.example",
      ],
      run: async (api, given) =>
        recordOutput(BrandSchema, (await api.brand.setBrand(given)).brand, {
          sentence: `Changed the brand ${given.code}.`,
        }),
    }),
    show: command({
      summary: "Shows a brand",
      flags: { code },
      examples: ["--code shop"],
      run: async (api, given) => recordOutput(BrandSchema, (await api.brand.getBrand(given)).brand),
    }),
    list: command({
      summary: "Lists brands by code",
      flags: { limit: limit(100, 500), cursor },
      examples: [""],
      run: async (api, given) => {
        const { brands, nextCursor } = await api.brand.listBrands(given);
        return listOutput(BrandSchema, brands, nextCursor, ["code", "name", "theme", "layout", "allowed_origins"]);
      },
    }),
  },
};

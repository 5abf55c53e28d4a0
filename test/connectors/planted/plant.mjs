// Loaded before everything else: one file of the connectors is read with the planted bug.
import { registerHooks } from "node:module";

const { file, quote, instead } = JSON.parse(process.env.PLANTED ?? "{}");
if (file !== undefined)
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!url.endsWith(`/${file}`)) return loaded;
      const text = Buffer.from(loaded.source).toString();
      if (!text.includes(quote)) throw new Error(`${file} has no ${quote}`);
      return { ...loaded, source: text.replace(quote, () => instead) };
    },
  });

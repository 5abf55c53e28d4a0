/**
 * `npm run serve`: the service alone, configured by environment variables. `--migrate` brings the schema up to date
 * first.
 */
import { serve } from "./serve.ts";

await serve();

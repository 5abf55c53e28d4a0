import type { SetUpWords } from "../en/en.ts";
import { audit } from "./audit.ts";

export const pt: SetUpWords = { audit };

/** `npm run postman`: writes docs/postman from the API's description. A test fails when they differ. */
import { writeFileSync } from "node:fs";
import { postmanFiles } from "./files.ts";

for (const [path, text] of Object.entries(postmanFiles())) writeFileSync(path, text);

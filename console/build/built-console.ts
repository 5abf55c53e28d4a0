import { keptBuild } from "../../web-files/kept-build.ts";
import { buildConsole } from "./build-console.ts";

/** What the build reads. */
const SOURCES = ["console", "contract", "look", "web-files", "web-renderer"];

/** The folder with the build of the current sources: `index.html` and `assets/`. The service serves it at /console/. */
export const builtConsole = (): Promise<string> => keptBuild("console", SOURCES, buildConsole);

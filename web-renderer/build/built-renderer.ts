import { keptBuild } from "../../web-files/kept-build.ts";
import { buildRenderer } from "./build-renderer.ts";

/** The folder with the build of the current sources. {@link buildRenderer} describes its content. */
export const builtRenderer = (): Promise<string> =>
  keptBuild("renderer", ["web-renderer", "tsconfig.json"], buildRenderer);

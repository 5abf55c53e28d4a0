/** What the build uses of the package, which has no types. */
declare module "subset-font" {
  /** The font with only these characters. It throws when the font is damaged. */
  export default function subsetFont(
    font: Buffer,
    characters: string,
    options: { readonly targetFormat: "woff2"; readonly keepFeatures: readonly string[] },
  ): Promise<Buffer>;
}

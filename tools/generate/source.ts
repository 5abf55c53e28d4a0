/** The first line of a generated file. */
export const source = (folder: string): string => `Generated out of ${folder} by \`npm run generate\`. Do not edit.`;

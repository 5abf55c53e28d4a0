export const games = {
  title: "Import games",
  lead: "The file adds or changes only the games listed in it. You see what it will do first.",
  known: (many: string) => `Games in the catalog: ${many}`,
  file: "File with games",
  fileHint: "A file whose name ends in .csv or .json, at most 64 MiB",
  checking: "The file is being checked. Nothing is changed yet.",
  sum: (created: string, updated: string, unchanged: string) =>
    `New: ${created}. Changed: ${updated}. Unchanged: ${unchanged}.`,
  nothing: "The catalog has everything in this file already.",
  changed: "Changed",
  changes: "What changes",
  new: "New",
  deactivated: (many: string) => `The file makes games inactive, so players no longer see them: ${many}`,
  missing: "Not in the file",
  missingText: "These games are in the catalog and can be launched. The import does not change them.",
  more: (many: string) => `And ${many} more.`,
  faults: "Wrong lines",
  wrong: (many: string) => `Wrong entries: ${many}`,
  wrongText: "Nothing is changed. Correct the file, and choose it again.",
  stopped: (sum: string) =>
    `A part of the file was stored before the fault: ${sum} Correct the file, and import it again.`,
  line: "Line",
  rule: "What is expected",
  act: "Import",
  effect:
    "Every field of these games gets the file's value. A field that the file does not have becomes unknown. Only “active” stays as it is.",
  done: "The games are imported.",
};

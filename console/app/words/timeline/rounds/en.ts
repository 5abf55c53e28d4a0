export const rounds = {
  title: "Rounds",
  lead: "Rounds of providers that say when a round ends. If a round stays open for long, its provider may have lost it, or a win of it may not be paid.",
  state: "State",
  states: { open: "Open", ended: "Ended" },
  age: "Opened",
  ages: {
    "0": "At any time",
    "3600": "More than an hour ago",
    "86400": "More than a day ago",
    "604800": "More than a week ago",
  },
  opened: "Opened",
  ended: "Ended",
  none: "No round here",
  noneText: "Only rounds of providers that say when a round ends are here.",
};

export const health = {
  wallets: {
    state: "State",
    states: {
      quiet: "No calls",
      quietNow: "No calls now",
      counting: "Being counted",
      good: "OK",
      someFail: "Some fail",
      failing: "Failing",
      slow: "Slow",
      limited: (calls: number) => `Calls held back: ${calls} at once`,
    },
    calls: "Calls",
  },
};

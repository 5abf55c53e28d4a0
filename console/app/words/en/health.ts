export const health = {
  wallets: {
    title: "Wallet health",
    lead: "How each wallet answers the service's calls, on all replicas together. Wallets with the most failures come first, then the slowest.",
    span: "Time until now",
    spans: { "10m": "10 minutes", "1h": "1 hour", "6h": "6 hours", "24h": "24 hours", "7d": "7 days" },
    state: "State",
    states: {
      quiet: "No calls",
      counting: "Being counted",
      good: "OK",
      someFail: "Some fail",
      failing: "Failing",
      slow: "Slow",
      limited: (calls: number) => `Calls held back: ${calls} at once`,
    },
    since: {
      slow: (time: string) => `Slow since ${time}`,
      failing: (time: string) => `Failing since ${time}`,
      orEarlier: (time: string) => `${time} or earlier`,
    },
    hints: {
      percentiles:
        "p50, p95 and p99: 50, 95 and 99 of 100 calls were faster. So p95 says that 19 of 20 calls were faster.",
      states:
        "Slow: 1 of 20 calls takes one second or longer. Failing: at least 1 of 20 calls gets no answer, or calls are held back.",
      held: "Calls held back: a wallet failed, so the circuit breaker of the service lets only a few calls through until it answers again.",
      places: "At once / limit: the most calls that ran at the same time, and how many may.",
    },
    calls: "Calls",
    answers: "Answers",
    failed: "No answer",
    kinds: {
      accepted: "Accepted",
      rejected: "Refused",
      timeout: "Time-out",
      http5xx: "HTTP 5xx",
      unreadable: "Unreadable",
      unreachable: "No connection",
    },
    places: "At once / limit",
    breaker: "Circuit breaker",
    closed: "normal",
    asOf: (time: string) => `As of ${time}. A minute is known some seconds after its end.`,
    back: "All wallets",
    itsSettings: "Settings of this merchant, and a test of its wallet",
    none: "The wallet was not called in this time",
    noneText: "Choose a longer time. The calls of a minute are counted some seconds after its end.",
    durations: "How long answers took",
    answersPlot:
      "Answers of the wallet by kind, minute by minute or hour by hour. The table of points has the same figures.",
    durationsPlot:
      "Durations of the calls, minute by minute or hour by hour: p50, p95 and p99. The table of points has the same figures.",
    points: "All points as a table",
    at: "From",
  },
};

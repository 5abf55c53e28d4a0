export const stuck = {
  stuck: {
    kind: "Kind",
    kinds: {
      unanswered: "No answer – you must act",
      owed: "Refused – you must act",
      retrying: "Being tried",
      pending: "Bets and rollbacks past the horizon",
      contradiction: "Contradictions",
      slip: "Betslips without an end",
    },
    all: "All merchants",
    stop: "Stop",
  },
};

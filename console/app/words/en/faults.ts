/** What is wrong with a field. Each sentence stands behind the field's name. */
export const faults = {
  faults: {
    wrong: (field: string) => `${field}: this value is wrong.`,
    noRecord: (field: string) => `${field}: there is no record with this value.`,
    rules: {
      required: () => "Write a value.",
      days: (max: string) => `At most ${max} days are possible.`,
      notBefore: (first: string) => `It must not be before “${first}”.`,
      zone: () => "Write the name of a time zone, such as America/Sao_Paulo or UTC.",
      date: () => "Choose a day.",
      https: () => "The address must begin with https://.",
      url: () => "Write a whole address, such as https://api.example.com/callback.",
      host: () => "The address must be one of the public internet.",
      source: () => "Write an address such as https://host:port, without a path.",
      characters: (max: string) => `Write 1 to ${max} characters.`,
      range: (min: string, max: string) => `Choose ${min} to ${max}.`,
      letters: (min: string, max: string, letters: string) => `Write ${min} to ${max} of these characters: ${letters}.`,
      future: () => "Choose a time in the future.",
      used: () => "A key has or had this name. Choose another one.",
      unknown: () => "There is no such record.",
      merchant: () => "Choose one merchant: there are too many to look at all.",
      ips: (max: string) => `Write at most ${max} addresses or CIDR ranges.`,
      origins: (max: string) => `Write at most ${max} origins without a path, such as https://shop.example.`,
      atMost: (max: string) => `At most ${max} are possible.`,
      rows: (max: string) => `The answer would have more than ${max} rows.`,
    },
  },
};

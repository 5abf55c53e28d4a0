/** The reasons why a case was not tried. */

/** There is nothing to judge. `lacks`: the certificate is incomplete without the case. */
export class NotTried extends Error {
  override readonly name = "NotTried";
  readonly lacks: boolean;

  constructor(why: string, lacks: boolean) {
    super(why);
    this.lacks = lacks;
  }
}

/** The case could not begin: no game was opened, or no bet came. */
export class Unprepared extends Error {
  override readonly name = "Unprepared";
}

/** What is known about an error code. The type demands every text that a caller of the code needs. */

/** A gRPC status, by the name of its code. */
export type GrpcCode =
  | "INVALID_ARGUMENT"
  | "UNAUTHENTICATED"
  | "PERMISSION_DENIED"
  | "NOT_FOUND"
  | "ALREADY_EXISTS"
  | "FAILED_PRECONDITION"
  | "RESOURCE_EXHAUSTED"
  | "UNAVAILABLE"
  | "INTERNAL";

/** The kinds of errors that the kits' clients tell apart. The Java kit has a class for each code. */
type KitError =
  | "authentication"
  | "permission"
  | "not_found"
  | "validation"
  | "conflict"
  | "rate_limited"
  | "launch"
  | "unavailable";

/** One text for people, in each language. */
type Texts = Readonly<Record<"pt" | "es" | "en", string>>;

interface Facts {
  /** HTTP status of the REST API. */
  readonly http: number;
  readonly grpc: GrpcCode;
  /** Whether the same request may succeed if the client sends it again unchanged. */
  readonly retry: "never" | "same_request";
  /** The row of docs/specification/errors.md. Markdown. */
  readonly meaning: string;
  /** Present if providers can get the code. */
  readonly providers?: {
    /** What the comment of WalletService adds to the code. */
    readonly remark?: string;
  };
  /**
   * Present if the sportsbook can get the code. `bets`, `sessions` and `brands` name the services that return it, with
   * what the service's comment adds to the code. Empty: nothing.
   */
  readonly sportsbook?: {
    readonly bets?: string;
    readonly sessions?: string;
    readonly brands?: string;
  };
}

/** A code that merchants can get has a text for people in each REST reply. Other codes may have one. */
type ForMerchants =
  | {
      readonly text: Texts;
      readonly merchants: {
        readonly kit: KitError;
        /** An example of `error.details`, for the API's description. Absent: the code has no details. */
        readonly details?: Readonly<Record<string, unknown>>;
      };
    }
  | { readonly text?: Texts; readonly merchants?: undefined };

/** A code that the administration can get has a text in the console. Codes of a launch have one, too. */
type ForAdministration =
  | {
      readonly console: Texts;
      readonly administration: {
        /** What the command line says about the code. Empty: the message lists the wrong fields. */
        readonly advice: string;
        /** What the comment of BrandAdminService adds to the code. */
        readonly remark?: string;
      };
    }
  | { readonly console?: Texts; readonly administration?: undefined };

export type ErrorRow = Facts & ForMerchants & ForAdministration;

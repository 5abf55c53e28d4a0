/** The version of the tool and its cases. */
export const VERSION = "1.0.0";

/** Of the tool and its cases; package.json has the same. */
export const VERSION = "1.0.0";

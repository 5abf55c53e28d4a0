/** The version of the tool and its cases. certify/wallet/package.json has the same version. */
export const VERSION = "1.2.0";

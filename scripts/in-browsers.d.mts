/** Files of Node, and those that take their places in what browsers load. */
export const IN_BROWSERS: Readonly<Record<string, string>>;

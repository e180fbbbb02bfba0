/** The rule for passwords, which the form checks before the server. Length makes a password hard to guess. */
export const PASSWORD_LENGTH_LEAST = 12;
export const MAX_PASSWORD_LENGTH = 200;

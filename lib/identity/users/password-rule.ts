/** What a password must be; the form says it before the server does. Length is what makes one hard to guess. */
export const PASSWORD_LENGTH_LEAST = 12;
export const MAX_PASSWORD_LENGTH = 200;

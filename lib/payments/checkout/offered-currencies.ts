/** The currencies offered to people first; the API takes any that the processor does. */
export const OFFERED_CURRENCIES = "usd eur gbp cad aud chf jpy sek nok dkk mxn brl inr sgd nzd".split(" ");

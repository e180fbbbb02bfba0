/** The currencies that the dashboard's forms offer. The API accepts every currency that the processor supports. */
export const OFFERED_CURRENCIES = "usd eur gbp cad aud chf jpy sek nok dkk mxn brl inr sgd nzd".split(" ");

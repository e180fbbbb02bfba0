/** The query key of all cached data about accounts: the path of the list. */
export const accountsKey = ["/api/accounts"];

/** The query key of all cached data about people: the path of the list. */
export const peopleKey = ["/api/people"];

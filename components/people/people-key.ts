/** The key of everything the browser has read of people: the path of their list. */
export const peopleKey = ["/api/people"];

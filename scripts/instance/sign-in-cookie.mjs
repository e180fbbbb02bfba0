/** Signs a user in like the dashboard's page. Returns the Cookie header for later requests. */
export async function signInCookie(baseUrl, { email, password }) {
  const csrf = await fetch(`${baseUrl}/api/auth/csrf`);
  const { csrfToken } = await csrf.json();
  const signedIn = await fetch(`${baseUrl}/api/auth/callback/credentials`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie: cookiesOf(csrf), "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ csrfToken, email, password, json: "true" }),
  });
  const cookie = cookiesOf(signedIn);
  if (!cookie.includes("trunkline_session")) throw new Error(`could not sign in: ${signedIn.status}`);
  return cookie;
}

function cookiesOf(response) {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";", 1)[0])
    .join("; ");
}

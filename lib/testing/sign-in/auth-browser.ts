import type { NextApiRequest, NextApiResponse } from "next";
import nextAuth, { type NextAuthOptions } from "next-auth";

interface AuthAnswer {
  status: number;
  /** The target of the redirect; empty if there is none. */
  location: string;
  body: Record<string, string>;
}

/** Uses the sign-in routes like a browser: keeps their cookies between requests. */
export interface AuthBrowser {
  cookies: Record<string, string>;
  get(path: string[], query?: Record<string, string>): Promise<AuthAnswer>;
  post(path: string[], body: Record<string, string>): Promise<AuthAnswer>;
}

export function newAuthBrowser(
  optionsFor: (cookies: Record<string, string>) => NextAuthOptions,
  cookies: Record<string, string> = {},
): AuthBrowser {
  async function sendRequest(request: object): Promise<AuthAnswer> {
    const answer = newAnswer();
    await nextAuth(
      { headers: {}, cookies, ...request } as NextApiRequest,
      answer.response as unknown as NextApiResponse,
      optionsFor(cookies),
    );
    for (const line of [answer.headers["set-cookie"] ?? []].flat()) {
      const [pair = ""] = line.split(";");
      const equals = pair.indexOf("=");
      cookies[pair.slice(0, equals)] = decodeURIComponent(pair.slice(equals + 1));
    }
    const { status, headers, body } = answer;
    return { status: status(), location: String(headers.location ?? ""), body: body() };
  }

  return {
    cookies,
    get: (nextauth, query = {}) => sendRequest({ method: "GET", query: { nextauth, ...query } }),
    post: (nextauth, body) => sendRequest({ method: "POST", query: { nextauth }, body }),
  };
}

function newAnswer() {
  const headers: Record<string, string | string[]> = {};
  let status = 200;
  let body: Record<string, string> = {};
  const response = {
    status(code: number) {
      status = code;
      return response;
    },
    getHeader: (name: string) => headers[name.toLowerCase()],
    setHeader(name: string, value: string | string[]) {
      headers[name.toLowerCase()] = value;
      return response;
    },
    json(value: Record<string, string>) {
      body = value;
    },
    send(value: Record<string, string>) {
      body = value;
    },
    end: () => undefined,
  };
  return { headers, response, status: () => status, body: () => body };
}

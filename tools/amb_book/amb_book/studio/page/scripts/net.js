// Asking the studio. Every error has a kind and a text that says what to do.

import { t } from "./dom.js";

export class Refused extends Error {
  constructor(kind, text) {
    super(t(`error.${kind}`) || text);
    this.kind = kind;
  }
}

let token = "";
export const withToken = (given) => (token = given);

export const ask = (path, query = {}) => {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return answered(fetch(given.length ? `${path}?${new URLSearchParams(given)}` : path, { cache: "no-store" }));
};

/** Send a file as it is. */
export const send = (path, query, file) =>
  answered(
    fetch(`${path}?${new URLSearchParams(query)}`, {
      method: "POST",
      headers: { "content-type": "application/octet-stream", "x-amb-token": token },
      body: file,
    }),
  );

export const tell = (path, body, { keepalive = false } = {}) =>
  answered(
    fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json", "x-amb-token": token },
      body: JSON.stringify(body),
      keepalive,
    }),
  );

async function answered(request) {
  let response, told;
  try {
    response = await request;
  } catch {
    throw new Refused("unreachable", "the studio does not answer");
  }
  try {
    told = await response.json();
  } catch {
    throw new Refused("internal", "the studio failed");
  }
  if (response.ok) return told;
  throw new Refused(told.error?.kind ?? "internal", told.error?.text ?? "the studio failed");
}

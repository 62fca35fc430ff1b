// A club's evening by a client made from the API's description: two players report by their links, the director calls and reads.
import createClient from "openapi-fetch";

import type { components, paths } from "./crawford.d.ts";
import task from "./task.json" with { type: "json" };

type Match = components["schemas"]["Match"];
type Problem = components["schemas"]["Problem"];

const client = createClient<paths>({ baseUrl: task.site });
const session = { Cookie: `sessionid=${task.session}; csrftoken=${task.token}`, "X-CSRFToken": task.token };

function given<T>(data: T | undefined, error: Problem | undefined): T {
  if (data === undefined) throw new Error(error === undefined ? "nothing came" : `${error.status} ${error.code}: ${error.detail}`);
  return data;
}

const event = { params: { path: { event: task.event } } };
const called = await client.POST("/api/v1/events/{event}/call-next/", { ...event, body: { everything: true }, headers: session });

const links: Record<string, string> = task.links;
// By entry: as which phone or program its link knows this one.
const devices: Record<string, string> = {};
function by_link(match: Match, side: 0 | 1): Record<string, string> {
  const entry = match.sides[side]?.entry ?? "";
  const device = devices[entry];
  return { Authorization: `Link ${links[entry] ?? ""}`, ...(device ? { Device: device } : {}) };
}
const know = (match: Match, side: 0 | 1, device: string | null | undefined): void => {
  devices[match.sides[side]?.entry ?? ""] = device ?? "";
};
const refusals = new Set<string | undefined>();
const decisions: string[] = [];

async function play(match: Match): Promise<void> {
  const a = by_link(match, 0);
  const b = by_link(match, 1);
  const at = { params: { path: { match: match.id } } };
  const claim = { score_a: match.length, score_b: 1, submission_key: `${match.id} a` };
  const reported = await client.POST("/api/v1/matches/{match}/report/", { ...at, body: claim, headers: a });
  const answer = given(reported.data, reported.error);
  know(match, 0, answer.device);
  const version = answer.report;
  const too_soon = { version: version + 1, submission_key: `${match.id} x` };
  const wrong = await client.POST("/api/v1/matches/{match}/agree/", { ...at, body: too_soon, headers: b });
  refusals.add(wrong.error?.code);
  const right = { version, submission_key: `${match.id} b` };
  const agreed = await client.POST("/api/v1/matches/{match}/agree/", { ...at, body: right, headers: b });
  const last = given(agreed.data, agreed.error);
  know(match, 1, last.device);
  decisions.push(last.decision);
}

for (;;) {
  const matches = await client.GET("/api/v1/events/{event}/matches/", event);
  const open = given(matches.data, matches.error).filter(({ status }) => status === "ready" || status === "called" || status === "playing");
  if (open.length === 0) break;
  for (const match of open) await play(match);
}

const checked = await client.POST("/api/v1/records/check/", {
  body: { file: task.record },
  bodySerializer: ({ file }) => {
    const form = new FormData();
    form.append("file", new Blob([file]), "match.mat");
    return form;
  },
});
const bracket = await client.GET("/api/v1/events/{event}/bracket/", { ...event, headers: session });
const winners = given(bracket.data, bracket.error).stages.flatMap(({ places }) => places.filter(({ first }) => first === 1));
console.log(
  JSON.stringify({
    called: given(called.data, called.error).length,
    refused: [...refusals],
    decided: decisions,
    verdict: given(checked.data, checked.error).verdict,
    winners: winners.map(({ entry }) => entry),
  }),
);

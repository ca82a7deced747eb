// A loop of the Vercel AI SDK over chat completions or Responses, plain or streamed. Prints the answer as JSON.
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, stepCountIs, streamText, tool } from "ai";
import { z } from "zod";

const [base, api, how, pages] = process.argv.slice(2);
const openai = createOpenAI({ baseURL: base, apiKey: "key-of-ann" });
const page = JSON.parse(pages);
const given = {
  model: api === "chat" ? openai.chat("m") : openai.responses("m"),
  prompt: "Read all.",
  maxRetries: 0,
  stopWhen: stepCountIs(40),
  providerOptions: { openai: { store: false } },
  tools: {
    look: tool({
      description: "Read a page.",
      inputSchema: z.object({ number: z.number() }),
      execute: async ({ number }) => page[number],
    }),
  },
};

async function run() {
  if (how !== "streamed") return (await generateText(given)).text;
  const stream = streamText(given);
  for await (const part of stream.fullStream) if (part.type === "error") throw part.error;
  return stream.text;
}

console.log(JSON.stringify({ answer: await run() }));

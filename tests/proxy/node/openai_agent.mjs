// A loop of the openai package over chat completions or Responses, plain or streamed. Prints the answer as JSON.
import OpenAI from "openai";

const [base, api, how, pages] = process.argv.slice(2);
const client = new OpenAI({ baseURL: base, apiKey: "key-of-ann", maxRetries: 0 });
const parameters = { type: "object", properties: { number: { type: "integer" } }, required: ["number"] };
const page = JSON.parse(pages);
const streamed = how === "streamed";
const asked = "Read all.";

async function chat() {
  const tools = [{ type: "function", function: { name: "look", parameters } }];
  const messages = [{ role: "user", content: asked }];
  for (;;) {
    const given = { model: "m", messages, tools };
    const reply = streamed
      ? await client.chat.completions.stream(given).finalChatCompletion()
      : await client.chat.completions.create(given);
    const message = reply.choices[0].message;
    messages.push(message);
    if (!message.tool_calls?.length) return message.content;
    for (const call of message.tool_calls) {
      const { number } = JSON.parse(call.function.arguments);
      messages.push({ role: "tool", tool_call_id: call.id, content: page[number] });
    }
  }
}

async function responses() {
  const tools = [{ type: "function", name: "look", parameters, strict: false }];
  const input = [{ role: "user", content: asked }];
  for (;;) {
    const given = { model: "m", input, tools, store: false };
    const reply = streamed
      ? await client.responses.stream(given).finalResponse()
      : await client.responses.create(given);
    input.push(...reply.output);
    const calls = reply.output.filter((item) => item.type === "function_call");
    if (!calls.length) return reply.output_text;
    for (const call of calls) {
      const { number } = JSON.parse(call.arguments);
      input.push({ type: "function_call_output", call_id: call.call_id, output: page[number] });
    }
  }
}

console.log(JSON.stringify({ answer: await (api === "chat" ? chat() : responses()) }));

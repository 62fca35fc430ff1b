// Redocly's recommended rules on the description: node lint.mjs FILE. Prints what is wrong, a line each, and nothing else.
import { createConfig, lint } from "@redocly/openapi-core";

const config = await createConfig({
  extends: ["recommended"],
  // Every address of this site ends with a slash, the API's since its first release.
  rules: { "no-path-trailing-slash": "off" },
});
for (const { severity, ruleId, message, location } of await lint({ ref: process.argv[2], config })) {
  console.log(severity, ruleId, location[0]?.pointer ?? "", message);
}

// One sentence for the user about anything that was thrown.
import { NumberError } from "./units.js";

// The library writes for the command line, after "bloomery: ": in lower case and without a full stop.
export function asSentence(text) {
  const start = /^[a-z]+ /.test(text) ? text[0].toUpperCase() + text.slice(1) : text;
  return /[.!?)"”]$/.test(start) ? start : `${start}.`;
}

export function makeDescribeError(t) {
  return (error) => {
    if (error instanceof NumberError) {
      const problem = t(`shell.number.${error.code}`, { typed: error.typed });
      return t("shell.number.frame", { problem, example: t(`shell.number.example.${error.kind}`) });
    }
    const sentence = asSentence(error instanceof Error ? error.message : String(error));
    if (error?.name === "BloomeryError") return t("shell.library_says", { sentence });
    return t("shell.unexpected", { sentence });
  };
}

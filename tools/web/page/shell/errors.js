// One sentence for the user about anything that was thrown.
import { NumberError } from "./units.js";

export function makeDescribeError(t) {
  return (error) => {
    if (error instanceof NumberError) {
      const problem = t(`shell.number.${error.code}`, { typed: error.typed });
      return t("shell.number.frame", { problem, example: t(`shell.number.example.${error.kind}`) });
    }
    const sentence = error instanceof Error ? error.message : String(error);
    if (error?.name === "BloomeryError") return t("shell.library_says", { sentence });
    return t("shell.unexpected", { sentence });
  };
}

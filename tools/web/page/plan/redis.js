// What the filter costs in a plain Redis, where it is stored as bitmaps.
import { refill } from "../shell/elements.js";

export function makeRedis(context) {
  const { t, rich, element, numbers, bloomery } = context;
  const facts = element("dl", { class: "facts" });
  const note = element("p", { class: "small muted" });
  const node = element("section", { class: "card stack plan-redis" }, element("h2", { id: "plan-redis" }, t("plan.redis.title")), facts, note);
  const fact = (name, value) => element("div", {}, element("dt", {}, t(`plan.redis.${name}`)), element("dd", {}, value));

  function update(query, { plan, rate }) {
    try {
      const cost = bloomery.redisCost({ items: plan.items, rate });
      refill(facts, fact("total", numbers.bytes(cost.total_bytes)), fact("bitmaps", t("plan.redis.bitmaps_value", { count: numbers.count(cost.shards), size: numbers.bytes(cost.bitmap_bytes) })),
        fact("keys", numbers.count(cost.keys)), fact("hashes", cost.hashes));
      const least = bloomery.plan({ items: plan.items, rate, layout: "classic" });
      refill(note, rich("plan.redis.note", { more: numbers.percent(cost.total_bytes / least.bytes - 1) }));
    } catch (error) {
      if (error?.name !== "BloomeryError") throw error;
      refill(facts);
      refill(note, element("span", { lang: "en" }, context.describeError(error)));
    }
  }
  return { node, update };
}

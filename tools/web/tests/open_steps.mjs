// What a user does in the part Open.

export async function drop(page, input, { name, bytes }) {
  await page.setInputFiles(`input[name=${input}]`, { name, mimeType: "application/octet-stream", buffer: Buffer.from(bytes) });
}

/** Waits until the file is open or refused; returns null, or the sentence. */
export async function outcome(page, scope = ".part-open > .stack") {
  await page.waitForFunction((where) => document.querySelector(`${where} .chooser-below`)?.getAttribute("aria-busy") === "false", scope);
  const notice = page.locator(`${scope} .chooser-below .notice.error`).first();
  return (await notice.count()) > 0 ? notice.innerText() : null;
}

/** Fills in the form of the format: "redisson,bits=1917,hashes=7". */
export async function chooseFormat(page, format, scope = ".part-open > .stack") {
  const [name, ...parameters] = format.split(",");
  await page.selectOption(`${scope} select[name=format]`, name);
  for (const one of parameters) {
    const [key, value] = one.split("=");
    const field = page.locator(`${scope} .chooser-form .fields [name="${key}"]`).first();
    if ((await field.evaluate((node) => node.tagName)) === "SELECT") await field.selectOption(value);
    else await field.fill(value);
  }
  await page.click(`${scope} .chooser-form button[type=submit]`);
}

/** Opens a golden file: its format is chosen if the page asks for it. */
export async function openFile(page, file) {
  await drop(page, "filter", file);
  let problem = await outcome(page);
  if (problem && file.secret) {
    await page.fill("[name=secret]", file.secret);
    await page.press("[name=secret]", "Enter");
    problem = await outcome(page);
  }
  if (!problem && file.format) await page.click(".other-format"); // it looks like another one
  if (file.format) {
    await chooseFormat(page, file.format);
    problem = await outcome(page);
  }
  return problem;
}

export async function factsOf(page) {
  return JSON.parse(await page.locator(".facts-card .json").textContent());
}

export async function downloaded(page, click) {
  const [download] = await Promise.all([page.waitForEvent("download"), click()]);
  const { readFile } = await import("node:fs/promises");
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

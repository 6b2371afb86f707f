// What the page remembers between visits: language and theme. Some browsers refuse, for files from disk too.

export function remember(name, value) {
  try {
    if (value === null) localStorage.removeItem(`bloomery.${name}`);
    else localStorage.setItem(`bloomery.${name}`, value);
  } catch { /* then it lasts as long as the page */ }
}

export function recall(name) {
  try {
    return localStorage.getItem(`bloomery.${name}`);
  } catch {
    return null;
  }
}

// Paints the cells of a filter on a canvas: bits, counters with their value, cells of a window by the age of their keys.

function colours(node) {
  const style = getComputedStyle(node);
  const read = (name) => style.getPropertyValue(name).trim();
  return {
    clear: read("--sunken"),
    line: read("--line"),
    set: read("--ember"),
    onSet: read("--on-ember"),
    ink: read("--ink"),
    soft: read("--ink-soft"),
    frame: read("--line-strong"),
    surface: read("--surface"),
    mono: read("--mono"),
  };
}

function box(pen, x, y, size, radius) {
  pen.beginPath();
  if (radius > 0) pen.roundRect(x, y, size, size, radius);
  else pen.rect(x, y, size, size);
}

/** Age 0 is the newest generation; the one that is forgotten next is faint. */
const fade = (age) => 1 - age * 0.11;

/** Many small cells: one path for all that are clear, one for all that are set, or one for each count up to three. */
function paintSmall(pen, paint, values, plan, kind) {
  const side = plan.cell - (plan.cell >= 6 ? 1 : 0.5);
  const radius = side >= 9 ? side * 0.18 : 0;
  for (const level of [0, 1, 2, 3]) {
    pen.fillStyle = level > 0 ? paint.set : paint.line;
    pen.globalAlpha = level === 0 || kind !== "counting" ? 1 : 0.4 + 0.2 * level;
    pen.beginPath();
    for (const frame of plan.frames) {
      const { start, count } = frame.group;
      for (let i = 0; i < count; i += 1) {
        if (Math.min(3, values[start + i]) !== level) continue;
        const x = frame.cellsX + (i % plan.columns) * plan.cell;
        const y = frame.cellsY + Math.floor(i / plan.columns) * plan.cell;
        if (radius > 0) pen.roundRect(x, y, side, side, radius);
        else pen.rect(x, y, side, side);
      }
    }
    pen.fill();
  }
  pen.globalAlpha = 1;
}

function paintNumber(pen, paint, place, value, x, y, how) {
  pen.fillStyle = value === 0 || how.kind === "window" ? paint.soft : paint.onSet;
  pen.font = `9px ${paint.mono}`;
  pen.textAlign = "left";
  pen.fillText(String(place), x + 4, y + 8);
  pen.textAlign = "center";
}

function paintCell(pen, paint, value, x, y, size, how) {
  const gap = size >= 20 ? 3 : size >= 6 ? 1 : size >= 3 ? 0.5 : 0;
  const side = size - gap;
  const radius = side >= 9 ? side * 0.18 : 0;
  box(pen, x, y, side, radius);
  if (how.kind === "window") return paintGenerations(pen, paint, value, x, y, side, radius, how);
  pen.fillStyle = value !== 0 ? paint.set : side >= 9 ? paint.clear : paint.line;
  pen.fill();
  if (value === 0 && side >= 9) {
    pen.strokeStyle = paint.line;
    pen.lineWidth = 1;
    pen.stroke();
  }
  if (side >= 15) {
    pen.fillStyle = value === 0 ? paint.soft : paint.onSet;
    pen.font = `${value === 0 ? 400 : 700} ${Math.round(side * 0.42)}px ${paint.mono}`;
    pen.fillText(String(value), x + side / 2, y + side / 2 + side * 0.03);
  }
}

function paintGenerations(pen, paint, mask, x, y, side, radius, how) {
  pen.fillStyle = paint.clear;
  pen.fill();
  pen.save();
  pen.clip();
  pen.fillStyle = paint.set;
  if (side >= 14) {
    const width = side / 8;
    for (let age = 0; age < 8; age += 1) {
      const lane = (how.newest - age + 16) % 8;
      if (((mask >> lane) & 1) === 0) continue;
      pen.globalAlpha = fade(age);
      pen.fillRect(x + (7 - age) * width, y, Math.max(1, width - 0.5), side);
    }
  } else if (mask !== 0) {
    let age = 0;
    while (((mask >> ((how.newest - age + 16) % 8)) & 1) === 0) age += 1;
    pen.globalAlpha = fade(age);
    pen.fillRect(x, y, side, side);
  }
  pen.restore();
  pen.globalAlpha = 1;
  if (side >= 3) {
    box(pen, x, y, side, radius);
    pen.strokeStyle = paint.line;
    pen.lineWidth = 1;
    pen.stroke();
  }
}

/** Layers have tens of thousands of bits: plain squares, all of one colour in one go. */
function paintDense(pen, paint, values, plan) {
  const side = plan.cell >= 3 ? plan.cell - 0.5 : plan.cell;
  for (const frame of plan.frames) {
    if (frame.group.later) continue;
    pen.fillStyle = paint.clear;
    pen.fillRect(
      frame.cellsX,
      frame.cellsY,
      plan.columns * plan.cell,
      Math.ceil(frame.group.count / plan.columns) * plan.cell,
    );
  }
  pen.fillStyle = paint.set;
  for (const frame of plan.frames) {
    const { start, count, later } = frame.group;
    for (let i = 0; i < count && !later; i += 1) {
      if (values[start + i] === 0) continue;
      pen.fillRect(
        frame.cellsX + (i % plan.columns) * plan.cell,
        frame.cellsY + Math.floor(i / plan.columns) * plan.cell,
        side,
        side,
      );
    }
  }
}

function paintFrames(pen, paint, plan, labels) {
  pen.textAlign = "left";
  plan.frames.forEach((frame, i) => {
    pen.beginPath();
    pen.roundRect(frame.x + 0.5, frame.y + 0.5, frame.width - 1, frame.height - 1, 6);
    pen.fillStyle = paint.surface;
    if (!frame.group.later) pen.fill();
    pen.strokeStyle = frame.group.later ? paint.line : paint.frame;
    pen.lineWidth = 1;
    pen.setLineDash(frame.group.later ? [4, 4] : []);
    pen.stroke();
    pen.setLineDash([]);
    pen.fillStyle = paint.soft;
    pen.font = `12px ${paint.font}`;
    const label = labels(frame.group, i, false);
    pen.fillText(
      pen.measureText(label).width <= frame.width ? label : labels(frame.group, i, true),
      frame.x + 2,
      frame.y - 8,
    );
  });
  pen.textAlign = "center";
}

/** @param how { kind, newest, labels(group, index) } */
export function paintCells(canvas, values, plan, how) {
  const ratio = Math.min(3, window.devicePixelRatio || 1);
  const width = canvas.clientWidth;
  const pixels = { width: Math.round(width * ratio), height: Math.round(plan.height * ratio) };
  if (canvas.width !== pixels.width || canvas.height !== pixels.height) Object.assign(canvas, pixels);
  const pen = canvas.getContext("2d");
  const paint = { ...colours(canvas), font: getComputedStyle(canvas).fontFamily };
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, plan.height);
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  if (plan.framed) paintFrames(pen, paint, plan, how.labels);
  if (values.length > 4200) {
    paintDense(pen, paint, values, plan);
    return;
  }
  if (plan.cell < 15 && how.kind !== "window") {
    paintSmall(pen, paint, values, plan, how.kind);
    return;
  }
  for (const frame of plan.frames) {
    const { start, count } = frame.group;
    for (let i = 0; i < count; i += 1) {
      const x = frame.cellsX + (i % plan.columns) * plan.cell;
      const y = frame.cellsY + Math.floor(i / plan.columns) * plan.cell;
      paintCell(pen, paint, values[start + i], x, y, plan.cell, how);
      if (plan.cell >= 36) paintNumber(pen, paint, start + i, values[start + i], x, y, how);
    }
  }
}
